# SPDX-License-Identifier: Apache-2.0
"""Random PTX programs of asynchronous operations, mbarriers and cluster barriers.

Each is an idiom of a few words, in which words are omitted, doubled or exchanged, and fences are added or removed."""

from program import Instruction, Place, Program, Thread, Value

# Words of the idioms, followed by the places that they name. Memory of CTA 0: s, t and the mbarriers m, o; of CTA 1,
# in its cluster: d and the mbarrier n; x, y and z are global, and xa is another address of x. q and p are tensor maps in global memory
# and in that of CTA 0, which name x at first.
#   st ld        weak                   rel acq rst rlx     st.release, ld.acquire, st.relaxed and ld.relaxed
#   cp           cp.async               ca wa0 wa1 all      its commit_group, wait_group 0 and 1, wait_all
#   blk red      bulk copy, reduction   cb wb0 wb1 wr0 wr1  the same of bulk copies; wr: wait_group.read
#   mma:s mc mw0 wgmma.mma_async, its commit_group and wait_group; a wgmma.fence before, and a wait at the end, are added
#   mul          a bulk copy to two CTAs: mul:DESTINATION:SOURCE:MBARRIER:DESTINATION:MBARRIER
#   sbi sbo      relaxed bulk copies, of 128 bits at once   sv lv   st.weak.b128 and ld.weak.b128
#   rep:q:y      tensormap.replace: the map q names y; cpf:q:p  tensormap.cp_fenceproxy
#   tin:s:q:m    cp.async.bulk.tensor into shared memory; tou:q:s  out of it
#   trl tac:q    fence.proxy.tensormap::generic.release and .acquire
#   aic ain      cp.async.mbarrier.arrive, and .noinc       sta rda     st.async and red.async
#   asr arp      st.async.release and red.async.release
#   arr exp ex4  mbarrier.arrive, arrive.expect_tx of 16 and 4 bytes    etx ctx     expect_tx and complete_tx of 16
#   tw0 tw1      test_wait of parity 0 and 1            tr0     the same, relaxed
#   ini fmi      mbarrier.init, fence.mbarrier_init
#   fpa fpg fps fpc fpl fence.proxy.async, .global, .shared::cta, .shared::cluster; .alias  far fsc     fences
#   rsr rsa, psr psa    fence.release.sync_restrict and fence.acquire.sync_restrict; the same with .proxy.async::generic
#   bar, cla clr clw    a barrier of the CTA; of the cluster arrive, arrive.relaxed, wait
ONE_GROUP = [
    "cp:s:x ca wa0 ld:s", "st:x cp:s:x all ld:s", "cp:s:x all ld:s | st:x", "cp:s:x ca cp:s:y ca wa1 ld:s wa0 ld:s | st:y",
    "st:x cp:s:x ca cp:t:x ca wa1 ld:s ld:t", "st:x cp:s:x ca st:x wa0 ld:s", "cp:s:x all rel:y | acq:y ld:s | st:x",
    "st:x rel:y | acq:y cp:s:x all ld:s", "st:x cp:s:x all rel:y | acq:y ld:s ld:x", "st:s cp:s:x all ld:s",
    "st:x cp:s:x ca ca wa1 ld:s", "st:x bar | bar cp:s:x all ld:s", "st:x cp:s:x all bar | bar ld:s",
    "st:x cp:s:x aic:m arr:m | tw0:m ld:s", "st:x cp:s:x ain:m | tw0:m ld:s", "st:x cp:s:x aic:m arr:m tw0:m ld:s",
    "st:x cp:s:x arr:m aic:m tw0:m ld:s", "st:x cp:s:x ain:m | tw0:m ld:s ld:x", "st:x cp:s:x ain:m cp:t:x | tw0:m ld:s ld:t",
    "st:x fpa exp:m blk:s:x:m | tw0:m ld:s", "st:x exp:m blk:s:x:m tw0:m ld:s", "exp:m blk:s:x:m | tw0:m ld:s | st:x",
    "st:z exp:m blk:s:x:m | tw0:m ld:z", "st:z fpa exp:m blk:s:x:m | tw0:m ld:s ld:z", "st:x fpg blk:s:x:m exp:m tw0:m ld:s",
    "st:s fpa exp:m blk:s:x:m tw0:m ld:s", "ld:s fps exp:m blk:s:x:m | st:x", "st:s exp:m blk:s:x:m | tw0:m st:s",
    "blk:s:x:m etx:m arr:m | tw0:m ld:s", "st:x arr:m | tw0:m fpa exp:o blk:s:x:o tw0:o ld:s",
    "st:x rel:y | acq:y fpa exp:m blk:s:x:m tw0:m ld:s", "st:x fpa rel:y | acq:y exp:m blk:s:x:m tw0:m ld:s",
    "st:s fpa blk:x:s cb wb0 ld:x", "st:s fps blk:x:s cb wr0 st:s", "st:s fps blk:x:s cb wb0 rel:y | acq:y ld:x",
    "st:s fpa blk:x:s cb wb0 | ld:x", "st:s bar | bar fps blk:x:s cb wb0 ld:x", "st:s fps bar | bar blk:x:s cb wb0 ld:x",
    "st:s fps blk:x:s cb blk:y:s cb wb1 ld:x ld:y", "st:s fps blk:x:s cb wr0 ld:x", "blk:x:s cb wb0 ld:x | st:s",
    "st:s fps blk:x:s cb wr0 bar | bar st:s", "st:s fpa blk:x:s cb wb0 exp:m blk:t:x:m tw0:m ld:t",
    "st:x fpa blk:x:s cb wb0 ld:x", "blk:x:s cb st:x wb0 ld:x", "st:s fpa blk:x:s blk:x:t cb wb0 ld:x",
    "st:s fps red:x:s cb wb0 ld:x", "st:s fps red:x:s cb wb0 rel:y | acq:y ld:x", "st:s fpa red:x:s red:x:s cb wb0 ld:x",
    "st:s fpa red:x:s cb wb0 ld:x | add:x", "st:x st:s fpa red:x:s cb wb0 ld:x",
    "st:x arr:m | tw0:m ld:x", "st:x arr:m | arr:m tw0:m ld:x", "st:x arr:m | st:y arr:m | tw0:m ld:x ld:y",
    "st:x arr:m | tw1:m ld:x", "st:x arr:m | tw0:m tw1:m ld:x", "arr:m tw0:m arr:m | tw0:m tw1:m",
    "st:x asr:y | acq:y ld:x", "st:x arr:m | tw0:m asr:y | acq:y ld:x", "st:x arp:y | acq:y ld:x", "asr:y st:x | acq:y ld:x",
    "cp:s:x asr:y | acq:y ld:s", "cp:s:x all arp:y | acq:y ld:s", "asr:x ld:x", "st:x asr:x ld:x", "asr:x arp:x | rlx:x far ld:x",
    "st:x asr:y | add:y | acq:y ld:x", "asr:x st:x | ld:x ld:x", "st:x far asr:y | rlx:y far ld:x",
    "st:x far arr:m | tw0:m far ld:x", "st:x exp:m | ctx:m tw0:m ld:x", "st:x etx:m arr:m | st:y ctx:m | tw0:m ld:x ld:y",
    "exp:m blk:s:x:m tw0:m ld:s exp:m blk:t:x:m tw1:m ld:t | st:x", "blk:s:x:m exp:m tw0:m exp:m blk:t:y:m tw1:m ld:t",
    "cp:s:x ain:m tw0:m ld:s cp:s:y ain:m tw1:m ld:s", "st:x arr:m tw1:m ld:y | tw0:m st:y arr:m",
    "st:x fpl fpa exp:m blk:s:xa:m tw0:m ld:s", "st:xa fpa exp:m blk:s:x:m | tw0:m ld:s", "st:x fpl cp:s:xa all ld:s",
    "st:s fpa blk:xa:s cb wb0 fpl ld:x", "blk:xa:s cb blk:x:t cb wb0 ld:x", "st:s fps blk:xa:s cb wb0 fpl rel:y | acq:y ld:x",
    "ld:x arr:m | tw0:m st:x", "st:x arr:m | tw0:m arr:o | tw0:o ld:x", "st:x fsc arr:m fsc ld:y | st:y fsc tw0:m fsc ld:x",
    "sv:s fps st:x far sbo:w:s cb | exp:m sbi:t:w:m tr0:m far lv:t ld:x", "sv:s fps sbo:w:s cb wb0 lv:w", "sbi:t:w:m exp:m tw0:m lv:t | sv:w",
    "sv:s fps st:x far sbo:w:s cb | exp:m sbi:t:w:m tw0:m lv:t ld:x", "sv:s fps st:x far sbo:w:s cb | exp:m sbi:t:w:m | tr0:m far lv:t ld:x",
    "rep:q:y trl tac:q exp:m tin:s:q:m tw0:m ld:s", "rep:q:y exp:m tin:s:q:m tw0:m ld:s", "tou:q:s cb wr0 rep:q:y", "tou:q:s cb rep:q:y wb0",
    "rep:q:y trl rst:z | rlx:z tac:q exp:m tin:s:q:m tw0:m ld:s", "st:y rep:q:y trl rel:z | acq:z tac:q fpa exp:m tin:s:q:m tw0:m ld:s",
    "exp:m tin:s:q:m | tw0:m rep:q:y", "exp:m tin:s:q:m tw0:m rep:q:y trl tac:q exp:o tin:t:q:o tw0:o ld:t", "st:s fps tou:q:s cb wb0 ld:x | rep:q:y",
    "rep:p:y cpf:q:p rst:z | rlx:z tac:q exp:m tin:s:q:m tw0:m ld:s", "rep:p:y cpf:q:p tac:q exp:m tin:s:q:m tw0:m ld:s",
    "rep:q:y trl bar | bar tac:q exp:m tin:s:q:m tw0:m ld:s", "rep:q:y rel:z | acq:z trl tac:q exp:m tin:s:q:m tw0:m ld:s",
    "rep:q:y trl rst:z | rlx:z tac:q rel:x | acq:x exp:m tin:s:q:m tw0:m ld:s", "tou:q:s cb wr0 rel:z | acq:z rep:q:y",
    "st:s fpa mma:s", "st:s fps bar | bar mma:s", "st:s bar | bar fps mma:s", "mma:s mc mw0 st:s", "mma:s mc mw0 rel:y | acq:y st:s",
    "mma:s mc mma:t mc mw1 st:s st:t", "exp:m blk:s:x:m tw0:m mma:s", "exp:m blk:s:x:m | tw0:m mma:s | st:x", "st:t st:s fps mma:s mma:t",
    "mma:s mc mw0 arr:m | tw0:m exp:o blk:s:x:o", "mma:s mc cb wb0 st:s", "cp:s:x all fps mma:s", "st:s fpa blk:x:s cb mc mw0 ld:x",
    "mma:s mc st:t mw0 mma:t", "st:s fps rel:y | acq:y mma:s mc mw0 rel:z | acq:z st:s",
    "ini:m bar tw0:m ld:x | bar st:x arr:m", "ini:m exp:m blk:s:x:m tw0:m ld:s", "ini:m bar exp:m blk:s:x:m | bar tw0:m ld:s", "ini:m arr:m tw0:m",
    "ini:m cp:s:x ain:m tw0:m ld:s", "ini:m bar | bar cp:s:x aic:m arr:m tw0:m ld:s", "st:x ini:m fmi bar | bar arr:m ld:x", "ini:m | arr:m",
    "st:x ini:m fmi clr clw tw0:m | clr clw ld:x arr:m"]
TWO_GROUPS = [
    "st:s fps blk:d:s:n | exp:n tw0:n ld:d", "st:s fpa exp:n blk:d:s:n | tw0:n ld:d", "st:z blk:d:s:n | exp:n tw0:n ld:z",
    "st:x sta:d:n | ex4:n tw0:n ld:d", "st:x sta:d:n | ex4:n tw0:n ld:d ld:x", "sta:d:n | ex4:n tw0:n st:d",
    "rda:d:n | ex4:n tw0:n ld:d", "rda:d:n | add:d ex4:n tw0:n ld:d", "st:x far rda:d:n | rlx:d far ld:x",
    "st:d sta:d:n | ex4:n tw0:n ld:d", "st:s fpa red:d:s:n | exp:n tw0:n ld:d", "st:d st:s fpa red:d:s:n | exp:n tw0:n ld:d",
    "st:d arr:n | tw0:n ld:d", "st:x arr:n | arr:n tw0:n ld:x", "st:d cla clw | cla clw ld:d", "st:d far clr clw | clr clw ld:d",
    "st:x cla clw ld:y | st:y cla clw ld:x", "cla st:x clw | cla clw ld:x", "st:x clr clw | cla clw ld:x",
    "st:x cla clw | cla clw fpa exp:n blk:d:x:n tw0:n ld:d", "st:x fpa cla clw | cla clw exp:n blk:d:x:n tw0:n ld:d",
    "st:s fpa blk:x:s cb wb0 cla clw | cla clw ld:x", "st:s fpa blk:x:s cb cla clw wb0 | cla clw ld:x",
    "st:s fpa blk:d:s:n | exp:n tw0:n rel:y | acq:y ld:d ld:s", "st:d cp:s:x all cla clw | cla clw ld:s",
    "st:x fpa exp:m blk:s:x:m tw0:m fpa blk:d:s:n | exp:n tw0:n ld:d", "st:x rel:y | acq:y fpa exp:n blk:d:x:n tw0:n ld:d",
    "st:s rsr rst:d | rlx:d rsa ld:s", "st:x rsr rst:d | rlx:d rsa ld:x", "st:s far rst:d | rlx:d rsa ld:s",
    "st:s rsr rst:d | acq:d ld:s", "st:s rsr rst:y | rlx:y rsa rel:z ld:s | acq:z ld:s", "st:s rsr clr clw | clr clw ld:s",
    "st:s rsr rst:y | rlx:y rsa far rst:z | rlx:z rsa ld:s", "st:s rsr rst:y | rlx:y rsa rsr rst:z | rlx:z rsa ld:s",
    "st:x rsr clr clw | clr clw ld:x", "st:s rsr arr:n | tw0:n rsa ld:s", "st:s | st:d rsr rst:y | rlx:y rsa ld:s ld:d",
    "ld:s psr rst:y exp:m | rlx:y psa blk:s:x:m", "st:s psr rst:y exp:m | rlx:y psa blk:s:x:m", "st:s psr rst:y | rlx:y psa ld:s",
    "tw0:m psa blk:d:x:n | ld:d psr arr:m exp:n", "tw0:m blk:d:x:n | ld:d psr arr:m exp:n", "rlx:y psa blk:d:s:n | st:d psr rst:y exp:n",
    "rlx:y psa blk:d:s:n | st:d far rst:y exp:n", "st:x psr rst:y | rlx:y psa blk:d:x:n exp:n tw0:n ld:d",
    "rlx:y psa rel:z | st:d psr rst:y exp:n | acq:z blk:d:x:n", "blk:s:x:m exp:m tw0:m rsr rst:y | rlx:y rsa ld:s",
    "st:s psr rst:y fpa exp:m blk:s:x:m tw0:m ld:s | rlx:y psa ld:s",
    "sv:s fps st:x far sbo:w:s cb | exp:n sbi:d:w:n tr0:n far lv:d ld:x", "sv:s fps st:x far sbo:w:s cb | exp:n sbi:d:w:n tw0:n far lv:d ld:x",
    "sv:s fps st:x rel:y sbo:w:s cb | exp:n sbi:d:w:n tr0:n far lv:d ld:x",
    "rep:q:y trl rst:z | rlx:z tac:q exp:n tin:d:q:n tw0:n ld:d", "rep:q:y far rst:z | rlx:z trl tac:q exp:n tin:d:q:n tw0:n ld:d",
    "exp:m tin:s:q:m | rep:q:y trl rst:z | rlx:z tac:q tw0:m ld:s", "rep:q:y trl clr clw | clr clw tac:q exp:n tin:d:q:n tw0:n ld:d",
    "rep:p:y cpf:q:p rst:z | rlx:z tac:q exp:n tin:d:q:n tw0:n ld:d", "tin:d:q:n | exp:n tw0:n rep:q:y",
    "mul:s:x:m:d:n exp:m tw0:m ld:s | exp:n tw0:n ld:d", "mul:s:x:m:d:n | exp:n tw0:n ld:s ld:d", "st:x fpa mul:s:x:m:d:n exp:m | exp:n tw0:n ld:d",
    "mul:s:x:m:d:n | exp:n tw0:n st:x", "st:d fpa mul:s:x:m:d:n | exp:n tw0:n ld:d", "mul:d:x:n:s:m exp:m tw0:m rel:y | exp:n acq:y ld:d ld:s",
    "mul:s:x:m:d:n exp:m tw0:m ld:s | exp:n st:x tw0:n ld:d", "st:d rel:y | acq:y mul:s:x:m:d:n exp:n tw0:n ld:d",
    "st:x fpa rel:y | acq:y exp:n blk:d:x:n tw0:n ld:d", "st:x fpg rel:y | acq:y fpc exp:n blk:d:x:n tw0:n ld:d",
    "ini:m fmi clr clw tw0:m ld:x | clr clw st:x arr:m", "st:s ini:m fmi clr clw tw0:m | clr clw arr:m ld:s", "ini:m cla clw tw0:m ld:x | cla clw st:x arr:m",
    "st:s fps clr clw blk:d:s:n | ini:n exp:n fmi clr clw tw0:n ld:d", "clr clw sta:d:n | ini:n fmi clr clw ex4:n tw0:n ld:d",
    "ini:m rsr clr clw tw0:m | clr clw arr:m", "fmi ini:m clr clw tw0:m | clr clw arr:m", "ini:m bar fmi clr clw | clr clw arr:m | bar clr clw tw0:m",
    "ini:m bar clr clw tw0:m | clr clw arr:m | bar fmi clr clw", "ini:m fmi clr clw exp:m tw0:m ld:s | clr clw blk:s:d:m"]
ONE_WAY = {"rsr": ("release", None), "rsa": ("acquire", None), "psr": ("release", "async"), "psa": ("acquire", "async")}
FENCES = ["fpa", "fpg", "fps", "fpc", "fpl", "far", "fsc", "fmi", *ONE_WAY]
MAP_FENCES = ["trl", "tac:q"]  # inserted where there are maps
WHOLE = ("sv", "lv", "sbi", "sbo")
SPACES = {"fpa": None, "fpg": "global", "fps": "shared::cta", "fpc": "shared::cluster"}
HOMES = {"s": 0, "t": 0, "m": 0, "o": 0, "d": 1, "n": 1, "p": 0}


class Maker:
    """Generates programs of dialect ptx."""

    def __init__(self, dialect, chance):
        self.dialect, self.chance = dialect, chance
        self.forgetting = chance.choice([0, 0, 0.08, 0.15])
        self.fencing = chance.choice([0, 0, 0, 0.15])
        self.exchanging = chance.choice([0, 0, 0.15])
        self.wrong = chance.choice([0, 0, 0.3])  # how often a scope or order is too weak
        self.counts = {}

    def make(self, name):
        self.wide = self.chance.random() < 0.35
        shape = self.chance.choice(TWO_GROUPS if self.wide else ONE_GROUP)
        words = [self._awaited(self._disturbed(thread.split())) for thread in shape.split("|")]
        self.arrays = self._arrays([word.split(":") for thread in words for word in thread])
        self.started = {place for place in "mno" if f"ini:{place}" in shape}
        self.expected = {place: self._expected(place, words) for place in "mno"}
        self._balance(words)
        apart = not self.wide and self.chance.random() < 0.1
        threads = []
        for number, thread in enumerate(words):
            group = number % 2 if self.wide else 0
            if apart and number and not any(HOMES.get(p) == 0 for word in thread for p in word.split(":")[1:]):
                group = 1
            self.register = 0
            threads.append(Thread(group, 0 if self.wide else None, 0, tuple(map(self._instruction, thread))))
        return Program(name, self.dialect, self._places(words), tuple(threads))

    def _balance(self, words):
        """Makes all threads reach the barriers of the cluster equally often."""
        marks = [tuple(word[:3] in ("cla", "clr") for word in thread if word in ("cla", "clr", "clw")) for thread in words]
        if len(set(marks)) > 1 or any(mark != (True, False) * (len(mark) // 2) for mark in marks):
            for thread in words:
                thread[:] = [word for word in thread if word not in ("cla", "clr", "clw")]

    def _disturbed(self, thread):
        words = []
        fences = MAP_FENCES * 4 if any("q" in word.split(":") for word in thread) else []
        for word in thread:
            if self.chance.random() < self.fencing:
                words.append(self.chance.choice(FENCES + fences))
            if self.chance.random() >= self.forgetting:
                words.append(word)
            if word in FENCES + MAP_FENCES and words and words[-1] == word and self.chance.random() < self.wrong:
                words[-1] = self.chance.choice(FENCES + fences)
        if len(words) > 1 and self.chance.random() < self.exchanging:
            at = self.chance.randrange(len(words) - 1)
            words[at], words[at + 1] = words[at + 1], words[at]
        return words or ["far"]

    def _awaited(self, thread):
        """With what makes the registers of its wgmma.mma_async defined at its end."""
        return ["mf", *thread, "mc", "mw0"] if any(word.startswith("mma") for word in thread) else thread

    def _arrays(self, words):
        """The places that are arrays: what is accessed at once, else sometimes the copied ones, if only copies write there."""
        self.whole = {place for word in words if word[0] in WHOLE for place in word[1:3] if place not in HOMES or place in "std"}
        if self.whole:
            return self.whole
        if self.chance.random() < 0.8 or any(word[0] in ("sta", "rda") or {"xa", "q"} & set(word) for word in words):
            return set()
        return {place for word in words if word[0] in ("cp", "blk", "red", "mul") for place in [*word[1:3], *word[4:5]]}

    def _element(self, place):
        return f"{place}[{self.chance.randrange(2)}]" if place in self.arrays else place

    def _expected(self, place, words):
        """The arrivals that end a phase of an mbarrier."""
        arrivals = sum(word.split(":")[0] in ("arr", "exp", "ex4", "ain") and word.endswith(":" + place)
                       for thread in words for word in thread)
        return max(1, arrivals) if self.chance.random() < 0.8 else self.chance.choice([1, 2])

    def _places(self, words):
        places = {}
        used = sorted({place for thread in words for word in thread for place in word.split(":")[1:]})
        if {"q", "p"} & set(used):
            used = sorted({*used, "x", "y"})
        used = ["x"] * ("xa" in used and "x" not in used) + used
        for place in used:
            if place in "mno":
                places[place] = Place("mbarrier", home=HOMES[place], initial=None if place in self.started else self.expected[place])
            elif place == "xa":
                places[place] = Place(of="x")
            elif place in "pq":
                places[place] = Place("shared" if place == "p" else "global", home=HOMES.get(place), initial="x", type="tensormap")
            elif place == "y" and {"q", "p"} & set(used):
                places[place] = Place(initial=7)
            else:
                for name in [f"{place}[0]", f"{place}[1]"] if place in self.arrays else [place]:
                    kind = "u64" if place in self.whole else None
                    places[name] = Place("shared", home=HOMES[place], type=kind) if place in HOMES else Place(type=kind)
        return places

    def _value(self, place):
        self.counts[place] = self.counts.get(place, 0) + 1
        return Value(None, self.counts[place] + {"s": 2, "t": 4}.get(place, 0))

    def _register(self):
        self.register += 1
        return self.register - 1

    def _scope(self):
        enough = "cluster" if self.wide else "cta"
        return self.chance.choice(["cta", "cluster"]) if self.chance.random() < self.wrong else enough

    def _strong(self, order):
        return "relaxed" if self.chance.random() < self.wrong / 2 else order

    def _instruction(self, word):
        word, *names = word.split(":")
        place = names[0] if names else None
        if word in ("st", "rel", "rst"):
            order = {"st": "weak", "rel": "release", "rst": "relaxed"}[word]
            order, scope = ("weak", None) if word == "st" else (self._strong(order), self._scope())
            return Instruction("store", place=self._element(place), value=self._value(place), order=order, scope=scope)
        if word in ("ld", "acq", "rlx"):
            order = {"ld": "weak", "acq": "acquire", "rlx": "relaxed"}[word]
            order = order if word == "ld" else self._strong(order)
            return Instruction("load", register=self._register(), place=self._element(place), order=order,
                               scope=None if word == "ld" else self._scope())
        if word == "add":
            return Instruction("rmw", register=self._register(), place=self._element(place), operation="add", value=self._value(place),
                               order="relaxed", scope=self._scope())
        if word in ("far", "fsc"):
            return Instruction("fence", order="acq_rel" if word == "far" else "sc", scope=self._scope())
        if word == "fmi":
            return Instruction("fence", order="release", scope="cluster", restriction="init")
        if word in ONE_WAY:
            order, proxy = ONE_WAY[word]
            return Instruction("fence", order=order, scope="cluster", proxy=proxy,
                               restriction="shared::cta" if order == "release" else "shared::cluster")
        if word in ("trl", "tac"):
            return Instruction("fence", order="release" if word == "trl" else "acquire", place=place, scope=self._scope(),
                               proxy="tensormap", restriction="tensormap")
        if word == "fpl":
            return Instruction("proxy_fence", proxy="alias")
        if word in SPACES:
            return Instruction("proxy_fence", proxy="async", flags=SPACES[word])
        return self._asynchronous(word, names, place)

    def _asynchronous(self, word, names, place):
        if word == "ini":
            return Instruction("init", place=place, count=self.expected[place])
        if word in ("cp", "blk", "red"):
            return Instruction("copy", place=place, source=names[1], mbarrier=names[2] if len(names) > 2 else None,
                               operation={"cp": "cp.async", "blk": "bulk", "red": "reduce"}[word])
        if word in ("sbi", "sbo"):
            return Instruction("copy", place=place, source=names[1], mbarrier=names[2] if word == "sbi" else None, operation="bulk",
                               order="relaxed", scope=self._scope())
        if word in ("sv", "lv"):
            return Instruction("vector", whole=True, words=tuple(
                Instruction("store", place=f"{place}[{k}]", value=self._value(place), order="weak") if word == "sv" else
                Instruction("load", register=self._register(), place=f"{place}[{k}]", order="weak") for k in range(2)))
        if word in ("tin", "tou"):
            return Instruction("copy", place=place, source=names[1], mbarrier=names[2] if word == "tin" else None, operation="tensor")
        if word == "rep":
            return Instruction("replace", place=place, source=names[1])
        if word == "cpf":
            return Instruction("copy_map", place=place, source=names[1], scope=self._scope())
        if word == "mul":
            return Instruction("copy", place=place, source=names[1], mbarrier=names[2], also=(names[3], names[4]), operation="bulk")
        if word in ("sta", "rda"):
            return Instruction("put", place=place, value=self._value(place), mbarrier=names[1],
                               operation="st.async" if word == "sta" else "red.async")
        if word in ("asr", "arp"):
            return Instruction("put", place=self._element(place), value=self._value(place), scope=self.chance.choice(["gpu", "sys"]),
                               operation="st.async" if word == "asr" else "red.async")
        if word == "mma":
            return Instruction("multiply", register=self._register(), place=self._element(place))
        if word == "mf":
            return Instruction("matrix_fence")
        if word in ("ca", "cb", "mc"):
            return Instruction("commit", operation={"ca": "cp.async", "cb": "bulk", "mc": "matrix"}[word])
        if word[:2] == "mw":
            return Instruction("wait_group", operation="matrix", count=int(word[2]))
        if word[0] == "w":
            return Instruction("wait_group", operation="cp.async" if word[1] == "a" else "bulk", count=int(word[2]),
                               read=word[1] == "r")
        if word == "all":
            return Instruction("wait_all")
        if word in ("aic", "ain"):
            return Instruction("arrive_copies", place=place, operation="noinc" if word == "ain" else None)
        if word in ("tw0", "tw1", "tr0"):
            return Instruction("test_wait", register=self._register(), place=place, count=int(word[2]),
                               operation=self.chance.choice(["test_wait", "try_wait"]),
                               order=self._strong("acquire" if word[1] == "w" else "relaxed"),
                               scope=self._scope())
        if word == "bar":
            return Instruction("barrier")
        if word[:2] == "cl":
            return Instruction("cluster", operation={"cla": "arrive", "clr": "arrive.relaxed", "clw": "wait"}[word])
        operation, count = {"arr": ("arrive", None), "exp": ("arrive.expect_tx", 16), "ex4": ("arrive.expect_tx", 4),
                            "etx": ("expect_tx", 16), "ctx": ("complete_tx", 16)}[word]
        order = self._strong("release") if operation.startswith("arrive") else "relaxed"
        return Instruction("mbarrier", place=place, operation=operation, count=count, order=order, scope=self._scope())
