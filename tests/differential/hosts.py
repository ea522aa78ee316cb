#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares ptx-aarch64 with herd7's aarch64.cat on random tests of host threads alone.

Each test is a shape (MP, SB, ISA2, ...) whose accesses have random orders, dependencies, fences, branches and further
accesses between them. It is written in CUDA, which orchil judges, and as the weakest instructions of AArch64 that Arm's ABI
has for the calls, which herd7 judges. All registers and locations are observed. Exit code 1 if a set of outcomes differs; 77,
which CTest reports as skipped, without herd7."""

import argparse
import os
import random
import shutil
import sys
import tempfile

import herd7

ORDERS = {"rlx": "relaxed", "acq": "acquire", "rel": "release", "ar": "acq_rel", "sc": "seq_cst"}
LOADS = {"rlx": "LDR", "acq": "LDAPR"}
STORES = {"rlx": "STR", "rel": "STLR"}
FENCES = {"acq": ["DMB ISHLD"], "rel": ["DMB ISHLD", "DMB ISHST"], "ar": ["DMB ISHLD", "DMB ISHST"], "sc": ["DMB ISH"]}
herd7.HERD_SECONDS = 5
PAIRS = ("RR", "RW", "WR", "WW")
# By thread: what it does first and last, and where.
SHAPES = ([[(a, "xy"), (b, "yx")] for a in PAIRS for b in PAIRS]
          + [[("W", "x"), (a, "xy"), (b, "yx")] for a in ("RR", "RW") for b in PAIRS]
          + [[(a, "xy"), (b, "yz"), (c, "zx")] for a in ("WW", "WR", "RW") for b in ("RW", "WW") for c in ("RR", "WR", "RW")]
          + [[("W", "x"), ("RR", "xy"), ("W", "y"), ("RR", "yx")]])


class Thread:
    """A thread in both languages. Register N of one is that of the other: rN, WN."""

    def __init__(self, number, kinds, places, chance):
        self.number, self.chance = number, chance
        self.cuda, self.arm, self.loaded, self.status = [], [], [], []
        self.registers, self.branched = 10, False
        self.access(kinds[0], places[0])
        for _ in range(chance.choice((0, 1, 1, 1, 2)) if len(kinds) > 1 else 0):
            chance.choice((self.fence, self.fence, self.branch, lambda: self.access(chance.choice("RW"), chance.choice(places))))()
        if len(kinds) > 1:
            self.access(kinds[1], places[1])
        if self.branched:
            self.cuda.append("}")
            self.arm.append(f"L{number}:")

    def register(self):
        self.registers += 1
        return self.registers

    def access(self, kind, location):
        dependency = self.chance.choice((None, None, "data", "addr")) if self.loaded else None
        place, address = f"{location}[0]", f"[X{'xyz'.index(location) + 1}]"
        if dependency == "addr":
            place, index = f"{location}[r{self.loaded[-1]}]", self.register()
            self.arm.append(f"ADD X{index},{address[1:-1]},W{self.loaded[-1]},SXTW #2")
            address = f"[X{index}]"
        call = f"cuda::atomic_ref<int, cuda::thread_scope_system>({place})"
        update = self.chance.random() < 0.15
        order = self.chance.choice(("rlx", "acq", "rel", "ar") if update else ("rlx", "rlx", "acq" if kind == "R" else "rel"))
        said = f"cuda::memory_order_{ORDERS[order]}"
        value = None
        if update or kind == "W":
            value = self.loaded[-1] if dependency == "data" else self.register()
            number = self.chance.choice((1, 1, 2))
            text = f"r{value}" if dependency == "data" else str(number)
            if dependency != "data":
                self.arm.append(f"MOV W{value},#{number}")
        if not update and kind == "W":
            self.cuda.append(f"{call}.store({text}, {said});")
            self.arm.append(f"{STORES[order]} W{value},{address}")
            return
        target = self.register()
        if update:
            status = self.register()
            self.status.append(f"{self.number}:X{status}")
            acquire, release = "A" if order in ("acq", "ar") else "", "L" if order in ("rel", "ar") else ""
            self.cuda.append(f"r{target} = {call}.exchange({text}, {said});")
            self.arm += [f"LD{acquire}XR W{target},{address}", f"ST{release}XR W{status},W{value},{address}"]
        else:
            self.cuda.append(f"r{target} = {call}.load({said});")
            self.arm.append(f"{LOADS[order]} W{target},{address}")
        self.loaded.append(target)

    def fence(self):
        order = self.chance.choice(tuple(FENCES))
        self.cuda.append(f"cuda::atomic_thread_fence(cuda::memory_order_{ORDERS[order]}, cuda::thread_scope_system);")
        self.arm += FENCES[order]

    def branch(self):
        if self.loaded and not self.branched:
            self.branched = True
            self.cuda.append(f"if (r{self.loaded[-1]} == 1) {{")
            self.arm += [f"CMP W{self.loaded[-1]},#1", f"B.NE L{self.number}"]


def make(name, chance):
    """The test in CUDA and for AArch64, and the registers that are 0 if an update's store took place."""
    shape = chance.choice(SHAPES)
    threads = [Thread(i, kinds, places, chance) for i, (kinds, places) in enumerate(shape)]
    locations = sorted({place for _, places in shape for place in places})
    spots = [f"{place}[{i}]" for place in locations for i in range(3)]

    def ending(letter, more):
        seen = [f"{each.number}:{letter}{register}" for each in threads for register in each.loaded] + more + spots
        return f"locations [{'; '.join(seen)}]\nexists ({seen[0]}=1)\n"

    cuda = f"CUDA {name}\n{{ {' '.join(place + '[3]={0,0,0};' for place in locations)} }}\n"
    arm = f"AArch64 {name}\n{{ {' '.join('int ' + place + '[3]={0,0,0};' for place in locations)}\n"
    for each in threads:
        lines = [f"int r{register} = 0;" for register in each.loaded] + each.cuda
        cuda += f"P{each.number}@host ({', '.join('int* ' + place for place in locations)}) {{\n" + "\n".join(lines) + "\n}\n"
        arm += "".join(f"{each.number}:X{'xyz'.index(place) + 1}={place}; " for place in locations) + "\n"
    arm += "}\n" + " | ".join(f"P{each.number}" for each in threads) + " ;\n"
    for row in range(max(len(each.arm) for each in threads)):
        arm += " | ".join(each.arm[row] if row < len(each.arm) else "" for each in threads) + " ;\n"
    status = [name for each in threads for name in each.status]
    return cuda + ending("r", []), arm + ending("X", status), status


def without(outcomes, status):
    """Outcomes in which all updates stored, without the registers that say so, which CUDA does not have."""
    ended = [dict(each) for each in outcomes]
    return {frozenset((name.replace("X", "r"), value) for name, value in each.items() if name not in status)
            for each in ended if not any(each[name] for name in status)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orchil", default="build/release/orchil", help="the binary (default: %(default)s)")
    parser.add_argument("--herd7", default=shutil.which("herd7"), help="the binary (default: from PATH)")
    parser.add_argument("--model", default="ptx-aarch64", help="of orchil (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    if not options.herd7 or not shutil.which(options.herd7):
        print("skipped: no herd7 here")
        sys.exit(herd7.SKIPPED)
    chance = random.Random(options.seed)
    compared = differing = 0
    with tempfile.TemporaryDirectory() as folder:
        tests = {f"hosts{i}": make(f"hosts{i}", chance) for i in range(options.count)}
        paths = {language: [] for language in ("cuda", "arm")}
        for name, texts in tests.items():
            for language, text in zip(paths, texts):
                paths[language].append(os.path.join(folder, f"{name}.{language}.litmus"))
                with open(paths[language][-1], "w", encoding="utf-8") as file:
                    file.write(text)
        mine = herd7.ask_orchil(options.orchil, options.model, paths["cuda"])
        its = herd7.ask_herd7(options.herd7, "aarch64.cat", paths["arm"], folder)
        for name, (cuda, arm, status) in tests.items():
            if name in its and mine[name].allowed is not None:
                compared += 1
                # Flags of aarch64.cat are about page tables and code.
                arms = herd7.Judged(without(its[name].allowed, status), mine[name].races)
                differing += herd7.compare(name, mine[name], arms, cuda + arm)
    print(f"{compared} tests compared, {differing} differ; {options.count - compared} given up")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
