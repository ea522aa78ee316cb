# SPDX-License-Identifier: Apache-2.0
# Runs of one seed, split three against one in all ways; the same from stored runs; every figure in
# JSON is a number; notes are stored with the runs, and a baseline made from them has the notes.
. "$TEST_DIR/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
script 1.0 0.001
"$ORCHIL" gate calibrate --device simulated --instances 300k --seed 5 --db cal.db --out base.db opencl:MP+relaxed opencl:SB+relaxed >report 2>messages
cat report
grep '^run ' messages
sed -n 's/, [0-9,]* batches.*//; /^base.db:/p' messages
[ "$(wc -L <report)" -le 80 ] && echo "80 columns"
"$ORCHIL" gate calibrate --from cal.db >again
cmp report again && echo "the same again"
"$ORCHIL" gate calibrate --from cal.db --json >document
python3 -c '
import json
d = json.load(open("document"))
print(d["runs"], d["possible_splits"], d["false_alarms"]["splits"], d["confirmed_false_alarms"]["splits"])
for t in d["tests"]:
    print(t["test"], t["standing"], all(isinstance(t[k], (int, float)) for k in ("rate", "sightings_per_run", "tolerance")))'
ask cal.db "SELECT count(DISTINCT run), count(DISTINCT seed) FROM v_job" "SELECT count(*) FROM v_calibration"
ask base.db "SELECT count(DISTINCT run) FROM v_job" "SELECT count(*) FROM v_calibration"
"$ORCHIL" gate calibrate --from cal.db --out base.db 2>&1 >/dev/null || echo "exit code $?"
