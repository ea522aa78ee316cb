# SPDX-License-Identifier: Apache-2.0
# A baseline with a forbidden outcome names the test and the outcome, also if it is made from a
# database.
. "$TEST_DIR/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
CONTROL_RATE=0.001
script 1.0 0.001
"$ORCHIL" gate baseline --device simulated --instances 300k --seed 5 --runs 2 --db cal.db --out base.db opencl:MP+relaxed 2>/dev/null |
    sed 's/, [0-9,]* bytes/, SIZE/' || :
"$ORCHIL" gate baseline --from cal.db --out again.db --json >document || code=$?
python3 -c '
import json
d = json.load(open("document"))
print([(a["kind"], a["test"], a["outcome"], a["count"] > 0, a["runs"]) for a in d["alarms"]], d["mutants"], d["unseen_mutants"])'
exit "$code"
