# SPDX-License-Identifier: Apache-2.0
"""Executions of PTX programs with asynchronous operations: what the instructions perform, in which order (PTX ISA 8.9.1.1 and
the instructions' descriptions), and every way for their reads to read.

Programs have no branches, so the events are always the same, and values follow from the sources of reads.

An asynchronous operation has events outside its thread's program order: reads and writes, which come after everything that the
thread did before, and are related to nothing later. A *marker* says when they are done: for a group, at the thread's wait for it;
for an operation with an mbarrier, right before the arrival or complete-tx that ends it. The marker comes after what it marks, and
that is not transitive: a marker does not come after what precedes its operation."""

import itertools
from collections import namedtuple

from executions import Event, LeftOut, acyclic, relation, union
from program import Instruction, address, elements, is_map, is_shown, location, locations, registers

MOST_READINGS = 3000  # more take too long

# The value of an mbarrier: completed phases, pending arrivals and pending bytes (PTX ISA, "Contents of the mbarrier object").
Phase = namedtuple("Phase", "done arrivals bytes")

# The events of a copy: reads of its source, and changes of its destination.
Copy = namedtuple("Copy", "reads changes")


def _ended(phase, expected):
    """The next phase, if this one is over (PTX ISA, "Phase Completion of the mbarrier object")."""
    if phase.arrivals < 0:
        raise LeftOut  # more arrivals than the mbarrier expects: undefined
    if phase.arrivals or phase.bytes:
        return phase
    return Phase(phase.done + 1, expected, 0)


def _operate(operation, count, expected):
    """The value of an mbarrier after an operation."""
    def arrive(phase):
        return _ended(phase._replace(arrivals=phase.arrivals - count), expected)

    def expect(phase):
        return phase._replace(bytes=phase.bytes + count)

    def complete(phase):
        return _ended(phase._replace(bytes=phase.bytes - count), expected)

    def both(phase):
        phase = expect(phase)
        return _ended(phase._replace(arrivals=phase.arrivals - 1), expected)

    def more(phase):
        return phase._replace(arrivals=phase.arrivals + 1)

    change = {"arrive": arrive, "expect_tx": expect, "complete_tx": complete, "arrive.expect_tx": both, "more": more}[
        operation]
    return lambda phase: phase and change(phase)  # None: it is not initialised


def _expected(program, place):
    """How many arrivals end a phase of an mbarrier: what it is declared or initialised with. 0: neither."""
    counts = [i.count for thread in program.threads for i in thread.code if i.kind == "init" and i.place == place]
    return program.places[place].initial or next(iter(counts), 0)


def namings(program):
    """Each way for the tensor maps of a program's copies to name places, a tuple in the order of the copies."""
    copies = [i for thread in program.threads for i in thread.code if i.kind == "copy" and i.operation == "tensor"]
    named = {place.initial for name, place in program.places.items() if is_map(program, name)}
    named |= {i.source for thread in program.threads for i in thread.code if i.kind == "replace"}
    return itertools.product(sorted(named), repeat=len(copies))


class Candidate:
    """The events of all threads, the orders of the program, and (by resolved()) values. `named` is one of namings()."""

    def __init__(self, program, named=()):
        self.program = program
        self.named, self.maps = list(named), []  # maps: reads of tensor maps, and the values that they must find
        self.events, self.compute = [], []  # compute: for a write, the reads that it takes values from, and how
        for name in locations(program):
            place = program.places[name]
            value = place.initial and Phase(0, place.initial, 0) if place.region == "mbarrier" else place.initial
            self.add(Event(None, "W", name, value, address=name, proxy="generic"), (), lambda v=value: v)
        self.program_order, self.issue, self.completes = [], [], []
        self.coherent = []  # writes of one place, the first performed first; this orders nothing else
        for number in range(len(program.threads)):
            _Thread(self, number).play()
        self.written = [event.instruction for event in self.events]
        self.size = len(self.events)
        self.all = range(self.size)
        self.po = relation(self.size, self.program_order)
        self.issued = relation(self.size, self.issue)
        self.completed = relation(self.size, self.completes)
        self.reads = [e for e in self.all if self.events[e].kind == "R"]
        self.writes = [e for e in self.all if self.events[e].kind == "W"]
        self.fences = [e for e in self.all if self.events[e].kind == "F"]

    def add(self, event, sources=(), how=None):
        self.events.append(event)
        self.compute.append((sources, how))
        return len(self.events) - 1

    def writes_to(self, place):
        return [e for e in self.writes if self.events[e].place == place]

    def readings(self, takes_turns):
        """Ways to read from, except reads of what the thread writes later at that address, and ways in which two mutually atomic
        read-modify-writes read from one write: one of them would come between the halves of the other."""
        def extend(reading, rest):
            if not rest:
                yield dict(reading)
                return
            read, rest = rest[0], rest[1:]
            for write in self.writes_to(self.events[read].place):
                later = self.po[read] >> write & 1 and self.events[read].address == self.events[write].address
                if not later and not self._taken(reading, read, write, takes_turns):
                    yield from extend({**reading, read: write}, rest)

        for count, reading in enumerate(filter(self.resolved, extend({}, self.reads))):
            if count == MOST_READINGS:
                raise LeftOut
            yield reading

    def _taken(self, reading, read, write, takes_turns):
        def whole(a, b):
            return self.events[a].thread is None or takes_turns[a] >> b & 1

        return self.events[read].rmw is not None and any(
            source == write and self.events[other].rmw is not None and takes_turns[read] >> other & 1
            and whole(write, read) and whole(write, other) for other, source in reading.items())

    def resolved(self, reading):
        """Whether values follow from this reading without a cycle; then the events have them."""
        takes = [(read, write) for write in self.writes for read in self.compute[write][0]]
        rf = relation(self.size, [(write, read) for read, write in reading.items()])
        if not acyclic(union(rf, relation(self.size, takes))):  # [No thin air]
            return False
        values = {}

        def value(e):
            if e not in values:
                sources, how = self.compute[e]
                values[e] = value(reading[e]) if self.events[e].kind == "R" else how(*map(value, sources))
            return values[e]

        if any(value(read) != name for read, name in self.maps):
            return False
        self.registers = {}
        for e in self.reads + self.writes:
            event, i = self.events[e]._replace(value=value(e)), self.written[e]
            if event.kind == "R" and i.kind == "test_wait":
                # Only a wait that finds its phase complete acquires (PTX ISA, "mbarrier.test_wait").
                complete = event.value is not None and event.value.done % 2 != i.count
                self.registers[event.thread, i.register] = int(complete)
                event = event._replace(instruction=i._replace(order=i.order if complete else "relaxed"))
            elif event.kind == "R" and i.register is not None:
                self.registers[event.thread, i.register] = event.value
            self.events[e] = event
        return True

    def outcome(self, final):
        parts = [f"{place}={self.events[write].value}" if "[" in place else f"[{place}]={self.events[write].value}"
                 for place, write in final.items() if is_shown(self.program, place)]
        parts += [f"{number}:r{register}={self.registers[number, register]}"
                  for number, thread in enumerate(self.program.threads) for register in registers(thread)]
        return "; ".join(sorted(parts))


class _Thread:
    """Executes one thread."""

    def __init__(self, candidate, number):
        self.candidate, self.number = candidate, number
        self.program = candidate.program
        self.thread = self.program.threads[number]
        self.done = []  # the events of the thread's program order, and markers of its waits
        self.loose = {"cp.async": [], "bulk": [], "matrix": []}  # copies in no group
        self.groups = {"cp.async": [], "bulk": [], "matrix": []}
        self.copies = []  # reads and writes of all cp.async
        self.cluster_barriers = 0
        self.barriers = 0

    def play(self):
        for i in self.thread.code:
            getattr(self, "_" + i.kind)(i)

    def _event(self, kind, i, proxy="generic", **more):
        place, virtual = None, None
        if kind in "RW":
            place, virtual = location(self.program, i.place), address(self.program, i.place)
        return Event(self.number, kind, place, None, i, address=virtual, proxy=proxy if kind in "RWP" else None, **more)

    def _in_order(self, event, sources=(), how=None):
        """An event of program order."""
        e = self.candidate.add(event, sources, how)
        self.candidate.program_order += [(before, e) for before in self.done if not self._marks(before)]
        self.candidate.issue += [(before, e) for before in self.done if self._marks(before)]
        self.done.append(e)
        return e

    def _marks(self, e):
        return self.candidate.events[e].half == "marker"

    def _issued(self, event, sources=(), how=None):
        """An event of an asynchronous operation: after what the thread has done."""
        e = self.candidate.add(event, sources, how)
        self.candidate.issue += [(before, e) for before in self.done]
        return e

    def _marker(self, marked, bulk):
        """A marker of these events; for bulk copies, also the implicit proxy fence."""
        marker = self.candidate.add(self._event("P" if bulk else "N", Instruction("marker"), "async", half="marker"))
        self.candidate.completes += [(e, marker) for e in marked]
        return marker

    def _modify(self, add, i, how, proxy="generic"):
        """Both halves of a read-modify-write."""
        read = add(self._event("R", i, proxy))
        self.candidate.events[read] = self.candidate.events[read]._replace(rmw=read + 1)
        write = add(self._event("W", i, proxy, rmw=read), (read,), how)
        self.candidate.program_order.append((read, write))
        return [read, write]

    def _end(self, marker, i, operation, count, scope):
        """The arrival or complete-tx at mbarrier i.place, after a marker and in no other order."""
        expected = _expected(self.program, i.place)
        i = Instruction("rmw", place=i.place, order="release", scope=scope)

        def add(event, sources=(), how=None):
            e = self.candidate.add(event, sources, how)
            self.candidate.issue.append((marker, e))
            return e

        return self._modify(add, i, _operate(operation, count, expected))

    def _join(self, events):
        """Makes the words of one access of 128 bits."""
        for e in events:
            self.candidate.events[e] = self.candidate.events[e]._replace(whole=("whole", events[0]))

    def _vector(self, i):
        """An access of 128 bits, whose words are in no order."""
        before, words = list(self.done), []
        for word in i.words:
            self.done = list(before)
            if word.kind == "load":
                words.append(self._in_order(self._event("R", word)))
            else:
                words.append(self._in_order(self._event("W", word), (), lambda word=word: word.value.constant))
        self.done = before + words
        self._join(words)

    def _load(self, i):
        self._in_order(self._event("R", i))

    def _store(self, i):
        self._in_order(self._event("W", i), (), lambda: i.value.constant)

    def _rmw(self, i):
        self._modify(self._in_order, i, lambda old: old + i.value.constant)

    def _fence(self, i):
        self._in_order(self._event("F", i)._replace(proxy=i.proxy))

    def _proxy_fence(self, i):
        self._in_order(self._event("P", i, i.proxy))

    def _barrier(self, i):
        self._in_order(self._event("B", i, number=self.barriers))
        self.barriers += 1

    def _cluster(self, i):
        self._in_order(self._event("C", i, number=self.cluster_barriers, half=i.operation.partition(".")[0]))
        self.cluster_barriers += i.operation == "wait"

    def _mbarrier(self, i):
        how = _operate(i.operation, 1 if i.count is None else i.count, _expected(self.program, i.place))
        self._modify(self._in_order, i._replace(kind="rmw"), how)

    def _init(self, i):
        """The text does not say what kind of operation this is: a weak write, at least."""
        self._in_order(self._event("W", i._replace(order="weak")), (), lambda: Phase(0, i.count, 0))

    def _test_wait(self, i):
        self._in_order(self._event("R", i))

    def _copy(self, i):
        """A cp.async, cp.async.bulk or cp.reduce.async.bulk. Its elements are in no order."""
        if i.also is not None:
            self._multicast(i)
            return
        bulk = i.operation != "cp.async"
        copy = Copy([], [])
        if i.operation == "tensor":
            i = self._mapped(copy, i)
        for place, source in zip(elements(self.program, i.place), elements(self.program, i.source)):
            self._copy_element(copy, i, place, source)
        if i.order:
            self._join(copy.reads)
            self._join(copy.changes)
        if i.mbarrier is not None:
            marker = self._marker(copy.reads + copy.changes, bulk)
            self._end(marker, i._replace(place=i.mbarrier), "complete_tx", 16, "cluster")
            return
        self.loose["bulk" if bulk else "cp.async"].append(copy)
        if not bulk:
            self.copies += copy.reads + copy.changes

    def _multiply(self, i):
        """A wgmma.mma_async reads through the async proxy (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions", Async Proxy).
        What it computes is the word that it has read."""
        load = Instruction("load", register=i.register, place=i.place, order="weak")
        self.loose["matrix"].append(Copy([self._issued(self._event("R", load, "async"))], []))

    def _matrix_fence(self, i):
        """Of registers alone."""

    def _mapped(self, copy, i):
        """Reads the tensor map, in its proxy (PTX ISA, "cp.async.bulk.tensor"). The copy of what the candidate says that it names."""
        side = "place" if is_map(self.program, i.place) else "source"
        read = self._issued(self._event("R", Instruction("load", place=getattr(i, side), order="weak"), "tensormap"))
        named = self.candidate.named.pop(0)
        self.candidate.maps.append((read, named))
        copy.reads.append(read)
        return i._replace(operation="bulk", **{side: named})

    def _replace(self, i):
        self._in_order(self._event("W", i._replace(order="weak")), (), lambda: i.source)

    def _copy_map(self, i):
        """In the generic proxy, then a release of the copy alone (PTX ISA, "tensormap.cp_fenceproxy")."""
        load = self._in_order(self._event("R", Instruction("load", place=i.source, order="weak")))
        self._in_order(self._event("W", Instruction("store", place=i.place, order="weak")), (load,), lambda value: value)
        self._fence(Instruction("fence", place=i.place, order="release", scope=i.scope, proxy="tensormap",
                                restriction="tensormap"))

    def _multicast(self, i):
        """Each source is read once. Each destination has writes, and a complete-tx after its own writes and all reads."""
        reads = [self._issued(self._event("R", Instruction("load", place=source, order="weak"), "async"))
                 for source in elements(self.program, i.source)]
        for place, mbarrier in ((i.place, i.mbarrier), i.also):
            writes = []
            for element, read in zip(elements(self.program, place), reads):
                store = Instruction("store", place=element, order="weak")
                writes.append(self._issued(self._event("W", store, "async"), (read,), lambda value: value))
                self.candidate.issue.append((read, writes[-1]))
            self._end(self._marker(reads + writes, True), i._replace(place=mbarrier, also=None), "complete_tx", 16, "cluster")

    def _copy_element(self, copy, i, place, source):
        proxy = "generic" if i.operation == "cp.async" else "async"
        order = "weak" if i.order is None else i.order
        read = self._issued(self._event("R", Instruction("load", place=source, order=order, scope=i.scope), proxy))
        copy.reads.append(read)
        if i.operation == "reduce":
            reduction = Instruction("rmw", place=place, order="relaxed", scope="gpu")
            copy.changes.extend(self._reduce(reduction, read, proxy))
            return
        store = Instruction("store", place=place, order=order, scope=i.scope)
        write = self._issued(self._event("W", store, proxy), (read,), lambda value: value)
        self.candidate.issue.append((read, write))
        copy.changes.append(write)

    def _reduce(self, i, source, proxy):
        """The read-modify-write of a reduction: adds what another read found."""
        read = self._issued(self._event("R", i, proxy))
        self.candidate.events[read] = self.candidate.events[read]._replace(rmw=read + 1)
        write = self._issued(self._event("W", i, proxy, rmw=read), (read, source), lambda old, more: old + more)
        self.candidate.program_order.append((read, write))
        self.candidate.issue.append((source, write))
        return [read, write]

    def _put(self, i):
        """A st.async or red.async. A release ends at no mbarrier."""
        if i.mbarrier is None:
            if i.operation == "st.async":
                self._issued(self._event("W", i._replace(kind="store", order="release")), (), lambda: i.value.constant)
            else:
                self._modify(self._issued, i._replace(kind="rmw", order="release"), lambda old: old + i.value.constant)
            return
        if i.operation == "st.async":
            store = Instruction("store", place=i.place, order="weak")
            accesses = [self._issued(self._event("W", store), (), lambda: i.value.constant)]
        else:
            reduction = Instruction("rmw", place=i.place, order="relaxed", scope="cluster")
            accesses = self._modify(self._issued, reduction, lambda old: old + i.value.constant)
        self._end(self._marker(accesses, False), i._replace(place=i.mbarrier), "complete_tx", 4, "cluster")

    def _commit(self, i):
        self.groups[i.operation].append(self.loose[i.operation])
        self.loose[i.operation] = []

    def _wait_group(self, i):
        groups = self.groups[i.operation]
        self._wait([copy for group in groups[:len(groups) - i.count] for copy in group] if i.count < len(groups) else [],
                   i)

    def _wait_all(self, i):
        i = i._replace(operation="cp.async")
        self._commit(i)
        self._wait([copy for group in self.groups["cp.async"] for copy in group], i)

    def _wait(self, copies, i):
        marked = [e for copy in copies for e in copy.reads + ([] if i.read else copy.changes)]
        if marked:
            self.done.append(self._marker(marked, i.operation in ("bulk", "matrix")))

    def _arrive_copies(self, i):
        """cp.async.mbarrier.arrive: one more arrival is pending; it comes when all earlier cp.async are done."""
        expected = _expected(self.program, i.place)
        before = []
        if not i.operation:
            more = Instruction("rmw", place=i.place, order="relaxed", scope="cta")
            before = self._modify(self._in_order, more, _operate("more", 1, expected))[1:]
        _, arrival = self._end(self._marker(self.copies, False), i, "arrive", 1, "cta")
        self.candidate.coherent += [(increment, arrival) for increment in before]
