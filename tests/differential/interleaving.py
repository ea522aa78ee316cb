# SPDX-License-Identifier: Apache-2.0
"""Sequential consistency without axioms: a program's threads take turns, instruction by instruction, on one memory."""

from executions import computed, result, shown
from program import location, locations, meeting, registers


def outcomes(program):
    """The final states of all orders of turns."""
    ends, seen = set(), set()
    start = (tuple((tuple(thread.code), (), 0) for thread in program.threads), tuple((p, 0) for p in locations(program)))
    todo = [start]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        threads, memory = state
        for number in range(len(threads)):
            todo += _turns(program, threads, memory, number)
        if all(not code for code, _, _ in threads):
            ends.add(_outcome(program, threads, memory))
    return ends


def _outcome(program, threads, memory):
    parts = [f"{shown(place)}={value}" for place, value in memory]
    for number, (_, known, _) in enumerate(threads):
        values = dict(known)
        parts += [f"{number}:r{register}={values.get(register, 0)}" for register in registers(program.threads[number])]
    return "; ".join(sorted(parts))


def _waits(program, threads, number):
    """Whether a thread waits at a barrier that another thread of its group has not reached."""
    mine = program.threads[number]
    met = threads[number][2]
    for other, (code, _, passed) in enumerate(threads):
        thread = program.threads[other]
        if meeting(program, thread) != meeting(program, mine) or other == number:
            continue
        # PTX waits for all threads that have not exited.
        comes = program.dialect == "ptx" or any(i.kind == "barrier" for i in code)
        if passed <= met and code and code[0].kind != "barrier" and comes:
            return True
        if passed < met:
            return True
    return False


def _turns(program, threads, memory, number):
    """The states after the thread's next instruction, or after any word of a vector; none if it has ended or waits."""
    code = threads[number][0]
    if not code or code[0].kind == "barrier" and _waits(program, threads, number):
        return
    if code[0].kind != "vector":
        yield _turn(program, threads, memory, number, code[0], code[1:])
    elif code[0].whole:
        yield _whole(program, threads, memory, number, code[0], code[1:])
    else:
        words = code[0].words
        for at, word in enumerate(words):
            left = words[:at] + words[at + 1:]
            yield _turn(program, threads, memory, number, word, ((code[0]._replace(words=left),) if left else ()) + code[1:])


def _whole(program, threads, memory, number, i, code):
    """The state after an access of several words at once."""
    _, known, met = threads[number]
    after, cells = dict(known), dict(memory)
    old = [cells[word.place] for word in i.words]
    if i.words[0].kind != "load":
        new = [computed(word, value, dict(known)) for word, value in zip(i.words, old)]
        if None not in new:
            cells.update((word.place, value) for word, value in zip(i.words, new))
    after.update((word.register, value) for word, value in zip(i.words, old) if word.register is not None)
    threads = threads[:number] + ((code, tuple(sorted(after.items())), met),) + threads[number + 1:]
    return threads, tuple(cells.items())


def _turn(program, threads, memory, number, i, code):
    """The state after an instruction of the thread; `code` is the rest of its code."""
    _, known, met = threads[number]
    known, cells = dict(known), dict(memory)
    place = location(program, i.place) if i.place else None
    if i.kind == "if":
        code = i.body + code if known.get(i.register, 0) == i.equals else code
    elif i.kind == "barrier":
        met += 1
    elif i.kind in ("load", "rmw"):
        old = cells[place]
        if i.kind == "rmw":
            new = computed(i, old, known)
            cells[place] = old if new is None else new
        if i.register is not None:
            known[i.register] = old if i.kind == "load" else result(program, i, old)
    elif i.kind == "store":
        cells[place] = computed(i, None, known)
    after = list(threads)
    after[number] = (code, tuple(sorted(known.items())), met)
    return tuple(after), tuple(cells.items())
