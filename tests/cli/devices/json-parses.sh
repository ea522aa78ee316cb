# SPDX-License-Identifier: Apache-2.0
# Another reader of JSON takes it.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
ORCHIL_SIMULATED="$TEST_DIR/three.json" "$ORCHIL" devices --json simulated >devices.json
python3 -c 'import json; print([d["name"] for d in json.load(open("devices.json"))])'
