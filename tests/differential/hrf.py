#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the model hsa with the definitions of the papers that it comes from, on random OpenCL tests.

tests/models/hrf/hrf-indirect-relaxed.cat states HRF-Relaxed as its report defines it: with a total order that is chosen, not
with a search for a cycle. hsa.cat decides two things differently. When the paper's file decides them the same way, the two must
agree on what is allowed and what races; and each decision must matter in some test, otherwise it is not tested. The papers have
only accesses, so tests with fences and barriers are left out. hsa must also keep two promises: a test without relaxed atomics and
without a race is sequentially consistent (SC for HRF), and so is each test that HRF-indirect of 2014 calls free of races. Exit
code 1 if any of this fails."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import generate
from program import text

PAPERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models", "hrf")
BATCH = 200
ALLOWED = ("sc", "weak")

# The decisions of hsa.cat: the paper's words, and their replacement.
ORDER = ("let ordered = SC", "let halves = ACQ | REL | ACQ_REL | SC let ordered = halves | range([halves]; (rmw | rmw^-1))")
SCOPES = ("let inclusive = within-scope | within-scope^-1", "let inclusive = sr")
READINGS = {"as printed": [], "one order of all that synchronises": [ORDER], "scopes hold each other's thread": [SCOPES],
            "both": [ORDER, SCOPES]}
AGREEING = "both"


def options():
    parser = argparse.ArgumentParser(description="Compares hsa with the definitions of the HRF papers.")
    parser.add_argument("--orchil", default="build/release/orchil", help="the program (default: %(default)s)")
    parser.add_argument("--model", default="hsa", help="the model that is compared (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default: %(default)s)")
    parser.add_argument("--count", type=int, default=400, help="tests that are made (default: %(default)s)")
    return parser.parse_args()


def write_readings(folder):
    """reading -> path of the relaxed paper's model in that reading."""
    with open(os.path.join(PAPERS, "hrf-indirect-relaxed.cat"), encoding="utf-8") as file:
        printed = file.read()
    paths = {}
    for number, (reading, decisions) in enumerate(READINGS.items()):
        words = printed
        for old, new in decisions:
            assert words.count(old) == 1, f"hrf-indirect-relaxed.cat does not say {old!r} once"
            words = words.replace(old, new)
        paths[reading] = os.path.join(folder, f"reading{number}.cat")
        with open(paths[reading], "w", encoding="utf-8") as file:
            file.write(words)
    return paths


def judge(orchil, models, texts):
    """model -> test -> (allowed outcomes, racy, whether all allowed ones are sc), of tests that were judged completely."""
    folder = tempfile.mkdtemp(prefix="orchil-hrf.")
    try:
        for name, words in texts.items():
            with open(os.path.join(folder, name + ".litmus"), "w", encoding="ascii") as file:
                file.write(words)
        done = subprocess.run([orchil, "check", "--json", "--model", ",".join(models), folder], capture_output=True,
                              text=True, check=False)
    finally:
        shutil.rmtree(folder)
    if done.returncode != 0:
        sys.exit(f"orchil check ended with {done.returncode}:\n{done.stderr}")
    answers = {model: {} for model in models}
    named = {os.path.basename(model): model for model in models}
    for line in done.stdout.splitlines():
        record = json.loads(line)
        verdicts = {o["outcome"]: o["verdict"] for o in record.get("outcomes", [])}
        if not record.get("complete") or "unjudged" in verdicts.values():
            continue
        allowed = frozenset(outcome for outcome, verdict in verdicts.items() if verdict in ALLOWED)
        only_sc = all(verdict != "weak" for verdict in verdicts.values())
        model = named[record["model"].split(":")[0]]
        answers[model][record["test"]] = (allowed, record["racy"], only_sc)
    return answers


def programs(first, count):
    """name -> text of the tests that have only accesses."""
    texts = {}
    for seed in range(first, first + count):
        program = generate.program("opencl", seed)
        words = text(program)
        if "fence(" not in words and "barrier(" not in words:
            texts[program.name] = words
    return texts


def same(one, other):
    return one[1] == other[1] and (one[1] or one[0] == other[0])


def main():
    args = options()
    folder = tempfile.mkdtemp(prefix="orchil-hrf.")
    differing = {reading: [] for reading in READINGS}
    compared, racy, promised, older, broken = 0, 0, 0, 0, []
    try:
        readings = write_readings(folder)
        sequential = os.path.join(PAPERS, "hrf-indirect.cat")
        texts = programs(args.seed, args.count)
        names = sorted(texts)
        for at in range(0, len(names), BATCH):
            batch = {name: texts[name] for name in names[at:at + BATCH]}
            answers = judge(args.orchil, [args.model, *readings.values(), sequential], batch)
            for name in batch:
                if not all(name in of_model for of_model in answers.values()):
                    continue
                ours = answers[args.model][name]
                compared += 1
                racy += ours[1]
                for reading, path in readings.items():
                    if not same(ours, answers[path][name]):
                        differing[reading].append(name)
                if "memory_order_relaxed" in texts[name]:
                    continue
                free = not answers[sequential][name][1]
                promised += not ours[1]
                older += free
                if (not ours[1] and not ours[2]) or (free and ours[1]):
                    broken.append(name)
    finally:
        shutil.rmtree(folder)
    print(f"{compared} of {args.count} tests compared (accesses alone, judged by all), {racy} race under {args.model}")
    for reading, tests in differing.items():
        print(f"HRF-indirect-relaxed, {reading}: {len(tests)} differ")
    print(f"without relaxed atomics: {promised} free of races under {args.model}, {older} under HRF-indirect: "
          f"{len(broken)} break the promise")
    for name in differing[AGREEING][:3] + broken[:3]:
        print(texts[name])
    untested = [reading for reading in READINGS if reading != AGREEING and not differing[reading]]
    for reading in untested:
        print(f"no test tells '{reading}' from {args.model}: raise --count")
    return 1 if differing[AGREEING] or broken or untested or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
