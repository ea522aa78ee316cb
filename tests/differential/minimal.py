#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks herd7 about the minimal tests of sc, tso and rc11: it must forbid each, and allow each weaker form of it.

orchil synthesise makes the tests. Those of sc and rc11 are C tests that herd7 reads; those of tso are written again as X86. A
weaker form here has a weaker order, a weaker fence or none, or lacks a load; the text is changed, without orchil's own code
for that. Exit code 1 if herd7 differs; 77, which CTest reports as skipped, without herd7."""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile

BOUNDS = {
    "sc": [["--threads", "3", "--accesses", "6"]],
    "tso": [["--accesses", "6", "--fences", "0"], ["--accesses", "4", "--rmws", "4"],
            ["--threads", "3", "--accesses", "6", "--fences", "1"]],
    "rc11": [["--accesses", "4"], ["--accesses", "4", "--rmws", "1"]],
}
SAMPLE = {
    "sc": [["--accesses", "4"]],
    "tso": [["--accesses", "4"]],
    "rc11": [["--accesses", "3"]],
}
HERD_MODELS = {"sc": "sc.cat", "tso": "x86tso-mixed.cat", "rc11": "rc11.cat"}
WEAKER = {
    "seq_cst": {"store": ["release"], "load": ["acquire"], "exchange": ["acq_rel"], "fence": ["acq_rel", None]},
    "acq_rel": {"exchange": ["acquire", "release"], "fence": ["acquire", "release", None]},
    "acquire": {"load": ["relaxed"], "exchange": ["relaxed"], "fence": [None]},
    "release": {"store": ["relaxed"], "exchange": ["relaxed"], "fence": [None]},
    "relaxed": {},
}
CALL = re.compile(r"atomic_(?:(store|load|exchange)_explicit|thread_(fence))\(.*memory_order_(\w+)\);")
REGISTERS = ["EAX", "EBX", "ECX", "EDX", "ESI", "EDI"]


def synthesise(orchil, model, bound):
    out = subprocess.run([orchil, "synthesise", "--model", model, "--json", *bound], check=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True).stdout
    found = [json.loads(line) for line in out.splitlines()]
    assert found[-1]["complete"]
    return {test["test"]: test["text"] for test in found[:-1]}


def without_load(lines, number, thread):
    """The test without the load of a line, and without what the condition says of its register; None if nothing is left."""
    register = re.search(r"(r\d+) =", lines[number]).group(1)
    changed = lines[:number] + lines[number + 1:]
    condition = re.search(r"\((.*)\)", changed[-1]).group(1)
    left = [atom for atom in condition.split(" /\\ ") if not atom.startswith(f"{thread}:{register}=")]
    changed[-1] = "exists (" + " /\\ ".join(left) + ")"
    return changed if left else None


def weaker(text):
    lines, forms, thread = text.rstrip("\n").split("\n"), [], None
    for number, line in enumerate(lines):
        head = re.match(r"P(\d+)", line)
        thread = head.group(1) if head else thread
        call = CALL.search(line)
        if not call:
            continue
        kind, order = call.group(1) or call.group(2), call.group(3)
        for other in WEAKER[order].get(kind, []):
            changed = list(lines)
            changed[number] = line.replace("memory_order_" + order, "memory_order_" + other) if other else ""
            forms.append(changed)
        if kind == "load":
            changed = without_load(lines, number, thread)
            if changed:
                forms.append(changed)
    return ["\n".join(form) + "\n" for form in forms]


def as_x86(text):
    """The same test in herd7's X86."""
    name = text.split("\n", 1)[0].split()[1]
    columns, condition = [], text.rstrip("\n").rsplit("\n", 1)[1]
    for thread, body in re.findall(r"^P(\d+).*?\{\n(.*?)^\}", text, flags=re.DOTALL | re.MULTILINE):
        column, used = [], 0
        for line in body.splitlines():
            store = re.search(r"atomic_store_explicit\((\w+), (\d+)", line)
            load = re.search(r"(r\d+) = atomic_load_explicit\((\w+),", line)
            exchange = re.search(r"(r\d+) = atomic_exchange_explicit\((\w+), (\d+)", line)
            if store:
                column.append(f"MOV [{store[1]}],${store[2]}")
            elif load or exchange:
                register, location = (load or exchange)[1], (load or exchange)[2]
                condition = re.sub(rf"\b{thread}:{register}\b", f"{thread}:{REGISTERS[used]}", condition)
                column += [f"MOV {REGISTERS[used]},[{location}]"] if load else [
                    f"MOV {REGISTERS[used]},${exchange[3]}", f"XCHG [{location}],{REGISTERS[used]}"]
                used += 1
            elif "fence" in line and "seq_cst" in line:  # the others do nothing there
                column.append("MFENCE")
        columns.append(column)
    rows = max(map(len, columns))
    table = [" | ".join(f"P{i}" for i in range(len(columns))) + " ;"]
    table += [" | ".join(column[row] if row < len(column) else "" for column in columns) + " ;" for row in range(rows)]
    condition = re.sub(r"\[(\w+)\]", r"\1", condition)
    return f"X86 {name}\n{{ }}\n" + "\n".join(table) + f"\n{condition}\n"


def forbids(herd7, model, text):
    """Whether herd7 forbids the condition; None if it does not read the test."""
    text = as_x86(text) if model == "tso" else re.sub(r"\[(\w+)\](?==)", r"\1", text)
    with tempfile.NamedTemporaryFile("w", suffix=".litmus") as file:
        file.write(text)
        file.flush()
        said = subprocess.run([*herd7, "-model", HERD_MODELS[model], file.name], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True).stdout
    observation = re.search(r"^Observation \S+ (\w+)", said, flags=re.MULTILINE)
    if not observation:
        sys.stderr.write(f"{said}\n{text}\n")
        return None
    return observation.group(1) == "Never" and not re.search(r"^Flag ", said, flags=re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--orchil", required=True)
    parser.add_argument("--herd7", default="herd7", help="herd7, with its options")
    parser.add_argument("--sample", action="store_true", help="only small bounds")
    arguments = parser.parse_args()
    herd7 = arguments.herd7.split()
    if not shutil.which(herd7[0]):
        print("skipped: no herd7")
        return 77
    differ = 0
    for model, bounds in (SAMPLE if arguments.sample else BOUNDS).items():
        tests = {}
        for bound in bounds:
            tests.update(synthesise(arguments.orchil, model, bound))
        forms = 0
        for name, text in tests.items():
            if forbids(herd7, model, text) is not True:
                print(f"{model}: herd7 does not forbid {name}")
                differ += 1
            for form in weaker(text):
                forms += 1
                if forbids(herd7, model, form) is not False:
                    print(f"{model}: herd7 does not allow a weaker form of {name}:\n{form}")
                    differ += 1
        print(f"{model}: {len(tests)} tests, {forms} weaker forms")
    print(f"{differ} differ")
    return differ > 0


sys.exit(main())
