# SPDX-License-Identifier: Apache-2.0
# Protects: no byte of a text leaves its comment, string, cell or line in what orchil writes. A sample: several bytes at once.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
PYTHONDONTWRITEBYTECODE=1 python3 "$TEST_DIR/injection.py"
