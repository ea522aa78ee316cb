# SPDX-License-Identifier: Apache-2.0
# On a terminal of 80 or 60 columns no line is longer, and numbers stay whole; a pipe gets everything.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
PYTHONDONTWRITEBYTECODE=1 python3 "$TEST_DIR/widths.py"
