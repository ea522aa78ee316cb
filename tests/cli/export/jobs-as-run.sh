# SPDX-License-Identifier: Apache-2.0
# Jobs are as `run --json` printed them, key for key and value for value, and have the rest of the view besides.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
. "$TEST_DIR/database"
"$ORCHIL" export --format jsonl --run 1 results.db >export.jsonl
python3 - <<'PY'
import json
told = [json.loads(line) for line in open("run.jsonl")]
exported = [json.loads(line) for line in open("export.jsonl")]
print(len(told), len(exported))
for a, b in zip(told, exported):
    print(a["test"], {key: (a[key], b.get(key)) for key in a if a[key] != b.get(key, "missing")})
print(sorted(set(exported[0]) - set(told[0])))
PY
