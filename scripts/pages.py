# SPDX-License-Identifier: Apache-2.0
"""What scripts share that make pages of docs/results or check the catalogue: what orchil says of tests, measured results, and the made
parts of a page."""
import csv
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- made by scripts/{}: {} -->", "<!-- end of {} -->"
RESULT_COLUMNS = ("label", "device", "driver", "date", "test", "hash", "instances", "witnesses")


class Trouble(Exception):
    """A fault of the tests or of the page, in words for the user."""


class Orchil:
    def __init__(self, program):
        self.program = program

    def text(self, *words):
        done = subprocess.run([self.program, *words], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise Trouble(f"{self.program} {' '.join(words)[:100]}: {done.stderr.strip()[:500]}")
        return done.stdout

    def tests(self, words):
        return json.loads(self.text("show", "--json", *words))

    def judgements(self, words):
        return [json.loads(line) for line in self.text("check", "--json", *words).splitlines()]

    def jobs(self, database):
        return [json.loads(line) for line in self.text("export", "--format", "jsonl", "--what", "jobs", database).splitlines()]


def key_of(test):
    """Its name with its dialect: no two tests share it."""
    return f"{test['dialect'].lower()}:{test['name']}"


def verdict_of(judged):
    """allowed, forbidden, undefined or unjudged, of the witness."""
    witnesses = {outcome["verdict"] for outcome in judged.get("outcomes", ()) if outcome["witness"]}
    if witnesses & {"sc", "weak"}:
        return "allowed"
    if witnesses & {"undefined", "unspecified"} or judged.get("racy"):
        return "undefined"
    return "forbidden" if judged.get("complete") and witnesses <= {"forbidden"} else "unjudged"


def read_aliases():
    """The key of the test that each alias of tests-litmus/aliases.txt names."""
    with open(os.path.join(ROOT, "tests-litmus", "aliases.txt"), encoding="utf-8") as file:
        rows = [line.split("#")[0].split() for line in file]
    return {row[0]: row[0].split(":")[0] + ":" + row[1] for row in rows if row}


# ---- measurements: a file of rows, one for each label (a device) and test ----


def read_results(path, tests):
    """The rows whose test has not changed since it was measured, by label and test. tests: by name, each with its hash."""
    results = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if tests.get(row["test"], {}).get("hash", "").startswith(row["hash"]):
                    results.setdefault(row["label"], {})[row["test"]] = row
    return results


def rows_of_databases(orchil, databases, label, tests, name_of):
    """The sum of all completed jobs of each test, except those whose compiled code is not the test. name_of: of a job."""
    rows = {}
    for job in (job for database in databases for job in orchil.jobs(database)):
        name = name_of(job)
        if job["state"] != "completed" or job["kept"] == "not-kept" or tests.get(name, {}).get("hash") != job["test_hash"]:
            continue
        row = rows.setdefault(name, dict(label=label, device=job["device"], driver=job["driver"], test=name,
                                         hash=job["test_hash"][:12], instances=0, witnesses=0))
        row["date"] = (job["started_at"] or job["finished_at"] or "")[:10]
        row["instances"] += job["instances"]
        row["witnesses"] += job["witnesses"]
    if not rows:
        raise Trouble(f"{', '.join(databases)}: no completed job of a current test of this page")
    return rows


def take_results(path, label, rows, order):
    """Puts the rows of a label in place of those that it had."""
    kept = []
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            kept = [row for row in csv.DictReader(file) if row["label"] != label]
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, RESULT_COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)
        writer.writerows(rows[name] for name in order if name in rows)


def seen(row):
    """`3 in 1,000,000 (3.0e-06)`, or a bound at 95 % if none was seen."""
    if row is None:
        return ""
    instances, witnesses = int(row["instances"]), int(row["witnesses"])
    if instances == 0:
        return "not run"
    rate = f"{witnesses / instances:.1e}" if witnesses else f"below {3 / instances:.1e}"
    return f"{witnesses:,} in {instances:.2g} ({rate})"


def make_devices(results):
    """A line for each measured device."""
    lines = []
    for label, measured in results.items():
        row = next(iter(measured.values()))
        lines.append(f"- {label}: {row['device']}, driver {row['driver']}, {row['date']}")
    return "\n".join(lines)


# ---- pages ----


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "| " + " | ".join(["---"] * len(heads)) + " |"]
    return "\n".join(lines + ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows])


def replace_made(page, script, name, made):
    begin, end = BEGIN.format(script, name), END.format(name)
    if page.count(begin) != 1 or page.count(end) != 1:
        raise Trouble(f"expected the lines '{begin}' and '{end}' once each")
    inner = f"\n\n{made}\n\n" if made else "\n"
    return f"{page.split(begin)[0]}{begin}{inner}{end}{page.split(end)[1]}"


def settle(path, made, checking):
    """Writes a page; with checking, says that it is out of date instead."""
    with open(path, encoding="utf-8") as file:
        stale = file.read() != made
    name = os.path.relpath(path, ROOT)
    if stale and checking:
        raise Trouble(f"{name} is out of date: run this script without --check")
    if stale:
        with open(path, "w", encoding="utf-8") as file:
            file.write(made)
        print(f"wrote {name}")
