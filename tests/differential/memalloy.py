#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the tables of docs/results/minimal.md: are the PTX tests of Dat3M and of memalloy minimal tests of ptx?

usage: tests/differential/memalloy.py --orchil BINARY FOLDER

Three answers for each file of Dat3M's folder litmus/PTX/Memalloy: of the test as it is written, with weak accesses; of the same
program with relaxed accesses, as memalloy's .cg was stronger than today's .weak; and of the cycle that the file's title
describes, with relaxed accesses, as several conditions ask for something else. The files of memalloy's folder ptx_testing are
of herd's older language; each is written again with relaxed accesses, and with weak ones."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

EDGES = {"Rf": "Rfe", "Fr": "Fre", "Ws": "Coe"}
SCOPES = {"Mcta": ".cta", "Mgl": ""}


def run(orchil, *words):
    return subprocess.run([orchil, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def impossible(text):
    """What a condition asks of one location or read that no thread writes or that two writes leave open; None if nothing."""
    program, condition = text.split("exists", 1)
    columns = zip(*(line.rstrip(" ;").split("|") for line in program.splitlines() if line.endswith(";") and "|" in line))
    written, read = {}, {}
    for column in columns:
        values, thread = {}, None
        for cell in (cell.strip() for cell in column):
            if re.match(r"P\d+@", cell):
                thread = cell.split("@")[0]
            elif found := re.match(r"ld (\w+), (\d+)", cell):
                values[found[1]] = int(found[2])
            elif found := re.match(r"st\.\S+ (\w+), (\w+)", cell):
                written.setdefault(found[1], []).append(values[found[2]])
            elif found := re.match(r"ld\.\S+ (\w+), (\w+)", cell):
                read[f"{thread}:{found[1]}"] = found[2]
    found = {0: None, 2: None}
    for place, value in re.findall(r"([\w:]+) == (\d+)", condition):
        location, writes = read.get(place, place), [0] if place in read else []
        writes += written.get(location, [])
        count = min(writes.count(int(value)), 2)
        found[count] = f"`{location} = {value}`"
    if found[0]:
        return f"asks for {found[0]}, which nobody writes"
    return f"forbidden, but two writes of {found[2]} leave open which" if found[2] else None


def answer(orchil, text, words):
    """synthesise's answer, without the name; for a test that it cannot enumerate, why."""
    with tempfile.NamedTemporaryFile("w", suffix=".litmus") as file:
        file.write(text)
        file.flush()
        said = run(orchil, "synthesise", "--model", "ptx", file.name).split(": ")[1].strip()
    return words or said if said.startswith("not of a kind") else said


def from_herd(name, text, order):
    """A test of herd's older language, whose accesses are .cg, as PTX with accesses of an order."""
    tree = re.search(r"scopeTree\s*(.*)", text)[1]
    groups = {thread: number for number, part in enumerate(tree.split("(cta")[1:])
              for thread in re.findall(r"P\d+", part)}
    pointers = {(f"P{thread}", register): location
                for thread, register, location in re.findall(r"(\d+):\.reg \.b64 (\w+) = (\w+)", text)}
    rows = [line.strip().rstrip(";").split("|") for line in text.splitlines()
            if line.rstrip().endswith(";") and "|" in line]
    threads = [cell.strip() for cell in rows[0]]

    def written_again(thread, words):
        words = words.strip().replace("membar.cta", "fence.sc.cta").replace("membar.gl", "fence.sc.gpu")
        words = re.sub(r"mov\.s32 (\w+), ?(\d+)", r"ld \1, \2", words)
        words = re.sub(r"ld\.cg\.s32 (\w+), ?\[(\w+)\]",
                       lambda found: f"ld.{order} {found[1]}, {pointers[thread, found[2]]}", words)
        return re.sub(r"st\.cg\.s32 \[(\w+)\], ?(\w+)",
                      lambda found: f"st.{order} {pointers[thread, found[1]]}, {found[2]}", words)

    lines = ["|".join(f"{thread}@cta {groups[thread]},gpu 0" for thread in threads)]
    lines += ["|".join(map(written_again, threads, row)) for row in rows[1:]]
    locations = " ".join(f"{location}=0;" for location in sorted(set(pointers.values())))
    condition = re.sub(r"(?<!\w)(\d):", r"P\1:", text.split("exists")[1]).replace("=", " == ")
    return f"PTX {name}\n{{ {locations} }}\n" + "".join(f"{line} ;\n" for line in lines) + "exists " + condition


def title_cycle(title):
    """The edges of a title such as "Rf-c-g Mcta-d-Rg-Wg ...", each with what it is; None if it is no cycle."""
    edges = []
    for word in title.split():
        parts = word.split("-")
        if parts[0] in EDGES:
            edges.append((EDGES[parts[0]], parts[1]))
        elif parts[0] in SCOPES:
            edges.append((f"FenceSc{parts[1]}{parts[2][0]}{parts[3][0]}{SCOPES[parts[0]]}", None))
        else:
            return None
    return edges


def placement(edges):
    """The work-groups of the threads: a communication goes on within one (w) or to another (c). The folder has two."""
    groups, group = [0], 0
    for _, where in edges:
        if where:
            group ^= where == "c"
            groups.append(group)
    assert groups.pop() == 0
    return groups


def cycle_answer(orchil, title):
    edges = title_cycle(title)
    if not edges:
        return "the title is no cycle"
    words = [edge for edge, _ in edges]
    name = run(orchil, "generate", " ".join(words), "--dialect", "ptx", "--names").split()[0].removeprefix("ptx:")
    shown = json.loads(run(orchil, "show", "--json", f"ptx:{name}"))[0]["metadata"]["Cycle"].split()
    normal = [word for word in shown if word not in ("Rlx",)]
    turn = next(turn for turn in range(len(words)) if words[turn:] + words[:turn] == normal)
    groups = placement(edges)
    first = sum(1 for _, where in edges[:turn] if where)
    groups = groups[first:] + groups[:first]
    order = sorted(set(groups), key=groups.index)
    name += "+" + "-".join("".join(str(i) for i, group in enumerate(groups) if group == wanted) for wanted in order)
    return f"`{name}`: " + run(orchil, "synthesise", "--model", "ptx", f"ptx:{name}").split(": ", 1)[1].strip()


def short(words):
    """Without what the test does not need; names as code."""
    words = re.sub(r"(contains )(\S+?):? it is still.*", r"\1`\2`", words)
    return re.sub(r"contains ([^`\s:]\S*)(: .*)?$", r"contains `\1`", words)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--orchil", default="orchil")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    files = sorted(options.folder.rglob("*.litmus"))
    if not files:
        sys.exit(f"memalloy.py: {options.folder} has no *.litmus files; name litmus/PTX/Memalloy in a copy of Dat3M, or "
                 "ptx_testing in one of memalloy")
    herd = files[0].read_text().startswith("GPU_PTX")
    columns = ["file", "weak", "relaxed"] + ([] if herd else ["the cycle of its title, relaxed"])
    print("| " + " | ".join(columns) + " |\n" + "| --- " * len(columns) + "|")
    for path in files:
        text = path.read_text()
        weak = from_herd(path.stem, text, "weak") if herd else text
        relaxed = re.sub(r"\b(ld|st)\.weak", r"\1.relaxed.gpu", weak)
        cells = [short(answer(options.orchil, test, impossible(test))) for test in (weak, relaxed)]
        cells += [] if herd else [short(cycle_answer(options.orchil, re.search(r'"(.*)"', text)[1]))]
        print(f"| `{path.stem}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
