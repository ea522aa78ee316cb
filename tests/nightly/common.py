# SPDX-License-Identifier: Apache-2.0
"""Shared by the nightly tests that disturb a run: the run, the checks of its database, and the last line."""
import argparse
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIMIT = 60  # seconds that a command may take

# Slow enough to be disturbed in every job: each batch takes some milliseconds.
SCRIPT = {
    "devices": [{"name": "First GPU", "uuid": "GPU-1", "driver": "1.0", "resident": 64}],
    "tests": {"*": {"outcomes": {"0:r0=0; 1:r0=0;": 0.3, "1:r0=1; 1:r1=0;": 0.2}}},
    "faults": [{"phase": "batch", "do": "slow", "milliseconds": 4}],
}
TESTS = ["opencl:MP+relaxed", "opencl:SB+relaxed", "opencl:LB+relaxed", "ptx:MP+relaxed"]
RESUME = ["run", "--json", "--db", "run.db", "--resume", "last"]


def command(instances):
    """A run with a few batches for every 10,000 instances."""
    return ["run", "--device", "simulated", "--json", "--db", "run.db", "--seed", "7", "--instances", str(instances),
            "--no-controls", *TESTS]


class Folder:
    """A folder in which orchil runs; removed at the end unless it is kept."""

    def __init__(self, orchil):
        self.orchil = str(pathlib.Path(orchil).resolve())
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="orchil-nightly-"))
        (self.path / "script.json").write_text(json.dumps(SCRIPT))

    def environment(self, **more):
        return dict(os.environ, HOME=str(self.path), TMPDIR=str(self.path), LC_ALL="C.UTF-8",
                    ORCHIL_SIMULATED=str(self.path / "script.json"), **more)

    def start(self, arguments, **more):
        """Starts a process group. Its output goes to files, so it survives a kill."""
        with open(self.path / "stdout", "wb") as out, open(self.path / "stderr", "wb") as err:
            return subprocess.Popen([self.orchil, *arguments], cwd=self.path, env=self.environment(**more),
                                    stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)

    def run(self, arguments, **more):
        """The exit code, or None after a timeout."""
        process = self.start(arguments, **more)
        try:
            return process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return None

    def said(self):
        return (self.path / "stderr").read_text(errors="replace")

    def jobs(self):
        """The jobs that were printed as ended, a dictionary each. The last line may be incomplete."""
        jobs = []
        for line in (self.path / "stdout").read_bytes().split(b"\n")[:-1]:
            jobs.append(json.loads(line))
        return jobs

    def failed_jobs(self):
        return [job["test"] for job in self.jobs() if job["state"] != "completed"]

    def rows(self):
        """The batches of the newest run's completed jobs with their outcomes, without values that depend on the clock."""
        if not self.has("batch"):
            return {}
        with self.store() as store:
            if store.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("integrity_check")
            found = store.execute("""
                SELECT test.dialect || ':' || test.name, batch.number, batch.draw, batch.instances, outcome.label, outcome_count.count
                FROM batch JOIN job ON job.id = batch.job_id JOIN test ON test.id = job.test_id
                LEFT JOIN outcome_count ON outcome_count.batch_id = batch.id
                LEFT JOIN outcome ON outcome.id = outcome_count.outcome_id
                WHERE job.state = 'completed' AND job.run_id = (SELECT max(id) FROM run) ORDER BY 1, 2, 5""").fetchall()
        jobs = {}
        for test, *row in found:
            jobs.setdefault(test, []).append(row)
        return jobs

    def counted(self):
        """Stored instances by test; empty if the run ended before it had tables."""
        if not self.has("batch"):
            return {}
        with self.store() as store:
            return dict(((dialect, name), instances) for dialect, name, instances in store.execute("""
                SELECT test.dialect, test.name, sum(batch.instances) FROM batch JOIN job ON job.id = batch.job_id
                JOIN test ON test.id = job.test_id GROUP BY 1, 2"""))

    def has(self, table):
        """Whether the database exists and has rows in a table."""
        if not (self.path / "run.db").exists():
            return False
        with self.store() as store:
            tables = store.execute("SELECT count(*) FROM sqlite_schema WHERE name = ?", [table]).fetchone()[0]
            return tables == 1 and store.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0

    def store(self):
        """Opens the database for writing, because SQLite recovers the log of a killed process."""
        return sqlite3.connect(self.path / "run.db")

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


def undisturbed(orchil, instances):
    """The rows of an undisturbed run."""
    folder = Folder(orchil)
    code = folder.run(command(instances))
    if code not in (0, 1):
        raise SystemExit(f"the undisturbed run exited with {code}: {folder.said()}")
    rows = folder.rows()
    folder.remove()
    return rows


def lost_jobs(folder):
    """Jobs that were printed as ended but are not stored with the same number of instances."""
    counted = folder.counted()
    return [job["test"] for job in folder.jobs()
            if job["batches"] and counted.get((job["dialect"], job["test"]), 0) < job["instances"]]


def other_rows(folder, expected):
    """Completed jobs whose rows differ from an undisturbed run."""
    return [test for test, rows in folder.rows().items() if rows != expected[test]]


def parser(text, count):
    arguments = argparse.ArgumentParser(description=text)
    arguments.add_argument("--orchil", type=pathlib.Path, default=ROOT / "build" / "release" / "orchil")
    arguments.add_argument("--count", type=int, default=count)
    arguments.add_argument("--seed", type=int, default=1)
    return arguments


class Score:
    """Counts cases and failures. Prints each failure at once, with the options that repeat it."""

    def __init__(self, name):
        self.name, self.cases, self.failed = name, 0, {"lost": 0, "crashes": 0, "hangs": 0}

    def fail(self, kind, case, text):
        self.failed[kind] += 1
        print(f"{self.name}: {case}: {text}", flush=True)

    def close(self, *figures):
        figures = [f"{self.cases} cases", *figures, *(f"{count} {kind}" for kind, count in self.failed.items())]
        print(f"{self.name}: {', '.join(figures)}")
        raise SystemExit(any(self.failed.values()))
