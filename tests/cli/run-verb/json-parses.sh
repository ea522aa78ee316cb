# SPDX-License-Identifier: Apache-2.0
# Another reader of JSON takes every line.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
ORCHIL_SIMULATED="$TEST_DIR/exact.json" "$ORCHIL" run --device simulated --instances 10k --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >lines
python3 -c '
import json
for line in open("lines"):
    job = json.loads(line)
    total = sum(outcome["count"] for outcome in job["outcomes"]) + job["void"]
    print(job["test"], job["state"], total == job["instances"], sum(job["void_by"].values()) == job["void"])'
