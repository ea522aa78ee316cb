# SPDX-License-Identifier: Apache-2.0
"""The hard tests of the benchmark, each in C and in PTX.

A thread is a list of steps, which are tuples:

    ("load", register, place, order)               ("fence", order)
    ("store", place, value, order)                 ("set", register, value)
    ("add", register, place, value, order)         ("sum", register, register, value)
    ("exchange", register, place, value, order)    ("spin", place, value, order): loads until it is the value
    ("if", register, value, steps)                 ("take", place, order): exchanges 1 until the old value is 0

A value is a number or the name of a register. An order is that of C, "plain" among them; the steps that "seq_cst" would
need in PTX are the fence of that order."""

from collections import namedtuple

Test = namedtuple("Test", "name what places threads condition")

PTX_ORDER = {"plain": "weak", "relaxed": "relaxed.gpu", "acquire": "acquire.gpu", "release": "release.gpu",
             "acq_rel": "acq_rel.gpu"}
PTX_FENCE = {"acq_rel": "fence.acq_rel.gpu", "seq_cst": "fence.sc.gpu"}
COLUMN = 34


# ---- C ----

class _CThread:
    def __init__(self):
        self.declared = set()

    def assign(self, register, value):
        declaration = "" if register in self.declared else "int "
        self.declared.add(register)
        return f"{declaration}{register} = {value};"

    @staticmethod
    def load(place, order):
        return f"*{place}" if order == "plain" else f"atomic_load_explicit({place}, memory_order_{order})"

    def step(self, step):
        kind = step[0]
        if kind == "load":
            return [self.assign(step[1], self.load(step[2], step[3]))]
        if kind == "store":
            _, place, value, order = step
            return [f"*{place} = {value};" if order == "plain"
                    else f"atomic_store_explicit({place}, {value}, memory_order_{order});"]
        if kind == "fence":
            return [f"atomic_thread_fence(memory_order_{step[1]});"]
        if kind == "set":
            return [self.assign(step[1], step[2])]
        if kind == "sum":
            return [self.assign(step[1], f"{step[2]} + {step[3]}")]
        if kind in ("add", "exchange"):
            _, register, place, value, order = step
            function = "fetch_add" if kind == "add" else "exchange"
            return [self.assign(register, f"atomic_{function}_explicit({place}, {value}, memory_order_{order})")]
        if kind == "if":
            inner = [line for inner in step[3] for line in self.step(inner)]
            return [f"if ({step[1]} == {step[2]}) {{"] + ["  " + line for line in inner] + ["}"]
        if kind == "spin":
            what, wanted = self.load(step[1], step[3]), f"!= {step[2]}"
        else:
            what, wanted = f"atomic_exchange_explicit({step[1]}, 1, memory_order_{step[2]})", "!= 0"
        register = f"s{len(self.declared)}"
        return [self.assign(register, what), f"while ({register} {wanted}) {{", f"  {register} = {what};", "}"]


def _places(steps):
    found = set()
    for step in steps:
        if step[0] == "if":
            found |= _places(step[3])
        elif step[0] in ("load", "add", "exchange"):
            found.add(step[2])
        elif step[0] in ("store", "spin", "take"):
            found.add(step[1])
    return found


def _is_plain(test, place):
    """Whether the test has plain accesses of the place only."""
    def accesses(steps):
        for step in steps:
            if step[0] == "if":
                yield from accesses(step[3])
            elif step[0] not in ("fence", "set", "sum"):
                yield step
    found = {step[-1] for thread in test.threads for step in accesses(thread)
             if place in (step[1], step[2] if len(step) > 3 else None)}
    return found == {"plain"}


def c_text(test):
    """The test as C, for orchil and for herd7."""
    lines = [f"C {test.name}", f'"{test.what}"', "{ " + " ".join(f"{name}={value};" for name, value in test.places) + " }"]
    for number, steps in enumerate(test.threads):
        mentioned = _places(steps)
        parameters = ", ".join(("int* " if _is_plain(test, name) else "atomic_int* ") + name
                               for name, _ in test.places if name in mentioned)
        thread = _CThread()
        lines += ["", f"P{number} ({parameters}) {{"]
        lines += ["  " + line for step in steps for line in thread.step(step)]
        lines.append("}")
    return "\n".join(lines) + f"\n\nexists ({test.condition})\n"


# ---- PTX ----

class _PtxThread:
    def __init__(self):
        self.labels = 0
        self.temporaries = 0

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def temporary(self):
        self.temporaries += 1
        return f"s{self.temporaries}"

    def step(self, step):
        kind = step[0]
        if kind == "load":
            return [f"ld.{PTX_ORDER[step[3]]} {step[1]}, {step[2]}"]
        if kind == "store":
            return [f"st.{PTX_ORDER[step[3]]} {step[1]}, {step[2]}"]
        if kind == "fence":
            return [PTX_FENCE[step[1]]]
        if kind == "set":
            return [f"mov {step[1]}, {step[2]}"]
        if kind == "sum":
            return [f"add {step[1]}, {step[2]}, {step[3]}"]
        if kind in ("add", "exchange"):
            operation = "add" if kind == "add" else "exch"
            return [f"atom.{PTX_ORDER[step[4]]}.{operation} {step[1]}, {step[2]}, {step[3]}"]
        label = self.label()
        if kind == "if":
            inner = [line for inner in step[3] for line in self.step(inner)]
            return [f"bne {step[1]}, {step[2]}, {label}"] + inner + [f"{label}:"]
        register = self.temporary()
        if kind == "spin":
            return [f"{label}:", f"ld.{PTX_ORDER[step[3]]} {register}, {step[1]}", f"bne {register}, {step[2]}, {label}"]
        return [f"{label}:", f"atom.{PTX_ORDER[step[2]]}.exch {register}, {step[1]}, 1", f"bne {register}, 0, {label}"]


def ptx_text(test):
    """The test as PTX, each thread in a CTA of its own."""
    columns, heads = [], []
    first = 0
    for number, steps in enumerate(test.threads):  # neighbours that are equal have one column
        if number + 1 < len(test.threads) and len(test.threads) > 64 and test.threads[number + 1] == steps:
            continue
        thread = _PtxThread()
        columns.append([line for step in steps for line in thread.step(step)])
        threads = f"P{first}" if first == number else f"P{first}..P{number}"
        heads.append(f"{threads}@cta {number if first == number else 0}, gpu 0")
        first = number + 1
    rows = [heads] + [[column[i] if i < len(column) else "" for column in columns]
                      for i in range(max(map(len, columns)))]
    lines = [f"PTX {test.name}", f'"{test.what}"', "{ " + " ".join(f"{name}={value};" for name, value in test.places) + " }"]
    lines += [" " + " | ".join(f"{cell:{COLUMN}}" for cell in row) + " ;" for row in rows]
    return "\n".join(lines) + f"\nexists ({test.condition})\n"


# ---- the tests ----

def _named(prefix, count, value=0):
    return [(f"{prefix}{i}", value) for i in range(count)]


def _same(count, *steps):
    return [list(steps)] * count


def _ring(name, what, count, steps, condition="0:r0=1"):
    """A thread to each place v0, v1, ...; steps(its place, the next place)."""
    return Test(name, what, _named("v", count),
                [steps(f"v{i}", f"v{(i + 1) % count}") for i in range(count)], condition)


def _conjunction(terms):
    return " /\\ ".join(terms)


def _ticket_lock(count):
    body = [("add", "r0", "next", 1, "relaxed"), ("spin", "serving", "r0", "acquire"), ("load", "r1", "x", "plain"),
            ("sum", "r2", "r1", 1), ("store", "x", "r2", "plain"), ("sum", "r3", "r0", 1), ("store", "serving", "r3", "release")]
    return Test(f"ticket{count}", f"A counter under a ticket lock, {count} threads.", [("next", 0), ("serving", 0), ("x", 0)],
                _same(count, *body), f"x={count - 1}")


def _spin_lock(count):
    body = [("take", "m", "acquire"), ("load", "r1", "x", "plain"), ("sum", "r2", "r1", 1), ("store", "x", "r2", "plain"),
            ("store", "m", 0, "release")]
    return Test(f"spin{count}", f"A counter under a lock that is taken by exchanges, {count} threads.", [("m", 0), ("x", 0)],
                _same(count, *body), f"x={count - 1}")


def _queue_lock(count):
    """CLH: a thread puts its number at the tail and waits for the node of who was there before."""
    def thread(me):
        waits = [("if", "r0", other, [("spin", f"n{other}", 0, "acquire")])
                 for other in range(1, count + 1) if other != me]
        return [("exchange", "r0", "tail", me, "acq_rel"), *waits, ("load", "r1", "x", "plain"), ("sum", "r2", "r1", 1),
                ("store", "x", "r2", "plain"), ("store", f"n{me}", 0, "release")]
    nodes = [(f"n{i}", 1) for i in range(1, count + 1)]
    return Test(f"clh{count}", f"A counter under a CLH queue lock, {count} threads.", [("tail", 0), *nodes, ("x", 0)],
                [thread(me) for me in range(1, count + 1)], f"x={count - 1}")


def _adds(count):
    return Test(f"adds{count}", f"One thread of {count} additions to one place.", [("x", 0)],
                [[("add", f"r{i}", "x", i + 1, "relaxed") for i in range(count)]], "x=1")


def _counters(count):
    return Test(f"racing{count}", f"{count} threads add 1 by a load and a store.", [("x", 0)],
                _same(count, ("load", "r0", "x", "relaxed"), ("sum", "r1", "r0", 1), ("store", "x", "r1", "relaxed")), "x=1")


def _increments(count):
    return Test(f"count{count}", f"{count} threads add 1 by a read-modify-write.", [("x", 0)],
                _same(count, ("add", "r0", "x", 1, "relaxed")), "x=1")


def _two_updates(count):
    return Test(f"updates{count}", f"{count} threads of two read-modify-writes.", [("x", 0), ("y", 0)],
                _same(count, ("add", "r0", "x", 1, "acq_rel"), ("add", "r1", "y", 1, "acq_rel")), f"x={count + 1}")


def _readers(count):
    def reader(first, second):
        return [("load", "r0", first, "acquire"), ("load", "r1", second, "acquire")]
    threads = [[("store", "x", 1, "relaxed")], [("store", "y", 1, "relaxed")]]
    threads += [reader("y", "x") if i % 2 == 0 else reader("x", "y") for i in range(count)]
    return Test(f"iriw{count + 2}", f"Two writers and {count} readers.", [("x", 0), ("y", 0)], threads,
                _conjunction(["2:r0=1", "2:r1=0", "3:r0=1", "3:r1=0"]))


def _handover(count):
    return Test(f"queue{count}", f"{count} threads swap at the tail of a queue and pass a place on.", [("t", 0), ("q", 0)],
                [[("exchange", "r0", "t", i + 1, "acq_rel"), ("load", "r1", "q", "acquire"), ("store", "q", i + 1, "release")]
                 for i in range(count)], "t=1")


def _mesh(count):
    def thread(i):
        a, b, c, d = (f"v{(i + k) % count}" for k in range(4))
        return [("store", a, 1, "relaxed"), ("load", "r0", b, "relaxed"), ("store", c, 2, "relaxed"), ("load", "r1", d, "relaxed")]
    return Test(f"mesh{count}", f"{count} threads of four accesses.", _named("v", count), [thread(i) for i in range(count)],
                _conjunction(f"{i}:r0=0" for i in range(count)))


def _fences(count):
    def thread(i):
        return [("store", f"v{i}", 1, "relaxed"), ("fence", "seq_cst"), ("load", "r0", f"v{(i + 1) % count}", "relaxed"),
                ("fence", "seq_cst"), ("load", "r1", f"v{(i + 2) % count}", "relaxed")]
    return Test(f"fences{count}", f"{count} threads of a store and two loads, with seq_cst fences between them.",
                _named("v", count), [thread(i) for i in range(count)], _conjunction(f"{i}:r0=0" for i in range(count)))


def tests():
    """All tests, from easy to hard as far as that can be told."""
    def buffer(mine, other):
        return [("store", mine, 1, "relaxed"), ("fence", "seq_cst"), ("load", "r0", other, "relaxed")]

    def chain(mine, other):
        return [("load", "r0", other, "relaxed"), ("store", mine, 1, "relaxed")]

    def grow(mine, other):
        return [("load", "r0", mine, "relaxed"), ("sum", "r1", "r0", 1), ("store", other, "r1", "relaxed")]

    return [
        _adds(4), _adds(6), _increments(3), _increments(5), _increments(8), _increments(512),
        _counters(3), _counters(5), _counters(7), _two_updates(3), _two_updates(4), _readers(3), _handover(4),
        _ring("sbfence7", "Store buffering of 7 threads with seq_cst fences.", 7, buffer,
              _conjunction(f"{i}:r0=0" for i in range(7))),
        _fences(4), _mesh(4), _ring("ring14", "Load buffering of 14 threads.", 14, chain),
        _ring("grow10", "A ring of 10 threads that pass on 1 more than they read.", 10, grow),
        _spin_lock(2), _spin_lock(3), _spin_lock(4), _ticket_lock(2), _ticket_lock(3), _queue_lock(2), _queue_lock(3),
    ]
