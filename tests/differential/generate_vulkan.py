# SPDX-License-Identifier: Apache-2.0
"""Random programs of VULKAN: shapes whose flags release and acquire, with data that is atomic, or plain and made available and
visible in some way, in one or two storage classes, by one or two references, with chains, control barriers and the host between
them. Reads of plain data usually come after a branch on the flag, so that not every program races."""

from program import Instruction, Place, Program, Thread, Value

SCOPES = ["sg", "wg", "qf", "dv"]

# D: data, written or read; F: a flag. S publishes, A waits: a release or an acquire, by the access or by a barrier.
SHAPES = ["wD sF | aF rD", "wD wD sF | aF rD", "wD sF | aF rD rD", "rD sF | aF wD", "wD sF | aF wD", "wD sF | uF | aF rD",
          "wD sF | aF sG | aG rD", "wD sF | aF sG | aG wD", "wD sF | aF rD sG | aG rD", "rD sF | aF wD sG | aG rD",
          "uD sF | aF uD", "wD sF wF | aF rD", "wD B | B rD", "rD B | B wD", "wD B | B wD", "uD | uD", "wD | rD rD", "wD wD | rD rD",
          "rD wF | rF wD", "wD rF | wF rD", "wD | wF | rD rF | rF rD", "wD rD | uD", "wD rD | wD rD", "wD rD", "wD wD rD",
          "wD | X | rD", "rD | X | wD", "wD | X | wD", "wD sF | aF sG | aG sH | aH rD", "wD sF | uF | uF | aF rD", "uF | uF | rF rF"]


class Maker:
    def __init__(self, dialect, chance):
        self.dialect, self.chance = dialect, chance
        self.counts = {}

    def make(self, name):
        choose = self.chance.choice
        shape = [thread.split() for thread in choose(SHAPES).split("|")]
        if self.chance.random() < 0.3:
            self.chance.shuffle(shape)
        self.classes = choose([[0], [0], [0, 1], [1], [2, 3], [0, 3]])
        self.storage = {place: choose(self.classes) for place in "DFGH"}
        self.scope = choose(["dv", "dv", "dv", "wg", "qf", "sg", None])
        self.strength = choose([0.5, 0.9, 1, 1, 1])  # the chance of each word that order takes
        self.plain = choose([0, 0, 0.7, 1])  # of data that is not atomic
        self.semantic = choose([0, 0.3, 1])  # of availability by semantics, and not by the access
        self.careful = choose([0, 1, 1, 1])  # of a branch
        self.alias = self.chance.random() < 0.15
        self.places = {place: Place() for place in "DFGH" if any(i[1:] == place for thread in shape for i in thread)}
        self.places.setdefault("D", Place())
        if self.alias:
            self.places["E"] = Place(of="D")
        threads = tuple(Thread(self._where(number), None, 0, tuple(self._code(thread))) for number, thread in enumerate(shape))
        ssw = ()
        if "X" in sum(shape, []):
            middle = next(number for number, thread in enumerate(shape) if "X" in thread)
            first, last = [number for number in range(3) if number != middle]
            ssw = tuple(pair for pair in [(first, middle), (middle, last)] if self.chance.random() < 0.9)
        elif len(shape) > 1 and self.chance.random() < 0.05:
            ssw = ((0, 1),)
        return Program(name, self.dialect, self.places, threads, ssw)

    def _where(self, number):
        if number == 0:
            self.level = self.chance.choice([0, 1, 2, 3, None])
            # Who meets at a barrier: of threads in one sub-group it may be the sub-group, and is the same for all.
            self.meets = ["sg"] if self.level == 0 and self.chance.random() < 0.3 else [s for s in SCOPES if s != "sg"]
        level = self.chance.randrange(4) if self.level is None else self.level
        # threads of one sub-group, work-group, queue family or device, apart below that
        return (number if level > 0 else 0, number if level > 1 else 0, number if level > 2 else 0)

    def _likely(self):
        return self.chance.random() < self.strength

    def _scope(self):
        return self.chance.choice(SCOPES) if self.scope is None or self.chance.random() < 0.1 else self.scope

    def _semantics(self):
        """Storage classes: those that the program has, if it is careful."""
        some = [f"semsc{c}" for c in self.classes if self._likely()]
        return some or [f"semsc{self.chance.choice([0, 1, 2, 3])}"]

    def _value(self, place):
        self.counts[place] = self.counts.get(place, 0) + 1
        return Value(None, self.counts[place])

    def _code(self, shape):
        code, guard = [], None
        for at, (kind, place) in enumerate((i[0], i[1:]) for i in shape):
            if kind in "BX":
                made = self._barrier() if kind == "B" else self._device()
            elif kind in "sa":
                made = self._publish(at, place) if kind == "s" else self._await(at, place)
            else:
                made = [self._access(kind, at, place)]
            if guard is not None and self.chance.random() < self.careful:
                made = [Instruction("if", register=guard, equals=1, body=tuple(made))]
            code += made
            if kind == "a":
                guard = at
        return code

    def _publish(self, at, place):
        storage = f"sc{self.storage[place]}"
        available = ["semav"] if self.chance.random() < self.semantic else []
        words = [*self._semantics(), *available]
        value = Value(None, 1)
        style = self.chance.choice(["access", "access", "access", "barrier", "both"]) if self._likely() else "none"
        code = []
        if style in ("barrier", "both"):
            code.append(Instruction("fence", order=self.chance.choice(["release", "release", "acq_rel"]), scope=self._scope(),
                                    flags=tuple(words)))
        if style in ("access", "both"):
            words = words if style == "access" else self._semantics()
            return code + [Instruction("store", place=place, value=value, order="release", scope=self._scope(),
                                       flags=(storage, *words))]
        return code + [Instruction("store", place=place, value=value, order="relaxed", scope=self._scope(), flags=(storage,))]

    def _await(self, at, place):
        storage = f"sc{self.storage[place]}"
        visible = ["semvis"] if self.chance.random() < self.semantic else []
        words = [*self._semantics(), *visible]
        style = self.chance.choice(["access", "access", "access", "barrier", "both"]) if self._likely() else "none"
        code = []
        if style in ("barrier", "both"):
            code.append(Instruction("fence", order=self.chance.choice(["acquire", "acquire", "acq_rel"]), scope=self._scope(),
                                    flags=tuple(words)))
        order, flags = ("acquire", (storage, *(words if style == "access" else self._semantics()))) \
            if style in ("access", "both") else ("relaxed", (storage,))
        return [Instruction("load", register=at, place=place, order=order, scope=self._scope(), flags=flags)] + code

    def _access(self, kind, at, place):
        name = "E" if self.alias and place == "D" and self.chance.random() < 0.5 else place
        storage = f"sc{self.storage[place]}"
        if kind == "u":
            order = self.chance.choice(["relaxed", "relaxed", "acquire", "release", "acq_rel"])
            flags = [storage] + (self._semantics() if order != "relaxed" else [])
            flags += ["semav"] if order in ("release", "acq_rel") and self.chance.random() < self.semantic else []
            flags += ["semvis"] if order in ("acquire", "acq_rel") and self.chance.random() < self.semantic else []
            operation = self.chance.choice(["add", "add", "exch", "cas"])
            expected = self.chance.choice([0, 1]) if operation == "cas" else None
            return Instruction("rmw", register=at, place=name, operation=operation, value=self._value(place), expected=expected,
                               order=order, scope=self._scope(), flags=tuple(flags))
        order, scope, flags = "relaxed", self._scope(), [storage]
        if place == "D" and self.chance.random() < self.plain:
            order = "plain"
            word = "nonpriv" if self.chance.random() < self.semantic else "av" if kind == "w" else "vis"
            word = word if self._likely() else self.chance.choice(["nonpriv", None])
            scope = scope if word in ("av", "vis") else None
            flags += [word] if word else []
        if kind == "r":
            return Instruction("load", register=at, place=name, order=order, scope=scope, flags=tuple(flags))
        return Instruction("store", place=name, value=self._value(place), order=order, scope=scope, flags=tuple(flags))

    def _barrier(self):
        order = self.chance.choice(["acq_rel", "acq_rel", "acq_rel", "release", "acquire", None])
        flags = [] if order is None else self._semantics()
        flags += ["semav"] if order in ("release", "acq_rel") and self.chance.random() < self.semantic else []
        flags += ["semvis"] if order in ("acquire", "acq_rel") and self.chance.random() < self.semantic else []
        meeting = Instruction("barrier", order=order, scope=self.chance.choice(self.meets), flags=tuple(flags))
        if order is not None or self.chance.random() < 0.3:
            return [meeting]
        around = [Instruction("fence", order=word, scope=self._scope(), flags=tuple(self._semantics()))
                  for word in ("release", "acquire")]
        return [around[0], meeting, around[1]]

    def _device(self):
        calls = [call for call in ("avdevice", "visdevice") if self._likely()]
        return [Instruction("device", operation=call) for call in calls] or [Instruction("device", operation="avdevice")]
