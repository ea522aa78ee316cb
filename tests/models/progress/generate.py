#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random PTX tests in which threads wait for each other, a function of a seed: 1 to 4 threads, a dozen instructions.

A test is a scheme (a hand-over, a lock, a counter, turns, a barrier, or anything), written out, and then damaged in a
quarter of the cases: a value or a condition is changed, or an instruction is left out. So some end and some do not.

Usage: generate.py COUNT SEED FOLDER"""

import os
import random
import re
import sys

PLACES = ("x", "y", "z")
INSTRUCTION_LIMIT = 12


class Column:
    """The lines of a thread while they are written."""

    def __init__(self, rng):
        self.rng, self.lines, self.registers, self.labels = rng, [], 0, 0

    def register(self):
        self.registers += 1
        return f"r{self.registers - 1}"

    def label(self):
        self.labels += 1
        return f"LC0{self.labels - 1}"

    def add(self, *lines):
        self.lines.extend(lines)

    def order(self, *orders):
        return self.rng.choice((*orders, "relaxed"))

    def load(self, place):
        register = self.register()
        self.add(f"ld.{self.order('acquire')}.gpu {register}, {place}")
        return register

    def store(self, place, value):
        self.add(f"st.{self.order('release')}.gpu {place}, {value}")

    def exchange(self, place, value):
        register = self.register()
        self.add(f"atom.{self.order('acquire', 'acq_rel')}.gpu.exch {register}, {place}, {value}")
        return register

    def swap(self, place, old, new):
        register = self.register()
        self.add(f"atom.{self.order('acquire', 'acq_rel')}.gpu.cas {register}, {place}, {old}, {new}")
        return register

    def count(self, place):
        register = self.register()
        self.add(f"atom.{self.order('acq_rel', 'release')}.gpu.add {register}, {place}, 1")
        return register

    def spin(self, access, leave, value):
        """Repeats ACCESS, a function that gives a register, until it LEAVEs ('eq' or 'ne') VALUE; one branch or two."""
        start = self.label()
        self.add(start + ":")
        register = access()
        if self.rng.random() < 0.6:
            self.add(f"b{'ne' if leave == 'eq' else 'eq'} {register}, {value}, {start}")
        else:
            out = self.label()
            self.add(f"b{leave} {register}, {value}, {out}", f"goto {start}", out + ":")

    def wait(self, place, value, leave="eq"):
        self.spin(lambda: self.load(place), leave, value)

    def when(self, condition, register, value, body):
        """BODY, a function, if the register meets the condition."""
        out = self.label()
        self.add(f"b{'ne' if condition == 'eq' else 'eq'} {register}, {value}, {out}")
        body()
        self.add(out + ":")

    def repeat(self, times, body):
        counter, start = self.register(), self.label()
        self.add(f"mov {counter}, 0", start + ":")
        body()
        self.add(f"add {counter}, {counter}, 1", f"bne {counter}, {times}, {start}")

    def work(self, place="y"):
        if self.rng.random() < 0.5:
            register = self.register()
            self.add(f"ld.weak {register}, {place}", f"add {register}, {register}, 1", f"st.weak {place}, {register}")

    def anything(self, depth=0):
        """A statement without a purpose."""
        rng, place, value = self.rng, self.rng.choice(PLACES[:2]), self.rng.randrange(2)
        leave = rng.choice(("eq", "eq", "ne"))
        kinds = [lambda: self.store(place, rng.randrange(1, 3)), lambda: self.store(place, value),
                 lambda: self.count(place), lambda: self.exchange(place, value), lambda: self.swap(place, value, 1 - value),
                 lambda: self.wait(place, value, leave), lambda: self.wait(place, rng.randrange(1, 3)),
                 lambda: self.spin(lambda: self.exchange(place, value), leave, rng.randrange(2)),
                 lambda: self.spin(lambda: self.swap(place, value, 1 - value), "eq", value)]
        if depth == 0:
            kinds += [lambda: self.when(leave, self.load(place), value, lambda: self.anything(1)),
                      lambda: self.when("eq", self.swap(place, 0, 1), 0, lambda: self.anything(1)),
                      lambda: self.repeat(2, lambda: self.anything(1))]
        rng.choice(kinds)()


# ---- schemes: functions that give the columns of a test of so many threads; one column is that of all threads

def columns(rng, threads):
    return [Column(rng) for _ in range(threads)]


def hand_over(rng, threads):
    """Each thread waits for a flag of another, in some order; the last may hand back to the first."""
    found = columns(rng, threads)
    order = rng.sample(range(threads), threads)
    back = rng.random() < 0.3
    place = rng.choice(PLACES)
    for thread in order[:rng.choice((0, 0, 0, 2, 3))][:threads - 1]:
        found[thread].add("bar.sync 0")
    for turn, thread in enumerate(order):
        column = found[thread]
        take = rng.random() < 0.3
        if turn > 0:
            if take:
                column.spin(lambda c=column, t=turn: c.swap(place, t, t), "eq", turn)
            else:
                column.wait(place, turn)
        if turn < threads - 1 or back or rng.random() < 0.3:
            column.store(place, turn + 1)
        if turn == 0 and back:
            column.wait(place, threads)
    return found


def lock(rng, threads):
    """A lock that is taken with a compare-and-swap or an exchange, naive or branched, once or twice."""
    column = Column(rng)
    take = (lambda: column.swap("x", 0, 1)) if rng.random() < 0.6 else (lambda: column.exchange("x", 1))

    def naive():
        column.spin(take, "eq", 0)
        column.work()
        column.store("x", 0)

    def branched():
        start = column.label()
        column.add(start + ":")
        register = take()
        column.when("eq", register, 0, lambda: (column.work(), column.store("x", 0)))
        column.add(f"bne {register}, 0, {start}")

    body = rng.choice((naive, branched))
    if threads == 2 and rng.random() < 0.3:
        column.repeat(2, body)
    else:
        body()
    return [column]


def counter(rng, threads):
    """All threads count, and wait until all, or some, have; or the last to count tells the others."""
    column = Column(rng)
    register = column.count("x")
    if rng.random() < 0.5:
        column.wait("x", threads)
    else:
        column.when("eq", register, threads - 1, lambda: column.store("y", 1))
        column.wait("y", 1)
    if rng.random() < 0.3:
        column.count("z")
    return [column]


def elected(rng, threads):
    """The thread that wins a compare-and-swap does something for which the others wait, after the branch or in it."""
    column = Column(rng)
    register = column.swap("x", 0, 1)
    if rng.random() < 0.5:
        out = column.label()
        column.add(f"beq {register}, 0, {out}")
        column.wait("y", 1)
        column.add(out + ":")
        column.store("y", 1)
    else:
        start, out = column.label(), column.label()
        column.add(f"beq {register}, 0, {start}")
        column.wait("y", 1)
        column.add(f"goto {out}", start + ":")
        column.store("y", 1)
        column.add(out + ":")
    return [column] if threads > 1 else [column, column]


def turns(rng, threads):
    """Two threads wait for each other in turn; others do something."""
    found = columns(rng, threads)
    first, second = found[0], found[-1]
    if rng.random() < 0.5:
        first, second = second, first
    first.store("x", 1)
    second.wait("x", 1)
    second.store("y" if rng.random() < 0.5 else "x", 2)
    first.wait("y" if second.lines[-1].split()[1] == "y," else "x", 2)
    for column in found[1:-1]:
        column.anything()
    return found


def barrier(rng, threads):
    """Threads meet at a barrier; one may leave it out, or wait for another before or after it."""
    level = "bar.warp.sync 1" if rng.random() < 0.3 else "bar.sync 0"
    if rng.random() < 0.3:
        column = Column(rng)
        if rng.random() < 0.5:
            column.anything()
        if rng.random() < 0.3:
            column.when(rng.choice(("eq", "ne")), column.count("z"), 0, lambda: column.add(level))
        else:
            column.add(level)
        column.anything()
        return [column]
    found = columns(rng, threads)
    for column in found:
        for step in rng.sample(("before", "barrier", "after"), rng.choice((2, 3))):
            if step == "barrier":
                column.add(level)
            else:
                column.store("x", 1) if rng.random() < 0.5 else column.wait("x", 1)
    return found


def soup(rng, threads):
    """Statements without a purpose."""
    found = columns(rng, threads)
    for column in found:
        for _ in range(rng.choice((1, 2, 2, 3))):
            column.anything()
    return found


def same_soup(rng, _):
    """All threads execute the same statements without a purpose."""
    column = Column(rng)
    for _ in range(rng.choice((2, 2, 3))):
        column.anything()
    return [column]


def hold(rng, threads):
    """A thread holds the others up until another thread has done something."""
    found = columns(rng, threads)
    order = rng.sample(range(threads), threads)
    holder, helper = found[order[0]], found[order[-1]]
    if rng.random() < 0.4:
        for column in {order[0], order[-1]}:
            found[column].add("bar.sync 0")
    holder.store("x", 1)
    if helper is not holder:
        holder.wait("y", 1)
        helper.store("y", 1)
    holder.store("x", 0)
    for thread in order[1:-1]:
        found[thread].wait("x", 1, "ne")
    return found


def split(rng, threads):
    """Threads that must see one value, or none is left to tell the others; the last thread changes the value."""
    column, last = Column(rng), Column(rng)
    register = column.load("x")
    total = column.register()
    column.add(f"atom.relaxed.gpu.add {total}, y, {register}")
    column.wait("y", rng.choice((1, 1, 2)), rng.choice(("ne", "ne", "eq")))
    last.store("x", 1)
    return [column] * max(threads - 1, 1) + [last]


def numbered(rng, threads):
    """All threads execute one body, in which each knows its number, i."""
    column, number = Column(rng), rng.randrange(threads)
    kind = rng.randrange(3)
    if kind == 0: # one side does what the other waits for
        other, out = column.label(), column.label()
        column.add(f"{rng.choice(('beq', 'bne'))} i, {number}, {other}")
        sides = [lambda: column.store("y", 1), lambda: column.wait("y", 1)]
        rng.shuffle(sides)
        sides[0]()
        column.add(f"goto {out}", other + ":")
        sides[1]()
        column.add(out + ":")
    elif kind == 1: # in the order of their numbers, or the other way round
        if rng.random() < 0.5:
            column.wait("x", "i")
            column.count("x")
        else:
            column.wait("x", "i", rng.choice(("eq", "ne")))
            column.store("x", rng.choice(("i", number)))
    else: # which number is the last in x
        column.store("x", "i")
        column.wait("x", number, rng.choice(("eq", "eq", "ne")))
        column.store("x", rng.choice(("i", number)))
    return [column]


SCHEMES = (hand_over, hand_over, hold, hold, lock, lock, lock, counter, elected, elected, turns, barrier, split, numbered,
           soup, same_soup)


def damage(rng, found):
    """Changes one line of a column, or leaves it out."""
    column = rng.choice(found)
    victims = [i for i, line in enumerate(column.lines) if not line.endswith(":")]
    if not victims:
        return
    at = rng.choice(victims)
    line = column.lines[at]
    change = rng.randrange(3)
    if change == 0 and line.startswith(("st", "bar")):
        del column.lines[at]
    elif line.startswith(("beq", "bne")) and change == 1:
        column.lines[at] = ("bne" if line.startswith("beq") else "beq") + line[3:]
    else:
        column.lines[at] = re.sub(r", ([0-2])(?=,|$)", lambda m: f", {rng.choice('012')}", line)


def placement(rng, threads, warps, meets):
    """The placement of each thread. WARPS: the test has barriers of warps, which need a warp; MEETS: which threads have any."""
    if len(set(meets)) > 1 and rng.random() < 0.5:
        return [f"warp {t}, cta {0 if meets[t] else 1}, gpu 0" for t in range(threads)]
    kind = rng.choice(("warp", "warp", "cta", "mixed") + (() if warps else ("unnamed", "other", "other")))
    same = {"warp": "warp 0, cta 0, gpu 0", "unnamed": "cta 0, gpu 0"}
    if kind in same:
        return [same[kind]] * threads
    if kind == "cta":
        return [f"warp {t}, cta 0, gpu 0" for t in range(threads)]
    if kind == "other":
        return [f"cta {t}, gpu 0" for t in range(threads)]
    places = sorted((rng.randrange(2), rng.randrange(2)) for _ in range(threads))
    if rng.random() < 0.5:
        rng.shuffle(places)
    return [f"warp {warp}, cta {cta}, gpu 0" for cta, warp in places]


def heads_and_columns(found, threads, places):
    """(head, lines) of each column: neighbours with the same column and place are a range."""
    lines = [found[t % len(found)].lines or ["mov r0, 0"] for t in range(threads)]
    joined, first = [], 0
    for thread in range(1, threads + 1):
        same = thread < threads and found[thread % len(found)] is found[first % len(found)]
        if same and places[thread] == places[first]:
            continue
        numbers = f"P{first}" if thread == first + 1 else f"P{first}..P{thread - 1}"
        joined.append((f"{numbers}@{places[first]}", lines[first]))
        first = thread
    return joined


def one(rng, name):
    threads = rng.choice((1, 2, 2, 2, 2, 3, 3, 4))
    found = rng.choice(SCHEMES)(rng, threads)
    threads = max(threads, len(found))
    if rng.random() < 0.25:
        damage(rng, found)
    body = [line for column in found for line in column.lines]
    if sum(not line.endswith(":") for line in body) > INSTRUCTION_LIMIT:
        return None
    meets = [any("bar." in line for line in found[t % len(found)].lines) for t in range(threads)]
    places = placement(rng, threads, any("warp" in line for line in body), meets)
    table = heads_and_columns(found, threads, places)
    height = max(len(lines) for _, lines in table)
    rows = [[head for head, _ in table]]
    rows += [[lines[i] if i < len(lines) else "" for _, lines in table] for i in range(height)]
    initial = [f"{p}={rng.choice('0001') if p == 'x' else 0};" for p in PLACES if any(f" {p}" in line for line in body)]
    for head, lines in table:
        if any(re.search(r"\bi\b", line) for line in lines):
            owner = re.match(r"P(\d+)(\.\.)?", head)
            initial.append(f"P{owner.group(1)}:i={'%tid' if owner.group(2) else owner.group(1)};")
    text = "\n".join(" " + " | ".join(row) + " ;" for row in rows)
    return f"PTX {name}\n{{ {' '.join(initial) or 'x=0;'} }}\n{text}\nexists ({(initial or 'x')[0][0]}=0)\n"


def test(seed):
    """(name, text) of the test of that seed."""
    rng = random.Random(f"progress {seed}")
    name = f"progress-random-{seed}"
    while True:
        text = one(rng, name)
        if text is not None:
            return name, text


def write(count, seed, folder):
    """Writes the tests of COUNT seeds from SEED; gives name -> (path, text)."""
    tests = {}
    for number in range(seed, seed + count):
        name, text = test(number)
        tests[name] = (os.path.join(folder, name + ".litmus"), text)
        with open(tests[name][0], "w", encoding="ascii") as file:
            file.write(text)
    return tests


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    write(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
