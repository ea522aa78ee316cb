#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares orchil's verdicts with those of the Alloy model of Vulkan's memory model.

The tests of KhronosGroup/Vulkan-MemoryModel (alloy/tests) are executions: instructions, and for some reads the write that they
read. Each becomes a VULKAN test whose condition says what these reads return. A line SATISFIABLE or NOSOLUTION asks whether Alloy
finds such an execution that is consistent, and with or without a data race; orchil answers it by the model, or by a model that
allows only executions with or without a race. The tests are not in this tree: name their folder with --tests, or with
ORCHIL_ALLOY_TESTS in the environment. Without it the exit code is 77."""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
SCOPES = {"scopesg": "sg", "scopewg": "wg", "scopeqf": "qf", "scopedev": "dv"}
WORDS = ["av", "vis", "nonpriv", "sc0", "sc1", "semsc0", "semsc1", "semav", "semvis"]
# What a line may ask: the model, without and with chains, that answers it.
QUESTIONS = {"consistent[X]": "vulkan{}", "consistent[X] && #dr=0": "race-free-vulkan{}", "consistent[X] && #dr>0": "racing-vulkan{}"}

Access = collections.namedtuple("Access", "thread register reads writes read written")


class NotATest(Exception):
    """Why a file or a line is no question about a program."""


class Program:
    def __init__(self, name, lines):
        self.name = name
        self.columns, self.places, self.accesses, self.ssw, self.aliases, self.questions = {}, {}, [], [], [], []
        self.thread, self.place, self.used = 0, [0, 0, 0], False  # queue family, work-group, sub-group
        self.fresh = 100  # values of stores that name none
        self.barriers = {}  # the work-groups that meet, by instance
        for line in lines:
            self._line(line.split("//")[0].strip())
        if any(len(groups) > 1 for groups in self.barriers.values()):
            raise NotATest("a control barrier joins two work-groups, and Vulkan limits its execution scope to one")

    def _line(self, line):
        word, _, rest = line.partition(" ")
        if word in ("SATISFIABLE", "NOSOLUTION"):
            self.questions.append((word == "SATISFIABLE", rest.strip()))
        elif word == "SSW":
            self.ssw.append(rest.split())
        elif word == "SLOC":
            self.aliases.append(rest.split())
        elif word in ("NEWQF", "NEWWG", "NEWSG"):
            level = ["NEWQF", "NEWWG", "NEWSG"].index(word)
            self.place[level] += self.used
        elif word == "NEWTHREAD":
            self.thread = int(rest) if rest else self.thread + self.used
            if self.thread in self.columns:
                raise NotATest(f"thread {self.thread} is opened twice")
        elif word:
            self.used = True
            self.places[self.thread] = tuple(self.place)
            self.columns.setdefault(self.thread, []).append(self._instruction(word.split("."), rest.strip()))

    def _instruction(self, tokens, operand):
        order = "acq_rel" if {"acq", "rel"} <= set(tokens) else next((t for t in ("acq", "rel") if t in tokens), None)
        scope = next((SCOPES[token] for token in tokens if token in SCOPES), None)
        words = [order, scope] + [token for token in WORDS if token in tokens]
        for kind in ("avdevice", "visdevice"):
            if kind in tokens:
                return kind
        if "cbar" in tokens:
            self.barriers.setdefault(operand, set()).add(tuple(self.place[:2]))
        if "membar" in tokens or "cbar" in tokens:
            kind = "membar" if "membar" in tokens else "cbar"
            return ".".join([kind] + [word for word in words if word]) + (f" {operand}" if kind == "cbar" else "")
        reads, writes = "ld" in tokens or "rmw" in tokens, "st" in tokens or "rmw" in tokens
        kind = "rmw" if reads and writes else "ld" if reads else "st"
        atomic = ["atom"] if "atom" in tokens or kind == "rmw" else []
        location, *values = re.split(r"[ =]+", operand)
        values = [int(value) for value in values]
        read = values[0] if reads and values else None
        written = (values[1:] if reads else values)[:1] if writes else []
        value = written[0] if written else self._fresh_value()
        register = f"r{len(self.accesses)}"
        self.accesses.append(Access(self.thread, register, location if reads else None, location if writes else None, read, value))
        left = ".".join([kind] + atomic + [word for word in words if word])
        return f"{left} " + ", ".join([register] * reads + [location] + [str(value)] * writes)

    def _fresh_value(self):
        self.fresh += 1
        return self.fresh

    def condition(self):
        """What the reads return whose write is given: one of the same reference and value, or the initial one."""
        atoms = []
        for access in self.accesses:
            if access.reads is None or access.read is None:
                continue
            sources = [other for other in self.accesses if other.writes == access.reads and other.written == access.read]
            if len(sources) > 1:
                raise NotATest(f"two writes of {access.reads} have the value {access.read}")
            if sources or access.read == 0:
                atoms.append(f"{self._number(access.thread)}:{access.register}={access.read}")
        return " /\\ ".join(atoms) or "true"

    def _number(self, thread):
        return sorted(self.columns).index(thread)

    def text(self):
        threads = sorted(self.columns)
        heads = [f"P{n}@sg {self.places[t][2]}, wg {self.places[t][1]}, qf {self.places[t][0]}" for n, t in enumerate(threads)]
        second = {b: a for a, b in self.aliases}
        names = sorted({access.reads or access.writes for access in self.accesses} | {a for a, _ in self.aliases})
        state = [f"{name}=0;" for name in names if name not in second] + [f"{b} aliases {a};" for b, a in second.items()]
        ssw = "".join(f"ssw {self._number(int(a))} {self._number(int(b))}; " for a, b in self.ssw)
        rows = [heads] + [[column[row] if row < len(column) else "" for column in (self.columns[t] for t in threads)]
                          for row in range(max(len(column) for column in self.columns.values()))]
        return "\n".join([f"VULKAN {self.name}", "{ " + " ".join(state) + " }"] + (["{ " + ssw + "}"] if ssw else []) +
                         [" " + " | ".join(row) + " ;" for row in rows] + [f"exists ({self.condition()})", ""])


def ask(orchil, model, path):
    own = MODELS / f"{model}.cat"
    done = subprocess.run([orchil, "check", "--json", "--model", str(own) if own.exists() else model, str(path)],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotATest("orchil refuses it: " + done.stderr.strip().splitlines()[0].split(": ", 1)[-1])
    record = json.loads(done.stdout.splitlines()[-1])
    if not record.get("complete"):
        raise NotATest("orchil does not judge it")
    return record["holds"]


def compare(orchil, file, folder, report):
    try:
        program = Program(file.stem, file.read_text(encoding="ascii").splitlines())
        path = folder / f"{file.stem}.litmus"
        path.write_text(program.text(), encoding="ascii")
    except NotATest as why:
        report["not a program"].append(f"{file.name}: {why}")
        return
    for expected, question in program.questions:
        chains = "-nochains" if question.startswith("NOCHAINS ") else ""
        line = f"{file.name}: {'SATISFIABLE' if expected else 'NOSOLUTION'} {question}"
        model = QUESTIONS.get(question.removeprefix("NOCHAINS "))
        try:
            if not model:
                raise NotATest("it asks about more than a program's outcome")
            report["agree" if ask(orchil, model.format(chains), path) == expected else "differ"].append(line)
        except NotATest as why:
            report["not a program"].append(f"{line}: {why}")


def main():
    parser = argparse.ArgumentParser(description="Compares the model vulkan with Khronos' Alloy tests.")
    parser.add_argument("--orchil", default="build/release/orchil", help="the program (default: %(default)s)")
    parser.add_argument("--tests", default=os.environ.get("ORCHIL_ALLOY_TESTS"), help="the folder alloy/tests")
    parser.add_argument("--keep", help="write the translated tests to this folder")
    arguments = parser.parse_args()
    files = sorted(pathlib.Path(arguments.tests).glob("*.test")) if arguments.tests else []
    if not files:
        print("skipped: no tests of Khronos' Alloy model, set ORCHIL_ALLOY_TESTS to their folder alloy/tests")
        return SKIPPED
    report = collections.defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="orchil-alloy.") as temporary:
        folder = pathlib.Path(arguments.keep or temporary)
        folder.mkdir(exist_ok=True)
        for file in files:
            compare(arguments.orchil, file, folder, report)
    for kind in ("differ", "not a program"):
        for line in report[kind]:
            print(f"{kind}: {line}")
    print(f"{len(files)} files: {len(report['agree'])} questions agree, {len(report['differ'])} differ, "
          f"{len(report['not a program'])} are not about a program")
    return 1 if report["differ"] or not report["agree"] else 0


if __name__ == "__main__":
    sys.exit(main())
