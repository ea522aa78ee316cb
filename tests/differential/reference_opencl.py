# SPDX-License-Identifier: Apache-2.0
"""What OpenCL allows, from The OpenCL Specification 3.0, section Memory Consistency Model for OpenCL 2.x. Names in
brackets come from the text. The total order of seq_cst operations is required under the conditions of specifications 2.0 to
2.2.

Two points that the text leaves open: operations that synchronize have inclusive scopes, and a plain write that happens before
another is not the final value of a location."""

import itertools

from executions import LeftOut, acyclic, candidates, closure, irreflexive, members, pairs_of, relation, union
from program import instructions
from reference_c import ACQUIRE, RELEASE, from_read, modification_orders, order_of

REGIONS = ("global", "local")


def outcomes(program):
    """The outcomes of consistent executions, and whether one has a race or a barrier that not all reached. Nothing
    forbids values out of thin air: if such a value may be anything, because of sums, raises LeftOut."""
    allowed, undefined = set(), False
    sums = any(_adds(i) for thread in program.threads for i in instructions(thread.code))
    for candidate in candidates(program):
        for reading in candidate.readings():
            model = _Model(candidate, reading)
            for final in model.finals():
                rf = relation(candidate.size, [(write, read) for read, write in reading.items()])
                if sums and not acyclic(union(rf, relation(candidate.size, candidate.dependencies))):
                    raise LeftOut
                allowed.add(candidate.outcome(final))
                undefined = undefined or model.undefined()
    return allowed, undefined


def _adds(i):
    """Whether an instruction writes a sum of two values."""
    return i.operation in ("add", "or") or i.value is not None and i.value.register is not None and i.value.constant != 0


class _Model:
    def __init__(self, candidate, reading):
        self.candidate = candidate
        self.program = candidate.program
        self.events = candidate.events
        self.size = candidate.size
        self.reading = reading
        self.order = [self._order(event) for event in self.events]
        self.atomic_places = [name for name, place in self.program.places.items() if place.atomic]
        self.plain_places = [name for name, place in self.program.places.items() if not place.atomic]
        self.synchronizes = {}
        self.hb = {}

    @staticmethod
    def _order(event):
        """A barrier is a release fence and then an acquire fence."""
        return {"entry": "release", "exit": "acquire"}.get(event.half) or order_of(event)

    def _is_of(self, e, region):
        """Whether the event is an action of that memory: an access to it, or a fence that names it."""
        event = self.events[e]
        if event.place is not None:
            return self.program.places[event.place].region == region
        return region in event.instruction.flags

    def _scope(self, e, region):
        """Its effective scope."""
        scope = self.events[e].instruction.scope
        if self.events[e].half:
            scope = scope or "work_group"
        if scope == "all_svm_devices" and region == "global":
            return "device"
        return "work_group" if region == "local" and scope in ("device", "all_svm_devices") else scope

    def _inclusive(self, a, b, region):
        """[inclusive scope]: the same scope, which contains both."""
        one, other = (self.program.threads[self.events[e].thread] for e in (a, b))
        scope = self._scope(a, region)
        if scope is None or scope != self._scope(b, region):
            return False
        if scope == "work_group":
            return (one.device, one.group) == (other.device, other.group)
        return scope == "device" and one.device == other.device

    def _po(self, a, b):
        return self.candidate.po[a] >> b & 1

    def _modifies(self, e):
        return self.events[e].thread is not None and self.events[e].kind == "W" and self.order[e] != "plain"

    def _release_sequence(self, head, mo):
        """[release sequence]: the writes of the sequence that the write heads, or would head."""
        sequence = {head}
        later = sorted(members(mo[head]), key=lambda w: -bin(mo[w]).count("1"))
        for write in later:
            if self.events[write].thread != self.events[head].thread and self.events[write].rmw is None:
                break
            sequence.add(write)
        return sequence

    def _synchronizes(self, region, mo):
        """[Atomic Operations], [Fence Operations]: pairs of events."""
        accesses = [w for w in self.candidate.writes if self._modifies(w) and self._is_of(w, region)]
        reads = [r for r in self.candidate.reads if self.order[r] != "plain" and self._is_of(r, region)]
        for write in accesses:
            sequence = self._release_sequence(write, mo)
            for read in reads:
                if self.reading[read] not in sequence or self.events[read].place != self.events[write].place:
                    continue
                heads = [f for f in self.candidate.fences if self._po(f, write) and self._is_of(f, region)]
                tails = [f for f in self.candidate.fences if self._po(read, f) and self._is_of(f, region)]
                for a in [write] + heads:
                    for b in [read] + tails:
                        if self.order[a] in RELEASE and self.order[b] in ACQUIRE \
                                and self.events[a].thread != self.events[b].thread and self._inclusive(a, b, region):
                            yield a, b

    def _barriers(self, region):
        """[Work-Group Functions]: from each entry to the exits of the other work-items."""
        fences = [f for f in self.candidate.fences if self.events[f].half and self._is_of(f, region)]
        return [(a, b) for a in fences for b in fences
                if (self.events[a].half, self.events[b].half) == ("entry", "exit") and self._meet(a, b)]

    def _meet(self, a, b):
        one, other = self.events[a], self.events[b]
        threads = self.program.threads
        return one.thread != other.thread and one.number == other.number and \
            (threads[one.thread].device, threads[one.thread].group) == \
            (threads[other.thread].device, threads[other.thread].group)

    def _happens_before(self, mo):
        pairs = {region: set(self._synchronizes(region, mo)) for region in REGIONS}
        for a, b in pairs["global"] | pairs["local"]:
            both_fences = all(self.events[e].kind == "F" and set(REGIONS) <= set(self.events[e].instruction.flags)
                              for e in (a, b))
            if both_fences or self.order[a] == self.order[b] == "seq_cst":
                for region in REGIONS:
                    pairs[region].add((a, b))
        for region in REGIONS:
            actions = [e for e in self.candidate.all if self._is_of(e, region)]
            both = [(a, b) for a, b in pairs[region] | set(self._barriers(region)) if a in actions and b in actions]
            both += [(a, b) for a in actions for b in actions
                     if self._po(a, b) or self.events[a].thread is None and self.events[b].thread is not None]
            self.hb[region] = closure(relation(self.size, both))

    def finals(self):
        """The last writes of each consistent execution."""
        for mo, final in modification_orders(self.candidate, self.atomic_places):
            self._happens_before(mo)
            if all(irreflexive(hb) for hb in self.hb.values()) and self._reads_allowed(mo) and \
                    (not self._has_total_order() or any(self._total_orders(mo))):
                last = [[w for w in self.candidate.writes_to(place)
                         if not any(self.candidate.same_place(w, other) and self.events[other].kind == "W"
                                    for other in members(self._hb_of(w)[w]))] for place in self.plain_places]
                for chosen in itertools.product(*last):
                    yield {**final, **dict(zip(self.plain_places, chosen))}

    def _hb_of(self, e):
        return self.hb[self.program.places[self.events[e].place].region]

    def _reads_allowed(self, mo):
        """The values of reads, and the four coherence requirements."""
        for read, write in self.reading.items():
            hb = self._hb_of(read)
            place = self.events[read].place
            if place in self.plain_places:
                visible = hb[write] >> read & 1 and not any(
                    hb[write] >> w & 1 and hb[w] >> read & 1 for w in self.candidate.writes_to(place))
                if not visible:
                    return False
                continue
            for other in self.candidate.writes_to(place):
                # write-read and read-write coherence
                if hb[other] >> read & 1 and mo[write] >> other & 1:
                    return False
                if hb[read] >> other & 1 and not mo[write] >> other & 1:
                    return False
            for other, earlier in self.reading.items():
                # read-read coherence
                if self.candidate.same_place(other, read) and hb[other] >> read & 1 and mo[write] >> earlier & 1:
                    return False
            # A read-modify-write reads the last value before its own.
            own = self.events[read].rmw
            if own is not None and any(mo[write] >> w & 1 and mo[w] >> own & 1 for w in self.candidate.writes):
                return False
        # write-write coherence
        return not any(self._hb_of(b)[b] >> a & 1 for a, b in pairs_of(mo))

    def _sc_events(self):
        return [e for e in self.candidate.all if self.order[e] == "seq_cst"]

    def _has_total_order(self):
        """[OpenCL 2.2, Atomic Operations]: all seq_cst operations have scope device, or all have all_svm_devices on
        fine-grained memory, which tests do not have, so that only fences are left."""
        scopes = {(self.events[e].instruction.scope, self.events[e].kind == "F") for e in self._sc_events()}
        return all(scope == "device" for scope, _ in scopes) or \
            all(scope == "all_svm_devices" and fence for scope, fence in scopes)

    def _total_orders(self, mo):
        """True for each total order S of the seq_cst operations that the rules allow. Both halves of a
        read-modify-write are one operation."""
        first_halves = [e for e in self._sc_events() if self.events[e].kind != "W" or self.events[e].rmw is None]
        for order in itertools.permutations(first_halves):
            position = {e: at for at, e in enumerate(order)}
            for e in first_halves:
                if self.events[e].rmw is not None:
                    position[self.events[e].rmw] = position[e]
            if self._order_agrees(position, mo):
                yield True

    def _order_agrees(self, at, mo):
        for a in at:
            for b in at:
                before = mo[a] >> b & 1 or any(hb[a] >> b & 1 for hb in self.hb.values())
                if before and at[b] < at[a]:
                    return False
        return all(self._sc_read_allowed(read, at, mo) for read in self.candidate.reads if read in at) and \
            self._fences_allow(at, mo)

    def _sc_read_allowed(self, read, at, mo):
        """The value that a seq_cst operation reads."""
        source = self.reading[read]
        earlier = [w for w in self.candidate.writes_to(self.events[read].place) if w in at and at[w] < at[read]]
        if not earlier:
            return source not in at
        last = max(earlier, key=lambda w: at[w])
        return source == last or source not in at and not self._hb_of(read)[source] >> last & 1

    def _fences_allow(self, at, mo):
        """The four rules about seq_cst fences."""
        fences = [e for e in at if self.events[e].kind == "F"]
        atomic = [e for e in self.candidate.all if self.events[e].place in self.atomic_places
                  and (self.order[e] != "plain" or self.events[e].thread is None)]
        writes = [e for e in atomic if self.events[e].kind == "W"]
        reads = [e for e in atomic if self.events[e].kind == "R"]

        def observes(read, write):
            return self.reading[read] == write or mo[write] >> self.reading[read] & 1

        for x in fences:
            for b in reads:
                if self._po(x, b):
                    sc = [w for w in writes if w in at and self.candidate.same_place(w, b) and at[w] < at[x]]
                    if sc and not observes(b, max(sc, key=lambda w: at[w])):
                        return False
            for a in [a for a in writes if self._po(a, x)]:
                follows = {b for b in reads + writes if b in at and at[x] < at[b]}
                later = {b for b in reads + writes for y in fences if at[x] < at[y] and self._po(y, b)}
                for b in follows | later:
                    if not self.candidate.same_place(a, b):
                        continue
                    if self.events[b].kind == "R" and not observes(b, a):
                        return False
                    if self.events[b].kind == "W" and b in later and not mo[a] >> b & 1:
                        return False
        return True

    def undefined(self):
        """A data race, or a barrier that some work-item of the group never reached."""
        for a, b in itertools.combinations(self.candidate.all, 2):
            one, other = self.events[a], self.events[b]
            if one.thread is None or one.thread == other.thread or not self.candidate.same_place(a, b) or \
                    "W" not in (one.kind, other.kind):
                continue
            hb = self._hb_of(a)
            weak = "plain" in (self.order[a], self.order[b]) or \
                not self._inclusive(a, b, self.program.places[one.place].region)
            if weak and not hb[a] >> b & 1 and not hb[b] >> a & 1:
                return True
        return self._diverges()

    def _diverges(self):
        met = [sum(e.half == "entry" for e in trace.events) for trace in self.candidate.traces]
        groups = [(thread.device, thread.group) for thread in self.program.threads]
        return any(groups[a] == groups[b] and met[a] != met[b] for a in range(len(met)) for b in range(a))
