# SPDX-License-Identifier: Apache-2.0
# As injection.sh, with each byte and phrase in runs of its own, and the programs compiled.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
PYTHONDONTWRITEBYTECODE=1 python3 "$TEST_DIR/injection.py" --all
