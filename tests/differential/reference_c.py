# SPDX-License-Identifier: Apache-2.0
"""What C allows: RC11 of Lahav, Vafeiadis, Kang, Hur, Dreyer, Repairing Sequential Consistency in C/C++11, PLDI 2017,
with its names. Out-of-thin-air values are excluded as in the paper, by acyclic (sb | rf)."""

import itertools

from executions import acyclic, candidates, closure, compose, irreflexive, optional, relation, union

RELEASE = ("release", "acq_rel", "seq_cst")
ACQUIRE = ("acquire", "acq_rel", "seq_cst")


def outcomes(program):
    """The outcomes of consistent executions, and whether one has a race."""
    allowed, racy = set(), False
    for candidate in candidates(program):
        for reading in candidate.readings():
            for final, race in _consistent(candidate, reading):
                allowed.add(candidate.outcome(final))
                racy = racy or race
    return allowed, racy


def order_of(event):
    """The order of an event; a read-modify-write that fails reads in the order for that."""
    if event.thread is None:
        return "plain"
    instruction = event.instruction
    if instruction.operation == "cas" and event.rmw is None and event.kind == "R":
        return instruction.failure
    return instruction.order


def modification_orders(candidate, places):
    """Each total order of the writes to each of the places, initial ones first: a relation, and the last writes."""
    choices = []
    for place in places:
        first, *others = candidate.writes_to(place)
        choices.append([(first,) + order for order in itertools.permutations(others)])
    for orders in itertools.product(*choices):
        mo = relation(candidate.size, [pair for order in orders for pair in itertools.combinations(order, 2)])
        yield mo, {place: order[-1] for place, order in zip(places, orders)}


def from_read(candidate, reading, mo):
    return relation(candidate.size, [(read, write) for read, source in reading.items() for write in candidate.writes
                                     if mo[source] >> write & 1])


def _consistent(candidate, reading):
    size, events = candidate.size, candidate.events
    order = [order_of(event) for event in events]
    initial = len(candidate.program.places)
    sb = union(candidate.po, relation(size, itertools.product(range(initial), range(initial, size))))
    rf = relation(size, [(write, read) for read, write in reading.items()])
    if not acyclic(union(sb, rf)):
        return
    same = relation(size, [(a, b) for a in candidate.all for b in candidate.all if candidate.same_place(a, b)])
    rmw = relation(size, [(r, events[r].rmw) for r in candidate.reads if events[r].rmw is not None])

    def identity(test):
        return relation(size, [(e, e) for e in candidate.all if test(e)])

    fence = identity(lambda e: events[e].kind == "F")
    write = identity(lambda e: events[e].kind == "W")
    atomic_write = identity(lambda e: events[e].kind == "W" and order[e] != "plain")
    atomic_read = identity(lambda e: events[e].kind == "R" and order[e] != "plain")
    release = identity(lambda e: order[e] in RELEASE)
    acquire = identity(lambda e: order[e] in ACQUIRE)
    local = [row & other for row, other in zip(sb, same)]
    far = [row & ~other for row, other in zip(sb, same)]

    def steps(*relations):
        result = relations[0]
        for other in relations[1:]:
            result = compose(result, other)
        return result

    chain = optional(closure(compose(rf, rmw)))
    sequence = steps(write, optional(local), atomic_write, chain)
    synchronizes = steps(release, optional(compose(fence, sb)), sequence, rf, atomic_read,
                         optional(compose(sb, fence)), acquire)
    hb = closure(union(sb, synchronizes))
    if not irreflexive(hb):
        return
    race = any(_race(candidate, order, hb, a, b) for a, b in itertools.combinations(candidate.all, 2))
    sc = identity(lambda e: order[e] == "seq_cst")
    sc_fence = compose(sc, fence)
    hb_local = [row & other for row, other in zip(hb, same)]
    for mo, final in modification_orders(candidate, list(candidate.program.places)):
        fr = from_read(candidate, reading, mo)
        eco = closure(union(rf, mo, fr))
        if not irreflexive(hb) or not irreflexive(compose(hb, eco)):
            continue
        if any(row & other for row, other in zip(rmw, compose(fr, mo))):
            continue
        scb = union(sb, steps(far, hb, far), hb_local, mo, fr)
        base = steps(union(sc, compose(sc_fence, optional(hb))), scb, union(sc, compose(optional(hb), sc_fence)))
        between = steps(sc_fence, union(hb, steps(hb, eco, hb)), sc_fence)
        if acyclic(union(base, between)):
            yield final, race


def _race(candidate, order, hb, a, b):
    one, other = candidate.events[a], candidate.events[b]
    return one.thread is not None and candidate.same_place(a, b) and "W" in (one.kind, other.kind) \
        and "plain" in (order[a], order[b]) and one.thread != other.thread and not (hb[a] >> b & 1 or hb[b] >> a & 1)
