# SPDX-License-Identifier: Apache-2.0
# Whatever a test, a file, a device, a driver, a database or an argument says, no byte that steers a terminal comes out.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
PYTHONDONTWRITEBYTECODE=1 python3 "$TEST_DIR/hostile.py"
