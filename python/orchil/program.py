# SPDX-License-Identifier: Apache-2.0
"""Calls orchil for what it computes from a database: intervals and comparisons. No statistics are written here."""
import json
import os
import shutil
import subprocess
from typing import Any, Dict, List, Optional, Sequence, Union

from .database import Row
from .errors import OrchilError
from .frames import frame

Place = Union[str, "os.PathLike[str]"]

#: Beside 0: compare ends with 1 if a forbidden outcome was seen, and prints everything all the same.
_GOOD = (0, 1)


def find_program() -> str:
    """The program: the variable ORCHIL, else `orchil` on the path."""
    found = os.environ.get("ORCHIL") or shutil.which("orchil")
    if not found:
        raise OrchilError("there is no program `orchil` on the path: install it, or set ORCHIL to where it is")
    return found


def _run(arguments: Sequence[Place]) -> str:
    command = [find_program(), *(os.fspath(argument) for argument in arguments)]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    except OSError as error:
        raise OrchilError(f"{command[0]} cannot be started: {error}") from error
    if done.returncode not in _GOOD:
        raise OrchilError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def _object(arguments: Sequence[Place]) -> Dict[str, Any]:
    value = json.loads(_run(arguments))
    assert isinstance(value, dict)
    return value


def version() -> str:
    """What `orchil --version` prints."""
    return _run(["--version"]).strip()


class Comparison:
    """What `orchil compare --json` found (docs/reference/json.md); `raw` has all of it."""

    def __init__(self, raw: Dict[str, Any]) -> None:
        self.raw = raw
        self.answer: str = raw["answer"]
        self.findings: List[Row] = raw["findings"]

    def rates(self) -> List[Row]:
        """A row for each outcome of each pair of samples: the rates of both sides with their intervals, and the ratio."""
        rows: List[Row] = []
        for pair in self.raw["pairs"]:
            sample = pair["a"]
            for rate in pair["rates"]:
                row: Row = {name: sample[name] for name in ("test", "dialect", "control_of", "backend", "device")}
                row.update({name: rate[name] for name in
                            ("outcome", "verdict", "witness", "result", "ratio", "ratio_kind", "p_adjusted")})
                for side, number in (("a", 0), ("b", 1)):
                    count, counted = rate["count"][number], rate["counted"][number]
                    low, high = (rate["rate_interval"] or [None, None])[number] or (None, None)
                    row.update({f"count_{side}": count, f"counted_{side}": counted,
                                f"rate_{side}": count / counted if counted else None,
                                f"low_{side}": low, f"high_{side}": high})
                row["ratio_low"], row["ratio_high"] = rate["ratio_interval"] or (None, None)
                rows.append(row)
        return rows

    def frame(self) -> Any:
        """rates() as a pandas data frame."""
        return frame(self.rates())


def compare(a: Place, b: Place, database: Optional[Place] = None, *options: str) -> Comparison:
    """Compares two sides as `orchil compare A B [DATABASE]` does. options: "--by=driver", "--tolerance=1.2"."""
    sides: List[Place] = [a, b] if database is None else [a, b, database]
    return Comparison(_object(["compare", "--json", *options, *sides]))


def rates(*databases: Place, test: str = "") -> List[Row]:
    """The rate of each outcome in each run, with the interval that orchil gives it (`orchil history --json`)."""
    found = _object(["history", "--json", *(["--test", test] if test else []), *databases])
    rows: List[Row] = []
    for device in found["devices"]:
        drivers = {run["run"]: run["driver"] for run in device["runs"]}
        for series in device["series"]:
            for point in series["points"]:
                low, high = point["interval"] or (None, None)
                rows.append({
                    "run": point["run"], "backend": device["backend"], "device": device["device"],
                    "driver": drivers.get(point["run"], ""),
                    **{name: series[name] for name in ("test", "dialect", "control_of", "profile", "outcome", "verdict",
                                                       "witness")},
                    "count": point["count"], "counted": point["counted"], "rate": point["rate"], "low": low, "high": high})
    return rows
