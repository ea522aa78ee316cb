# SPDX-License-Identifier: Apache-2.0
# Another reader of JSON takes it, for the whole catalogue, and every file of it parses.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
"$ORCHIL" list --json >tests.json
python3 -c 'import json; tests = json.load(open("tests.json")); print(len(tests) == len({(t["name"], t["dialect"]) for t in tests}))'
