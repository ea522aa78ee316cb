# SPDX-License-Identifier: Apache-2.0
"""Small litmus tests of PTX and Vulkan as the second checker of progress reads them, and the control flow of their threads.

It reads loads, stores, read-modify-writes, fences, barriers of a work-group or a warp, arithmetic, branches. Fences change
nothing, because memory is sequentially consistent anyway, and are no steps."""

import operator
import re
from collections import namedtuple

MASK = 0xFFFFFFFF

COMPARE = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
ARITHMETIC = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "and": operator.and_, "or": operator.or_,
              "xor": operator.xor, "min": min, "max": max, "exch": lambda old, new: new}

# kind: load store rmw barrier set branch. Operands are numbers or names of registers; a branch without operands is always
# taken; that of a barrier is its quorum.
Instruction = namedtuple("Instruction", "kind operation register place operands target", defaults=("", None, None, (), None))
# code: threads with equal code stay together in lock step, also if it stands in two columns.
# unit, team: the sub-group and the work-group of a thread, as anything that can be compared.
Thread = namedtuple("Thread", "code registers start unit team")
Test = namedtuple("Test", "name places memory threads")


class Unsupported(Exception):
    """The test has something that the checker cannot read, or has too many states."""


# ---- reading a test

def operand(word):
    return int(word, 0) & MASK if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", word) else word.lstrip("%")


def memory_instruction(kind, parts, operands):
    place = operands[0 if kind == "store" else 1]
    if kind == "load":
        return Instruction("load", register=operands[0], place=place)
    if kind == "store":
        return Instruction("store", place=place, operands=tuple(operands[1:]))
    operation = next((p for p in reversed(parts) if p in ARITHMETIC or p == "cas"),
                     "exch" if parts[0] == "rmw" else None)
    if operation is None or len(operands) != (4 if operation == "cas" else 3):
        raise Unsupported(f"read-modify-write {'.'.join(parts)}")
    return Instruction("rmw", operation, operands[0], place, tuple(operands[2:]))


def instruction(text):
    """The instruction that TEXT is."""
    mnemonic, _, rest = text.partition(" ")
    operands = [operand(word.strip().strip("[]")) for word in rest.split(",")] if rest.strip() else []
    parts = mnemonic.split(".")
    name = parts[0]
    if name in ("fence", "membar", "ret", "exit"):
        return Instruction("set", "add", operands=(0, 0))
    if name in ("ld", "st", "atom", "rmw"):
        return memory_instruction({"ld": "load", "st": "store"}.get(name, "rmw"), parts, operands)
    if name in ("bar", "barrier", "cbar") and "arrive" not in parts:
        names = 2 if name == "cbar" or "cta" in parts else 1 # the place in the text, and the barrier's own number
        level = "warp" if "warp" in parts or "sg" in parts else "team"
        return Instruction("barrier", level, place=tuple(operands[:names]), operands=tuple(operands[names:]))
    if name == "goto":
        return Instruction("branch", "eq", target=operands[0])
    if name[0] == "b" and name[1:] in COMPARE:
        return Instruction("branch", name[1:], operands=tuple(operands[:2]), target=operands[2])
    if name == "mov":
        return Instruction("set", "add", operands[0], operands=(operands[1], 0))
    if name in ARITHMETIC:
        return Instruction("set", name, operands[0], operands=tuple(operands[1:]))
    raise Unsupported(f"instruction {text!r}")


def column_code(cells):
    """The instructions of a column, whose branches have the number of an instruction as their target."""
    code, labels = [], {}
    for cell in cells:
        while True:
            label = re.match(r"([A-Za-z_$][\w$]*):\s*", cell)
            if label is None:
                break
            labels[label.group(1)] = len(code)
            cell = cell[label.end():]
        if cell:
            code.append(instruction(cell))
    return tuple(i._replace(target=labels[i.target]) if i.kind == "branch" else i for i in code)


def initial_state(text):
    memory, registers = {}, {}
    for item in filter(None, (i.strip() for i in text.replace("[", "").replace("]", "").split(";"))):
        left, _, value = item.partition("=")
        place = left.split()[-1]
        owner, colon, register = place.partition(":")
        value = value.strip() or "0"
        if colon:
            registers[int(owner.lstrip("P")), register.lstrip("%")] = value if value == "%tid" else operand(value)
        else:
            memory[place] = operand(value)
    return memory, registers


def header_threads(head):
    """(number, first number of the column, unit, team) of each thread of a column. What is not placed is alone, but threads
    of a range that name no warp are neighbours, so they share one."""
    match = re.match(r"P(\d+)(?:\.\.P(\d+))?\s*(?:@(.*))?$", head)
    if match is None:
        raise Unsupported(f"head of a column {head!r}")
    numbers = range(int(match.group(1)), int(match.group(2) or match.group(1)) + 1)
    placement = dict(re.findall(r"(\w+)\s+(\d+)", match.group(3) or ""))
    warp = placement.pop("warp", placement.pop("sg", None))
    for number in numbers:
        team = tuple(sorted(placement.items())) if "cta" in placement or "wg" in placement else number
        yield number, numbers[0], (team, head if warp is None else warp), team


def parse(text):
    text = re.sub(r'"[^"\n]*"|\(\*.*?\*\)', "", text, flags=re.DOTALL)
    match = re.match(r"\s*(PTX|VULKAN)\s+(\S+)[^{]*\{(.*?)\}(.*)", text, re.DOTALL | re.IGNORECASE)
    if match is None:
        raise Unsupported("not a PTX or VULKAN test")
    name, memory_text, body = match.groups()[1:]
    memory, values = initial_state(memory_text)
    body = re.split(r"^\s*(?:~\s*exists|exists|forall|filter)\b", body, maxsplit=1, flags=re.MULTILINE)[0]
    rows = [[cell.strip() for cell in row.split("|")] for row in body.split(";") if row.strip()]
    threads = {}
    for column, head in enumerate(rows[0]):
        code = column_code([row[column] for row in rows[1:] if column < len(row)])
        names = {o for i in code for o in (i.register, *i.operands) if isinstance(o, str)}
        registers = tuple(sorted(names))
        for number, first, unit, team in header_threads(head):
            start = [values.get((first, r), 0) for r in registers]
            start = tuple(number - first if value == "%tid" else value for value in start)
            threads[number] = Thread(code, registers, start, unit, team)
        for place in (i.place for i in code if i.kind in ("load", "store", "rmw")):
            memory.setdefault(place, 0)
    if sorted(threads) != list(range(len(threads))):
        raise Unsupported("threads are not numbered from 0")
    return Test(name, tuple(memory), tuple(memory.values()), tuple(threads[n] for n in sorted(threads)))


# ---- control flow

def following(code, pc):
    step = code[pc]
    if step.kind != "branch":
        return [pc + 1]
    return [step.target, pc + 1] if step.operands else [step.target]


def joins(code):
    """pc of a branch -> its immediate postdominator, len(code) if that is the end or the end cannot be reached."""
    end = len(code)
    nodes = range(end + 1)
    reaches, grown = {end}, True
    while grown:
        more = {pc for pc in range(end) if reaches.intersection(following(code, pc))} - reaches
        reaches, grown = reaches | more, bool(more)
    after = {pc: {end} if pc == end else set(nodes) for pc in reaches}
    changed = True
    while changed:
        changed = False
        for pc in reaches - {end}:
            new = {pc} | set.intersection(*(after[n] for n in following(code, pc) if n in reaches))
            changed, after[pc] = changed or new != after[pc], new
    return {pc: max(after[pc] - {pc}, key=lambda n: len(after[n])) if pc in reaches else end for pc in range(end)}


def live_after(thread):
    """pc -> the registers whose values somebody may read after the instruction there; others are forgotten."""
    live = {pc: set() for pc in range(len(thread.code) + 1)}
    changed = True
    while changed:
        changed = False
        for pc, step in enumerate(thread.code):
            new = set.union(*(live[n] for n in following(thread.code, pc))) - {step.register}
            new |= {o for o in step.operands if isinstance(o, str)}
            changed, live[pc] = changed or new != live[pc], new
    return [set.union(*(live[n] for n in following(thread.code, pc))) for pc in range(len(thread.code))]
