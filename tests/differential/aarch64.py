#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares orchil with herd7 under herd's model of AArch64: C tests by orchil, and what compilers make of them by herd7.

Each C test (generated ones, the catalogue's and random programs) is written as an AArch64 test by the mapping of
models/aarch64fences.cat. All registers and locations of each are observed. orchil judges the C test and herd7 the AArch64 test,
with the same aarch64.cat. An outcome that only herd7 allows is an error. One that only orchil allows is an error too, unless the
test has a branch or reads a place again: then instructions have dependencies that a compiler may remove from C. Exit code 1 for an
error; 77, which CTest reports as skipped, without herd7 or its model."""

import argparse
import collections
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import herd7

SKIPPED = 77
BATCH = 100
herd7.HERD_SECONDS = 2  # of CPU time; random programs may take for ever
WRONG_MODEL = ['"not AArch64"\n', "acyclic po | rf | co | fr as sc\n"]
TYPES = {"int": 32, "unsigned": 32, "int32_t": 32, "uint32_t": 32, "int64_t": 64, "uint64_t": 64}
ACQUIRES = ("acquire", "acq_rel", "seq_cst")
RELEASES = ("release", "acq_rel", "seq_cst")
UPDATES = {"exchange": "SWP", "fetch_add": "LDADD", "fetch_sub": "LDADD", "fetch_or": "LDSET", "fetch_xor": "LDEOR", "fetch_and": "LDCLR"}
OPERATIONS = {"+": "ADD", "-": "SUB", "|": "ORR", "^": "EOR", "&": "AND", "*": "MUL", "&&": "AND", "||": "ORR"}
CONDITIONS = {"==": "EQ", "!=": "NE", "<": "LT", ">": "GT", "<=": "LE", ">=": "GE"}
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["+", "-"], ["*"]]


class Refused(Exception):
    """What the translation does not know."""


class Thread:
    """The instructions of one thread, from its text in C."""

    def __init__(self, number, text, locations, rcpc, written):
        self.number, self.locations, self.rcpc, self.written = number, locations, rcpc, written
        self.tokens = re.findall(r"\w+|==|!=|<=|>=|&&|\|\||[^\s\w]", text) + [""]
        self.at = self.kept = self.labels = 0
        self.free = 30  # the next register for a value within a statement; those from 1 to `kept` are of names
        self.width = 64 if any(place.width == 64 for place in locations.values()) else 32
        self.code, self.registers, self.addresses, self.bits = [], {}, {}, {}
        self.sources, self.last_place = {}, None  # the locations that registers were read from, and the last one named
        self.branches = False  # or another reason for dependencies that C does not have
        while self.tokens[self.at]:
            self.statement()

    # ---- words, registers and instructions ----

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self, token):
        if self.next() != token:
            raise Refused(f"{self.tokens[self.at - 1]} where {token} was expected")

    def keep(self):
        self.kept += 1
        self.fresh()
        self.free += 1
        return self.kept

    def fresh(self):
        if self.free <= self.kept:
            raise Refused("too many registers")
        self.free -= 1
        self.sources.pop(self.free + 1, None)
        return self.free + 1

    def emit(self, name, *operands):
        self.code.append(f"{name} {','.join(map(str, operands))}" if operands else name)

    def label(self):
        self.labels += 1
        return f"L{self.number}{self.labels}"

    def place_label(self, label):
        self.code.append(f"{label}: NOP")

    def constant(self, value):
        register = self.fresh()
        self.emit("MOV", self.name_of(register), f"#{value & 0xffff if value > 0 else value}")
        for shift in (16, 32, 48):
            if value > 0 and value >> shift & 0xffff:
                self.emit("MOVK", self.name_of(register), f"#{value >> shift & 0xffff}", f"LSL #{shift}")
        return register

    def pointer(self, name):
        if name not in self.locations:
            raise Refused(f"the pointer {name}")
        if name not in self.addresses:
            self.addresses[name] = self.keep()
        return self.addresses[name]

    def name_of(self, register, width=None):
        return f"{'X' if (width or self.width) == 64 else 'W'}{register}"

    # ---- statements ----

    def block(self):
        if self.peek() != "{":
            return self.statement()
        self.take("{")
        while self.peek() != "}":
            self.statement()
        return self.take("}")

    def statement(self):
        free = self.free
        self.one_statement()
        self.free = free

    def loop(self):
        """while (e) { ... } and do { ... } while (e);"""
        again, end = self.label(), self.label()
        self.place_label(again)
        if self.next() == "while":
            self.jump_unless(end)
            self.block()
        else:
            self.block()
            self.take("while")
            self.jump_unless(end)
            self.take(";")
        self.emit("B", again)
        self.place_label(end)

    def one_statement(self):
        token = self.peek()
        if token == "if":
            self.next()
            other = self.label()
            self.jump_unless(other)
            self.block()
            if self.peek() == "else":
                self.next()
                end = self.label()
                self.emit("B", end)
                self.place_label(other)
                self.block()
                other = end
            self.place_label(other)
        elif token in ("while", "do"):
            self.loop()
        elif token in ("for", "return", "goto", "break", "continue", "switch"):
            raise Refused(f"'{token}'")
        elif token in TYPES:
            self.next()
            name = self.next()
            self.registers[name] = self.keep()
            self.bits[name] = TYPES[token]
            if self.peek() == "=":
                self.assign(name)
            self.take(";")
        elif token == "*" or self.peek(1) == "[":
            pointer, width = self.place(starred=token == "*")
            self.take("=")
            self.emit("STR", self.name_of(self.expression(), width), f"[X{pointer}]")
            self.take(";")
        elif token in self.registers and self.peek(1) == "=":
            self.assign(self.next())
            self.take(";")
        else:
            self.expression()
            self.take(";")

    def assign(self, name):
        self.take("=")
        value = self.expression()
        self.sources[self.registers[name]] = self.sources.get(value)
        self.emit("MOV", self.name_of(self.registers[name], self.bits[name]), self.name_of(value, self.bits[name]))

    def jump_unless(self, label):
        """(e): a branch to the label if e is 0."""
        self.branches = True
        self.take("(")
        value = self.expression()
        self.take(")")
        self.emit("CBZ", self.name_of(value), label)

    # ---- expressions; the result is a register ----

    def expression(self, level=0):
        if level == len(LEVELS):
            return self.operand()
        left = self.expression(level + 1)
        while self.peek() in LEVELS[level]:
            operation = self.next()
            bits = self.written.get(self.sources.get(left), -1)
            zero = operation == "&" and self.peek().isdigit() and int(self.peek()) & bits == 0
            right = self.expression(level + 1)
            result = self.fresh()
            if zero:  # the bit is 0 whatever is read, which herd7 can see only so
                self.emit("EOR", self.name_of(result), self.name_of(left), self.name_of(left))
            elif operation in OPERATIONS:
                self.emit(OPERATIONS[operation], self.name_of(result), self.name_of(left), self.name_of(right))
            else:
                self.emit("CMP", self.name_of(left), self.name_of(right))
                self.emit("CSET", self.name_of(result), CONDITIONS[operation])
            left = result
        return left

    def operand(self):
        token = self.next()
        if token == "(":
            value = self.expression()
            self.take(")")
            return value
        if token == "-" and self.peek().isdigit():
            return self.constant(-int(self.next()))
        if token.isdigit():
            return self.constant(int(token))
        if token in self.registers:
            return self.registers[token]
        if token == "*" or self.peek() == "[":
            self.at -= 1
            pointer, width = self.place(starred=token == "*")
            result = self.fresh()
            self.emit("LDR", self.name_of(result, width), f"[X{pointer}]")
            return result
        if self.peek() == "(":
            return self.call(token)
        raise Refused(f"'{token}'")

    def place(self, starred=False):
        """p, p + e, *p, *(p + e) or p[e], where e is 0 whatever is read: the register of the address, and the width."""
        if starred:
            self.take("*")
        inside = starred and self.peek() == "("
        if inside:
            self.take("(")
        name = self.next()
        pointer = self.pointer(name)
        self.last_place = name
        if self.peek() in ("+", "["):
            bracket = self.next() == "["
            before = len(self.code)
            index = self.expression()
            if bracket:
                self.take("]")
            if not any(line.startswith("EOR") for line in self.code[before:]):
                raise Refused("an index")
            moved = self.fresh()
            self.emit("ADD", f"X{moved}", f"X{pointer}", *([f"X{index}"] if self.width == 64 else [f"W{index}", "SXTW"]))
            pointer = moved
        if inside:
            self.take(")")
        return pointer, self.locations[name].width

    # ---- calls ----

    def order(self):
        self.take(",")
        return self.next().replace("memory_order_", "")

    def call(self, name):
        explicit = name.endswith("_explicit")
        kind = name[len("atomic_"):].replace("_explicit", "")
        self.take("(")
        if kind == "thread_fence":
            order = self.next().replace("memory_order_", "")
            if order != "relaxed":
                self.emit("DMB ISHLD" if order == "acquire" else "DMB ISH")
            self.take(")")
            return 0
        if kind not in ("load", "store", "flag_clear", "flag_test_and_set", "compare_exchange_strong",
                        "compare_exchange_weak", *UPDATES):
            raise Refused(name)
        pointer, width = self.place()
        source = self.last_place
        if kind.startswith("compare"):
            return self.compare(pointer, width, explicit, kind.endswith("weak"))
        value = self.constant(kind == "flag_test_and_set") if kind.startswith("flag") else 0
        if kind == "store" or kind in UPDATES:
            self.take(",")
            value = self.expression()
        order = self.order() if explicit else "seq_cst"
        self.take(")")
        if kind == "load":
            result = self.load(pointer, width, order)
            self.sources[result] = source
            return result
        if kind in ("store", "flag_clear"):
            self.emit("STLR" if order in RELEASES else "STR", self.name_of(value, width), f"[X{pointer}]")
            return 0
        if kind in ("fetch_sub", "fetch_and"):
            changed = self.fresh()
            self.emit("SUB" if kind == "fetch_sub" else "EOR", self.name_of(changed, width),
                      *((self.name_of(self.constant(0), width), self.name_of(value, width)) if kind == "fetch_sub" else
                        (self.name_of(value, width), self.name_of(self.constant(-1), width))))
            value = changed
        result = self.fresh()
        letters = ("A" if order in ACQUIRES else "") + ("L" if order in RELEASES else "")
        self.sources[result] = source
        self.emit(UPDATES.get(kind, "SWP") + letters, self.name_of(value, width), self.name_of(result, width), f"[X{pointer}]")
        return result

    def load(self, pointer, width, order):
        result = self.fresh()
        name = "LDAR" if order == "seq_cst" else "LDR" if order not in ACQUIRES else "LDAPR" if self.rcpc else "LDAR"
        self.emit(name, self.name_of(result, width), f"[X{pointer}]")
        return result

    def compare(self, pointer, width, explicit, weak):
        self.take(",")
        memory = None
        if self.peek() == "&":
            self.take("&")
            expected = self.registers[self.next()]
        else:
            memory, expected = self.place()[0], self.fresh()
            self.emit("LDR", self.name_of(expected, width), f"[X{memory}]")
        self.take(",")
        desired = self.expression()
        orders = [self.order(), self.order()] if explicit else ["seq_cst"] * 2
        self.take(")")
        found, result = self.fresh(), self.fresh()
        self.branches |= weak  # it may also fail by chance, in C
        letters = ("A" if orders[0] in ACQUIRES or orders[1] in ACQUIRES else "") + ("L" if orders[0] in RELEASES else "")
        self.emit("MOV", self.name_of(found, width), self.name_of(expected, width))
        self.emit("CAS" + letters, self.name_of(found, width), self.name_of(desired, width), f"[X{pointer}]")
        self.emit("CMP", self.name_of(found, width), self.name_of(expected, width))
        self.emit("CSET", self.name_of(result), "EQ")
        if memory:
            self.branches = True
            end = self.label()
            self.emit("B.EQ", end)
            self.emit("STR", self.name_of(found, width), f"[X{memory}]")
            self.place_label(end)
        else:
            self.emit("MOV", self.name_of(expected, width), self.name_of(found, width))
        return result


Location = collections.namedtuple("Location", "width initial elements")


def written_bits(locations, bodies):
    """For each location the bits that its values may have: those of the constants written there, or -1 for any."""
    bits = {name: place.initial for name, place in locations.items()}
    for statement in re.findall(r"[^;{}]+;", bodies):
        found = re.search(r"atomic_(?:store|exchange|fetch|flag|compare)\w*\((\w+)|^\s*\*(\w+) =", statement)
        if not found:
            continue
        value = re.sub(r"\(r\d+ & \d+\)|_(32|64)", "", statement[found.end():])
        changed = "fetch" in statement and not re.search(r", 0[,)]", value)
        any_value = changed or "flag" in statement or re.search(r"\br\d|-", value)
        name = found[1] or found[2]
        for number in re.findall(r"\b\d+", value):
            bits[name] = bits.get(name, 0) | int(number)
        if any_value:
            bits[name] = -1
    return bits


def read_locations(text):
    locations = {}
    for declared in text.split(";"):
        found = re.fullmatch(r"(?:(\w+) )?(\w+)(?:\[(\d+)\])?=\{?([-\d, ]+)\}?", declared.strip())
        if declared.strip() and (not found or (found[1] and found[1] not in TYPES and found[1] != "atomic_flag")):
            raise Refused(f"the location {declared.strip()}")
        if found:
            initial = int(found[4].split(",")[0])
            locations[found[2]] = Location(TYPES.get(found[1], 32), initial, int(found[3] or 0))
    return locations


class Translated:
    """An AArch64 test, the C names of what it observes, and whether instructions may have more dependencies than C."""

    def __init__(self, name, text, rcpc):
        initial = text[text.index("{") + 1:text.index("}\n")]
        self.locations = read_locations(initial)
        bodies = re.findall(r"^P(\d+) \(.*?\) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
        written = written_bits(self.locations, "".join(body for _, body in bodies))
        threads = [Thread(int(number), body, self.locations, rcpc, written) for number, body in bodies]
        self.names = {location: location for location in self.locations}
        for thread in threads:
            for register, number in thread.registers.items():
                self.names[f"{thread.number}:X{number}"] = f"{thread.number}:{register}"
        self.loose = any(thread.branches for thread in threads)
        self.text = self.write(name, threads)

    def write(self, name, threads):
        declared = [f"{'int64_t' if place.width == 64 else 'int'} {location}={place.initial};" for location, place in self.locations.items()]
        for thread in threads:
            declared += [f"{thread.number}:X{number}={location};" for location, number in thread.addresses.items()]
        rows = max(len(thread.code) for thread in threads)
        lines = [" | ".join(f"P{thread.number}" for thread in threads) + " ;"]
        for row in range(rows):
            lines.append(" | ".join(thread.code[row] if row < len(thread.code) else "" for thread in threads) + " ;")
        observed = " ".join(f"{place};" for place in self.names)
        return f"AArch64 {name}\n{{ {' '.join(declared)} }}\n" + "\n".join(lines) + f"\nlocations [{observed}]\nexists (true)\n"

    def outcome(self, states):
        return frozenset((self.names[name], value) for name, value in states)


def outcome_of_c(outcome, locations):
    """An outcome of the C test, with an array as its first element."""
    result = set()
    for name, value in outcome:
        array = re.fullmatch(r"(\w+)\[(\d+)\]?", name)
        if not array:
            result.add((name, value))
        elif array[2] == "0":
            result.add((array[1], value))
    assert all(name in locations or ":" in name for name, _ in result), result
    return frozenset(result)


def random_programs(orchil, folder, count, seed):
    if not count:
        return {}
    made = os.path.join(folder, "random")
    subprocess.run([orchil, "generate", "--random", "--dialect", "c", "--count", str(count), "--seed", str(seed), "-o", made], check=True,
                   stdout=subprocess.DEVNULL)
    texts = {}
    for parent, _, names in os.walk(made):
        for name in names:
            if name.endswith(".litmus"):
                with open(os.path.join(parent, name), encoding="utf-8") as file:
                    texts[name[:-len(".litmus")]] = file.read()
    return texts


def judge(options, folder, model, texts, translated):
    """For each test the outcomes that orchil allows and those that herd7 does, or why there are none."""
    names = sorted(translated)
    for first in range(0, len(names), BATCH):
        batch = names[first:first + BATCH]
        paths, its_paths = [], []
        for name in batch:
            paths.append(os.path.join(folder, name + ".litmus"))
            its_paths.append(os.path.join(folder, name + ".aarch64"))
            for path, text in ((paths[-1], herd7.observe_all(texts[name])), (its_paths[-1], translated[name].text)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
        mine = herd7.ask_orchil(options.orchil, model, paths, "--time", "10s")
        its = herd7.ask_herd7(options.herd7, options.herd7_model, its_paths, folder)
        for name in batch:
            if mine[name].allowed is None:
                yield name, "not judged by orchil"
            elif name not in its:
                yield name, "herd7 says nothing"
            else:
                locations = translated[name].locations
                yield name, ({outcome_of_c(each, locations) for each in mine[name].allowed},
                             {translated[name].outcome(each) for each in its[name].allowed})


def compare(options, folder, model, texts, rcpc, counts, refused):
    """Prints the differences."""
    translated = {}
    for name, text in texts.items():
        try:
            translated[name] = Translated(name, text, rcpc)
        except Refused as why:
            refused[str(why)] += 1
    for name, result in judge(options, folder, model, texts, translated):
        if isinstance(result, str):
            refused[result] += 1
            continue
        mine, its = result
        test = translated[name]
        counts["compared"] += 1
        if mine == its:
            counts["agree"] += 1
        elif test.loose and its < mine:
            counts["branches"] += 1
        else:
            counts["differ"] += 1
        if mine != its and (options.all or not (test.loose and its < mine)):
            print(f"{name} differs\n  orchil allows:\n{herd7.show(mine - its)}"
                  f"  herd7 allows:\n{herd7.show(its - mine)}{texts[name]}{test.text}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orchil", default="build/release/orchil", help="the binary (default: %(default)s)")
    parser.add_argument("--herd7", default=shutil.which("herd7"), help="the binary (default: from PATH)")
    parser.add_argument("--model", metavar="FILE", help="aarch64.cat, next to the files that it includes (default: in $HERDLIB)")
    parser.add_argument("--sample", type=int, metavar="N", help="N tests, chosen by --seed, and the random programs")
    parser.add_argument("--random", type=int, metavar="N", default=200, help="random programs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", help="only the test of this name")
    parser.add_argument("--rcpc", action="store_true", help="acquire loads are LDAPR; only tests that have some")
    parser.add_argument("--all", action="store_true", help="also print what orchil allows because a compiler may")
    parser.add_argument("--notices", action="store_true", help="orchil uses sc instead, which must differ")
    options = parser.parse_args()
    options.model = options.model or os.path.join(os.environ.get("HERDLIB", ""), "aarch64.cat")
    if not options.herd7 or not shutil.which(options.herd7) or not os.path.exists(options.model):
        print("skipped: no herd7 or no aarch64.cat here (options --herd7 and --model)")
        sys.exit(SKIPPED)
    options.herd7_model = options.model
    counts, refused = collections.Counter(), collections.Counter()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        texts = herd7.generate(options.orchil, folder)
        if options.sample is not None:
            texts = dict(random.Random(options.seed).sample(sorted(texts.items()), min(options.sample, len(texts))))
        texts |= random_programs(options.orchil, folder, options.random, options.seed)
        if options.name:
            texts = {options.name: texts[options.name]}
        library = os.path.join(folder, "library")
        shutil.copytree(os.path.dirname(os.path.abspath(options.model)), library)
        with open(os.path.join(library, "rcpc.cat"), "w", encoding="utf-8") as file:
            file.writelines(WRONG_MODEL if options.notices else ["AArch64 rcpc\n", f'include "{os.path.basename(options.model)}"\n'])
        if options.rcpc:
            texts = {name: text for name, text in texts.items() if "acquire" in text}
        model = os.path.join(library, "rcpc.cat") if options.rcpc or options.notices else options.model
        compare(options, folder, model, texts, options.rcpc, counts, refused)
    for why, count in refused.most_common():
        print(f"refused: {count} for {why}")
    print(f"{counts['compared']} tests compared: {counts['agree']} agree, in {counts['branches']} a compiler may remove dependencies, "
          f"{counts['differ']} differ; {time.monotonic() - started:.0f} s")
    sys.exit(1 if counts["differ"] else 0)


if __name__ == "__main__":
    main()
