# SPDX-License-Identifier: Apache-2.0
"""Candidate executions of a program, enumerated as plainly as possible: every path of every thread with every value that its
reads may return, and every way to read from.

Relations are lists of integers: bit b of element a is set if event a is related to event b."""

import itertools
import math
from collections import namedtuple

from program import address, instructions, location, locations, meeting, registers

# kind is R, W, F (fence), P (PTX proxy fence), B (barrier of PTX or VULKAN), D (avdevice, visdevice). place is the memory that is accessed, address its virtual
# address, proxy how. rmw is the number of the other half, or None. instruction is the event's instruction. thread is None for
# initial writes. number counts the barriers of a thread; half is entry or exit. The words of a vector share a group and are in no
# order; the words of one access of several words share a value of whole.
Event = namedtuple("Event", "thread kind place value instruction rmw number half address proxy group whole",
                   defaults=(None,) * 9)

# A path of a thread: events (rmw, dependencies and branches count from its first event), final registers, dependencies as pairs
# (read, write), and the reads on which it branched.
Trace = namedtuple("Trace", "events registers dependencies branches", defaults=(frozenset(),))


MOST_COMBINATIONS = 3000  # combinations of traces; more take too long


def shown(place):
    """The name of a place in an outcome: elements of arrays already have brackets."""
    return place if "[" in place else f"[{place}]"


class LeftOut(Exception):
    """The reference gives no answer: there are too many candidates, or dependencies are in doubt."""


class Candidate:
    """Events of all threads after the initial writes, program order, dependencies, and the source of each read."""

    def __init__(self, program, traces):
        self.program = program
        self.traces = traces
        self.events = [Event(None, "W", place, 0, address=place, proxy="generic") for place in locations(program)]
        self.dependencies = []
        self.certain = []  # dependencies of writes whose value the thread does not write to the place anyway
        pairs = []
        for trace in traces:
            base = len(self.events)
            for index, event in enumerate(trace.events):
                if event.rmw is not None:
                    event = event._replace(rmw=event.rmw + base)
                self.events.append(event)
                pairs += [(base + earlier, base + index) for earlier in range(index)
                          if event.group is None or event.group != trace.events[earlier].group]
            written = [(e.place, e.value) for e in trace.events if e.kind == "W"]
            for read, write in trace.dependencies:
                self.dependencies.append((base + read, base + write))
                if written.count((trace.events[write].place, trace.events[write].value)) == 1:
                    self.certain.append((base + read, base + write))
        self.size = len(self.events)
        self.po = relation(self.size, pairs)
        self._depend_on_ends()
        self.issued = self.completed = [0] * self.size  # asynchronous operations: executions_async.py has them
        self.coherent = []
        self.all = range(self.size)
        self.reads = [e for e in self.all if self.events[e].kind == "R"]
        self.writes = [e for e in self.all if self.events[e].kind == "W"]
        self.fences = [e for e in self.all if self.events[e].kind == "F"]

    def _depend_on_ends(self):
        """PTX: a barrier waits for threads that have not exited, and a thread exits when its branches are decided."""
        base = len(locations(self.program))
        for number, trace in enumerate(self.traces):
            thread, met = self.program.threads[number], sum(e.kind == "B" for e in trace.events)
            later = [e for e in range(self.size) for b in range(self.size)
                     if self.events[b].kind == "B" and self.events[b].number >= met and self.po[b] >> e & 1
                     and meeting(self.program, self.program.threads[self.events[b].thread]) == meeting(self.program, thread)]
            ends = [(base + read, e) for read in sorted(trace.branches) for e in later if self.events[e].kind == "W"]
            if self.program.dialect == "ptx":
                self.dependencies += ends
                self.certain += ends
            base += len(trace.events)

    def writes_to(self, place):
        """With the initial write first."""
        return [e for e in self.writes if self.events[e].place == place]

    def same_place(self, a, b):
        return self.events[a].place is not None and self.events[a].place == self.events[b].place

    def readings(self):
        """Each way to read from: a dictionary from reads to writes."""
        sources = []
        for read in self.reads:
            event = self.events[read]
            sources.append([w for w in self.writes_to(event.place)
                            if self.events[w].value == event.value and w != event.rmw])
        for choice in itertools.product(*sources):
            yield dict(zip(self.reads, choice))

    def outcome(self, final):
        """final: place -> its last write."""
        parts = []
        for number, trace in enumerate(self.traces):
            parts += [f"{number}:r{register}={value}" for register, value in trace.registers.items()]
        parts += [f"{shown(place)}={self.events[write].value}" for place, write in final.items()]
        return "; ".join(sorted(parts))


def relation(size, pairs):
    rows = [0] * size
    for a, b in pairs:
        rows[a] |= 1 << b
    return rows


def members(row):
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low


def pairs_of(rows):
    return [(a, b) for a, row in enumerate(rows) for b in members(row)]


def union(*relations):
    return [_or(rows) for rows in zip(*relations)]


def intersection(first, *others):
    result = list(first)
    for other in others:
        result = [row & mask for row, mask in zip(result, other)]
    return result


def _or(rows):
    result = 0
    for row in rows:
        result |= row
    return result


def compose(first, second):
    """Steps of first, then of second."""
    result = []
    for row in first:
        reached = 0
        while row:
            low = row & -row
            reached |= second[low.bit_length() - 1]
            row ^= low
        result.append(reached)
    return result


def optional(rows):
    return [row | 1 << a for a, row in enumerate(rows)]


def closure(rows):
    rows = list(rows)
    for middle, reached in enumerate(rows):
        bit = 1 << middle
        reached = rows[middle]
        for a, row in enumerate(rows):
            if row & bit:
                rows[a] = row | reached
    return rows


def ordered(order, a, b):
    """A transitive relation with a before b in addition."""
    later = order[b] | 1 << b
    return [row | later if x == a or row >> a & 1 else row for x, row in enumerate(order)]


def irreflexive(rows):
    return not any(row >> a & 1 for a, row in enumerate(rows))


def acyclic(rows):
    return irreflexive(closure(rows))


def inverse(rows):
    return relation(len(rows), [(b, a) for a, b in pairs_of(rows)])


def computed(instruction, old, known):
    """The value that a store or read-modify-write writes, or None."""
    value = instruction.value
    operand = value.constant
    if value.register is not None and not value.false:
        operand += known.get(value.register, 0)
    if instruction.kind == "store" or instruction.operation == "exch":
        return operand
    if instruction.operation == "cas":
        return operand if old == instruction.expected else None
    return old + operand if instruction.operation == "add" else old | operand


def result(program, instruction, old):
    """The value that a read-modify-write returns."""
    if instruction.operation == "cas" and program.dialect not in ("ptx", "vulkan"):
        return int(old == instruction.expected)
    return old


class _State:
    """The progress of a thread."""

    def __init__(self, program, other=None):
        self.program = program
        self.events = list(other.events) if other else []
        self.dependencies = list(other.dependencies) if other else []
        self.registers = dict(other.registers) if other else {}
        self.origins = dict(other.origins) if other else {}  # register -> the reads that its value comes from
        self.barriers = other.barriers if other else 0
        self.branches = other.branches if other else frozenset()  # the reads on which the thread branched

    def add(self, thread, kind, instruction, value=None, rmw=None, half=None):
        name, place, virtual, proxy = instruction.place, None, None, instruction.proxy
        if name is not None:
            place, virtual = location(self.program, name), address(self.program, name)
            proxy = self.program.places[name].proxy
        self.events.append(Event(thread, kind, place, value, instruction, rmw, self.barriers, half, virtual, proxy))
        return len(self.events) - 1

    def join(self, thread, first, whole):
        """The events from number `first` on are words of one vector, or of one access."""
        group = (thread, first)
        self.events[first:] = [e._replace(group=group, whole=group if whole else None) for e in self.events[first:]]

    def write(self, thread, instruction, value, reads, rmw=None):
        """reads: reads that the write depends on, except the sources of its value."""
        number = self.add(thread, "W", instruction, value, rmw)
        source = instruction.value
        if source.register is not None and not source.false:
            reads = reads | self.origins.get(source.register, set())
        self.dependencies += [(read, number) for read in sorted(reads)]


def _play(program, thread, values, state, rest):
    """All traces from here. values: place -> the values that its reads may return; rest: the remaining code, as pairs of an
    instruction and the reads that decided that it is reached."""
    if not rest:
        final = {register: state.registers.get(register, 0) for register in registers(program.threads[thread])}
        yield Trace(state.events, final, state.dependencies, state.branches)
        return
    (i, branches), rest = rest[0], rest[1:]
    if i.kind in ("load", "rmw"):
        for value in sorted(values[location(program, i.place)]):
            after = _State(program, state)
            _read(program, thread, after, i, value, branches)
            yield from _play(program, thread, values, after, rest)
        return
    if i.kind == "vector":
        for after in _vector(program, thread, values, state, i, branches):
            yield from _play(program, thread, values, after, rest)
        return
    state = _State(program, state)
    if i.kind == "if":
        state.branches |= state.origins.get(i.register, set())
        if state.registers.get(i.register, 0) == i.equals:
            branches = branches | state.origins.get(i.register, set())
            rest = [(inner, branches) for inner in i.body] + rest
    elif i.kind == "store":
        state.write(thread, i, computed(i, None, state.registers), set(branches))
    elif i.kind in ("fence", "proxy_fence", "device"):
        state.add(thread, {"fence": "F", "proxy_fence": "P", "device": "D"}[i.kind], i)
    else:
        for kind, half in [("B", None)] if program.dialect in ("ptx", "vulkan") else [("F", "entry"), ("F", "exit")]:
            state.add(thread, kind, i, half=half)
        state.barriers += 1
    yield from _play(program, thread, values, state, rest)


def _vector(program, thread, values, state, i, branches):
    """The states after a vector: all its reads, then all its writes. A compare-and-swap writes all words or none."""
    first = i.words[0]
    olds = [sorted(values[word.place]) if first.kind != "store" else [None] for word in i.words]
    for choice in itertools.product(*olds):
        after = _State(program, state)
        start = len(after.events)
        for word, old in zip(i.words, choice if first.kind != "store" else ()):
            if word.register is not None:
                after.registers[word.register] = old
                after.origins[word.register] = {len(after.events)}
            after.add(thread, "R", word, old)
        after.join(thread, start, i.whole)
        reads = range(start, len(after.events))
        new = [None if first.kind == "load" else computed(word, old, state.registers) for word, old in zip(i.words, choice)]
        start = len(after.events)
        for number, (word, value) in enumerate(zip(i.words, new) if None not in new else ()):
            if first.kind == "rmw":
                after.events[reads[number]] = after.events[reads[number]]._replace(rmw=len(after.events))
            decided = set(reads) if first.operation == "cas" else set()
            after.write(thread, word, value, branches | decided, reads[number] if first.kind == "rmw" else None)
        after.join(thread, start, i.whole)
        yield after


def _read(program, thread, state, i, old, branches):
    """A load, or both halves of a read-modify-write."""
    new = computed(i, old, state.registers) if i.kind == "rmw" else None
    read = len(state.events)
    state.add(thread, "R", i, old, None if new is None else read + 1)
    if new is not None:
        state.write(thread, i, new, branches | (set() if i.operation == "exch" else {read}), read)
    if i.register is not None:
        state.registers[i.register] = old if i.kind == "load" else result(program, i, old)
        state.origins[i.register] = {read}


def candidates(program):
    """All candidates, whose reads return values of possible writes: values that follow from the initial ones, or that
    justify themselves, starting from a constant of the program. Raises LeftOut."""
    code = [i for thread in program.threads for i in instructions(thread.code)]
    named = {i.value.constant for i in code if i.value} | {i.equals for i in code} | {i.expected for i in code}
    values = {place: {0} | named - {None} for place in locations(program)}
    rounds = 1 + sum(i.kind in ("store", "rmw") for i in code)  # code has the words of vectors, too
    for _ in range(rounds):
        traces = [list(_play(program, number, values, _State(program), [(i, frozenset()) for i in thread.code]))
                  for number, thread in enumerate(program.threads)]
        before = {place: set(known) for place, known in values.items()}
        for event in (event for some in traces for trace in some for event in trace.events if event.kind == "W"):
            values[event.place].add(event.value)
        if values == before:
            break
    if math.prod(map(len, traces)) > MOST_COMBINATIONS:
        raise LeftOut
    for choice in itertools.product(*traces):
        candidate = Candidate(program, choice)
        left = {(candidate.events[w].place, candidate.events[w].value) for w in candidate.writes}
        if all((candidate.events[r].place, candidate.events[r].value) in left for r in candidate.reads):
            yield candidate
