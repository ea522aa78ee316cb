# SPDX-License-Identifier: Apache-2.0
"""Random programs. A program is a function of its family and its seed.

Some are classic shapes with random orders, scopes, fences, dependencies, branches and barriers; some are idioms whose orders
and fences are fixed, because they exercise a rule of a model; the others are random sequences. No write depends on a read whose
value a compiler may know, and a write that depends on a read writes a value that nothing else in its thread writes: so it is
always clear which dependencies are real."""

import random
import re

import generate_async
import generate_vectors
import generate_vulkan
from program import Instruction, Place, Program, Thread, Value

SHAPES = ["Wx Wy | Ry Rx", "Wx Ry | Wy Rx", "Rx Wy | Ry Wx", "Wx Wy | Wy Wx", "Wx Wy | Wy Rx", "Wx Wy | Ry Wx",
          "Wx | Rx Wy | Ry Rx", "Wx | Rx Ry | Wy Rx", "Wx Wy | Ry Wz | Rz Rx", "Wx | Wy | Rx Ry | Ry Rx",
          "Wx | Rx Rx", "Wx | Wx | Rx Rx", "Wx Wx | Rx Rx", "Rx Wx | Wx", "Wx Rx | Wx", "Wx | Rx Wx", "Ux | Ux",
          "Ux | Wx", "Ux Wy | Ry Ux", "Wx Uy | Uy Rx", "Wx Wy | Uy | Ry Rx", "Wx Wy Wy | Ry Rx",
          "Wx Ry | Wy Rz | Wz Rx", "Rx Wy | Ry Wz | Rz Wx", "Wx Wy | Ry Ry Rx", "Rx Wy | Ry Wx | Wx",
          "Wx | Wx | Rx Rx | Rx Rx", "Wx Wy | Wy Ry Rx", "Wx Wy | Uy Ry Rx", "Wx Rx Ry | Wy Ry Rx",
          "Wx Wy Wy | Ry Ry Rx", "Wx Wy | Uy | Uy Rx", "Wx Uy | Ry Ry Rx", "Wx Ry | Wy Rx", "Rx Wy | Ry Wx",
          "Rx Wy | Ry Wx | Wx", "Rx Rx Wy | Ry Wx", "Wx Wy | Ry Wy | Ry Rx", "Ux Ry | Uy Rx"]

# Accesses may have an order, after a colon; F is a fence. V is a reduction (PTX), U another read-modify-write. What
# ends in < has a value that depends on a read before it, what ends in ? comes if such a read gave 1.
IDIOMS = ["Wx F:sc Wy:rlx | Ry:rlx F:ar Rx", "Wx F:ar Wy:rlx | Ry:rlx F:sc Rx", "Wx F:sc Wy:rlx | Ry:rlx F:sc Rx",
          "Wx F:ar Wy:rlx | Ry:rlx F:ar Rx", "Wx F:rel Wy:rlx | Ry:rlx F:acq Rx", "Wx F:rel Wy:rlx | Ry:acq Rx",
          "Wx Wy:rel | Ry:rlx F:acq Rx", "Wx Wy:rel | Vy:rlx F:ar Rx", "Wx F:rel Vy:rlx | Uy:acq Rx",
          "Wx Wy:rel Wy:rlx | Ry:acq Rx", "Wx Wy:rel Wy:rlx | Ry:rlx F:acq Rx", "Wx Wy:rel | Ry:rlx Ry:acq Rx",
          "Wx Wy:rel | Uy:rlx | Ry:acq Rx", "Wx Wy:rel | Uy:rlx | Uy:acq Rx",
          "Wx F:rel Uy:rlx | Uy:rlx | Ry:rlx F:acq Rx", "Wx Wy:rel | Wy:rlx | Ry:acq Rx", "Wx Uy:rel | Uy:acq Rx",
          "Wx Uy:ar | Uy:ar Rx", "Wx F:sc Ry | Wy F:sc Rx", "Wx F:sc Wy | Wy F:sc Rx", "Wx F:sc Wy | Wy F:sc Wx",
          "Wx:rlx | Rx:rlx F:sc Ry | Wy F:sc Rx", "Wx:sc Ry:sc | Wy:sc Rx:sc", "Wx:sc F:sc Ry | Wy F:sc Rx:sc",
          "Wx:sc | Wy:sc | Rx:acq Ry:sc | Ry:acq Rx:sc", "Wx:rlx F:sc Wy:sc | Ry:sc F:sc Rx:rlx",
          "Wx | Wy | Rx F:sc Ry | Ry F:sc Rx", "Wx:rlx Wx:sc | Rx:sc Ry:sc | Wy:sc Rx:rlx",
          "Wx:sc Wy:rel | Uy:rlx Rx:sc", "Rx:rlx Wy:rlx< | Ry:rlx Wx:rlx?", "Rx:rlx Wy:rlx? | Ry:rlx Wx:rlx?",
          "Rx:na Wy:na< | Ry:na Wx:na?", "Rx:rlx Wy:rlx< | Ry:rlx Wx:rlx< | Wx:rlx",
          "Rx:rlx Wy:rlx< | Ry:rlx Wz:rlx< | Rz:rlx Wx:rlx?", "Ux:rlx Wy:rlx< | Uy:rlx Wx:rlx?",
          "Wx Wy:rel | Ry:rlx Wz:rel< | Rz:acq Rx", "Wx:rlx Wy:rel | Ry:acq Wz:rel | Rz:acq Rx:rlx",
          "Ux:rlx Ux:rlx | Ux:rlx", "Wx:na Wx:na | Rx:rlx Rx:rlx", "Wx:rlx Wy:rel | Wx:rlx Ry:acq",
          "Rx:na Wy:rel | Ry:acq Wx:na", "Wx:rlx | Rx:rlx Wy:rel | Ry:acq Wx:rlx",
          "Wx:na F:sc Ry:na | Wy:na F:sc Rx:na | Rx Ry"]
WORDS = {"rlx": "relaxed", "acq": "acquire", "rel": "release", "ar": "acq_rel", "sc": "seq_cst", "na": "plain"}

# The orders of each kind of instruction, for each style of a program.
ORDERS = {
    "ptx": {"mixed": {"load": ["weak", "relaxed", "relaxed", "acquire", "acquire", "volatile"],
                      "store": ["weak", "relaxed", "relaxed", "release", "release", "volatile"],
                      "rmw": ["relaxed", "acquire", "release", "acq_rel"]},
            "relaxed": {"load": ["relaxed"], "store": ["relaxed"], "rmw": ["relaxed"]},
            "weak": {"load": ["weak"], "store": ["weak"], "rmw": ["relaxed"]},
            "strongest": {"load": ["acquire"], "store": ["release"], "rmw": ["acq_rel"]},
            "half": {"load": ["relaxed", "acquire"], "store": ["relaxed", "release"], "rmw": ["relaxed", "acq_rel"]}},
    "c": {"mixed": {"load": ["relaxed", "acquire", "acquire", "seq_cst"],
                    "store": ["relaxed", "release", "release", "seq_cst"],
                    "rmw": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]},
          "relaxed": {"load": ["relaxed"], "store": ["relaxed"], "rmw": ["relaxed"]},
          "weak": {"load": ["relaxed", "seq_cst"], "store": ["relaxed", "seq_cst"], "rmw": ["relaxed", "seq_cst"]},
          "strongest": {"load": ["seq_cst"], "store": ["seq_cst"], "rmw": ["seq_cst"]},
          "half": {"load": ["acquire"], "store": ["release"], "rmw": ["acquire", "release", "acq_rel"]}},
}
ORDERS["opencl"] = ORDERS["c"]
FENCES = {"ptx": [["acq_rel", "sc", "acquire", "release"], ["sc"], ["acq_rel"], ["acquire", "release"]],
          "c": [["relaxed", "acquire", "release", "acq_rel", "seq_cst"], ["seq_cst"], ["acq_rel"],
                ["acquire", "release"]]}
FENCES["opencl"] = FENCES["c"]


# PTX programs that access memory in several ways: short ones in which the ways meet at once, and these longer ones.
PROXY_SHAPES = ["Wx Rx", "Wx Wx", "Rx Wx", "Wx Rx Rx", "Wx Wx Rx", "Ux Rx", "Wx Ux", "Ux Ux", "Wx | Rx", "Wx | Wx",
                "Wx Rx | Wx", "Wx Rx | Rx", "Wx | Rx Rx", "Wx Wx | Rx", "Ux | Ux", "Ux | Wx", "Wx Rx | Wx Rx"]
PROXY_IDIOMS = ["Wx Wy:rel | Ry:acq Rx", "Wx F:ar Wy:rlx | Ry:rlx F:ar Rx", "Wx Wy:rel | Ry:acq Wx",
                "Rx Wy:rel | Ry:acq Wx", "Wx Wy:rel | Ry:acq Wz:rel | Rz:acq Rx", "Wx F:sc Ry | Wy F:sc Rx"]
# The ways that a program has besides plain names: a is another address; s, t and c are the surface, texture and constant
# proxies of the plain address, and as, at, ac of the other one.
WAYS = ["a", "a", "s", "t", "c", "s t", "s c", "a s", "a as", "a t", "a at", "a c", "a s at", "a as t", "a s as"]
PROXIES = {"a": "generic", "s": "surface", "t": "texture", "c": "constant"}


def dialect(family):
    """The language of the programs of a family."""
    return family.partition("-")[0]


def program(family, seed):
    """The program of a seed."""
    makers = {"ptx-proxies": _ProxyMaker, "ptx-async": generate_async.Maker, "ptx-vectors": generate_vectors.Maker,
              "opencl-vectors": generate_vectors.OpenclMaker, "vulkan": generate_vulkan.Maker}
    chance = random.Random(f"{family} {seed}")
    return makers.get(family, _Maker)(dialect(family), chance).make(f"{family}-{seed}")


class _Maker:
    def __init__(self, dialect, chance):
        self.dialect = dialect
        self.chance = chance
        self.counts = {}  # place -> number of writes of constants
        self.orders = ORDERS[dialect][chance.choice(["mixed", "mixed", "relaxed", "weak", "strongest", "half"])]
        self.fences = chance.choice(FENCES[dialect])
        # The chance of a fence between two accesses, and of a write that depends on an earlier read.
        self.fencing = chance.choice([0, 0.2, 0.5, 1])
        self.depending = chance.choice([0.1, 0.3, 0.9])

    def _scopes(self, placed):
        """The scopes that accesses and fences choose from. Mostly wide enough, because otherwise OpenCL programs only race."""
        if self.dialect == "c":
            return [None]
        if self.dialect == "opencl":
            common = "device" if len(set(placed)) > 1 and self.chance.random() < 0.9 else \
                self.chance.choice(["device", "work_group"])
            return self.chance.choice([[common]] * 4 + [[common] * 6 + ["device", "work_group", "all_svm_devices"]])
        return self.chance.choice([["gpu"], ["gpu"], ["cta"], ["cluster"], ["sys"], ["gpu", "cta"],
                                   ["cta", "cluster", "gpu", "sys"]])

    def make(self, name):
        shapes = self.chance.choice([self._idiom, self._idiom, self._shape, self._shape, self._random_shape])()
        placed = self._placement(len(shapes))
        self.scopes = self._scopes(placed)
        used = {access[1] for shape in shapes for access in shape if access[0] != "F"}
        self.places = {place: self._place(placed) for place in sorted(used)}
        self.barrier = self._barrier() if self.dialect != "c" and self.chance.random() < 0.2 else None
        threads = [Thread(*where, tuple(self._code(shape))) for where, shape in zip(placed, shapes)]
        return Program(name, self.dialect, self.places, tuple(threads))

    def _shape(self):
        shape = [thread.split() for thread in self.chance.choice(SHAPES).split("|")]
        self.chance.shuffle(shape)
        return shape

    def _idiom(self, idioms=IDIOMS):
        """An idiom, sometimes without its fixed orders."""
        shape = [thread.split() for thread in self.chance.choice(idioms).split("|")]
        self.chance.shuffle(shape)
        self.fencing = self.chance.choice([0, 0, 0, 0.2])
        return [[re.sub(":[a-z]+", "", access) if access[0] != "F" and self.chance.random() < 0.07 else access
                 for access in thread] for thread in shape]

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
            if access[0] == "F":
                code.append(self._fence(self._given(access, "fence")))
                continue
            if self.barrier and at == met:
                code.append(self.barrier)
            elif at and self.chance.random() < self.fencing:
                code.append(self._fence())
            fresh = access[1] not in [other[1] for other in shape[:at]]
            alone = not any(other[1] == access[1] and other[0] in "WUV" for n, other in enumerate(shape) if n != at)
            instruction = self._access(access, at, sources if alone and len(shape) < 4 else [])
            register = instruction.register
            branch = sources and alone and len(shape) < 4 and access[-1] != "<" and \
                (access[-1] == "?" or self.chance.random() < self.depending / 2)
            if branch:
                equals = 1 if access[-1] == "?" else self.chance.choice([0, 1, 1, 2])
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

    def _given(self, access, kind):
        """The order of an access or fence of an idiom in the dialect, or a random one."""
        word = access.partition(":")[2].rstrip("<?")
        if word not in WORDS:
            return self._order(kind)
        if self.dialect != "ptx":
            return "relaxed" if word == "na" else WORDS[word]
        if kind == "fence" or word not in ("sc", "na"):
            return "sc" if word == "sc" else WORDS[word]
        return "weak" if word == "na" and kind != "rmw" else self._order(kind)

    def _fence(self, order=None):
        flags = None
        if self.dialect == "opencl":
            regions = {place.region for place in self.places.values()}
            flags = self.chance.choice([tuple(sorted(regions)), ("global", "local"), ("global",), ("local",)])
        return Instruction("fence", order=order or self._order("fence"), scope=self._scope(), flags=flags)

    def _constant(self, place):
        self.counts[place] = self.counts.get(place, 0) + 1
        return self.counts[place]

    def _value(self, place, sources, copied=False):
        constant = self._constant(place)
        if sources and copied:
            return Value(self.chance.choice(sources), 0)
        if not sources or self.chance.random() > self.depending:
            return Value(None, constant)
        register = self.chance.choice(sources)
        kind = self.chance.choice(["copy", "copy", "sum", "false"])
        return Value(register, 0 if kind == "copy" else constant, kind == "false")

    def _access(self, access, at, sources):
        kind, place = access[0], access[1]
        plain = not self.places[place].atomic
        if kind in "UV" and plain:
            kind = "W"
        if kind == "R":
            order = "plain" if plain else self._given(access, "load")
            return Instruction("load", register=at, place=place, order=order, scope=self._scoped(order))
        if kind == "W" and (plain or ":" in access or self.chance.random() < 0.9):
            order = "plain" if plain else self._given(access, "store")
            return Instruction("store", place=place, value=self._value(place, sources, access[-1] == "<"), order=order,
                               scope=self._scoped(order))
        return self._rmw(access, at, sources)

    def _scoped(self, order):
        return None if order in ("plain", "weak", "volatile") else self._scope()

    def _rmw(self, access, at, sources):
        place, reduction = access[1], access[0] == "V" or self.chance.random() < 0.2
        operation = self.chance.choice(["add", "or"] if access[0] == "V" else ["add", "exch", "cas", "or"])
        order, failure, register = self._given(access, "rmw"), None, at
        if self.dialect == "ptx" and operation in ("add", "or") and reduction:
            order, register = order if order in ("relaxed", "release") else "relaxed", None
        value = self._value(place, sources)
        if operation == "cas":
            failure = {"acquire": "acquire", "acq_rel": "acquire", "seq_cst": "seq_cst"}.get(order, "relaxed")
            value = Value(None, max(value.constant, 1))
        expected = self.chance.choice([0, 0, 1, 2]) if operation == "cas" else None
        return Instruction("rmw", register=register, place=place, operation=operation, value=value, expected=expected,
                           order=order, failure=failure if self.dialect != "ptx" else None, scope=self._scope())


class _ProxyMaker(_Maker):
    """PTX programs whose accesses go through several proxies and addresses, with proxy fences in right and wrong places."""

    def __init__(self, dialect, chance):
        super().__init__(dialect, chance)
        self.ways = chance.choice(WAYS).split()
        self.everywhere = chance.random() < 0.2  # otherwise only the first location has these ways
        self.other_way = chance.choice([0.4, 0.7, 0.9])
        self.proxy_fencing = chance.choice([0, 0.5, 0.8, 0.95])
        self.disorder = chance.choice([0, 0, 0.2, 1])
        self.stray = chance.choice([0, 0, 0.1])
        self.wandering = chance.random() < 0.2  # fences anywhere

    def _idiom(self, idioms=IDIOMS):
        return super()._idiom(PROXY_IDIOMS if self.chance.random() < 0.6 else idioms)

    def _shape(self):
        if self.chance.random() < 0.5:
            return super()._shape()
        shape = [thread.split() for thread in self.chance.choice(PROXY_SHAPES).split("|")]
        self.chance.shuffle(shape)
        return shape

    def make(self, name):
        plain = super().make(name)
        used = {}
        codes = [list(self._ways_of(thread.code, used)) for thread in plain.threads]
        if self.wandering:
            codes = self._moved(codes)
        threads = tuple(thread._replace(code=tuple(code)) for thread, code in zip(plain.threads, codes))
        return plain._replace(places={**plain.places, **used}, threads=threads)

    def _moved(self, codes):
        """Proxy fences in all threads, at random positions."""
        fences = [i for code in codes for i in code if i.kind == "proxy_fence"]
        codes = [[i for i in code if i.kind != "proxy_fence"] for code in codes]
        for fence in fences:
            code = self.chance.choice(codes)
            code.insert(self.chance.randrange(len(code) + 1), fence)
        return codes

    def _ways_of(self, code, used):
        """The code with other ways to memory, and proxy fences around them."""
        for i in code:
            access = i.body[0] if i.kind == "if" else i
            way = self._way(access)
            if self.chance.random() < self.stray:
                yield Instruction("proxy_fence", proxy=self.chance.choice(["alias", "surface", "texture", "constant"]))
            if way is None:
                yield i
                continue
            access = access._replace(place=self._declare(access.place, way, used))
            fences = [Instruction("proxy_fence", proxy="alias")] * (way[0] == "a")
            fences += [Instruction("proxy_fence", proxy=PROXIES[way[-1]])] * (way[-1] != "a")
            yield from self._some(fences)
            yield i._replace(body=(access,)) if i.kind == "if" else access
            yield from self._some(fences[::-1])

    def _some(self, fences):
        fences = [fence for fence in fences if self.chance.random() < self.proxy_fencing]
        return fences[::-1] if self.chance.random() < self.disorder else fences

    def _way(self, access):
        """Another way for an access, or None."""
        if access.place is None or self.chance.random() > self.other_way:
            return None
        if access.place != min(self.places) and not self.everywhere:
            return None
        able = [way for way in self.ways if access.kind == "load" or way[-1] in "as"]
        return self.chance.choice(able) if able else None

    def _declare(self, place, way, used):
        """Declares a way to a place, and returns its name."""
        if way[0] == "a":
            used[place + "a"] = Place(proxy="generic", of=place)
            if way == "a":
                return place + "a"
        used[place + way] = Place(proxy=PROXIES[way[-1]], of=place + "a" if way[0] == "a" else place)
        return place + way
