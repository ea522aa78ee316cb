#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares orchil with herd7 on generated C tests, under RC11: whole sets of outcomes, and races.

orchil's generator writes the tests; all registers and locations of each are observed. herd7 judges them by its own rc11.cat,
orchil by models/rc11.cat, and racy tests again by that text without its flags, because a race leaves no outcome forbidden.
Differences are printed with the outcomes that only one of the two allows. Exit code 1 if something differs or a test did not
load; 77, which CTest reports as skipped, without herd7."""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
SKIPPED = 77
BATCH = 200
HERD_SECONDS = 60  # CPU time per test

TAGS = ("relaxed,plain,ra,sc,fencear,fencesc,fenceacq,fencerel,rel,acq,plainrel,acqplain,addr,data,ctrl,"
        "porelsc,poscacq,poscrlx,porlxsc,poacqrel,fencescscsc,dataacqrel,ctrlacqrlx,rfi,coi,fri")
FAMILIES = ("MP,SB,LB,S,R,2+2W,WRC,RWC,WWC,ISA2,W+RWC,WRW+WR,WRR+2W,WRW+2W,3.SB,3.LB,3.2W,Z6.0,Z6.1,Z6.2,Z6.3,Z6.4,Z6.5,"
            "IRIW,IRRWIW,IRWIW,CoRR,CoWW,CoWR,CoRW1,CoRW2")

# Arguments of orchil generate.
REQUESTS = [
    ["--critical", "--threads", "2", "--mix", "--tags", TAGS],
    ["--critical", "--threads", "3", "--mix", "--tags", "relaxed,ra,sc,fencesc"],
    ["--critical", "--threads", "3", "--tags", TAGS],
    ["--family", FAMILIES, "--tags", TAGS],
    ["--critical", "--threads", "2", "--mix", "--rmw", "writes,reads,all", "--tags", "relaxed,ra,sc,fencear,fencesc,addr,ctrl"],
    ["--family", "CoRR,CoWW,CoWR,CoRW1,CoRW2", "--rmw", "writes,reads,all", "--tags", "relaxed,ra,sc,fencesc"],
]

# herd7 does not read these: the address of a register, atomic_flag.
NOT_FOR_HERD7 = ["RMW-cas-loop+relaxed", *(f"lock-flag+{tag}" for tag in ("rel+acq", "fenced", "acq", "unfenced"))]


def generate(orchil, folder):
    """The texts of all tests of the requests and of the catalogue by name."""
    texts = {}
    for number, request in enumerate(REQUESTS):
        made = os.path.join(folder, f"generated{number}")
        subprocess.run([orchil, "generate", "--no-verdicts", "--dialect", "c", "-o", made, *request], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for parent, _, names in os.walk(made):
            for name in names:
                if name.endswith(".litmus"):
                    with open(os.path.join(parent, name), encoding="utf-8") as file:
                        texts[name[:-len(".litmus")]] = file.read()
    shown = subprocess.run([orchil, "show", "c:*"], check=True, stdout=subprocess.PIPE).stdout.decode()
    for text in re.split(r"^(?=C )", shown, flags=re.MULTILINE)[1:]:
        texts.setdefault(text.split()[1], text)
    for name in NOT_FOR_HERD7:
        del texts[name]
    return texts


def observe_all(text):
    """The test with every location and every register observed."""
    initial = text[text.index("{"):text.index("}\n") + 1]
    variables = []
    for name, count in re.findall(r"(\w+)(?:\[(\d+)\])?=", initial):
        variables += [f"{name}[{i}]" for i in range(int(count))] if count else [name]
    for thread, body in re.findall(r"^P(\d+) \(.*?\) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        variables += [f"{thread}:{register}" for register in re.findall(r"\b(?:int|u?int(?:32|64)_t) (\w+)", body)]
    at = text.rindex("\nexists") + 1
    return text[:at] + "locations [" + "; ".join(variables) + "]\n" + text[at:]


def outcome(text):
    """'1:r0=1; [x]=2;' as a set of names and values. herd7 prints each register as an int, even one of 64 bits."""
    def value_of(name, value):
        return (int(value) + (1 << 31)) % (1 << 32) - (1 << 31) if ":" in name else int(value)
    return frozenset((name.strip("[] "), value_of(name, value)) for name, value in re.findall(r"\s*([^=;]+)=([^;]+);", text))


class Judged:
    """The allowed outcomes of one tool, and whether the test races; allowed is None if it was not judged."""

    def __init__(self, allowed, races):
        self.allowed = allowed
        self.races = races


def model_without_flags(model, folder):
    """The path of a copy of a model without flags, with the files that it includes."""
    copies = os.path.join(folder, "without-flags")
    os.mkdir(copies)
    source = os.path.dirname(model)
    for name in os.listdir(source):
        if name.endswith(".cat"):
            with open(os.path.join(source, name), encoding="utf-8") as file, \
                    open(os.path.join(copies, name), "w", encoding="utf-8") as copy:
                copy.writelines(line for line in file if not line.startswith("flag "))
    return os.path.join(copies, os.path.basename(model))


def ask_orchil(orchil, model, paths, *options):
    judged = {}
    if not paths:
        return judged
    output = subprocess.run([orchil, "check", "--json", *options, "--model", model, *paths], check=True, stdout=subprocess.PIPE).stdout
    for line in output.decode().splitlines():
        one = json.loads(line)
        if "unjudged" in one:
            judged[one["test"]] = Judged(None, False)
            continue
        allowed = {outcome(each["outcome"]) for each in one["outcomes"] if each["verdict"] != "forbidden"}
        judged[one["test"]] = Judged(allowed, one["racy"])
    return judged


def ask_herd7(herd7, model, paths, folder):
    """One process judges all files. It omits tests that took too long or were not read."""
    listed = os.path.join(folder, "@tests")
    with open(listed, "w", encoding="utf-8") as file:
        file.write("".join(path + "\n" for path in paths))
    output = subprocess.run([herd7, "-model", model, "-timeout", str(HERD_SECONDS), listed], check=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode()
    judged = {}
    for part in re.split(r"^(?=Test )", output, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        count = next(i for i, line in enumerate(lines) if line.startswith("States "))
        states = lines[count + 1:count + 1 + int(lines[count].split()[1])]
        races = any(line.startswith("Flag ") or line == "Undef" for line in lines)
        judged[lines[0].split()[1]] = Judged({outcome(state) for state in states}, races)
    return judged


def show(outcomes):
    return "".join("    " + " ".join(f"{name}={value}" for name, value in sorted(each)) + "\n" for each in sorted(map(sorted, outcomes)))


def compare(name, mine, its, text):
    """Prints the differences."""
    if mine.allowed == its.allowed and mine.races == its.races:
        return False
    print(f"{name} differs")
    if mine.races != its.races:
        print(f"  a race: {'orchil' if mine.races else 'herd7'} only")
    if mine.allowed != its.allowed:
        print("  orchil allows:\n" + show(mine.allowed - its.allowed) + "  herd7 allows:\n" + show(its.allowed - mine.allowed))
    print(text, flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orchil", default="build/release/orchil", help="the binary (default: %(default)s)")
    parser.add_argument("--herd7", default=shutil.which("herd7"), help="the binary (default: from PATH)")
    parser.add_argument("--model", metavar="FILE", default=os.path.join(MODELS, "rc11.cat"), help="of orchil (default: models/rc11.cat)")
    parser.add_argument("--herd7-model", default="rc11.cat", help="of herd7 (default: %(default)s)")
    parser.add_argument("--sample", type=int, metavar="N", help="N tests of them all, chosen by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", help="only the test of this name")
    options = parser.parse_args()
    if not options.herd7 or not shutil.which(options.herd7):
        print("skipped: no herd7 here")
        sys.exit(SKIPPED)
    counts = {"compared": 0, "differing": 0, "unjudged": 0, "given up": 0}
    with tempfile.TemporaryDirectory() as folder:
        silent = model_without_flags(options.model, folder)
        texts = generate(options.orchil, folder)
        names = sorted(texts)
        if options.name:
            names = [name for name in names if name == options.name]
            if not names:
                parser.error(f"no generated test and no C test of the catalogue is called {options.name}")
        if options.sample:
            names = random.Random(options.seed).sample(names, min(options.sample, len(names)))
        for first in range(0, len(names), BATCH):
            batch = names[first:first + BATCH]
            paths = []
            for name in batch:
                texts[name] = observe_all(texts[name])
                paths.append(os.path.join(folder, name + ".litmus"))
                with open(paths[-1], "w", encoding="utf-8") as file:
                    file.write(texts[name])
            mine = ask_orchil(options.orchil, options.model, paths)
            racy = [path for name, path in zip(batch, paths) if mine[name].races]
            for name, judged in ask_orchil(options.orchil, silent, racy).items():
                mine[name].allowed = judged.allowed
            its = ask_herd7(options.herd7, options.herd7_model, paths, folder)
            for name in batch:
                if mine[name].allowed is None:
                    counts["unjudged"] += 1
                elif name not in its:
                    counts["given up"] += 1
                    print(f"{name}: herd7 says nothing", flush=True)
                else:
                    counts["compared"] += 1
                    counts["differing"] += compare(name, mine[name], its[name], texts[name])
    print(f"{counts['compared']} tests compared, {counts['differing']} differ; {counts['unjudged']} not judged by orchil, "
          f"{counts['given up']} by herd7")
    sys.exit(1 if counts["differing"] or counts["given up"] else 0)


if __name__ == "__main__":
    main()
