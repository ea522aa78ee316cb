# SPDX-License-Identifier: Apache-2.0
"""What PTX allows, from chapter 8 of the PTX ISA (8.x and 9.x), Memory Consistency Model. Names in brackets are its
sections.

All accesses go through the generic proxy and have one size. Two readings that the chapter does not spell out:
fence.sc is a release and an acquire fence too, as fence.acq_rel is, and an sc fence's order is asked for the operations
of base causality order, since causality order relates memory operations only."""

import itertools

from executions import (LeftOut, acyclic, candidates, closure, compose, inverse, irreflexive, members, pairs_of,
                        relation, union)


def outcomes(program):
    """The allowed outcomes, and no flags. Raises LeftOut where an outcome hangs on a dependency in doubt: a compiler may
    know that a write is made whatever was read, because the thread makes it twice."""
    allowed, doubtful = set(), set()
    for candidate in candidates(program):
        for reading in candidate.readings():
            # [No thin air]
            rf = relation(candidate.size, [(write, read) for read, write in reading.items()])
            if not acyclic(union(rf, relation(candidate.size, candidate.certain))):
                continue
            thin = not acyclic(union(rf, relation(candidate.size, candidate.dependencies)))
            (doubtful if thin else allowed).update(_Model(candidate, reading).outcomes())
    if doubtful - allowed:
        raise LeftOut
    return allowed, False


def _order(event):
    """The order of this event: an atomic operation acquires with its read and releases with its write."""
    order = event.instruction.order
    if order == "volatile":
        return "relaxed"
    if event.instruction.kind != "rmw" or order == "relaxed":
        return order
    if event.kind == "R":
        return "acquire" if order in ("acquire", "acq_rel") else "relaxed"
    return "release" if order in ("release", "acq_rel") else "relaxed"


class _Model:
    def __init__(self, candidate, reading):
        self.candidate = candidate
        self.events = candidate.events
        self.size = candidate.size
        self.reading = reading
        self.rf = relation(self.size, [(write, read) for read, write in reading.items()])
        self.morally_strong = relation(self.size, [(a, b) for a in candidate.all for b in candidate.all
                                                   if self._morally_strong(a, b)])
        self.same_place = relation(self.size, [(a, b) for a in candidate.all for b in candidate.all
                                               if candidate.same_place(a, b)])

    def _strong(self, e):
        """[Operation types]: a fence, or a memory operation that is not weak."""
        event = self.events[e]
        return event.thread is not None and event.kind != "B" and _order(event) != "weak"

    def _includes(self, a, b):
        """[Scope]: whether the scope of a holds the thread of b."""
        mine = self.candidate.program.threads[self.events[a].thread]
        other = self.candidate.program.threads[self.events[b].thread]
        scope = "sys" if self.events[a].instruction.order == "volatile" else self.events[a].instruction.scope
        same_group = (mine.device, mine.group) == (other.device, other.group)
        if scope == "cta":
            return same_group
        if scope == "cluster":  # a CTA without a cluster is alone in its own
            return same_group or \
                mine.cluster is not None and (mine.device, mine.cluster) == (other.device, other.cluster)
        return scope == "sys" or mine.device == other.device

    def _morally_strong(self, a, b):
        """[Morally strong operations]"""
        one, other = self.events[a], self.events[b]
        if a == b or one.thread is None or other.thread is None or "B" in (one.kind, other.kind):
            return False
        if one.place and other.place and one.place != other.place:
            return False
        if one.thread == other.thread:
            return True
        return self._strong(a) and self._strong(b) and self._includes(a, b) and self._includes(b, a)

    def _po(self, a, b):
        return self.candidate.po[a] >> b & 1

    def _fences(self, orders):
        return [f for f in self.candidate.fences if self.events[f].instruction.order in orders]

    def _release_patterns(self):
        """[Release and acquire patterns]: pairs of the first operation of a pattern and a write that it has."""
        strong_writes = [w for w in self.candidate.writes if self._strong(w)]
        releases = [w for w in strong_writes if _order(self.events[w]) == "release"]
        for first in releases:
            yield first, first
            for write in strong_writes:
                if self._po(first, write) and self.candidate.same_place(first, write):
                    yield first, write
        for first in self._fences(("release", "acq_rel", "sc")):
            for write in strong_writes:
                if self._po(first, write):
                    yield first, write

    def _acquire_patterns(self):
        """Pairs of a read that a pattern has and the last operation of the pattern. Reductions read for no pattern."""
        reads = [r for r in self.candidate.reads if self._strong(r)
                 and (self.events[r].instruction.kind == "load" or self.events[r].instruction.register is not None)]
        acquires = [r for r in reads if _order(self.events[r]) == "acquire"]
        for last in acquires:
            yield last, last
            for read in reads:
                if self._po(read, last) and self.candidate.same_place(read, last):
                    yield read, last
        for last in self._fences(("acquire", "acq_rel", "sc")):
            for read in reads:
                if self._po(read, last):
                    yield read, last

    def _observation(self):
        """[Observation]: from a write to a read through atomic operations."""
        direct = relation(self.size, [(write, read) for read, write in self.reading.items()
                                      if self.morally_strong[write] >> read & 1])
        through = relation(self.size, [(r, self.events[r].rmw) for r in self.candidate.reads
                                       if self.events[r].rmw is not None])
        result = direct
        while True:
            longer = union(result, compose(compose(result, through), direct))
            if longer == result:
                return result
            result = longer

    def _barriers(self):
        """[Memory synchronization]: all that came to one barrier of one CTA."""
        def name(e):
            thread = self.candidate.program.threads[self.events[e].thread]
            return thread.device, thread.group, self.events[e].number

        barriers = [e for e in self.candidate.all if self.events[e].kind == "B"]
        return relation(self.size, [(a, b) for a in barriers for b in barriers if a != b and name(a) == name(b)])

    def _orders(self, elements, given):
        """Each way to relate every pair of morally strong elements, with what is given, as a partial order."""
        def extend(order, rest):
            if not irreflexive(order):
                return
            if not rest:
                yield order
                return
            (a, b), rest = rest[0], rest[1:]
            for pair in [(a, b), (b, a)]:
                yield from extend(closure(union(order, relation(self.size, [pair]))), rest)

        yield from extend(closure(given), [(a, b) for a, b in itertools.combinations(elements, 2)
                                           if self.morally_strong[a] >> b & 1])

    def outcomes(self):
        observation = self._observation()
        synchronizes = relation(self.size, [
            (first, last) for first, write in self._release_patterns() for read, last in self._acquire_patterns()
            if observation[write] >> read & 1 and self.morally_strong[first] >> last & 1])
        synchronizes = union(synchronizes, self._barriers())
        for fence_sc in self._orders(self._fences(("sc",)), [0] * self.size):
            # [Base causality order]
            base = closure(union(self.candidate.po, synchronizes, fence_sc))
            # [Fence-SC]
            if any(base[b] >> a & 1 for a, b in pairs_of(fence_sc)):
                continue
            # [Proxy-preserved base causality order], [Causality order]
            preserved = [row & place for row, place in zip(base, self.same_place)]
            causality = union(preserved, compose(observation, preserved))
            yield from self._coherent(causality)

    def _coherent(self, causality):
        """The outcomes under the partial coherence orders that agree with causality."""
        writes = self.candidate.writes
        mask = sum(1 << w for w in writes)
        given = [row & mask & self.same_place[w] if w in writes else 0 for w, row in enumerate(causality)]
        for place in self.candidate.program.places:
            first, *others = self.candidate.writes_to(place)
            given[first] |= sum(1 << w for w in others)
        # [Coherence order], [Coherence]
        for co in self._orders(writes, given):
            fr = relation(self.size, [(r, w) for r, source in self.reading.items() for w in members(co[source])])
            if self._consistent(co, fr, causality):
                last = [[w for w in self.candidate.writes_to(place) if not co[w]]
                        for place in self.candidate.program.places]
                for final in itertools.product(*last):
                    yield self.candidate.outcome(dict(zip(self.candidate.program.places, final)))

    def _consistent(self, co, fr, causality):
        # [Atomicity] of read-modify-write operations
        for read in self.candidate.reads:
            write = self.events[read].rmw
            if write is not None:
                for between in members(fr[read]):
                    if self.morally_strong[read] >> between & 1 and between != write and co[between] >> write & 1:
                        return False
        # [SC-per-location]
        communication = union(self.rf, co, fr)
        strong = [row & other for row, other in zip(communication, self.morally_strong)]
        in_place = [row & other for row, other in zip(self.candidate.po, self.same_place)]
        if not acyclic(union(strong, in_place)):
            return False
        # [Causality]: a read neither sees a later write nor misses an earlier one
        forward = inverse(causality)
        return not any(row & other for row, other in zip(self.rf, forward)) and \
            not any(row & other for row, other in zip(fr, forward))
