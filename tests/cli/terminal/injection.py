# SPDX-License-Identifier: Apache-2.0
"""usage: injection.py [--all]. Texts of tests, devices, drivers and runs, with every byte and with characters that end lines or
reorder text, through everything that carries them: a program's comments and strings, README.md, pages, JUnit, Markdown,
workflow output, CSV. None of them leaves its place. Without --all several bytes share a text. ORCHIL names the program."""
import html.parser
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree

ORCHIL = os.environ["ORCHIL"]
PWNED = b"pwned"
TAIL = b"#error pwned <pwned a='1'>|pwned|"  # what a text would add after the character
MARKS = [chr(code).encode() for code in (0x85, 0x2028, 0x2029, *range(0x202a, 0x202f), *range(0x2066, 0x206a), 0x200e,
                                         0x200f, 0x61c, 0xfeff)]
PHRASES = [b"\r\n", b"\\\n", b"\\\r", b"\\ \n", b"??/\n", b"??/\r", b"*/", b"-->", b"]]>", b"\"; pwned; \"", b"`$(pwned)`", b"</script>",
           b"</pre>", b"</style>", b"\n::error::", b"\r::error::", b"\n  ::error::", b"##[error]", b"%0A::error::", b"\xe2\x80",
           b"\xc0\x8a", b"\xed\xa0\x80", b"\n\nclean: pwned\n\t", b"\n```\n", b"\n\n<pwned>", b"$(shell pwned)", b"%s%n"]
PAYLOADS = [bytes([byte]) for byte in range(256)] + MARKS + PHRASES
FIELDS = ["device.name", "device.vendor", "device.architecture", "driver.platform", "driver.version", "driver.compiler",
          "run.command_line", "run.host", "run.tool_version", "run.started_at", "job.profile", "job.detail",
          "job.started_at", "test.name", "test.doc"]
DECEIVING = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
LINE_END = "\r\n|[\n\r\v\f\x85\u2028\u2029]"
checks = failures = refused = 0


def orchil(*arguments):
    """Runs the program where GitHub Actions would read it; gives its exit code and what it printed."""
    done = subprocess.run([ORCHIL, *arguments], capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout + b"\n" + done.stderr


def expect(holds, payload, place, found=""):
    """Counts a check, and reports what is wrong."""
    global checks, failures
    checks += 1
    if not holds:
        failures += 1
        print(f"{payload!r}: {place}: {found}"[:300])


def code_of(source):
    """A program without its comments and strings; a comment ends at every kind of line end, so that none may have one."""
    code = []
    for line in re.split(LINE_END, source):
        line = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
        code.append(line.split("//")[0])
    return "\n".join(code)


def check_program(payload, folder):
    """The files of a reproducer."""
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            content = file.read()
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            expect(False, payload, name, error)
            continue
        found = re.search(DECEIVING, text)
        expect(not found, payload, name, found and f"U+{ord(found[0]):04X}")
        if name == "README.md":
            check_readme(payload, text)
            continue
        if name == "Makefile":
            expect("pwned" not in text, payload, name, text)
            continue
        expect("pwned" not in code_of(text), payload, name, [line for line in code_of(text).split("\n") if "pwned" in line])
        if every and COMPILERS[os.path.splitext(name)[1]]:
            command = [*COMPILERS[os.path.splitext(name)[1]], os.path.join(folder, name)]
            done = subprocess.run(command, capture_output=True, check=False)
            expect(done.returncode == 0, payload, name, done.stderr[:200])
        stripped = compiled(os.path.join(folder, name))
        expect(stripped is None or "pwned" not in re.sub(r'"(?:[^"\\]|\\.)*"', '""', stripped), payload, name, "a compiler reads it")


def compiled(path):
    """What a compiler leaves of a file without its comments; None: there is none."""
    if not shutil.which("cc"):
        return None
    done = subprocess.run(["cc", "-std=c11", "-E", "-P", "-fpreprocessed", "-x", "c", path], capture_output=True, check=False)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None


def check_readme(payload, text):
    """README.md: a table of seven rows, no markup and no heading of a text."""
    lines = text.split("\n")
    prose = [re.sub(r"`[^`]*`", "", line) for line in lines if not line.startswith("    ")]
    expect(sum(line.startswith("| ") for line in lines) == 9, payload, "README.md", "rows of the table")
    expect(all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines if line.startswith("| ")), payload, "README.md", "cells")
    expect(sum(line.startswith("#") for line in prose) == 5, payload, "README.md", "headings")
    expect(not any(re.search(r"(?<!\\)<pwned|^#error|^::|^```", line) for line in prose), payload, "README.md", "markup")


DRAWN = {"a", "circle", "defs", "g", "line", "marker", "path", "polygon", "polyline", "rect", "svg", "text", "title", "tspan"}


class Tags(html.parser.HTMLParser):
    """Looks for tags of a text, and in drawings for any tag that does not draw."""
    found = None
    drawings = 0 # that are open, one within the other

    def handle_starttag(self, tag, attrs):
        self.drawings += tag == "svg"
        if tag == "pwned" or any("pwned" in name for name, _ in attrs) or (self.drawings and tag not in DRAWN):
            self.found = self.get_starttag_text()

    def handle_endtag(self, tag):
        self.drawings -= tag == "svg"


def check_page(payload, path):
    """A page: no tag of a text, also in its drawings, and scripts without its words."""
    with open(path, "rb") as file:
        text = file.read().decode()
    tags = Tags()
    tags.feed(text)
    expect(not tags.found, payload, path, tags.found)
    expect(tags.drawings == 0, payload, path, "a drawing does not end")
    for script in re.findall(r"<(script|style)[^>]*>(.*?)</\1>", text, re.S):
        expect("pwned" not in script[1], payload, path, "a script")
    found = re.search(DECEIVING, text)
    expect(not found, payload, path, found and f"U+{ord(found[0]):04X}")


def check_gate(payload):
    """JUnit parses and has no element of a text; Markdown has no tag; annotations are single lines."""
    code, printed = orchil("gate", "--stored", "--junit", "gate.xml", "--markdown", "gate.md", "c.db", "c.db")
    for name in ("gate.xml", "gate.md"):
        expect(os.path.exists(name), payload, name, printed[:200])
    if not os.path.exists("gate.xml"):
        return
    root = xml.etree.ElementTree.parse("gate.xml")
    expect(all(item.tag in ("testsuites", "testsuite", "testcase", "failure", "error", "skipped", "system-out", "properties",
                            "property") for item in root.iter()), payload, "gate.xml", "an element")
    with open("gate.md", encoding="utf-8") as file:
        text = file.read()
    expect(not re.search(r"<pwned", re.sub(r"`[^`\n]*`", "", text)), payload, "gate.md", "a tag")
    check_printed(payload, "gate", printed, own=("error", "warning", "notice"))
    for name in ("gate.xml", "gate.md"):
        os.remove(name)


def check_printed(payload, place, printed, own=()):
    """No line is a command of GitHub, unless the gate writes it."""
    for line in printed.decode(errors="replace").split("\n"):
        command = re.match(r"\s*::(\w*)", line)
        expect(not command or (command[1] in own and command.start(1) == 2), payload, place, line[:200])
        expect("##[" not in line, payload, place, line[:200])


def is_utf8(text):
    """Whether it is."""
    return text.decode(errors="ignore").encode() == text


def is_refused(text):
    """Whether a test has control characters, in a name tabs too, or carriage returns alone."""
    return bool(re.search(b"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]|\r(?!\n)", text)) or b"\t" in text.split(b"\n")[0].rstrip()


def fill(payload, fields):
    """c.db: a copy of base.db with the payload in these fields of all rows."""
    shutil.copy("base.db", "c.db")
    with sqlite3.connect("c.db") as database:
        for field in fields:
            table, column = field.split(".")
            database.execute(f"UPDATE {table} SET {column} = substr({column}, 1, 12) || CAST(? AS TEXT) || id", [payload])
    database.close()


def through_database(payload, whole):
    """A database of somebody else's: what is not UTF-8 is refused, the rest is harmless."""
    fill(whole, FIELDS)
    damaged = not is_utf8(whole)
    for job in ("1", "2"):
        shutil.rmtree("rep", ignore_errors=True)
        code, printed = orchil("reproduce", "c.db", "--job", job, "--as-it-is", "-o", "rep")
        expect((code != 0) == damaged, payload, "reproduce", printed[:200])
        check_printed(payload, "reproduce", printed)
        if code == 0:
            check_program(payload, "rep")
    code, printed = orchil("report", "--page", "page.html", "c.db")
    expect((code != 0) == damaged, payload, "report", printed[:200])
    if not damaged:
        check_page(payload, "page.html")
        check_gate(payload)
    for verb in (["compare", "c.db", "c.db"], ["export", "c.db"], ["history", "c.db"], ["report", "--page", "-", "c.db"]):
        check_printed(payload, verb[0], orchil(*verb)[1])


def through_test(payload, whole):
    """A file, and its text in a database: refused, or harmless."""
    global refused
    texts = {}
    for dialect, source in SOURCES.items():
        name, rest = source.split(b"\n", 1)
        line = re.sub(b"\r?\n", b" ", whole)
        texts[dialect] = name + b" " + line + b"\n\"A title. " + whole.replace(b'"', b"'") + b"\"\nText=" + line + b"\n" + rest
        with open(dialect + ".litmus", "wb") as file:
            file.write(texts[dialect])
    code, printed = orchil("show", "opencl.litmus", "ptx.litmus")
    check_printed(payload, "show", printed)
    if code != 0:
        expect(b"internal" not in printed and code == 2, payload, "show", printed[:200])
        refused += 1
    expect(is_refused(texts["opencl"]) == (code != 0), payload, "show", f"exit code {code}: {printed[:100]!r}")
    shutil.copy("base.db", "c.db")
    with sqlite3.connect("c.db") as database:
        for dialect, text in texts.items():
            database.execute("UPDATE content SET text = CAST(? AS TEXT) WHERE text LIKE ?", [text, dialect.upper() + " %"])
    database.close()
    for job in ("1", "2"):
        shutil.rmtree("rep", ignore_errors=True)
        made, printed = orchil("reproduce", "c.db", "--job", job, "--as-it-is", "-o", "rep")
        expect((made == 0) == (code == 0), payload, "reproduce", printed[:200])
        check_printed(payload, "reproduce", printed)
        if made == 0:
            check_program(payload, "rep")
    code, printed = orchil("report", "--page", "page.html", "c.db")
    check_page(payload, "page.html")
    check_printed(payload, "report", printed)


def make_base():
    """base.db: a job of a test in OpenCL C on one device, one in PTX on another."""
    with open("script.json", "w", encoding="utf-8") as file:
        file.write('{"devices": [{"name": "Device", "architecture": "sm_90", "driver": "1.0", "compiler": "C", "platform": "P"}],'
                   '"tests": {"*": {"outcomes": {"1:r0=1; 1:r1=0;": 0.01}}}}')
    code, printed = orchil("run", "--device", "simulated", "--instances", "20k", "--no-controls", "--db", "base.db",
                           "opencl:MP+relaxed", "ptx:MP+relaxed")
    assert code == 0, printed
    with sqlite3.connect("base.db") as database:
        database.execute("PRAGMA journal_mode = DELETE")
        for dialect, name in SOURCES.items():
            text = orchil("show", dialect + ":MP+relaxed")[1].strip()
            lines = [line for line in text.split(b"\n") if not line.startswith((b'"', b"Control=", b"Cycle=", b"Mutants="))]
            SOURCES[dialect] = b"\n".join(lines) + b"\n"
    database.close()


SOURCES = {"opencl": b"", "ptx": b""}
COMPILERS = {".c": ["cc", "-std=c11", "-fsyntax-only"] if shutil.which("cc") and os.path.exists("/usr/include/CL/cl.h") else None,
             ".cl": ["clang", "-x", "cl", "-cl-std=CL3.0", "-Xclang", "-finclude-default-header", "-fsyntax-only"]
             if shutil.which("clang") else None, ".cu": None}
os.environ["GITHUB_ACTIONS"] = "true"
os.environ["ORCHIL_SIMULATED"] = "script.json"
os.environ.pop("GITHUB_STEP_SUMMARY", None)
make_base()
every = "--all" in sys.argv[1:]
groups = [[payload] for payload in PAYLOADS] if every else []
if not every:
    for kind in (0, 1, 2):
        alike = [payload for payload in PAYLOADS if 2 * (not is_utf8(payload)) + is_refused(b"x" + payload + b"x") == kind]
        groups += [alike[at:at + 16] for at in range(0, len(alike), 16)]
for group in groups:
    joined = b"".join(b"x" + payload + TAIL for payload in group)
    through_database(group, joined.replace(b"\0", b""))
    through_test(group, joined)
print(f"{len(PAYLOADS)} bytes and phrases in {len(FIELDS) + 3} texts: {failures} left their place")
if every:
    print(f"{checks} checks, {refused} tests refused")
sys.exit(1 if failures or checks < 10 * len(groups) else 0)
