# SPDX-License-Identifier: Apache-2.0
"""What PTX allows, from chapter 8 of the PTX ISA (8.x and 9.x), Memory Consistency Model. Names in brackets are its
sections.

All accesses have one size. Readings that the chapter does not spell out: fence.sc is also a release and an acquire fence, like
fence.acq_rel; the order of sc fences must agree with the operations of base causality order, since causality order relates only
memory operations; memory fences are operations of the generic proxy. The effect of proxy fences between causality and
proxy-preserved causality follows the model published with the proxies: Lustig, Cooksey and Giroux,
Mixed-proxy extensions for the NVIDIA PTX memory consistency model, ISCA 2022."""

import itertools

import executions_async
from executions import (LeftOut, acyclic, candidates, closure, compose, intersection, inverse, irreflexive, members, ordered,
                        pairs_of, relation, union)
from program import is_map, locations
from program_async import asynchronous, space


def outcomes(program):
    """The allowed outcomes, and no flags. Raises LeftOut if an outcome depends on a doubtful dependency: a compiler may
    know that a write happens whatever was read, because the thread makes it twice."""
    if asynchronous(program):
        return _asynchronous(program)
    allowed, doubtful, race = set(), set(), False
    for candidate in candidates(program):
        model = _Model(candidate)
        for reading in candidate.readings():
            # [No thin air]
            rf = relation(candidate.size, [(write, read) for read, write in reading.items()])
            if not acyclic(union(rf, relation(candidate.size, candidate.certain))):
                continue
            thin = not acyclic(union(rf, relation(candidate.size, candidate.dependencies)))
            model.mixed_race = False
            (doubtful if thin else allowed).update(model.outcomes(reading))
            if thin and model.mixed_race:
                raise LeftOut
            race |= model.mixed_race
    if race:
        return set(), True
    if doubtful - allowed:
        raise LeftOut
    return allowed, False


def _asynchronous(program):
    allowed, race = set(), False
    for named in executions_async.namings(program):
        candidate = executions_async.Candidate(program, named)
        model = _Model(candidate)
        for reading in candidate.readings(model.takes_turns):
            allowed.update(model.outcomes(reading))
        race |= model.mixed_race or model.undefined
    return (set(), True) if race else (allowed, False)


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
    def __init__(self, candidate):
        self.candidate = candidate
        self.events = candidate.events
        self.size = candidate.size
        self.morally_strong = relation(self.size, [(a, b) for a in candidate.all for b in candidate.all
                                                   if self._morally_strong(a, b)])
        self.takes_turns = relation(self.size, [(a, b) for a in candidate.all for b in candidate.all
                                                if self.morally_strong[a] >> b & 1 or self._counted(a, b)])
        self.same_place = self._alike(lambda event: event.place)
        self.same_address = self._alike(lambda event: event.address)
        self.same_proxy = self._alike(lambda event: event.proxy)
        self.same_block = self._alike(self._block)
        self.mixed_race = False  # whether an execution has a mixed-size data-race
        self.undefined = False  # whether an execution uses an mbarrier that is not initialised
        self.covers = relation(self.size, [(a, b) for a in candidate.all for b in candidate.all
                                           if self._covers(a, b) and self._covers(b, a)])

    def _alike(self, key):
        """Relates events, also to themselves, that have the same key, unless it is None."""
        keys = [key(event) for event in self.events]
        return relation(self.size, [(a, b) for a in self.candidate.all for b in self.candidate.all
                                    if keys[a] is not None and keys[a] == keys[b]])

    def _covers(self, fence, access):
        """Whether a proxy fence, if it is one, is for the memory of an access [membar/fence]."""
        kind, memory, place = self.events[fence].kind, self.events[fence].instruction, self.events[access].place
        if kind != "P" or memory.flags is None or place is None:
            return True
        thread = self.candidate.program.threads[self.events[fence].thread]
        where = space(self.candidate.program, thread, place)
        return where == memory.flags or (where, memory.flags) == ("shared::cta", "shared::cluster")

    def _meant(self, fence, place, init=None):
        """Whether a fence with .sync_restrict, of tensor maps or of mbarrier.init, if it is one, is for a place, or for an event
        `init` there [membar/fence]."""
        memory, meant = self.events[fence].instruction.restriction, self.events[fence].instruction.place
        if memory is None:
            return True
        if memory == "init":
            return init is not None and self.events[init].thread == self.events[fence].thread
        if memory == "tensormap":
            return is_map(self.candidate.program, place) and meant in (None, place)
        where = space(self.candidate.program, self.candidate.program.threads[self.events[fence].thread], place)
        return where == memory or (where, memory) == ("shared::cta", "shared::cluster")

    def _one_way(self, e):
        """Whether it is a fence from the generic proxy to another, but not back."""
        return self.events[e].kind == "F" and self.events[e].proxy in ("async", "tensormap")

    def _block(self, event):
        if event.thread is None:
            return None
        thread = self.candidate.program.threads[event.thread]
        return thread.device, thread.group

    def _strong(self, e):
        """[Operation types]: a fence, or a memory operation that is not weak."""
        event = self.events[e]
        return event.thread is not None and event.kind in "RWF" and _order(event) != "weak"

    def _includes(self, a, b):
        """[Scope]: whether the scope of a includes the thread of b."""
        mine = self.candidate.program.threads[self.events[a].thread]
        other = self.candidate.program.threads[self.events[b].thread]
        scope = "sys" if self.events[a].instruction.order == "volatile" else self.events[a].instruction.scope
        same_group = (mine.device, mine.group) == (other.device, other.group)
        if scope == "cta":
            return same_group
        if scope == "cluster":  # a CTA without a cluster is a cluster by itself
            return same_group or \
                mine.cluster is not None and (mine.device, mine.cluster) == (other.device, other.cluster)
        return scope == "sys" or mine.device == other.device

    def _morally_strong(self, a, b):
        """[Morally strong operations]"""
        one, other = self.events[a], self.events[b]
        if a == b or one.thread is None or other.thread is None or not {one.kind, other.kind} <= set("RWF"):
            return False
        if one.address and other.address and (one.address != other.address or not self._same_size(a, b)):
            return False
        if (one.proxy or "generic") != (other.proxy or "generic"):
            return False
        if self._po(a, b) or self._po(b, a):
            return True
        return self._strong(a) and self._strong(b) and self._includes(a, b) and self._includes(b, a)

    def _counted(self, a, b):
        """Operations on one mbarrier, according to [Phase completion of the mbarrier object] and the promise of mbarrier.test_wait
        about a completed phase: each counts, and a phase publishes all its arrivals, whatever the scopes between."""
        one, other = self.events[a], self.events[b]
        return a != b and one.place is not None and one.place == other.place and \
            None not in (one.thread, other.thread) and self.candidate.program.places[one.place].region == "mbarrier" and \
            "init" not in (one.instruction.kind, other.instruction.kind)

    def _po(self, a, b):
        return self.candidate.po[a] >> b & 1

    def _same_size(self, a, b):
        """Whether both are accesses of 128 bits, or neither."""
        return bool(self.events[a].whole) == bool(self.events[b].whole)

    def _overlap(self, a, b):
        """[Overlap], complete: at one virtual address, through any proxy."""
        return self.same_address[a] >> b & 1 and self._same_size(a, b)

    def _fences(self, orders):
        return [f for f in self.candidate.fences if self.events[f].instruction.order in orders]

    def _release_patterns(self):
        """[Release and acquire patterns]: pairs of the first operation of a pattern and a write of it."""
        strong_writes = [w for w in self.candidate.writes if self._strong(w)]
        releases = [w for w in strong_writes if _order(self.events[w]) == "release"]
        for first in releases:
            yield first, first
            for write in strong_writes:
                if self._po(first, write) and self._overlap(first, write):
                    yield first, write
        for first in self._fences(("release", "acq_rel", "sc")):
            for write in strong_writes:
                if self._po(first, write) or self.candidate.issued[first] >> write & 1:
                    yield first, write

    def _ends(self, observation):
        """Pairs of an event of an asynchronous operation and a later one of a thread that has observed its end: has waited for its
        group, or found the phase of its mbarrier complete."""
        candidate = self.candidate
        waits = [e for e in candidate.reads if self.events[e].instruction and self.events[e].instruction.kind == "test_wait"
                 and candidate.registers[self.events[e].thread, self.events[e].instruction.register]]
        for done in candidate.all:
            for marker in members(candidate.completed[done]):
                for after in members(candidate.issued[marker]):
                    yield done, after
                    for wait in waits:
                        if observation[after] >> wait & 1:
                            yield from ((done, last) for last in candidate.all if self._po(wait, last))

    def _acquire_patterns(self, observation):
        """Pairs of a read of a pattern and its last operation. Reads of reductions form no pattern."""
        reads = [r for r in self.candidate.reads if self._strong(r)
                 and (self.events[r].instruction.kind == "load" or self.events[r].instruction.register is not None)]
        ends = set(self._ends(observation))
        acquires = [r for r in reads if _order(self.events[r]) == "acquire"]
        for last in acquires:
            yield last, last
            for read in reads:
                if self._po(read, last) and self._overlap(read, last):
                    yield read, last
        for last in self._fences(("acquire", "acq_rel", "sc")):
            for read in reads:
                if self._po(read, last) or (read, last) in ends:
                    yield read, last

    def _observation(self):
        """[Observation]: from a write to a read through atomic operations."""
        direct = relation(self.size, [(write, read) for read, write in self.reading.items()
                                      if self.takes_turns[write] >> read & 1])
        through = relation(self.size, [(r, self.events[r].rmw) for r in self.candidate.reads
                                       if self.events[r].rmw is not None])
        result = direct
        while True:
            longer = union(result, compose(compose(result, through), direct))
            if longer == result:
                return result
            result = longer

    def _barriers(self):
        """[Memory synchronization]: all arrivals at one barrier of one CTA."""
        def name(e):
            thread = self.candidate.program.threads[self.events[e].thread]
            return thread.device, thread.group, self.events[e].number

        barriers = [e for e in self.candidate.all if self.events[e].kind == "B"]
        met = relation(self.size, [(a, b) for a in barriers for b in barriers if a != b and name(a) == name(b)])
        return pairs_of(met) + self._cluster_barriers()

    def _cluster_barriers(self):
        """From an arrival, or from a releasing fence before a relaxed one (PTX ISA, "barrier.cluster"), to the waits."""
        def name(e):
            thread = self.candidate.program.threads[self.events[e].thread]
            return thread.device, thread.cluster, self.events[e].number, \
                thread.group if thread.cluster is None else None

        events = [e for e in self.candidate.all if self.events[e].kind == "C"]
        waits = [e for e in events if self.events[e].half == "wait"]
        pairs = []
        for arrival in (e for e in events if self.events[e].half == "arrive"):
            releases = [arrival]
            if self.events[arrival].instruction.operation == "arrive.relaxed":
                releases = [f for f in self._fences(("release", "acq_rel", "sc")) if self._po(f, arrival)
                            and self.events[f].instruction.scope != "cta" and not self._one_way(f)]
            pairs += [(release, wait) for release in releases for wait in waits if name(arrival) == name(wait)]
        return pairs

    def _orders(self, elements, given):
        """Each way to relate every pair of elements that take turns, with what is given, as a partial order."""
        def extend(order, rest):
            if not rest:
                yield order
                return
            (a, b), rest = rest[0], rest[1:]
            for first, second in [(a, b), (b, a)]:
                if not order[second] >> first & 1: # or they would be in a cycle
                    yield from extend(ordered(order, first, second), rest)

        given = closure(given)
        if irreflexive(given):
            yield from extend(given, [(a, b) for a, b in itertools.combinations(elements, 2) if self.takes_turns[a] >> b & 1])

    def outcomes(self, reading):
        self.reading = reading
        self.rf = relation(self.size, [(write, read) for read, write in reading.items()])
        observation = self._observation()
        pairs = [(first, last) for first, write in self._release_patterns() for read, last in self._acquire_patterns(observation)
                 if observation[write] >> read & 1 and self.morally_strong[first] >> last & 1]
        crossing = [pair for pair in pairs if self._one_way(pair[0])] + self._crossing_in_threads()
        pairs = [pair for pair in pairs if not self._one_way(pair[0])] + self._barriers()
        for fence_sc in self._orders(self._fences(("sc",)), [0] * self.size):
            self.base = self._base(pairs, fence_sc, None)
            # [Fence-SC]
            if any(self.base[b] >> a & 1 for a, b in pairs_of(fence_sc)):
                continue
            # [Causality order]
            preserved = self._preserved(self.base)
            if any(event.instruction and event.instruction.restriction for event in self.events):
                preserved = union(preserved, *(self._preserved_of(place, pairs, crossing, fence_sc)
                                               for place in locations(self.candidate.program)),
                                  *(self._preserved_of(self.events[init].place, pairs, crossing, fence_sc, init)
                                    for init in self._inits()))
            causality = union(preserved, compose(observation, preserved))
            yield from self._coherent(causality)

    def _crossing_in_threads(self):
        """A release and an acquire of the tensormap proxy in one thread, as in the example of [membar/fence]."""
        maps = [f for f in self.candidate.fences if self.events[f].proxy == "tensormap"]
        return [(a, b) for a in maps for b in maps if self._po(a, b) and
                (self.events[a].instruction.order, self.events[b].instruction.order) == ("release", "acquire")]

    def _inits(self):
        return [e for e in self.candidate.writes if self.events[e].instruction and self.events[e].instruction.kind == "init"]

    def _base(self, pairs, fence_sc, place, init=None):
        """[Base causality order], [Asynchronous operations], as far as it concerns accesses of a place, or an mbarrier.init of it;
        None: of any."""
        def applies(e):
            return self._meant(e, place, init) if place else self.events[e].instruction.restriction is None

        synchronizes = relation(self.size, [pair for pair in pairs if all(map(applies, pair))])
        base = closure(union(self.candidate.po, self.candidate.issued, synchronizes, fence_sc))
        return union(base, self.candidate.completed, compose(self.candidate.completed, base))

    def _preserved_of(self, place, pairs, crossing, fence_sc, init=None):
        """The same as _preserved() for accesses of one place, or for one of them, for which restricted fences count that are for it.
        Two fences of one direction bring a generic access before one of the other proxy in the block of the second."""
        base = self._base(pairs, fence_sc, place, init)
        here = relation(self.size, [(a, b) for a in self.candidate.all for b in self.candidate.all
                                    if init in (None, a) and self.events[a].place == self.events[b].place == place])
        crossed = [(a, b) for first, last in crossing if self._meant(first, place) and self._meant(last, place)
                   for a in self.candidate.all for b in self.candidate.all
                   if self.events[a].proxy == "generic" and base[a] >> first & 1
                   and self.events[b].proxy == self.events[last].proxy and base[last] >> b & 1 and self.same_block[last] >> b & 1]
        return intersection(union(self._preserved(base), intersection(relation(self.size, crossed), self.same_address)), here)

    def _preserved(self, base):
        """[Proxy-preserved base causality order]: the part of base causality between two accesses of memory. Each end is in the
        generic proxy, or has a fence of its proxy, from its own block, on the path; between the ends, or these fences, there is
        an alias fence if the addresses differ."""
        def at(chosen):
            return [1 << e if chosen(event) else 0 for e, event in enumerate(self.events)]

        own = intersection(base, self.same_proxy, self.same_block)
        covered = intersection(own, self.covers)
        fence = at(lambda event: event.kind == "P")
        alias = at(lambda event: event.kind == "P" and event.proxy == "alias")
        generic = at(lambda event: event.proxy == "generic")
        to_fence, from_fence = compose(covered, fence), compose(fence, covered)
        starts = union(generic, to_fence)  # from an access to the point where its effect is in generic memory
        ends = union(generic, from_fence)
        through = compose(compose(starts, base), ends)
        renamed = compose(compose(compose(compose(starts, base), alias), base), ends)
        # A copy that is done has read its tensor map ["cp.async.bulk.wait_group"].
        read = compose(at(lambda event: event.proxy == "tensormap" and event.kind == "R"), self.candidate.completed)
        changed = compose(compose(read, base), generic)
        # An asynchronous operation, which ends at an mbarrier, is ordered after prior instructions [Asynchronous operations].
        inits = self._inits()
        begun = compose(compose(compose([1 << e if e in inits else 0 for e in self.candidate.all], base), self.candidate.completed),
                        self.candidate.issued)
        return union(intersection(own, self.same_address), intersection(through, self.same_address),
                     intersection(changed, self.same_address), intersection(begun, self.same_address),
                     intersection(renamed, self.same_place))

    def _coherent(self, causality):
        """The outcomes under the partial coherence orders that agree with causality."""
        writes = self.candidate.writes
        mask = sum(1 << w for w in writes)
        given = [row & mask & self.same_place[w] if w in writes else 0 for w, row in enumerate(causality)]
        for place in locations(self.candidate.program):
            first, *others = self.candidate.writes_to(place)
            given[first] |= sum(1 << w for w in others)
        for first, second in self.candidate.coherent:
            given[first] |= 1 << second
        for read, source in self.reading.items():  # otherwise [SC-per-location] does not hold
            if self.events[read].rmw is not None and self.takes_turns[source] >> read & 1:
                given[source] |= 1 << self.events[read].rmw
        # [Coherence order], [Coherence]
        for co in self._orders(writes, given):
            fr = relation(self.size, [(r, w) for r, source in self.reading.items() for w in members(co[source])])
            if self._consistent(co, fr, causality):
                last = [[w for w in self.candidate.writes_to(place) if not co[w]]
                        for place in locations(self.candidate.program)]
                self.mixed_race = self.mixed_race or self._races()
                self.undefined = self.undefined or self._uninitialised(causality)
                for final in filter(self._at_once, itertools.product(*last)):
                    yield self.candidate.outcome(dict(zip(locations(self.candidate.program), final)))

    def _uninitialised(self, causality):
        """Whether an mbarrier is used before its initialisation, or initialised again (PTX ISA, "mbarrier"). An arrival for copies
        comes after it made its mbarrier expect it."""
        places, inits = self.candidate.program.places, self._inits()
        if len({self.events[e].place for e in inits}) < len(inits) or any(places[self.events[e].place].initial for e in inits):
            return True
        expected = {arrival for _, arrival in self.candidate.coherent}
        return any(places[self.events[e].place].region == "mbarrier" and not places[self.events[e].place].initial
                   and self.events[e].rmw not in expected and not any(causality[init] >> e & 1 for init in inits
                                                                      if self.events[init].place == self.events[e].place)
                   for e in self.candidate.reads)

    def _races(self):
        """[Limitations on mixed-size data-races]: two unordered accesses of memory of different sizes."""
        events = self.events
        return any(events[a].thread != events[b].thread and "W" in events[a].kind + events[b].kind
                   and not self._same_size(a, b) and not (self.base[a] | inverse(self.base)[a]) >> b & 1
                   for a, b in pairs_of(self.same_place) if None not in (events[a].thread, events[b].thread))

    def _operation(self, e):
        """The operation of an event: an operation of 128 bits has two events here."""
        return self.events[e].whole or e

    def _at_once(self, writes):
        """Whether the two words of each array contain at most one write of 128 bits."""
        whole = {(self.events[w].place.partition("[")[0], self.events[w].whole) for w in writes if self.events[w].whole}
        return len(whole) == len({array for array, _ in whole})

    def _undivided(self, co, fr):
        """Operations of 128 bits read from one write of that size, and are in one order with everything that they overlap."""
        parts = {}
        for read, source in self.reading.items():
            parts.setdefault(self._operation(read), []).append(source)
        if not all(self._at_once(sources) for operation, sources in parts.items() if isinstance(operation, tuple)):
            return False
        names = sorted({str(self._operation(e)) for e in self.candidate.all})
        number = [names.index(str(self._operation(e))) for e in self.candidate.all]
        pairs = {(number[a], number[b]) for a, b in pairs_of(union(self.rf, co, fr))}
        return acyclic(relation(len(names), pairs))

    def _consistent(self, co, fr, causality):
        if not self._undivided(co, fr):
            return False
        # [Atomicity] of read-modify-write operations
        for read in self.candidate.reads:
            write = self.events[read].rmw
            if write is not None:
                for between in members(fr[read]):
                    if self.takes_turns[read] >> between & 1 and between != write and co[between] >> write & 1:
                        return False
        # [SC-per-location]
        communication = union(self.rf, co, fr)
        strong = intersection(communication, self.takes_turns)
        in_place = intersection(self.candidate.po, self.same_address, self.same_proxy)
        if not acyclic(union(strong, in_place)):
            return False
        # [Causality]: a read neither sees a later write nor misses an earlier one
        forward = inverse(causality)
        return not any(row & other for row, other in zip(self.rf, forward)) and \
            not any(row & other for row, other in zip(fr, forward))
