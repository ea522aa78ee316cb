# SPDX-License-Identifier: Apache-2.0
"""Random programs with vectors, in PTX also with accesses of 128 bits, from shapes in which the words of an array x are stored
and loaded together or one by one, next to a scalar y."""

from program import Instruction, Place, Program, Thread, Value

# S, L: a store or load of both words of x; E, C: an exchange or compare-and-swap of 128 bits; 0, 1: of one word alone; W, R of y.
# U: an exchange of y, A: of a word of x; F: a fence, b: a barrier. What ends in < stores what its thread has read of y.
SHAPES = ["S | L", "S W | R L", "S | S", "S | S | L", "S R | W L", "L W | R S", "S | L L", "W S | L R", "W0 W1 | L", "S | R0 R1",
          "S | R1 R0", "S L", "S R1", "W0 L", "S | L0 L1", "E | E", "C | C", "S | E", "S | C", "E W | R L", "S W1 | L", "W1 S | L",
          "S W0 | R0 L", "S | L | L", "S F W | R F L", "W F S | L F R", "S F R | W F L", "S F L | S F L", "S S | L", "S S | R0 R1",
          "S b | b L", "S b | b R0 R1", "W0 W1 b | b L", "S W0 b | b L", "S b | S b L", "S b | S b R0 R1", "E b | b L", "C b | b R1",
          "S b W1 | b L", "S b R1 | b L", "b S | S b L", "A0 | S | L", "A0 W1 | L", "S | A0 R1", "W S< | L R", "R S< | L W", "R S< | L U",
          "R S< | R1 W", "E | E | L", "C | C | L", "E R | U L", "W E | E R", "W C | C R", "S W | U | R L", "W S | E | L R", "S L | S L"]
ORDERS = {"mixed": {"load": ["weak", "relaxed", "acquire", "volatile"], "store": ["weak", "relaxed", "release", "volatile"],
                    "rmw": ["relaxed", "acquire", "release", "acq_rel"]},
          "relaxed": {"load": ["relaxed"], "store": ["relaxed"], "rmw": ["relaxed"]},
          "weak": {"load": ["weak"], "store": ["weak"], "rmw": ["relaxed"]},
          "strongest": {"load": ["acquire"], "store": ["release"], "rmw": ["acq_rel"]}}


class Maker:
    """Makes programs of dialect ptx."""

    def __init__(self, dialect, chance):
        self.dialect, self.chance = dialect, chance
        self.orders = ORDERS[chance.choice(list(ORDERS))]
        self.scopes = chance.choice([["gpu"], ["gpu"], ["cta"], ["sys"], ["cta", "gpu"]])
        self.whole = chance.choice([0, 0, 1, 1, 1, 0.5])  # how likely both words are accessed at once
        self.dropping = chance.choice([0, 0.3])
        self.fencing = chance.choice([0, 0, 0.2])
        self.written = 0

    def make(self, name):
        shape = [thread.split() for thread in self.chance.choice(SHAPES).split("|")]
        self.chance.shuffle(shape)
        together = any("b" in thread for thread in shape) or self.chance.random() < 0.3
        devices = 2 if not together and self.chance.random() < 0.1 else 1
        threads = tuple(Thread(0 if together else number, None, number % devices, tuple(self._code(words)))
                        for number, words in enumerate(shape))
        places = {"x[0]": Place(type="u64"), "x[1]": Place(type="u64"), "y": Place(type="u64")}
        return Program(name, self.dialect, places, threads)

    def _code(self, words):
        self.register, self.sources = 0, []
        for at, word in enumerate(words):
            if at and "F" not in words[at - 1:at + 1] and self.chance.random() < self.fencing:
                yield self._fence()
            yield self._instruction(word)

    def _fence(self):
        return Instruction("fence", order=self.chance.choice(["acq_rel", "acq_rel", "sc", "acquire", "release"]),
                           scope=self.chance.choice(self.scopes))

    def _instruction(self, word):
        if word == "F":
            return self._fence()
        if word == "b":
            return Instruction("barrier")
        kind = {"S": "store", "W": "store", "L": "load", "R": "load"}.get(word[0], "rmw")
        order = self.chance.choice(self.orders[kind])
        scope = None if order in ("weak", "volatile") else self.chance.choice(self.scopes)
        operation = {"E": "exch", "C": "cas", "U": "exch", "A": "exch"}.get(word[0])
        if word[0] in "WRUA" or word in ("L0", "L1"):
            place = f"x[{word[1]}]" if len(word) > 1 else "y"
            if word[0] == "L":
                return self._vector("load", None, order, scope, kept=int(word[1]))
            return self._word(kind, place, operation, order, scope)
        return self._vector(kind, operation, order, scope, follows=word[-1] == "<")

    def _value(self, follows=False):
        self.written += 1
        return Value(self.sources[-1], 0) if follows and self.sources else Value(None, self.written)

    def _word(self, kind, place, operation, order, scope, value=None, kept=True):
        register = None
        if kind != "store" and kept:
            register, self.register = self.register, self.register + 1
            if place == "y" and kind == "load" and not self.sources:
                self.sources.append(register)
        value = value or self._value() if kind != "load" else None
        return Instruction(kind, register=register, place=place, operation=operation, value=value, order=order, scope=scope)

    def _vector(self, kind, operation, order, scope, follows=False, kept=None):
        """Both words of x; for a load, only word number `kept`, if given."""
        whole = kind == "rmw" or self.chance.random() < self.whole
        value = self._value() if kind != "load" else None
        dropped = self.chance.randrange(2) if kind == "load" and self.chance.random() < self.dropping else None
        words = []
        for number in range(2):
            own = self._value(True) if follows and number == 0 else value
            keep = number != dropped if kept is None else number == kept
            word = self._word(kind, f"x[{number}]", operation, order, scope, own, keep)
            words.append(word._replace(expected=self._expected(number)) if operation == "cas" else word)
        return Instruction("vector", words=tuple(words), whole=whole)

    def _expected(self, number):
        """Mostly a value that was not written; only one word may be wrong."""
        return 0 if self.chance.random() < 0.85 else number + 1


# As above; what ends in ? comes if y was read to be 1. Accesses of x are plain.
OPENCL_SHAPES = ["S | L", "S W | R L?", "W0 W1 W | R L?", "S W | R R0? R1?", "S W | R S?", "L W | R S?", "S W | U L?", "S F W | R F L?",
                 "S b | b L", "S b | b S", "W0 b | b L", "S b L | b L", "W0 | W1", "W0 | R1", "W0 | L", "S | R1", "S L", "S W0 L",
                 "S W | R W0? L?", "S W | R L? | L", "S W | R L? | R L?", "S b W0 | b R1", "S b W0 | b L", "L b S | L b",
                 "S F W | U F W1? L?"]
OPENCL_ORDERS = {"load": ["relaxed", "acquire", "acquire", "acquire", "seq_cst"],
                 "store": ["relaxed", "release", "release", "release", "seq_cst"], "rmw": ["relaxed", "acquire", "acq_rel", "seq_cst"]}


class OpenclMaker(Maker):
    """Makes programs of dialect opencl."""

    def __init__(self, dialect, chance):
        super().__init__(dialect, chance)
        self.orders = OPENCL_ORDERS
        self.scopes = chance.choice([["device"], ["device"], ["device"], ["work_group"]])
        self.whole, self.fencing = 0, 0
        self.memory = chance.choice(["global", "global", "local"])

    def make(self, name):
        shape = [thread.split() for thread in self.chance.choice(OPENCL_SHAPES).split("|")]
        together = self.memory == "local" or any("b" in thread for thread in shape) or self.chance.random() < 0.3
        self.flags = self.chance.choice([(self.memory,), (self.memory,), ("global", "local")])
        threads = tuple(Thread(0 if together else number, None, 0, tuple(self._code(words)))
                        for number, words in enumerate(shape))
        used = {place.partition("[")[0] for thread in shape for word in thread
                for place in (["y"] if word[0] in "WRU" and word[1:2] not in ("0", "1") else ["x"] if word[0] not in "Fb" else [])}
        places = {f"x[{number}]": Place(self.memory, atomic=False) for number in range(2) if "x" in used}
        return Program(name, self.dialect, {**places, **{"y": Place(self.memory) for _ in used & {"y"}}}, threads)

    def _fence(self):
        return Instruction("fence", order=self.chance.choice(["acquire", "release", "acq_rel", "acq_rel"]),
                           scope=self.chance.choice(self.scopes), flags=self.flags)

    def _instruction(self, word):
        if word == "b":
            return Instruction("barrier", flags=self.flags)
        if word[-1] == "?":
            return Instruction("if", register=self.sources[-1], equals=self.flag, body=(super()._instruction(word[:-1]),))
        made = super()._instruction(word)
        if made.place == "y" and made.kind == "store":
            self.flag = made.value.constant
        if made.place == "y" and made.kind == "rmw":
            self.sources.append(made.register)
        return made

    def _word(self, kind, place, operation, order, scope, value=None, kept=True):
        if place != "y":
            order, scope = "plain", None
        return super()._word(kind, place, operation, order, scope or (None if place != "y" else self.chance.choice(self.scopes)),
                             value, kept)
