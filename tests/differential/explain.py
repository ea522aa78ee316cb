#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what `orchil explain --json` says about random tests (generate.py).

Each claim is turned into a changed text of the test, by this script, and `orchil check` judges the text. The claims: the verdict;
whether an interleaving gives the outcome; each repair forbids it, and no change of a repair can be left out; no single sc fence
does where several changes are called the fewest; five barriers at random places do not where none is proposed; each weakening lifts the ban, and none does where none is listed; each changed test
that a reason rests on. Reasons are also checked by changes that are made here, without the places that `explain` names."""

import argparse
import collections
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import generate
from program import text

FAMILIES = ["ptx", "c", "opencl", "ptx-async", "ptx-vectors", "ptx-proxies", "opencl-vectors", "vulkan", "cuda"]
BARRIER = re.compile(r"__sync|(work_group_|sub_group_|\b)barrier\(|\bbar\.|barrier\.cluster|cbar")
ALLOWED, RACY, FORBIDDEN, UNJUDGED = "allowed", "undefined", "forbidden", "unjudged"
CLASSES = {"sc": ALLOWED, "weak": ALLOWED, "forbidden": FORBIDDEN, "undefined": RACY, "unspecified": RACY}
BATCH = 10


def options():
    parser = argparse.ArgumentParser(description="Checks the claims of orchil explain with orchil check.")
    parser.add_argument("--orchil", default="build/release/orchil", help="the program (default: %(default)s)")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, help="the first seed (default: random)")
    parser.add_argument("--count", type=int, default=100, help="tests of all families together (default: %(default)s)")
    parser.add_argument("--time", default="2s", help="--time of orchil explain (default: %(default)s)")
    parser.add_argument("--judge", help="check the claims with this model instead of the one that explained")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes (default: all cores)")
    return parser.parse_args()


def normal(outcome):
    return "; ".join(sorted(part.strip() for part in outcome.split(";") if part.strip() not in ("", "-")))


# ---- texts ----

class Text:
    """The lines of a test that can change: in PTX a row of cells for each line, else the line."""

    def __init__(self, source):
        self.lines = source.split("\n")
        self.columns = source.startswith(("PTX", "VULKAN"))
        self.head = next(n for n, line in enumerate(self.lines) if "P0@" in line or line.startswith("P0"))
        self.end = next(n for n, line in enumerate(self.lines) if line.startswith("locations"))
        self.owners = []  # the thread of each line, if lines are not shared
        owner = None
        for line in self.lines:
            start = re.match(r"P(\d+)[ @].*{$", line)
            owner = int(start[1]) if start and not self.columns else owner
            self.owners.append(owner if line.startswith("  ") else None)

    def width(self):
        return self.lines[self.head].count("|") + 1

    def cell(self, line, thread):
        return self.lines[line].rstrip(" ;").split("|")[thread].strip() if self.columns else self.lines[line].strip()

    def set_cell(self, line, thread, new):
        if self.columns:
            cells = [cell.strip() for cell in self.lines[line].rstrip(" ;").split("|")]
            cells[thread] = new
            self.lines[line] = " " + " | ".join(cells) + " ;"
        else:
            self.lines[line] = "  " + new

    def insert(self, after, thread, new):
        cells = [""] * self.width()
        if self.columns:
            cells[thread] = new
        self.lines.insert(after + 1, " " + " | ".join(cells) + " ;" if self.columns else f"  {new};")

    def insert_edge(self, edge):
        """An order of threads by the host: a line of its own, in VULKAN in braces before the threads."""
        if not self.lines[0].startswith("VULKAN"):
            self.lines.insert(self.end, edge)
        elif self.lines[self.head - 1].startswith("{ ssw"):
            self.lines[self.head - 1] = self.lines[self.head - 1].replace("{", "{ " + edge + ";", 1)
        else:
            self.lines.insert(self.head, "{ " + edge + "; }")
            self.head, self.end = self.head + 1, self.end + 1

    def places(self):
        """(line, thread) of each instruction."""
        for line in range(self.head + 1, self.end):
            if self.columns:
                yield from ((line, thread) for thread in range(self.width()) if self.cell(line, thread))
            elif self.owners[line] is not None and self.lines[line].rstrip().endswith(";"):
                yield line, self.owners[line]

    def result(self, name):
        heading = self.lines[0].split()[0] + " " + name
        return "\n".join([heading] + self.lines[1:])


def changed(source, changes):
    """The text with changes as `explain` names them; None if one does not fit."""
    new = Text(source)
    # From the last line on, and of what comes after one line the last first, so that lines keep their numbers.
    for change in sorted(reversed(changes), key=lambda c: (-c.get("line", 1 << 30), c["before"] is None)):
        before, after, thread = change["before"], change["after"], change["thread"]
        if "line" not in change:
            new.insert_edge(after)
            continue
        line = change["line"] - 1
        if before is None:
            new.insert(line, thread, after)
            continue
        cell = new.cell(line, thread)
        if before not in cell:
            return None
        new.set_cell(line, thread, cell.replace(before, after, 1) if after is not None else "" if new.columns else ";")
    return new


def fenced(source, fence):
    """The text with a fence after each instruction of each thread. Declarations come first, so that is never among them."""
    new = Text(source)
    for line, thread in sorted(new.places(), reverse=True):
        if not re.match(r"int r\d+ = 0;", new.cell(line, thread)):
            new.insert(line, thread, fence)
    return new


def replaced(source, pattern, instead):
    new = Text(source)
    for line, thread in new.places():
        new.set_cell(line, thread, re.sub(pattern, instead, new.cell(line, thread)))
    return new


def cuda_text(seed):
    """A program of a seed in CUDA: threads of one or two blocks, with plain accesses, fences, branches and barriers."""
    chance = random.Random(f"cuda {seed}")
    count = chance.choice([2, 2, 3])
    shared, warps = chance.random() < 0.4, chance.choice([[0, 0, 0], [0, 1, 2], [0, 0, 1]])
    blocks = [0, 0, 0] if shared or chance.random() < 0.7 else [0, 0, 1]
    meets = chance.choice([None, None, "__syncthreads();"]) if not any(blocks[:count]) else None
    pointer = "__shared__ int*" if shared else "int*"
    lines, registers = [f"CUDA cuda-{seed}", "{ x=0; y=0; }"], []
    for thread in range(count):
        lines.append(f"P{thread}@warp {warps[thread]}, cta {blocks[thread]}, gpu 0 ({pointer} x, {pointer} y) {{")
        code = [chance.choice(["*{0} = {1};", "int r{1} = *{0};", "int r{1} = *{0};"]).format(chance.choice("xy"), at + 1)
                for at in range(chance.choice([1, 2, 2, 3]))]
        registers += [f"{thread}:{step.split()[1]};" for step in code if step.startswith("int")]
        if code[0].startswith("int") and code[-1].startswith("*") and chance.random() < 0.3:
            code[-1] = f"if ({code[0].split()[1]} == 1) {{ {code[-1]} }}"
        if meets or chance.random() < 0.2:
            code.insert(chance.randrange(len(code) + 1), meets or "__threadfence();")
        lines += ["  " + step for step in code] + ["}"]
    return "\n".join(lines + [f"locations [ x; y; {' '.join(registers)} ]", ""])


def is_barrier(changes):
    return all(BARRIER.search(change["after"] or "") for change in changes)


def share_group(source):
    """Do all threads of the test belong to one work-group?"""
    groups = re.findall(r"P\d+@(?:warp \d+, ?|sg \d+, ?)?((?:cta|wg) \d+)", source)
    return len(groups) > 1 and len(set(groups)) == 1


def met(source, chance):
    """The text with one more barrier, at any place of each thread, all of whose threads are in one group; None in VULKAN."""
    words = {"PTX": "bar.cta.sync 9", "CUDA": "Z: __syncthreads()",
             "OPENCL": "Z: barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)"}
    new = Text(source)
    word = words.get(source.split()[0])
    chosen = {}
    for line, thread in new.places():
        chosen.setdefault(thread, []).append(line)
    for line, thread in sorted(((chance.choice(lines), thread) for thread, lines in chosen.items()), reverse=True):
        if word:
            new.insert(line, thread, word)
    return new if word else None


# ---- the words of the dialects ----

PTX_SCOPE = r"(?<!bar)\.(cta|cluster|gpu|sys)\b"


def widest(source):
    """The scope that includes all threads. OpenCL orders sequentially consistent operations only if they
    have one scope, and the default is the device."""
    several = re.search(r"(gpu|dev) 1\b", source)
    if source.startswith("PTX"):
        return "sys" if several else "gpu"
    return "memory_scope_all_svm_devices" if several else "memory_scope_device"


def sc_fence(source, order="sc"):
    """A fence of that scope."""
    words = {"sc": "memory_order_seq_cst", "acq_rel": "memory_order_acq_rel"}
    if source.startswith("PTX"):
        return f"fence.{order}.{widest(source)}"
    if source.startswith("VULKAN"):  # which has none that is sequentially consistent
        return "membar.acq_rel.dv.semsc0.semsc1.semsc2.semsc3.semav.semvis"
    if source.startswith("OPENCL"):
        local = " | CLK_LOCAL_MEM_FENCE" if "local " in source else ""
        return f"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE{local}, {words[order]}, {widest(source)})"
    return f"atomic_thread_fence({words[order]})"


def strong(source, scopes=True, weak=True):
    """The text with wide scopes, and with relaxed accesses instead of weak ones."""
    wide, narrower = widest(source), r"(?<!bar)\.(cta|cluster|gpu)\b"
    for is_wanted, pattern, instead in ((weak, r"\.weak\b", f".relaxed.{wide}"), (scopes, narrower, f".{wide}"),
                                        (scopes, r"memory_scope_(work_group|device)\b", wide)):
        if is_wanted:
            source = replaced(source, pattern, instead).result(source.split("\n", 1)[0].split()[1])
    return source


def weakenings(source):
    """Texts with one order, scope or fence less."""
    for line, thread in Text(source).places():
        cell = Text(source).cell(line, thread)
        words = [r"\.(acquire|release|acq_rel)\b", PTX_SCOPE, r"memory_order_(?!relaxed)\w+", r"memory_scope_(?!work_group)\w+"]
        instead = [".relaxed", ".cta", "memory_order_relaxed", "memory_scope_work_group"]
        for word, new in zip(words, instead):
            if re.search(word, cell) and "fence" not in cell:
                mild = Text(source)
                mild.set_cell(line, thread, re.sub(word, new, cell))
                yield mild
        if re.match(r"(ld|st|rmw)\.atom\.", cell):  # of VULKAN, whose semantics go with the order
            mild = Text(source)
            mild.set_cell(line, thread, re.sub(r"\.(acq_rel|acq|rel|semsc\d|semav|semvis)\b", "", cell))
            yield mild
        if re.match(r"fence|membar|bar\.cta|atomic_(thread|work_item)_fence|work_group_barrier", cell):
            mild = Text(source)
            mild.set_cell(line, thread, "" if mild.columns else ";")
            yield mild


# ---- claims ----

# expected: the classes that it may be in. A text made here without the help of `explain` may be none that orchil reads: tried.
Claim = collections.namedtuple("Claim", "says text expected tried", defaults=(False,))


def repair_claims(source, said):
    wanted = (ALLOWED, FORBIDDEN) if said["verdict"] == "undefined" else (FORBIDDEN,)
    left = (RACY,) if said["verdict"] == "undefined" else (ALLOWED, RACY)
    found = said["forbidden_by"]
    for number, changes in enumerate(found["changes"]):
        yield Claim(f"repair {number}", changed(source, changes), wanted)
        for gone in range(len(changes) if found["needed"] else 0):
            if (changes[gone]["after"] or "").startswith("barrier.cluster"):
                continue  # half of a barrier, without which the text is no test
            yield Claim(f"repair {number} without its change {gone}",
                        changed(source, changes[:gone] + changes[gone + 1:]), left)
    for launch in found["launches"]:
        yield Claim(launch["says"], changed(source, launch["changes"]), (CLASSES.get(launch["then"]),))
    if share_group(source) and not any(map(is_barrier, found["changes"])) and not found["cut"] and not found["unjudged"]:
        chance = random.Random(source)
        for number in range(5):
            new = met(source, chance)
            if new:
                yield Claim(f"no barrier: {number}", new, left, True)
    if found["fewest"] and len(found["changes"][0]) > 1:
        body = {said["events"][edge["from"]].get("thread") for edge in said.get("cycle", [])}
        for line, thread in Text(source).places():
            if thread in body:
                new = Text(source)
                new.insert(line, thread, sc_fence(source))
                yield Claim(f"fewer: a fence in P{thread} after line {line + 1}", new, left, True)


def hold_claims(source, said):
    found = said["held_by"]
    for number, changes in enumerate(found["changes"]):
        yield Claim(f"weakening {number}", changed(source, changes), (ALLOWED, RACY))
    for launch in found["launches"]:
        yield Claim(launch["says"], changed(source, launch["changes"]), (CLASSES.get(launch["then"]),))
    if not found["changes"] and not found["launches"] and not found["cut"] and not found["unjudged"]:
        for number, new in enumerate(weakenings(source)):
            yield Claim(f"no weakening: {number}", new, (FORBIDDEN,), True)


def reason_claims(source, said, simple):
    for claim in said.get("weak_claims", []):
        yield Claim("reason: " + claim["says"], changed(source, claim["changes"]), (CLASSES[claim["then"]],))
    reason = said.get("weak_by")
    if not simple or "local " in source:
        return
    kept = strong(source)
    if reason == "scopes":
        yield Claim("scopes", Text(strong(source, weak=False)), (FORBIDDEN,))
    elif reason == "weak-accesses":
        yield Claim("weak accesses", Text(strong(source, scopes=False)), (FORBIDDEN,))
    elif reason == "weak-accesses-and-scopes":
        yield Claim("scopes and weak accesses", Text(kept), (FORBIDDEN,))
    elif reason in ("reordered", "together"):
        yield Claim("sc fences", fenced(kept, sc_fence(source)), (FORBIDDEN,))
    elif reason == "propagation":
        yield Claim("acq_rel fences", fenced(kept, sc_fence(source, "acq_rel")), (ALLOWED,))
        yield Claim("sc fences", fenced(kept, sc_fence(source)), (FORBIDDEN,))
    elif reason == "despite-fences":
        yield Claim("sc fences", fenced(kept, sc_fence(source)), (ALLOWED,))


def claims_of(source, said, simple):
    yield Claim("the verdict", Text(source), (CLASSES.get(said["verdict"]),))
    if "forbidden_by" in said:
        yield from repair_claims(source, said)
    if "held_by" in said:
        yield from hold_claims(source, said)
    yield from reason_claims(source, said, simple)


# ---- asking orchil ----

def check(arguments, model, folder, names):
    """name -> outcome -> class; the outcome None is for all others. Texts that orchil does not read are left out."""
    if not names:
        return {}
    command = [arguments.orchil, "check", "--json"] + (["--model", model] if model else []) + [folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2):
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    answers = {}
    for line in done.stdout.splitlines():
        record = json.loads(line)
        racy = record.get("racy", False)
        outcomes = {normal(o["outcome"]): RACY if racy else CLASSES.get(o["verdict"], UNJUDGED)
                    for o in record.get("outcomes", [])}
        outcomes[None] = RACY if racy else FORBIDDEN if record.get("complete") else UNJUDGED
        outcomes["raw"] = [(o["outcome"], o["verdict"]) for o in record.get("outcomes", [])]
        answers[record["test"]] = outcomes
    return answers


def class_of(answers, name, outcome):
    outcomes = answers.get(name, {None: "a text that orchil does not read"})
    return outcomes.get(outcome, outcomes[None])


def chosen_outcomes(answer, seed):
    """One outcome of each verdict; of a racy test none."""
    chance = random.Random(seed)
    by_verdict = collections.defaultdict(list)
    for outcome, verdict in answer.get("raw", []):
        by_verdict[verdict].append(outcome)
    if answer.get(None) == RACY:
        return [None]
    return [chance.choice(sorted(by_verdict[verdict])) for verdict in ("weak", "forbidden", "sc") if by_verdict[verdict]]


def explain(arguments, path, outcome):
    command = [arguments.orchil, "explain", "--json", "--time", arguments.time] + (["--outcome", outcome] if outcome else []) + [path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


class Batch:
    """Some tests of one family, for one process."""

    def __init__(self, arguments):
        self.arguments = arguments

    def __call__(self, work):
        family, first, count = work
        with tempfile.TemporaryDirectory(prefix="orchil-explain.") as folder:
            return self.judge(family, folder, {f"{family}-{seed}": cuda_text(seed) if family == "cuda" else text(generate.program(family, seed))
                                               for seed in range(first, first + count)})

    def judge(self, family, folder, sources):
        """tests, outcomes, claims, reasons, and descriptions of those that are false or unjudged"""
        given, made = os.path.join(folder, "given"), os.path.join(folder, "made")
        os.mkdir(given)
        os.mkdir(made)
        for name, source in sources.items():
            write(given, name, source)
        answers, sc = check(self.arguments, None, given, sources), check(self.arguments, "sc", given, sources)
        claims, false, reasons, outcomes, proposed = [], [], collections.Counter(), 0, set()
        for name, source in sources.items():
            for outcome in chosen_outcomes(answers.get(name, {}), name):
                said = explain(self.arguments, os.path.join(given, name + ".litmus"), outcome)
                if not said:
                    continue
                outcomes += 1
                if any(map(is_barrier, said.get("forbidden_by", {}).get("changes", []))):
                    reasons["with a barrier proposed"] += 1
                    proposed.add(name)
                reasons[said.get("weak_by", said["verdict"])] += 1
                key = normal(said["outcome"])
                if said["verdict"] in ("sc", "weak") and class_of(sc, name, key) != (ALLOWED if said["verdict"] == "sc" else FORBIDDEN):
                    false.append(f"{name}, {key}: the verdict is {said['verdict']}, sc says {class_of(sc, name, key)}")
                for claim in claims_of(source, said, family in ("ptx", "c", "opencl")):
                    claims.append((name, key, claim, f"claim{len(claims)}"))
        checked, unjudged = self.compare(made, claims, false)
        reasons["tests with a barrier, or one proposed"] = len(proposed | {name for name in sources if BARRIER.search(sources[name])})
        return len(sources), outcomes, checked, reasons, false, unjudged

    def compare(self, folder, claims, false):
        """The number of claims that could be checked, and those without an answer."""
        checked, unjudged = 0, []
        for _, _, claim, file in claims:
            if claim.text:
                write(folder, file, claim.text.result(file))
        answers = check(self.arguments, self.arguments.judge, folder, claims)
        for name, key, claim, file in claims:
            if claim.tried and file not in answers:
                continue
            checked += 1
            found = class_of(answers, file, key) if claim.text else "a change that does not fit the text"
            if claim.says.startswith("no barrier") and ALLOWED not in answers[file].values():
                continue  # it never ends
            if found == UNJUDGED:
                unjudged.append(f"{name}, {key}: {claim.says}")
            elif found not in claim.expected:
                false.append(f"{name}, {key}: {claim.says}: expected {' or '.join(map(str, claim.expected))}, found {found}"
                             + ("\n" + claim.text.result(file) if claim.text else ""))
        return checked, unjudged


def write(folder, name, source):
    with open(os.path.join(folder, name + ".litmus"), "w", encoding="ascii") as file:
        file.write(source)


def main():
    arguments = options()
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().randrange(10 ** 9)
    families = arguments.family or FAMILIES
    work = []
    for number, family in enumerate(families):
        count = arguments.count // len(families) + (number < arguments.count % len(families))
        work += [(family, arguments.seed + at, min(BATCH, count - at)) for at in range(0, count, BATCH)]
    totals, reasons, false, unjudged = [0, 0, 0], collections.Counter(), [], []
    with multiprocessing.Pool(arguments.jobs) as pool:
        for tests, outcomes, claims, why, wrong, unknown in pool.imap_unordered(Batch(arguments), work):
            totals = [a + b for a, b in zip(totals, (tests, outcomes, claims))]
            reasons += why
            false += wrong
            unjudged += unknown
    for description in sorted(false)[:10]:
        print(description + "\n")
    for description in sorted(unjudged)[:10]:
        print("unjudged: " + description)
    print("outcomes: " + ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items())))
    print(f"explain: {totals[0]} tests from seed {arguments.seed}, {totals[1]} outcomes, {totals[2]} claims checked, "
          f"{len(unjudged)} unjudged, {len(false)} false")
    return 1 if false or not totals[2] else 0


if __name__ == "__main__":
    sys.exit(main())
