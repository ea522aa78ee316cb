# SPDX-License-Identifier: Apache-2.0
"""Random programs. A program is a function of its dialect and its seed.

Half of them are classic shapes, dressed with random orders, scopes, fences, dependencies, branches and barriers; the others are
random sequences. No write depends on a read whose value a compiler may know, and what depends on a read writes what
nothing else of its thread writes: there the question which dependencies are real has one answer."""

import random

from program import Instruction, Place, Program, Thread, Value

SHAPES = ["Wx Wy | Ry Rx", "Wx Ry | Wy Rx", "Rx Wy | Ry Wx", "Wx Wy | Wy Wx", "Wx Wy | Wy Rx", "Wx Wy | Ry Wx",
          "Wx | Rx Wy | Ry Rx", "Wx | Rx Ry | Wy Rx", "Wx Wy | Ry Wz | Rz Rx", "Wx | Wy | Rx Ry | Ry Rx", "Wx | Rx Rx",
          "Wx | Wx | Rx Rx", "Wx Wx | Rx Rx", "Rx Wx | Wx", "Wx Rx | Wx", "Wx | Rx Wx", "Ux | Ux", "Ux | Wx", "Ux Wy | Ry Ux",
          "Wx Uy | Uy Rx", "Wx Wy | Uy | Ry Rx", "Wx Wy Wy | Ry Rx", "Wx Ry | Wy Rz | Wz Rx", "Rx Wy | Ry Wz | Rz Wx",
          "Wx Wy | Ry Ry Rx", "Rx Wy | Ry Wx | Wx", "Wx | Wx | Rx Rx | Rx Rx", "Wx Wy | Wy Ry Rx", "Wx Wy | Uy Ry Rx",
          "Wx Rx Ry | Wy Ry Rx", "Wx Wy Wy | Ry Ry Rx",
          "Wx Wy | Uy | Uy Rx", "Wx Uy | Ry Ry Rx", "Wx Ry | Wy Rx", "Rx Wy | Ry Wx", "Rx Wy | Ry Wx | Wx", "Rx Rx Wy | Ry Wx", "Wx Wy | Ry Wy | Ry Rx", "Ux Ry | Uy Rx"]

# Per kind of instruction, and per style of a program: what orders it takes.
ORDERS = {
    "ptx": {"mixed": {"load": ["weak", "relaxed", "relaxed", "acquire", "acquire", "volatile"],
                      "store": ["weak", "relaxed", "relaxed", "release", "release", "volatile"],
                      "rmw": ["relaxed", "acquire", "release", "acq_rel"]},
            "relaxed": {"load": ["relaxed"], "store": ["relaxed"], "rmw": ["relaxed"]},
            "weak": {"load": ["weak"], "store": ["weak"], "rmw": ["relaxed"]},
            "strongest": {"load": ["acquire"], "store": ["release"], "rmw": ["acq_rel"]},
            "half": {"load": ["relaxed", "acquire"], "store": ["relaxed", "release"], "rmw": ["relaxed", "acq_rel"]}},
    "c": {"mixed": {"load": ["relaxed", "acquire", "acquire", "seq_cst"], "store": ["relaxed", "release", "release", "seq_cst"],
                    "rmw": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]},
          "relaxed": {"load": ["relaxed"], "store": ["relaxed"], "rmw": ["relaxed"]},
          "weak": {"load": ["relaxed", "seq_cst"], "store": ["relaxed", "seq_cst"], "rmw": ["relaxed", "seq_cst"]},
          "strongest": {"load": ["seq_cst"], "store": ["seq_cst"], "rmw": ["seq_cst"]},
          "half": {"load": ["acquire"], "store": ["release"], "rmw": ["acquire", "release", "acq_rel"]}},
}
ORDERS["opencl"] = ORDERS["c"]
FENCES = {"ptx": [["acq_rel", "sc", "acquire", "release"], ["sc"], ["acq_rel"], ["acquire", "release"]],
          "c": [["relaxed", "acquire", "release", "acq_rel", "seq_cst"], ["seq_cst"], ["acq_rel"], ["acquire", "release"]]}
FENCES["opencl"] = FENCES["c"]


def program(dialect, seed):
    """The program of a seed."""
    return _Maker(dialect, random.Random(f"{dialect} {seed}")).make(f"{dialect}-{seed}")


class _Maker:
    def __init__(self, dialect, chance):
        self.dialect = dialect
        self.chance = chance
        self.counts = {}  # place -> how many writes of constants it has
        self.orders = ORDERS[dialect][chance.choice(["mixed", "mixed", "relaxed", "weak", "strongest", "half"])]
        self.fences = chance.choice(FENCES[dialect])
        # How likely two accesses are to have a fence between them, and a write to depend on a read before it.
        self.fencing = chance.choice([0, 0.2, 0.5, 1])
        self.depending = chance.choice([0.1, 0.3, 0.9])

    def _scopes(self, placed):
        """The scopes that accesses and fences choose from. Mostly wide enough: an OpenCL program with others only races."""
        if self.dialect == "c":
            return [None]
        if self.dialect == "opencl":
            common = "device" if len(set(placed)) > 1 and self.chance.random() < 0.9 else \
                self.chance.choice(["device", "work_group"])
            return self.chance.choice([[common]] * 4 + [[common] * 6 + ["device", "work_group", "all_svm_devices"]])
        return self.chance.choice([["gpu"], ["gpu"], ["cta"], ["cluster"], ["sys"], ["gpu", "cta"],
                                   ["cta", "cluster", "gpu", "sys"]])

    def make(self, name):
        shapes = self._shape() if self.chance.random() < 0.6 else self._random_shape()
        placed = self._placement(len(shapes))
        self.scopes = self._scopes(placed)
        self.places = {place: self._place(placed) for place in sorted({a[1] for shape in shapes for a in shape})}
        self.barrier = self._barrier() if self.dialect != "c" and self.chance.random() < 0.2 else None
        threads = [Thread(*where, tuple(self._code(shape))) for where, shape in zip(placed, shapes)]
        return Program(name, self.dialect, self.places, tuple(threads))

    def _shape(self):
        shape = [thread.split() for thread in self.chance.choice(SHAPES).split("|")]
        self.chance.shuffle(shape)
        return shape

    def _random_shape(self):
        names = "xy" if self.chance.random() < 0.7 else "x" if self.chance.random() < 0.4 else "xyz"
        count = self.chance.choice([2, 2, 2, 3, 3, 4])
        lengths = {2: [1, 2, 2, 3, 3], 3: [1, 2, 2], 4: [1, 1, 2]}[count]
        return [[self.chance.choice("RRRWWWU") + self.chance.choice(names) for _ in range(self.chance.choice(lengths))]
                for _ in range(count)]

    def _placement(self, count):
        """group, cluster and device of each thread."""
        style = self.chance.choice(["apart", "apart", "together", "mixed"])
        groups = {"apart": list(range(count)), "together": [0] * count,
                  "mixed": [self.chance.randrange(2) for _ in range(count)]}[style]
        if self.dialect == "c":
            return [(number, None, 0) for number in range(count)]
        two_devices = self.chance.random() < (0.1 if self.dialect == "ptx" else 0.05) and style != "together"
        clustered = self.dialect == "ptx" and self.chance.random() < 0.3
        return [(group, group // 2 if clustered else None, group % 2 if two_devices else 0) for group in groups]

    def _place(self, placed):
        region = "global"
        if self.dialect == "opencl" and len(set(placed)) == 1 and self.chance.random() < 0.4:
            region = "local"
        return Place(region, self.dialect == "ptx" or self.chance.random() < 0.9)

    def _barrier(self):
        flags = self.chance.choice([("global",), ("local",), ("global", "local")])
        scope = self.chance.choice([None, None, "work_group", "device"])
        if self.dialect == "ptx":
            return Instruction("barrier")
        return Instruction("barrier", flags=flags, scope=scope)

    def _code(self, shape):
        code = []
        sources = []  # registers whose reads a compiler cannot know
        met = self.chance.randrange(len(shape) + 1)
        for at, access in enumerate(shape):
            if self.barrier and at == met:
                code.append(self.barrier)
            elif at and self.chance.random() < self.fencing:
                code.append(self._fence())
            fresh = access[1] not in [other[1] for other in shape[:at]]
            alone = not any(other[1] == access[1] and other[0] in "WU" for n, other in enumerate(shape) if n != at)
            instruction = self._access(access, at, sources if alone and len(shape) < 4 else [])
            register = instruction.register
            branch = sources and alone and len(shape) < 4 and self.chance.random() < self.depending / 2
            if branch:
                equals = self.chance.choice([0, 1, 1, 2])
                code.append(Instruction("if", register=self.chance.choice(sources), equals=equals, body=(instruction,)))
            else:
                code.append(instruction)
                if register is not None and fresh and instruction.operation != "cas":
                    sources.append(register)
        if self.barrier and met == len(shape) and self.chance.random() < 0.9:
            code.append(self.barrier)
        return code

    def _scope(self):
        return self.chance.choice(self.scopes)

    def _order(self, kind):
        return self.chance.choice(self.fences if kind == "fence" else self.orders[kind])

    def _fence(self):
        flags = None
        if self.dialect == "opencl":
            regions = {place.region for place in self.places.values()}
            flags = self.chance.choice([tuple(sorted(regions)), ("global", "local"), ("global",), ("local",)])
        return Instruction("fence", order=self._order("fence"), scope=self._scope(), flags=flags)

    def _constant(self, place):
        self.counts[place] = self.counts.get(place, 0) + 1
        return self.counts[place]

    def _value(self, place, sources):
        constant = self._constant(place)
        if not sources or self.chance.random() > self.depending:
            return Value(None, constant)
        register = self.chance.choice(sources)
        kind = self.chance.choice(["copy", "copy", "sum", "false"])
        return Value(register, 0 if kind == "copy" else constant, kind == "false")

    def _access(self, access, at, sources):
        kind, place = access[0], access[1]
        plain = not self.places[place].atomic
        if kind == "U" and plain:
            kind = "W"
        if kind == "R":
            order = "plain" if plain else self._order("load")
            return Instruction("load", register=at, place=place, order=order, scope=self._scoped(order))
        if kind == "W" and (plain or self.chance.random() < 0.9):
            order = "plain" if plain else self._order("store")
            return Instruction("store", place=place, value=self._value(place, sources), order=order,
                               scope=self._scoped(order))
        return self._rmw(place, at, sources)

    def _scoped(self, order):
        return None if order in ("plain", "weak", "volatile") else self._scope()

    def _rmw(self, place, at, sources):
        operation = self.chance.choice(["add", "exch", "cas", "or"])
        order, failure, register = self._order("rmw"), None, at
        if self.dialect == "ptx" and operation in ("add", "or") and self.chance.random() < 0.3:
            order, register = self.chance.choice(["relaxed", "release"]), None
        value = self._value(place, sources)
        if operation == "cas":
            failure = {"acquire": "acquire", "acq_rel": "acquire", "seq_cst": "seq_cst"}.get(order, "relaxed")
            value = Value(None, max(value.constant, 1))
        expected = self.chance.choice([0, 0, 1, 2]) if operation == "cas" else None
        return Instruction("rmw", register=register, place=place, operation=operation, value=value, expected=expected,
                           order=order, failure=failure if self.dialect != "ptx" else None, scope=self._scope())
