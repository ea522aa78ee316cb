# SPDX-License-Identifier: Apache-2.0
"""Rows as a pandas data frame."""
from typing import Any, Iterable, Mapping

from .errors import OrchilError


def frame(rows: Iterable[Mapping[str, Any]]) -> Any:
    """A data frame with a column for each key. OrchilError if pandas is not installed."""
    try:
        import pandas
    except ImportError as error:
        raise OrchilError("data frames need pandas, which is not installed: Debian's package is python3-pandas; "
                          "the rows themselves need nothing") from error
    return pandas.DataFrame([dict(row) for row in rows])
