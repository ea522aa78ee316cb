#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says whether a litmus test must end under a scheduler, from the definitions of the papers, without any code of orchil.

Sorensen, Salvador, Raval, Evrard, Wickerson, Martonosi, Donaldson: Specifying and Testing GPU Workgroup Progress Models
(OOPSLA 2021) defines fair, hsa, obe, lobe and hsa-obe: threads interleave, and a scheduler guarantees that some of the
unfinished threads run again and again. A test ends if no infinite interleaving keeps the guarantee (the paper's weak
fairness) and none is stuck. Threads that wait at a barrier count as finished for hsa until it opens, as in Dat3M, and
arriving at one is a step. A barrier opens when all unfinished threads of its group, or its quorum, have reached it.

lockstep is hardware without independent thread scheduling: the lanes of a warp share a program counter and a stack of
masks. The sides of a branch run one after the other to its immediate postdominator, and threads of different columns are
sides that join at the end. Threads that name no warp share one if they are a range: they are neighbours. A barrier counts only the lanes that have reached it. One lane after the other executes an
instruction, and other warps may run in between. Whichever side and lane comes first, the test has to end.

All are one machine: a unit is a warp whose lanes run in lock step; the papers' schedulers have units of one lane. Its
reachable states are enumerated. States that cannot satisfy the guarantee again and again are removed until nothing changes
(Emerson and Lei, LICS 1986). If any remain, the test need not end."""

import argparse
import itertools
import sys
from collections import defaultdict, namedtuple

sys.dont_write_bytecode = True

from program import ARITHMETIC, COMPARE, MASK, Unsupported, joins, live_after, parse

SCHEDULERS = ("fair", "hsa", "obe", "lobe", "hsa-obe", "lockstep")
STATE_LIMIT = 8000
# Lanes at the instruction pc of a code; they wait at join for the lanes below them in the stack.
Entry = namedtuple("Entry", "lanes code pc join")
# memory and registers are tuples of numbers; units: of each a stack of entries, and the lanes that have executed the
# instruction of its top entry; started: the units that have executed a step.
State = namedtuple("State", "memory registers units started")


class Endless(Exception):
    """A thread can reach a loop without accesses that it never leaves, under every scheduler."""


# ---- the machine

class Machine:
    """The steps of a test whose threads run in the given units, a list of lists of threads' numbers."""

    def __init__(self, test, units):
        self.test, self.units = test, units
        self.places = {place: i for i, place in enumerate(test.places)}
        self.joins = [joins(t.code) for t in test.threads]
        self.live = [live_after(t) for t in test.threads]

    def first_states(self):
        """Lanes with different code are sides of a branch that joins at the end; any may be first."""
        orders = []
        for lanes in self.units:
            sides = defaultdict(list)
            for lane in lanes:
                sides[self.test.threads[lane].code].append(lane)
            entries = [Entry(tuple(same), same[0], 0, len(self.test.threads[same[0]].code)) for same in sides.values()]
            orders.append(list(itertools.permutations(entries)))
        for stacks in itertools.product(*orders):
            states = [State(self.test.memory, tuple(t.start for t in self.test.threads), tuple((s, ()) for s in stacks), 0)]
            for unit in range(len(self.units)):
                states = [after for before in states for after in self.run_local(before, unit, frozenset())]
            for state in states:
                yield from self.open_barriers(state)

    def code(self, entry):
        return self.test.threads[entry.code].code

    def value(self, registers, lane, word):
        return registers[lane][self.test.threads[lane].registers.index(word)] if isinstance(word, str) else word

    def assign(self, registers, lane, pc, name, value):
        """The registers after the lane's instruction at pc has put VALUE into NAME (or into none)."""
        live = self.live[lane][pc]
        old = zip(self.test.threads[lane].registers, registers[lane])
        new = tuple((value & MASK if r == name else v) if r in live else 0 for r, v in old)
        return registers[:lane] + (new,) + registers[lane + 1:]

    def with_unit(self, state, unit, stack, done=()):
        return state._replace(units=state.units[:unit] + ((stack, done),) + state.units[unit + 1:])

    def run_local(self, state, unit, path):
        """All states in which the unit has come to an access, a barrier or its end."""
        while True:
            stack = state.units[unit][0]
            while stack and stack[-1].pc == stack[-1].join:
                stack = stack[:-1]
            state = self.with_unit(state, unit, stack)
            if not stack or self.code(stack[-1])[stack[-1].pc].kind in ("load", "store", "rmw", "barrier"):
                return [state]
            here = (state.registers, stack)
            if here in path:
                raise Endless()
            if len(path) > STATE_LIMIT:
                raise Unsupported("a long loop without accesses")
            path = path | {here}
            states = self.local_step(state, unit, stack)
            if len(states) > 1:
                return [end for each in states for end in self.run_local(each, unit, path)]
            state = states[0]

    def local_step(self, state, unit, stack):
        top, below = stack[-1], stack[:-1]
        step, registers = self.code(top)[top.pc], state.registers
        sides = defaultdict(list)
        for lane in top.lanes:
            words = [self.value(state.registers, lane, word) for word in step.operands]
            if step.kind == "set":
                registers = self.assign(registers, lane, top.pc, step.register, ARITHMETIC[step.operation](*words))
                sides[top.pc + 1].append(lane)
            else:
                signed = [w - (w >> 31 << 32) for w in words]
                taken = not words or COMPARE[step.operation](*signed)
                registers = self.assign(registers, lane, top.pc, None, 0)
                sides[step.target if taken else top.pc + 1].append(lane)
        state = state._replace(registers=registers)
        if len(sides) == 1:
            return [self.with_unit(state, unit, below + (top._replace(pc=next(iter(sides))),))]
        join = self.joins[top.code][top.pc]
        entries = [Entry(tuple(lanes), top.code, pc, join) for pc, lanes in sides.items()]
        return [self.with_unit(state, unit, below + (top._replace(pc=join),) + order)
                for order in itertools.permutations(entries)]

    def access(self, state, lane, pc):
        """The state after the lane's load, store or read-modify-write."""
        step = self.test.threads[lane].code[pc]
        place = self.places[step.place]
        old = state.memory[place]
        words = [self.value(state.registers, lane, word) for word in step.operands]
        new = old
        if step.kind == "store":
            new = words[0]
        elif step.operation == "cas":
            new = words[1] if old == words[0] else old
        elif step.kind == "rmw":
            new = ARITHMETIC[step.operation](old, words[0]) & MASK
        memory = state.memory[:place] + (new,) + state.memory[place + 1:]
        return state._replace(memory=memory, registers=self.assign(state.registers, lane, pc, step.register, old))

    def enabled(self, state, unit):
        """Whether the unit can execute a step: it has not ended, and not all of its active lanes wait at a barrier."""
        stack, done = state.units[unit]
        return bool(stack) and len(done) < len(stack[-1].lanes)

    def unfinished_lanes(self, state):
        """(unit, lane) of each lane whose uppermost entry is not at the end of its code."""
        for unit, (stack, _) in enumerate(state.units):
            found = {lane: entry for entry in stack for lane in entry.lanes}
            yield from ((unit, lane) for lane, entry in found.items() if entry.pc < len(self.code(entry)))

    def open_barriers(self, state):
        """The states after every barrier has opened that enough threads have reached."""
        groups = defaultdict(list)
        for unit, lane in self.unfinished_lanes(state):
            stack, done = state.units[unit]
            at = self.code(stack[-1])[stack[-1].pc] if lane in done else None
            for level in ("warp", "team"):
                thread = self.test.threads[lane]
                groups[level, thread.unit if level == "warp" else thread.team].append((unit, at))
        for (level, _), members in groups.items():
            for barrier in {at for _, at in members if at is not None and at.operation == level}:
                waiting = [unit for unit, at in members if at == barrier]
                if len(waiting) >= (barrier.operands[0] if barrier.operands else len(members)):
                    return self.release(state, set(waiting), barrier)
        return [state]

    def release(self, state, units, barrier):
        """The states after the units that wait at the barrier have left it, and others have opened because of that."""
        if barrier.operands and any(len(lanes) > 1 for lanes in self.units):
            raise Unsupported("a quorum that lanes of a warp may reach one by one")
        states = [state]
        for unit in units:
            states = [after for before in states for after in self.leave(before, unit)]
        return [end for each in states for end in self.open_barriers(each)]

    def leave(self, state, unit):
        """The states after the active lanes have executed their instruction."""
        stack = state.units[unit][0]
        return self.run_local(self.with_unit(state, unit, stack[:-1] + (stack[-1]._replace(pc=stack[-1].pc + 1),)), unit,
                              frozenset())

    def steps(self, state):
        """(unit, state after a step of that unit) for each access or arrival that can be next."""
        for unit, (stack, done) in enumerate(state.units):
            if not self.enabled(state, unit):
                continue
            top, started = stack[-1], state.started | 1 << unit
            barrier = self.code(top)[top.pc].kind == "barrier"
            for lane in set(top.lanes).difference(done):
                after = state if barrier else self.access(state, lane, top.pc)
                after = self.with_unit(after._replace(started=started), unit, stack, tuple(sorted(done + (lane,))))
                complete = len(done) + 1 == len(top.lanes) and not barrier
                for end in self.leave(after, unit) if complete else [after]:
                    yield from ((unit, opened) for opened in self.open_barriers(end))


# ---- schedulers

def guaranteed(scheduler, machine, state):
    """The units that the scheduler must run if this state lasts: those of its guarantee that do not wait at a barrier."""
    able = [u for u in range(len(state.units)) if machine.enabled(state, u)]
    started = [u for u in able if state.started >> u & 1]
    return {"fair": able, "lockstep": able, "hsa": able[:1], "obe": started, "hsa-obe": able[:1] + started,
            "lobe": [u for u in able if state.started >> u]}[scheduler]


def explore(machine):
    """All reachable states, and the steps between them as (from, unit, to); a state that is stuck has a step of no unit."""
    number, states, edges = {}, [], []

    def add(state):
        if state not in number:
            if len(states) == STATE_LIMIT:
                raise Unsupported(f"more than {STATE_LIMIT} states")
            number[state] = len(states)
            states.append(state)
        return number[state]

    for state in machine.first_states():
        add(state)
    for state in states: # grows while it is read
        here = number[state]
        found = {(here, unit, add(after)) for unit, after in machine.steps(state)}
        if not found and any(stack for stack, _ in state.units):
            found = {(here, None, here)}
        edges.extend(found)
    return states, edges


def backwards(targets, edges):
    """The states from which TARGETS can be reached along EDGES."""
    into = defaultdict(list)
    for source, _, to in edges:
        into[to].append(source)
    found, todo = set(targets), list(targets)
    while todo:
        for source in into[todo.pop()]:
            if source not in found:
                found.add(source)
                todo.append(source)
    return found


def may_run_forever(states, edges, needs):
    """Whether some infinite run lets each unit, again and again, run or not be among the needs of the state."""
    units = range(len(states[0].units))
    alive = set(range(len(states)))
    while True:
        before = len(alive)
        for unit in units:
            edges = [e for e in edges if e[0] in alive and e[2] in alive]
            alive = backwards({s for s, runs, _ in edges if runs == unit or unit not in needs[s]}, edges)
        if len(alive) == before:
            return bool(alive)


def verdicts(text, schedulers=SCHEDULERS):
    """scheduler -> (True if the test ends, False if it need not, None if that is unknown; why)."""
    answers = {}
    for lockstep in (False, True):
        wanted = [s for s in schedulers if (s == "lockstep") == lockstep]
        try:
            test = parse(text)
            warps = defaultdict(list)
            for number, thread in enumerate(test.threads):
                warps[thread.unit if lockstep else number].append(number)
            machine = Machine(test, list(warps.values()))
            states, edges = explore(machine) if wanted else ([], [])
            for scheduler in wanted:
                needs = [set(guaranteed(scheduler, machine, state)) for state in states]
                answers[scheduler] = (not may_run_forever(states, edges, needs), f"{len(states)} states")
        except Endless:
            answers.update((s, (False, "a loop without accesses")) for s in wanted)
        except (Unsupported, KeyError, IndexError) as reason:
            answers.update((s, (None, str(reason))) for s in wanted)
    return answers


def main():
    parser = argparse.ArgumentParser(description="Says whether litmus tests must end.")
    parser.add_argument("--progress", default=",".join(SCHEDULERS), help="schedulers (default: %(default)s)")
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    for path in arguments.files:
        with open(path, encoding="utf-8") as file:
            for scheduler, (ends, why) in verdicts(file.read(), arguments.progress.split(",")).items():
                word = {True: "ends", False: "does not end", None: "unknown"}[ends]
                print(f"{path}: {scheduler}: {word} ({why})")


if __name__ == "__main__":
    sys.exit(main())
