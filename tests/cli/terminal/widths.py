# SPDX-License-Identifier: Apache-2.0
"""usage: widths.py. On terminals of 80 and of 60 columns no verb prints a longer line, and no number is broken or cut; in a
pipe nothing is cut. ORCHIL names the program."""
import json
import os
import re
import sys
import unicodedata

from terminal import on_terminal, piped, without_styles

ORCHIL = os.environ["ORCHIL"]
os.environ["OCL_ICD_VENDORS"] = "/nonexistent"  # the drivers of this machine would only take time
os.environ["ORCHIL_SIMULATED"] = "script.json"
LONGEST = "ptx:lock-counter-ticket+takefence+locallock+cta+1x512"  # of the catalogue's names
REGISTERS = 9
LONG_TEST = "OPENCL a-test+of+a-person+with-a-very-long-name+in-parts.with+dots_and_lines+1234567890123\n{ x = 0; }\n" \
    "P0 (atomic_int *x) { atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device); }\nP1 (atomic_int *x) {\n" \
    + "".join(f"int r{i} = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n" for i in range(REGISTERS)) \
    + "}\nexists (" + " /\\ ".join(f"1:r{i}=1" for i in range(REGISTERS)) + ")\n"
DEVICE = {"name": "A board with a long name, as vendors give them", "driver": "575.57.08-a-long-version",
          "instances_per_second": 1e15}
FORBIDDEN = {"outcomes": {"1:r0=1; 1:r1=0;": 0.3}}
with open("script.json", "w", encoding="utf-8") as script:
    json.dump({"devices": [DEVICE, {**DEVICE, "driver": "2"}], "tests": {
        "canary": {"outcomes": {"0:r0=42;": 1}}, "MP+rel+acq": FORBIDDEN, "*": {}}, "faults": [
            {"phase": "build", "do": "build-error", "text": "error: no such instruction " * 9, "test": "LB+relaxed"}]}, script)
with open("long.litmus", "w", encoding="utf-8") as test:
    test.write(LONG_TEST)
TESTS = ["opencl:MP+relaxed", "opencl:SB+relaxed", LONGEST, "long.litmus"]
RUN = ["run", "--instances", "100k", "--device"]
for number in range(3):
    piped([ORCHIL, *RUN, "simulated:0", "--db", "a.db", *TESTS])
    piped([ORCHIL, *RUN, "simulated:1", "--db", "b.db", *TESTS])

COMMANDS = [
    ["--help"], ["devices", "simulated"], ["list"], ["list", "SB/"], ["list", "@textbook"],
    ["list", *TESTS], ["list", "--search", "fence"], ["doctor"], ["doctor", "--db", "a.db"],
    ["check", *TESTS], ["check", "--explain", "ptx:MP+rel+acq", "opencl:SB+sc"],
    [*RUN, "simulated:0", "--db", "one.db", *TESTS], [*RUN, "simulated:0,simulated:1", "--db", "two.db", *TESTS],
    [*RUN, "simulated:0", "--db", "huge.db", "--instances", "2T", "--time", "1", "opencl:MP+relaxed", LONGEST],
    [*RUN, "simulated:0", "--db", "failed.db", "opencl:LB+relaxed", "cuda:MP+relaxed"],
    ["compare", "a.db", "b.db"], ["compare", "--by", "driver", "575", "2", "a.db"], ["compare", "--verbose", "a.db", "b.db"],
    ["gate", "--stored", "a.db", "b.db"], ["gate", "--stored", "--verbose", "a.db", "b.db"], ["history", "a.db"],
    ["merge", "--into", "all.db", "a.db", "b.db"], ["report", "-o", "page.html", "a.db"],
    ["tune", "--device", "simulated:0", "--time", "0.5", "--db", "tune.db", "opencl:MP+relaxed", "opencl:SB+relaxed"],
    ["run", "no-such-test+of-a-name+that-is-long+and-goes-on+and-on+and-on+beyond-the-end-of-a-line+of-80-columns"],
    ["compare", "no-such-file", "a.db"], ["frobnicate"]]
failures = 0
skipped = False


def columns_of(line):
    """Columns that a line takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


def numbers_of(text):
    """Counts with commas, which are the same in a pipe and on a terminal."""
    return set(re.findall(r"\d{1,3}(?:,\d{3})+", text))


def fail(command, why):
    """Counts and prints a failure."""
    global failures
    failures += 1
    print(f"{' '.join(command)}: {why}")


for command in COMMANDS:
    for width in (80, 60):
        shown = on_terminal([ORCHIL, *command], width, NO_COLOR="1")
        if shown is None:
            skipped = True
            shown = piped([ORCHIL, *command], COLUMNS=str(width))
        text = without_styles(shown[1]).decode()
        if not text.strip() and not shown[-1]:
            fail(command, "printed nothing")
        for line in text.split("\n"):
            if columns_of(line) > width:
                fail(command, f"{columns_of(line)} columns of {width}: {line}")
        broken = re.search(r"(?<![\w.])\d{1,3}(?:,\d{3})*,\n\s*\d{3}\b", text)
        if broken:
            fail(command, f"a number is broken at {width} columns: {broken[0]!r}")
for command in ([ORCHIL, "compare", "a.db", "b.db"], [ORCHIL, "gate", "--stored", "a.db", "b.db"]):
    told = piped(command)[1].decode()
    for width in (80, 60):
        narrow = piped(command, COLUMNS=str(width))[1].decode()
        if any(columns_of(line) > width for line in narrow.split("\n")):
            fail(command, f"COLUMNS={width} is not heeded")
        if not numbers_of(told) or numbers_of(told) != numbers_of(narrow):
            fail(command, f"numbers differ at {width} columns: {numbers_of(told) ^ numbers_of(narrow)}")
whole = piped([ORCHIL, *RUN, "simulated:0", "--db", "one.db", *TESTS])[1].decode() + \
    piped([ORCHIL, "list", "SB/"])[1].decode()
if "\u2026" in whole or max(map(len, whole.split("\n"))) <= 80:
    fail(["run and list"], "a pipe gets lines that are cut or broken")
if failures:
    sys.exit(1)
if skipped:
    print("no pseudo-terminal: COLUMNS was all that was tested", file=sys.stderr)
    sys.exit(77)
