# SPDX-License-Identifier: Apache-2.0
# A against A: variation, false alarms with an interval, the smallest change, a tolerance; and the same from what is stored.
. "$TEST_DIR/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
script 1.0 0.001
"$ORCHIL" gate calibrate --device simulated --instances 3M --seed 5 --db cal.db opencl:MP+relaxed opencl:SB+relaxed >report 2>messages
cat report
grep '^run ' messages
"$ORCHIL" gate calibrate --from cal.db >again
cmp report again && echo "the same again"
"$ORCHIL" gate calibrate --from cal.db --json >document
python3 -c '
import json
d = json.load(open("document"))
print(d["runs"], d["equal_draws"]["pairs"], d["other_draws"]["pairs"], len(d["rates"]), d["suggested_tolerance"])'
ask cal.db "SELECT count(DISTINCT run), count(DISTINCT seed) FROM v_job"
