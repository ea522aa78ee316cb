# SPDX-License-Identifier: Apache-2.0
"""What Vulkan allows, from the Vulkan Specification's appendix Memory Model. Names in brackets are its sections.

An operation is an event, or both halves of a read-modify-write at once. Where Khronos' Alloy text says more than the appendix, both
are asked for, so that less synchronises: what an acquire reads is mutually ordered with it, a release sequence goes from one
element to the next, and each element of a chain includes what the one before it includes. A control barrier's scope is its
execution scope, too, and those who meet at it are in one work-group."""

import itertools
import math

from executions import LeftOut, candidates, closure, irreflexive, relation, union

SCOPES = ["sg", "wg", "qf", "dv"]  # narrow to wide
MOST_ORDERS = 200


def outcomes(program):
    """The allowed outcomes, and whether there is a data race."""
    allowed, racy = set(), False
    for candidate in candidates(program):
        execution = _Execution(candidate)
        for reading in candidate.readings():
            for order in execution.write_orders():
                if execution.consistent(reading, order):
                    allowed.add(candidate.outcome({place: writes[-1] for place, writes in order.items()}))
                    racy = racy or execution.races()
    return allowed, racy


class _Operation:
    """An event; a read-modify-write is one operation with two events."""

    def __init__(self, event, number):
        words = event.instruction.flags or () if event.instruction else ()
        instruction = event.instruction
        self.number, self.thread, self.place, self.reference = number, event.thread, event.place, event.address
        self.reads, self.writes = event.kind == "R", event.kind == "W"
        self.update = False
        self.started = event.thread is not None
        self.order = instruction.order if instruction else None
        self.scope = instruction.scope if instruction else None
        self.atomic = self.started and self.place is not None and self.order != "plain"
        self.storage = {int(word[2]) for word in words if word[:2] == "sc" and len(word) == 3}
        self.semantics = {int(word[5]) for word in words if word.startswith("semsc")}
        self.makes_available, self.makes_visible = "semav" in words, "semvis" in words
        self.available, self.visible = "av" in words, "vis" in words
        self.private = self.place is not None and not (self.atomic or {"av", "vis", "nonpriv"} & set(words))
        self.barrier = event.kind in "FB"
        self.meeting = event.number if event.kind == "B" else None
        self.device = instruction.operation if event.kind == "D" else None

    def acquires(self):
        return self.order in ("acquire", "acq_rel") and (self.reads or self.barrier)

    def releases(self):
        return self.order in ("release", "acq_rel") and (self.writes or self.barrier)

    def availability(self):
        """Whether it performs an availability operation [Availability and Visibility Semantics; Per-Instruction ...]."""
        return self.makes_available or self.available or self.atomic and self.writes

    def visibility(self):
        return self.makes_visible or self.visible or self.atomic and self.reads


class _Execution:
    def __init__(self, candidate):
        self.program, self.candidate = candidate.program, candidate
        self.operation_of, self.operations = [], []
        for event in candidate.events:
            if event.rmw is not None and event.rmw < len(self.operation_of):
                whole = self.operation_of[event.rmw]
                whole.reads = whole.writes = whole.update = True
                self.operation_of.append(whole)
                continue
            self.operations.append(_Operation(event, len(self.operations)))
            self.operation_of.append(self.operations[-1])
        self.size = len(self.operations)
        self.po = self._pairs(lambda a, b: a.started and a.thread == b.thread and a.number < b.number)
        after = closure(relation(len(self.program.threads), self.program.ssw))
        self.ssw = self._pairs(lambda a, b: a.started and b.started and after[a.thread] >> b.thread & 1)
        self.mutual = self._pairs(self._mutually_ordered)

    def _pairs(self, related):
        return relation(self.size, [(a.number, b.number) for a in self.operations for b in self.operations
                                    if a is not b and related(a, b)])

    # ---- scopes

    def _together(self, a, b, scope):
        """Whether the threads of two operations are in one instance of the scope."""
        if not (a.started and b.started):
            return False
        (sg, wg, qf), (other_sg, other_wg, other_qf) = (self.program.threads[o.thread].group for o in (a, b))
        return {"sg": (qf, wg, sg) == (other_qf, other_wg, other_sg), "wg": (qf, wg) == (other_qf, other_wg),
                "qf": qf == other_qf, "dv": True}[scope]

    def _in_scope(self, a, b):
        return bool(a.scope and b.scope) and self._together(a, b, a.scope) and self._together(a, b, b.scope)

    def _mutually_ordered(self, a, b):  # [Atomic Operation]
        return a.atomic and b.atomic and a.place == b.place and a.reference == b.reference and self._in_scope(a, b)

    # ---- choices

    def write_orders(self):
        """Every total order of the writes of each place, as a dictionary from places to events, after the initial one."""
        places = sorted({event.place for event in self.candidate.events if event.place is not None})
        writes = [self.candidate.writes_to(place) for place in places]
        if math.prod(math.factorial(len(some) - 1) for some in writes) > MOST_ORDERS:
            raise LeftOut
        for choice in itertools.product(*(itertools.permutations(some[1:]) for some in writes)):
            yield {place: some[:1] + list(order) for place, some, order in zip(places, writes, choice)}

    def consistent(self, reading, order):
        """Decides an execution; its location order is kept for races()."""
        self.source = {self.operation_of[read].number: self.operation_of[write] for read, write in reading.items()}
        if any(source.number == read for read, source in self.source.items()):
            return False
        self.rank = {}
        for writes in order.values():
            self.rank.update((self.operation_of[write].number, rank) for rank, write in enumerate(writes))
        self.modification = self._pairs(lambda a, b: a.writes and b.writes and self.mutual[a.number] >> b.number & 1
                                        and self.rank[a.number] < self.rank[b.number])
        self._happen()
        self.location_order = self._pairs(self._location_ordered)
        for a in self.operations:  # what a place ends in
            for b in self.operations:
                if a.writes and b.writes and self._ordered(a, b) and self.rank[a.number] > self.rank[b.number]:
                    return False
        return irreflexive(closure(union(self.location_order, self.modification, self._reads_from(), self._from_reads())))

    # ---- [Acyclicity], [Data Race]

    def _reads_from(self):
        return relation(self.size, [(source.number, read) for read, source in self.source.items()])

    def _from_reads(self):
        pairs = []
        for read, source in self.source.items():
            for b in self.operations:
                if not b.writes or b.place != source.place or b.number in (read, source.number):
                    continue
                if not source.started or self.modification[source.number] >> b.number & 1 or self._ordered(source, b):
                    pairs.append((read, b.number))
        return relation(self.size, [pair for pair in pairs if self.operations[pair[1]].started])

    def _ordered(self, a, b):
        return bool(self.location_order[a.number] >> b.number & 1)

    def races(self):
        return any(a.started and b.started and a.place is not None and a.place == b.place and (a.writes or b.writes)
                   and not self.mutual[a.number] >> b.number & 1 and not self._ordered(a, b) and not self._ordered(b, a)
                   for a, b in itertools.combinations(self.operations, 2))

    # ---- [Release Sequence], [Synchronizes-With]

    def _next(self, a):
        """The operations immediately after a write in the scoped modification order."""
        later = [b for b in self.operations if self.modification[a.number] >> b.number & 1]
        return [b for b in later if not any(self.modification[c.number] >> b.number & 1 for c in later)]

    def _sequence(self, head):
        """The release sequence headed by a write, hypothetical or not."""
        found, todo = {head.number}, [head]
        while todo:
            fresh = [b for b in self._next(todo.pop()) if b.update and b.number not in found]
            found.update(b.number for b in fresh)
            todo += fresh
        return {n for n in found if n == head.number or self.modification[head.number] >> n & 1}

    def _observes(self, read, write):
        """Whether an atomic read reads from the release sequence of an atomic write."""
        source = self.source.get(read.number)
        return bool(source and read.atomic and source.number in self._sequence(write)
                    and self.mutual[read.number] >> source.number & 1 and self.mutual[read.number] >> write.number & 1)

    def _before(self, a, b):
        return bool(self.po[a.number] >> b.number & 1)

    def _synchronizes(self, a, b):
        if not (a.releases() and b.acquires() and self._in_scope(a, b)):
            return False
        heads = [a] if a.place is not None else [x for x in self.operations if x.atomic and x.writes and self._before(a, x)
                                                 and x.storage <= a.semantics]
        ends = [b] if b.place is not None else [x for x in self.operations if x.atomic and x.reads and self._before(x, b)
                                                and x.storage <= b.semantics]
        if any(self._observes(y, x) for x in heads for y in ends):
            return True
        return a.barrier and b.barrier and any(self._met(c, d) for c in self.operations for d in self.operations
                                               if (c is a or self._before(a, c)) and (d is b or self._before(d, b)))

    def _met(self, c, d):
        return c.meeting is not None and c.meeting == d.meeting and c.thread != d.thread and \
            self._together(c, d, "wg") and self._in_scope(c, d)

    # ---- [Inter-Thread-Happens-Before], [Happens-Before]

    def _happen(self):
        synchronizes = self._pairs(self._synchronizes)
        named = sorted(set().union(*(o.semantics for o in self.operations)))
        self.happens = union(self.po, closure(self.ssw))
        for count in range(1, len(named) + 1):
            for some in map(set, itertools.combinations(named, count)):
                self.happens = union(self.happens, closure(self._steps(some, synchronizes)))

    def _steps(self, some, synchronizes):
        def step(a, b):
            a_all, b_all = some <= a.semantics, some <= b.semantics
            if self.ssw[a.number] >> b.number & 1:
                return True
            if a_all and b_all and synchronizes[a.number] >> b.number & 1:
                return True
            return self._before(a, b) and ((b.releases() and b_all and (a_all or bool(a.storage & some)))
                                           or (a.acquires() and a_all and (b_all or bool(b.storage & some))))

        return self._pairs(step)

    def _hb(self, a, b):
        return bool(self.happens[a.number] >> b.number & 1)

    # ---- [Availability, Visibility, and Domain Operations]

    @staticmethod
    def _makes_available(operation, write):
        """Whether the source scope of an availability operation includes what an operation accessed or made available."""
        own = (operation.available or operation.atomic) and write.place == operation.place and \
            write.reference == operation.reference and operation.place is not None
        # an operation by which a write was made available has that write's reference, too
        other = (write.available or write.visible or write.atomic) and operation.place is not None and \
            write.place == operation.place and write.reference == operation.reference
        return own or other or operation.makes_available and bool(write.storage) and write.storage <= operation.semantics

    @staticmethod
    def _makes_visible(operation, read):
        same = operation.place is not None and read.place == operation.place and read.reference == operation.reference
        return same and (operation.available or operation.visible or operation.atomic or read.available or read.visible or read.atomic) \
            or operation.makes_visible and bool(read.storage) and read.storage <= operation.semantics

    def _includes(self, a, b):
        """Whether of two operations, one is an availability or visibility operation that includes the other."""
        return self._makes_available(b, a) or self._makes_visible(a, b)

    def _chains(self, ends, follow, domain):
        """The last operations of chains that start with one of `ends`. follow(a): the operations that may come next."""
        reached = list(ends)
        for level in SCOPES[:SCOPES.index(domain)]:
            reached += [b for a in reached if SCOPES.index(a.scope) >= SCOPES.index(level) for b in follow(a, level)]
        return [e for e in reached if SCOPES.index(e.scope) >= SCOPES.index(domain)]

    def _availability_chains(self, write, domain):
        first = [o for o in self.operations if o.availability() and (o is write or self._before(write, o))
                 and (self._includes(write, o))]
        return self._chains(first, lambda a, level: [b for b in self.operations if b.availability() and b is not a
                                                     and self._hb(a, b) and self._together(a, b, level) and self._includes(a, b)],
                            domain)

    def _visibility_chains(self, read, domain):
        """The first operations of chains that end at a read."""
        last = [o for o in self.operations if o.visibility() and (o is read or self._before(o, read))
                and self._includes(o, read)]
        return self._chains(last, lambda b, level: [a for a in self.operations if a.visibility() and a is not b
                                                    and self._hb(a, b) and self._together(a, b, level) and self._includes(a, b)],
                            domain)

    # ---- [Location-Ordered]

    def _location_ordered(self, x, y):
        if not (x.started and y.started) or x.place is None or x.place != y.place:
            return False
        if x.thread == y.thread and x.reference == y.reference and self._hb(x, y):
            return True
        if x.reads and (self.ssw[x.number] >> y.number & 1 or not x.private and not y.private and self._hb(x, y)):
            return True
        return bool(x.writes) and (self._through_device(x, y) or self._through_shader(x, y))

    def _through_device(self, x, y):
        for av in self.operations:
            if av.device != "avdevice" or not self._hb(x, av):
                continue
            if y.writes and self._hb(av, y):
                return True
            if y.reads and any(vis.device == "visdevice" and self._hb(av, vis) and self._hb(vis, y)
                               for vis in self.operations):
                return True
        return False

    def _through_shader(self, x, y):
        if x.reference != y.reference or x.private or y.private:
            return False
        for domain in SCOPES:
            for av in self._availability_chains(x, domain):
                if y.writes and self._hb(av, y) and self._together(av, y, domain):
                    return True
                if y.reads and any(self._hb(av, vis) and self._together(av, vis, domain)
                                   for vis in self._visibility_chains(y, domain)):
                    return True
        return False
