#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Weakens minimal tests with fences and barriers, and asks `orchil check` about each: the model must forbid the test and
allow each weaker form.

The tests are chosen at random from FOLDERs that `orchil synthesise --out` wrote, or from
small bounds of ptx, vulkan and opencl. A weaker form lacks a fence or the barrier of a work-group, or has a weaker order, a
narrower scope or less memory to order in one place. It is made from the text, without orchil's own code for that. Exit code 1 if the model differs."""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# Model, accesses, barriers, fences, locations in local memory.
SMALL = [["ptx", "3", "1", "1", "0"], ["vulkan", "2", "1", "1", "0"], ["opencl", "2", "1", "1", "0"], ["opencl", "4", "0", "0", "2"],
         ["opencl", "2", "1", "0", "1"]]
BARRIER = re.compile(r"bar\.cta\.sync|cbar|work_group_barrier")
FENCE = re.compile(r"fence\.|membar|atomic_work_item_fence|atomic_thread_fence")
# What may take the place of one match, in an instruction that has one.
WEAKER = [
    (r"ld\.acquire", "ld.relaxed"), (r"st\.release", "st.relaxed"), (r"fence\.sc", "fence.acq_rel"),
    (r"(ld|st)\.relaxed\.(cta|gpu)", r"\1.weak"), (r"(atom\.)(?:acquire|release)", r"\1relaxed"),
    (r"(atom\.)acq_rel", r"\1acquire"), (r"\.gpu\b", ".cta"),
    (r"cbar\.acq_rel(\.\w+\.semsc0)\.semav\.semvis", r"cbar.rel\1.semav"),
    (r"cbar\.acq_rel(\.\w+\.semsc0)\.semav\.semvis", r"cbar.acq\1.semvis"),
    (r"cbar\.(?:acq|rel)\.(\w+)\.semsc0\.sem(?:av|vis)", r"cbar.\1"),
    (r"(membar\.)acq_rel", r"\1acq"), (r"(membar\.)acq_rel", r"\1rel"), (r"\.dv\b", ".wg"),
    (r"(atom)\.(?:acq|rel)\.(\w+\.sc0)\.semsc0", r"\1.\2"),
    (r"\(CLK_(?:GLOBAL|LOCAL)_MEM_FENCE(?=[),])", "(0"),
    (r"(CLK_GLOBAL_MEM_FENCE) \| CLK_LOCAL_MEM_FENCE", r"\1"), (r"CLK_GLOBAL_MEM_FENCE \| (CLK_LOCAL_MEM_FENCE)", r"\1"),
    (r"memory_order_(?:acquire|release)(?!.*fence)", "memory_order_relaxed"),
    (r"memory_order_acq_rel", "memory_order_acquire"), (r"memory_order_acq_rel", "memory_order_release"),
    (r"memory_scope_device", "memory_scope_work_group"),
]


def instructions(text):
    """Where the instructions of a test are: (thread, start, end)."""
    place, thread, columns = 0, None, text.split(" ", 1)[0] in ("PTX", "VULKAN")
    for line in text.splitlines(keepends=True):
        head = re.match(r"P(\d+)\s*[@(]", line)
        thread = int(head.group(1)) if head else None if line.startswith("}") else thread
        if columns and line.rstrip().endswith(";") and "@" not in line:
            start = place
            for number, cell in enumerate(line.rstrip()[:-1].split("|")):
                yield number, start, start + len(cell)
                start += len(cell) + 1
        elif not columns and thread is not None and not head and line.strip():
            yield thread, place, place + len(line) - 1
        place += len(line)


def without(text, places):
    for _, start, end in sorted(places, key=lambda place: -place[1]):
        text = text[:start] + " " + text[end:]
    return text


def weaker(text):
    cells = list(instructions(text))
    barriers = [cell for cell in cells if BARRIER.search(text, cell[1], cell[2])]
    if barriers:
        yield without(text, barriers)
    for cell in cells:
        word = text[cell[1]:cell[2]]
        if FENCE.search(word) and cell not in barriers:
            yield without(text, [cell])
        for old, new in WEAKER:
            if new == "(0" and cell not in barriers:
                continue
            changed = re.sub(old, new, word, count=1)
            if changed != word:
                yield text[:cell[1]] + changed + text[cell[2]:]


def verdicts(orchil, model, texts):
    """Whether the model forbids each condition; None if it cannot read or judge the test."""
    if not texts:
        return []
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            head, rest = text.split("\n", 1)
            name = pathlib.Path(folder, f"t{number}.litmus")
            name.write_text(f"{head.split()[0]} t{number}\n{rest}")
        out = subprocess.run([orchil, "check", "--json", "--model", model, folder], stdout=subprocess.PIPE, text=True).stdout
    found = [json.loads(line) for line in out.splitlines()]
    forbidden = {said["test"]: not said["racy"] and said["complete"] and
                 all(o["verdict"] == "forbidden" for o in said["outcomes"] if o["witness"]) for said in found}
    return [forbidden.get(f"t{number}") for number in range(len(texts))]


def make_folders(orchil, folder):
    for number, (model, accesses, barriers, fences, local) in enumerate(SMALL):
        subprocess.run([orchil, "synthesise", "--model", model, "--accesses", accesses, "--fences", fences, "--barriers", barriers,
                        "--local", local, "--out", f"{folder}/{number}"], check=True, stderr=subprocess.DEVNULL)
        yield f"{folder}/{number}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--orchil", required=True)
    parser.add_argument("--count", type=int, default=300, help="tests at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folders = arguments.folders or list(make_folders(arguments.orchil, made))
        files = sorted({file for folder in folders for file in pathlib.Path(folder).rglob("*.litmus")})
        tests = [(file.parts[-3], file.read_text()) for file in files]
    tests = random.Random(arguments.seed).sample(tests, min(arguments.count, len(tests)))
    differ = 0
    for model in sorted({model for model, _ in tests}):
        own = [text for test_model, text in tests if test_model == model]
        forms = [form for text in own for form in weaker(text)]
        for forbids, text in zip(verdicts(arguments.orchil, model, own), own):
            if forbids is not True:
                print(f"{model}: expected a forbidden condition:\n{text}")
                differ += 1
        for forbids, text in zip(verdicts(arguments.orchil, model, forms), forms):
            if forbids is not False:
                print(f"{model}: expected an allowed condition, found {forbids}:\n{text}")
                differ += 1
        print(f"{model}: {len(own)} tests, {len(forms)} weaker forms")
    print(f"{differ} differ")
    return differ > 0


sys.exit(main())
