# SPDX-License-Identifier: Apache-2.0
"""Reads the views of a database (docs/reference/database.md), which are orchil's stable interface. Nothing is ever written."""
import json
import os
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, List, Optional, Type, Union

from .errors import OrchilError
from .frames import frame

Row = Dict[str, Any]
Name = Union[str, "os.PathLike[str]"]

#: What can be read, and the view that has it.
VIEWS = {
    "runs": "v_run", "jobs": "v_job", "outcomes": "v_outcome", "batches": "v_batch", "voids": "v_void",
    "judgements": "v_judgement", "merges": "v_merge", "parts": "v_part",
    "resumptions": "v_resumption",
}

_APPLICATION = 0x6F726368
_JSON = {"marks", "draw", "liveness", "circumstances", "environment_variables", "left_out", "note"}
_TRUTH = {"witness", "valid", "complete", "racy"}
_WAIT_SECONDS = 10.0


def _value(column: str, value: Any) -> Any:
    if value is None:
        return None
    if column in _JSON:
        return json.loads(value)
    if column in _TRUTH:
        return bool(value)
    return int(value) if column == "seed" else value


class Database:
    """An open database. Use it in a `with` statement, or call close()."""

    def __init__(self, path: Name) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise OrchilError(f"{self.path}: there is no such file")
        uri = self.path.resolve().as_uri() + "?mode=ro"
        try:
            self._connection = sqlite3.connect(uri, uri=True, timeout=_WAIT_SECONDS)
            self._connection.row_factory = sqlite3.Row
            application = self._connection.execute("PRAGMA application_id").fetchone()[0]
        except sqlite3.Error as error:
            raise OrchilError(f"{self.path}: cannot be read as a database: {error}") from error
        if application != _APPLICATION:
            self._connection.close()
            raise OrchilError(f"{self.path}: is not a database of orchil (application_id {application:#x})")

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def sql(self, query: str, *values: Any) -> List[Row]:
        """The rows of a query of your own; JSON columns and truth values become Python's."""
        try:
            rows = self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise OrchilError(f"{self.path}: {error}") from error
        return [{name: _value(name, row[name]) for name in row.keys()} for row in rows]

    def rows(self, what: str, **conditions: Any) -> List[Row]:
        """The rows of a view. Each condition is a column and its value; a text with *, ? or [ is a glob, as in
        test="SB*". controls="" selects the jobs that are no controls."""
        if what not in VIEWS:
            raise OrchilError(f"'{what}' is not one of {', '.join(VIEWS)}")
        view = VIEWS[what]
        known = [row["name"] for row in self.sql("SELECT name FROM pragma_table_info(?)", view)]
        terms = []
        for column, value in conditions.items():
            if column not in known:
                raise OrchilError(f"{what} have no column '{column}': expected one of {', '.join(known)}")
            is_glob = isinstance(value, str) and any(sign in value for sign in "*?[")
            terms.append(f"{column} {'GLOB' if is_glob else '='} ?")
        where = " WHERE " + " AND ".join(terms) if terms else ""
        return self.sql(f"SELECT * FROM {view}{where}", *conditions.values())

    def frame(self, what: str, **conditions: Any) -> Any:
        """The same as a pandas data frame."""
        return frame(self.rows(what, **conditions))

    def runs(self, **conditions: Any) -> List[Row]:
        return self.rows("runs", **conditions)

    def jobs(self, **conditions: Any) -> List[Row]:
        return self.rows("jobs", **conditions)

    def outcomes(self, **conditions: Any) -> List[Row]:
        return self.rows("outcomes", **conditions)


def open_database(path: Name) -> Database:
    """Opens a database for reading."""
    return Database(path)
