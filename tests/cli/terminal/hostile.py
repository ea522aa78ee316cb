# SPDX-License-Identifier: Apache-2.0
"""usage: hostile.py [--all]. Every place that a text from elsewhere may come from, through every verb, in a pipe and on a
terminal: no byte that steers a terminal comes out, and no line of somebody else's making. Without --all each column of a
database is read in three of the 18 ways, which take turns. ORCHIL names the program."""
import json
import os
import re
import sqlite3
import sys

from terminal import on_terminal, piped, without_styles

ORCHIL = os.fsencode(os.environ["ORCHIL"])
MARK = b"HOSTILE"
FORGED = b"FORGED"  # must not begin a line
TEXTS = [  # without NUL, which neither arguments nor files' names can have
    b"\033[35m", b"\033]0;title\007", b"\033[2J\033[1;1H", b"\b\b\b", b"\r" + FORGED, b"\n" + FORGED, b"\x0b\x0c\x0e",
    b"\x7f", "\u009b35m\u0085".encode(), "\u202eesrever\u202c".encode(), "\u2066\u2067\u2068\u2069".encode(),
    "\u200e\u200f\u061c\u2028\u2029".encode(), b"\x9b35m", b"\xff\xfe", b"\xc0\x9b", b"\xe2\x80", b"\xed\xa0\x80"]
ALL = MARK + b"".join(TEXTS)
UTF8 = MARK + b"".join(text for text in TEXTS if text.decode(errors="ignore").encode() == text)
ONE_LINE = ALL.replace(b"\n", b"").replace(FORGED, b"")

os.environ["OCL_ICD_VENDORS"] = "/nonexistent"  # the drivers of this machine would only take time
os.environ["ORCHIL_SIMULATED"] = ""
failures = 0
seen = {}  # by place: how often its text came out


def fault(output, quotes):
    """What is wrong with an output; None: nothing. quotes: "csv" or "html", which keep the lines of a text."""
    try:
        text = output.decode()
    except UnicodeDecodeError as error:
        return f"not UTF-8: {error}"
    if quotes == "csv":
        text = text.replace("\r\n", "\n")
    found = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", text)
    if found:
        at = found.start()
        return f"U+{ord(found[0]):04X} in {text[max(0, at - 40):at + 20]!r}"
    if not quotes and any(line.startswith(FORGED.decode()) for line in text.split("\n")):
        return "a line of somebody else's making"
    return None


def expect_safe(place, arguments, quotes="", terminal=True, **variables):
    """Runs the program in a pipe and, unless told otherwise, on a terminal; what comes out is to be safe."""
    global failures
    command = [ORCHIL, *[os.fsencode(argument) for argument in arguments]]
    code, out, err = piped(command, **variables)
    outputs = {"standard output": out, "standard error": err}
    shown = on_terminal(command, **variables) if terminal else None
    if shown:
        outputs["the terminal"] = without_styles(shown[1])
    for stream, output in outputs.items():
        wrong = fault(output, quotes)
        if code < 0 or wrong:
            failures += 1
            print(f"{place}: {command[1:]!r}: {stream}: {wrong or 'ended by a signal'}")
    seen[place] = seen.get(place, 0) + sum(output.count(MARK) for output in outputs.values())


def write(path, content):
    """Writes a file of bytes."""
    with open(path, "wb") as file:
        file.write(content)


# ---- arguments ----

RUN = ["--device", "simulated", "--instances", "1k"]
for verb in ("run", "list", "show", "check", "report", "history", "merge", "export", "tune", "devices", "doctor", "generate",
             "gate"):
    for word in (ALL, ONE_LINE):
        expect_safe("an argument of " + verb, [verb, word], terminal=word == ALL)
    expect_safe("an option of " + verb, [verb, b"--" + ALL], terminal=False)
    expect_safe("an option of " + verb, [verb, b"--" + ALL + b"=" + ALL], terminal=False)
for text in TEXTS:
    word = MARK + text
    expect_safe("a verb", [word], terminal=False)
    expect_safe("a verb", [b"help", word], terminal=False)
    expect_safe("an argument of list", ["list", word], terminal=False)
    expect_safe("an option of list", ["list", b"--" + word, b"-" + text, b"-" + word], terminal=False)
    expect_safe("a short option of list", ["list", b"-" + text], terminal=False)
expect_safe("an argument of compare", ["compare", ALL, b"2" + ALL])
for verb, option in (("run", "--device"), ("run", "--profile"), ("run", "--time"), ("run", "--db"), ("run", "--seed"),
                     ("run", "--resume"), ("run", "--kernels"), ("run", "--shard"), ("export", "--out"),
                     ("check", "--model"), ("check", "--unroll"), ("list", "--dialect"), ("show", "--kernel"),
                     ("export", "--format"), ("export", "--run"), ("export", "--device"), ("gate", "--baseline"),
                     ("report", "--page"), ("merge", "--into"), ("generate", "--family"), ("tune", "--out")):
    for word in (ALL, ONE_LINE):
        more = RUN if verb == "run" and option not in ("--device", "--resume") else []
        if verb == "gate": # its baseline is there: run made a database of this name
            more = ["--budget", "1", "--db", "gate.db"]
        expect_safe("a value of an option", [verb, option, word, "opencl:SB+relaxed", *more], terminal=False)

# ---- files ----

TEST = b"""OPENCL %s
"%s"
Expect=%s
{ x = 0; }
P0 (atomic_int *x) { atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device); }
P1 (atomic_int *x) { int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device); }
exists (1:r0=1)
"""
os.mkdir(b"dir" + ONE_LINE)
NAMES = {b"name.litmus": (b"name" + ALL, b"A text.", b"allowed"), b"doc.litmus": (b"doc", ALL, b"allowed"),
         b"doc1.litmus": (b"doc1", ONE_LINE, b"allowed"), b"meta.litmus": (b"meta", b"A text.", ALL),
         b"file" + ONE_LINE + b".litmus": (b"filename", b"A text.", b"allowed"),
         b"line" + ALL + b".litmus": (b"linename", b"A text.", b"allowed"),
         b"dir" + ONE_LINE + b"/below.litmus": (b"below", b"A text.", b"allowed")}
for file, words in NAMES.items():
    write(file, TEST % words)
write(b"broken" + ONE_LINE + b".litmus", b"OPENCL x\n{ }\nP0 () { " + ALL + b" }\n")
write(b"index" + ONE_LINE, b"@" + ALL + b"\n" + ALL + b"\n")
for file in [*NAMES, b"broken" + ONE_LINE + b".litmus", b"@index" + ONE_LINE, b"dir" + ONE_LINE]:
    for arguments in (["list"], ["list", "--json"], ["show"], ["show", "--json"], ["show", "--kernel=opencl"], ["check"],
                      ["check", "--json"], ["check", "--explain"],
                      ["run", "--device", "simulated", "--instances", "1k", "--db", "files.db"],
                      ["run", "--device", "simulated", "--instances", "1k", "--db", "files.db", "--json"],
                      ["generate", "--names"]):
        expect_safe("a file of tests", [*arguments, file], terminal="--json" not in arguments)
for name in (b"profile" + ONE_LINE + b".ini", b"model" + ONE_LINE + b".cat"):
    write(name, b'"' + ALL + b'"\n[' + ALL + b"]\n" + ALL + b" = " + ALL + b"\n")
expect_safe("a profile", ["run", *RUN, "--profile", b"profile" + ONE_LINE + b".ini", "SB+relaxed"])
expect_safe("a model", ["check", "--model", b"model" + ONE_LINE + b".cat", "opencl:SB+relaxed"])
write(b"short.ini", b"[" + ONE_LINE + b"]\n")
expect_safe("a profile", ["run", *RUN, "--profile", "short.ini", "SB+relaxed"])

# ---- devices ----

HOSTILE = UTF8.decode()
WORDS = HOSTILE.replace("\n", "")
CANARY = {"canary": {"outcomes": {"0:r0=42;": 1}}, "*": {}}
TEXTS_OF_DEVICE = {key: key + HOSTILE for key in
                   ("name", "vendor", "driver", "platform", "compiler")} | {"architecture": HOSTILE[:20]}
SCRIPTS = {
    "a device": {"devices": [TEXTS_OF_DEVICE, {**TEXTS_OF_DEVICE, "driver": "2"}], "tests": CANARY},
    "a build log": {"devices": [{"name": "d"}], "tests": CANARY, "faults": [
        {"phase": "build", "do": "build-error", "text": HOSTILE, "test": "SB*"}]},
    "a worker's last words": {"devices": [{"name": "d"}], "tests": CANARY, "faults": [
        {"phase": "batch", "do": "stderr", "lines": [HOSTILE, WORDS], "test": "SB*"}]},
    "a driver that crashes when asked": {"devices": [{"name": "d"}], "faults": [
        {"phase": "list", "do": "stderr", "lines": [HOSTILE, WORDS]}]},
    "a script": {"devices": [{HOSTILE: 1}]},
}
for place, script in SCRIPTS.items():
    write("script.json", json.dumps(script).encode())
    database = place.split()[-1] + ".db"
    variables = {"ORCHIL_SIMULATED": "script.json"}
    for arguments in (["devices", "simulated"], ["devices", "--json", "simulated"], ["doctor"],
                      ["run", "--device", "simulated", "--instances", "2k", "--db", database, "opencl:SB+relaxed"],
                      ["run", "--device", "simulated:0", "--json", "--instances", "2k", "--db", database,
                       "opencl:SB+relaxed"],
                      ["tune", "--device", "simulated:0", "--time", "0.2", "--db", "tune.db", "opencl:SB+relaxed"]):
        expect_safe(place, arguments, **variables)

# ---- databases ----


def readers(file):
    """What reads databases, with one as it is and as two sides: (arguments, the kind of quotes)."""
    for arguments in (["report", "--page", "page.html", file], ["compare", file + ":1", file + ":2"],
                      ["compare", "--json", file + ":1", file + ":2"], ["compare", "--verbose", file + ":1", file],
                      ["gate", "--stored", file + ":1", file + ":2"],
                      ["gate", "--stored", "--json", "--junit", "junit.xml", "--markdown", "gate.md", file + ":1", file],
                      ["history", file], ["history", "--json", file], ["export", "--format", "jsonl", file],
                      ["export", "--format", "litmus7", file], ["doctor", "--db", file],
                      ["merge", "--into", "into.db", file], ["merge", "--json", "--into", "into.db", file],
                      ["run", "--resume", "1", "--db", file]):
        yield arguments, ""
    for what in ("jobs", "outcomes", "batches", "runs"):
        yield ["export", "--format", "csv", "--what", what, file], "csv"


def read_with(place, chosen, terminal):
    """Runs what is chosen of the readers, and looks at the files that they make."""
    for arguments, quotes in chosen:
        expect_safe(place, arguments, quotes=quotes, terminal=terminal and not quotes)
    for made in ("page.html", "gate.md", "junit.xml"):
        if os.path.exists(made):
            with open(made, "rb") as stream:
                wrong = fault(stream.read(), made.endswith("html") and "html")
            if wrong:
                global failures
                failures += 1
                print(f"{place}: {made}: {wrong}")
            os.remove(made)


read_with("the database of a device", readers("device.db"), terminal=True)
# Texts that no orchil would store, one column after the other; those that the schema refuses are left as they are.
piped([ORCHIL, "run", "--device", "simulated", "--instances", "2k", "--db", "clean.db", "opencl:SB+relaxed"])
piped([ORCHIL, "run", "--device", "simulated", "--instances", "2k", "--db", "clean.db", "opencl:SB+relaxed"])
with sqlite3.connect("clean.db") as clean:
    TABLES = [row[0] for row in clean.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
    COLUMNS = [(table, row[1]) for table in TABLES for row in clean.execute(f"PRAGMA table_info({table})")
               if "TEXT" in (row[2] or "").upper()]
changed = 0
for table, column in COLUMNS:
    if os.path.exists("changed.db"):
        os.remove("changed.db")
    with open("clean.db", "rb") as stream:
        write("changed.db", stream.read())
    database = sqlite3.connect("changed.db", isolation_level=None)
    database.execute("PRAGMA foreign_keys = OFF")
    try:
        database.execute(f'UPDATE "{table}" SET "{column}" = CAST(? AS TEXT)', (ALL,))
    except sqlite3.Error:
        database.close()
        continue
    database.close()
    ways = list(readers("changed.db"))
    if "--all" not in sys.argv:
        ways = [ways[(changed + step) % len(ways)] for step in (0, 6, 12)]
    read_with(f"{table}.{column} of a database", ways, terminal=False)
    changed += 1

# ---- the end ----

QUIET = [place for place in ("an argument of run", "an option of list", "a verb", "a value of an option", "a file of tests",
                             "a profile", "a model", *SCRIPTS, "the database of a device") if seen.get(place, 0) == 0]
for place in QUIET:
    print(f"{place}: its text came out nowhere, so that nothing was tested")
if changed < 10:
    print(f"only {changed} columns of a database took a text")
if failures or QUIET or changed < 10:
    sys.exit(1)
