# SPDX-License-Identifier: Apache-2.0
"""Protects the Python package: it reads what the views have, never writes, calls orchil for every interval, and its errors say
what is wrong. ORCHIL names the program."""
import json
import os
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

import orchil

try:
    import pandas
except ImportError:
    pandas = None

SCRIPT = {"devices": [{"name": "Exact device", "driver": "3.1", "instances_per_second": 1e6, "resident": 64}],
          "tests": {"SB+relaxed": {"outcomes": {"0:r0=0; 1:r0=0;": 0.125}}, "SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0}}}}


def program(*arguments, script, cwd):
    path = Path(cwd) / "script.json"
    path.write_text(json.dumps(script), encoding="utf-8")
    done = subprocess.run([orchil.find_program(), *arguments], cwd=cwd, env={**os.environ, "ORCHIL_SIMULATED": str(path)},
                          capture_output=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr)
    return done.stdout


class WithDatabase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="orchil-python-")
        cls.path = Path(cls.folder.name) / "results.db"
        for seed in range(1, 4):
            program("run", "--device", "simulated", "--instances", "50k", "--seed", str(seed), "--db", str(cls.path),
                    "opencl:SB+relaxed", script=SCRIPT, cwd=cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()


class Reading(WithDatabase):
    def setUp(self):
        self.database = orchil.open_database(self.path)
        self.addCleanup(self.database.close)

    def test_rows_are_those_of_the_views(self):
        connection = sqlite3.connect(self.path)
        self.addCleanup(connection.close)
        for what, view in orchil.VIEWS.items():
            cursor = connection.execute(f"SELECT * FROM {view}")
            rows = self.database.rows(what)
            self.assertEqual(len(rows), len(cursor.fetchall()), what)
            for row in rows:
                self.assertEqual(list(row), [column[0] for column in cursor.description], what)
        views = {row["name"] for row in self.database.sql("SELECT name FROM sqlite_schema WHERE type = 'view'")}
        self.assertEqual(views, set(orchil.VIEWS.values()), "a view that this package does not know")

    def test_values_are_pythons(self):
        job = self.database.jobs(run=1, controls="")[0]
        self.assertEqual(job["seed"], 1)
        self.assertEqual(job["marks"], [])
        self.assertIsInstance(job["circumstances"], dict)
        self.assertIs(self.database.outcomes(witness=1)[0]["witness"], True)
        self.assertIsInstance(self.database.rows("batches")[0]["draw"], dict)

    def test_conditions(self):
        self.assertEqual({job["test"] for job in self.database.jobs(test="SB+rel*")}, {"SB+relaxed"})
        self.assertEqual([run["run"] for run in self.database.runs(run=2)], [2])
        self.assertEqual(len(self.database.jobs()), 6)
        with self.assertRaisesRegex(orchil.OrchilError, "no column 'speed'"):
            self.database.jobs(speed=1)
        with self.assertRaisesRegex(orchil.OrchilError, "'kittens' is not one of runs, jobs"):
            self.database.rows("kittens")

    def test_nothing_is_written(self):
        before = self.path.read_bytes()
        with self.assertRaisesRegex(orchil.OrchilError, "readonly"):
            self.database.sql("DELETE FROM merge")
        self.assertEqual(self.path.read_bytes(), before)

    def test_files_that_are_refused(self):
        folder = Path(self.folder.name)
        (folder / "text.db").write_text("no database at all, but long enough" * 99, encoding="utf-8")
        other = sqlite3.connect(folder / "other.db")
        other.execute("CREATE TABLE t (a)")
        other.close()
        for name, why in (("missing.db", "no such file"), ("text.db", "cannot be read"), ("other.db", "not a database of orchil")):
            with self.assertRaisesRegex(orchil.OrchilError, f"{name}.*{why}"):
                orchil.open_database(folder / name)

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_frames(self):
        frame = self.database.frame("jobs", controls="")
        self.assertEqual(list(frame["test"].unique()), ["SB+relaxed"])
        self.assertEqual(int(frame["witnesses"].sum()), sum(job["witnesses"] for job in self.database.jobs(controls="")))

    @unittest.skipIf(pandas is not None, "pandas is installed")
    def test_without_pandas(self):
        with self.assertRaisesRegex(orchil.OrchilError, "python3-pandas"):
            self.database.frame("jobs")


class Computing(WithDatabase):
    def test_rates_as_a_table_of_latex(self):
        row = {"test": "SB_100%+sc", "control_of": "", "dialect": "C", "device": "d", "run": 1, "outcome": "0:r0=0; 1:r0=0;",
               "witness": True, "count": 12345, "counted": 10**9, "rate": 1.2345e-5, "low": 1.2e-5, "high": None}
        head = "\\begin{tabular}{lrrrr}\n\\toprule\ntest & instances & weak & rate & interval \\\\\n\\midrule\n"
        self.assertEqual(orchil.latex([row, {**row, "witness": False}]), head +
                         "SB\\_{}100\\%{}+sc & 1,000,000,000 & 12,345 & $1.234\\cdot10^{-5}$ & $1.200\\cdot10^{-5}$ to -- \\\\\n"
                         "\\bottomrule\n\\end{tabular}\n")
        self.assertIn("test & outcome & run & instances", orchil.latex([row, {**row, "outcome": "else"}, {**row, "run": 2}]))
        self.assertEqual(orchil.latex(orchil.rates(self.path)).count("SB+relaxed & "), 3)

    def test_rates_have_the_intervals_of_orchil(self):
        rows = [row for row in orchil.rates(self.path, test="SB+relaxed") if row["witness"]]
        self.assertEqual([row["run"] for row in rows], [1, 2, 3])
        for row in rows:
            self.assertLess(row["low"], row["rate"])
            self.assertGreater(row["high"], row["rate"])
            self.assertAlmostEqual(row["rate"], row["count"] / row["counted"], places=9)

    def test_comparison(self):
        other = Path(self.folder.name) / "other.db"
        changed = json.loads(json.dumps(SCRIPT))
        changed["tests"]["SB+relaxed"]["outcomes"]["0:r0=0; 1:r0=0;"] = 0.25
        for seed in range(11, 14):
            program("run", "--device", "simulated", "--instances", "50k", "--seed", str(seed), "--db", str(other),
                    "opencl:SB+relaxed", script=changed, cwd=self.folder.name)
        comparison = orchil.compare(self.path, other)
        self.assertEqual(comparison.answer, comparison.raw["answer"])
        row = next(row for row in comparison.rates() if row["witness"] and not row["control_of"])
        self.assertEqual(row["result"], "changed")
        self.assertAlmostEqual(row["ratio"], 2, delta=0.2)
        self.assertLess(row["ratio_low"], row["ratio"])
        self.assertGreater(row["ratio_high"], row["ratio"])
        self.assertLess(row["low_b"], row["rate_b"])
        self.assertTrue(any(finding["kind"] == "rate" for finding in comparison.findings))

    def test_errors_of_the_program(self):
        with self.assertRaisesRegex(orchil.OrchilError, "ended with 2: .*missing.db: cannot be opened"):
            orchil.compare(self.path, Path(self.folder.name) / "missing.db")
        old = os.environ.get("ORCHIL")
        os.environ["ORCHIL"] = "/nonexistent/orchil"
        try:
            with self.assertRaisesRegex(orchil.OrchilError, "cannot be started"):
                orchil.version()
        finally:
            if old is None:
                del os.environ["ORCHIL"]
            else:
                os.environ["ORCHIL"] = old


if __name__ == "__main__":
    unittest.main()
