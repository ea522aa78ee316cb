# SPDX-License-Identifier: Apache-2.0
"""Rates as a table of LaTeX."""
from typing import Any, Iterable, List, Mapping, Optional

_NAMES = {"\\": "textbackslash", "^": "textasciicircum", "~": "textasciitilde", "<": "textless", ">": "textgreater", "|": "textbar"}


def _text(value: Any) -> str:
    return "".join(f"\\{_NAMES.get(character, character)}{{}}" if character in "\\{}$&#%_^~<>|" else character
                   for character in str(value))


def _number(value: Optional[float]) -> str:
    if value is None:
        return "--"
    digits, exponent = f"{value:.3e}".split("e")
    return f"${value:.4g}$" if value == 0 or -3 <= int(exponent) < 3 else f"${digits}\\cdot10^{{{int(exponent)}}}$"


def latex(rates: Iterable[Mapping[str, Any]]) -> str:
    """The witnesses of rates() as a table for the package booktabs. A row has the test, its instances, how many of them showed
    the witness, and the rate with its interval; and the dialect, the device and the run, if there are several, and the outcome,
    if several satisfy the condition of a test."""
    rows = [row for row in rates if row["witness"]]
    several = [name for name in ("dialect", "device", "run") if len({row[name] for row in rows}) > 1]
    if len({tuple(row[name] for name in ("test", "control_of", "dialect", "device", "run")) for row in rows}) < len(rows):
        several.insert(0, "outcome")
    lines: List[str] = [f"\\begin{{tabular}}{{l{'l' * len(several)}rrrr}}", "\\toprule",
                        " & ".join(["test", *several, "instances", "weak", "rate", "interval"]) + " \\\\", "\\midrule"]
    for row in rows:
        cells = [_text(row["test"]), *(_text(row[name]) for name in several), f"{row['counted']:,}", f"{row['count']:,}",
                 _number(row["rate"]), f"{_number(row['low'])} to {_number(row['high'])}"]
        lines.append(" & ".join(cells) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])
