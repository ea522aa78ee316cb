# SPDX-License-Identifier: Apache-2.0
"""Reads the databases of orchil: rows as dictionaries or data frames, and intervals as orchil computes them."""
from .database import VIEWS, Database, Row, open_database
from .errors import OrchilError
from .frames import frame
from .latex import latex
from .program import Comparison, compare, find_program, rates, version

__all__ = ["VIEWS", "Comparison", "Database", "OrchilError", "Row", "compare", "find_program", "frame", "latex", "open_database",
           "rates", "version"]
