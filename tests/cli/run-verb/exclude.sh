# SPDX-License-Identifier: Apache-2.0
# --exclude leaves tests out with their controls: by name, glob, dialect, folder, index and file, also of files that are not
# in the catalogue. A control stays with its test. A word that means no test at all is a slip, and is said.
. "$TEST_DIR/../faults/store"
cp "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" .
printf 'opencl:MP+relaxed\n./one.litmus\n' >@few
plan() { "$ORCHIL" run --device simulated --dry-run --json "$@" | python3 -c '
import json, sys
for job in json.loads(sys.stdin.read() or "{\"jobs\": []}")["jobs"]:
    print("  " * job["control"] + job["test"], job["dialect"])'; }
plan opencl:SB+relaxed opencl:MP+relaxed --exclude SB+relaxed
echo "== several, a dialect, a file, an index"
plan SB+relaxed --exclude cuda:SB+relaxed --exclude 'c:*'
plan ./one.litmus ./two.litmus --exclude one
plan ./one.litmus ./two.litmus --exclude ./two.litmus
plan ./one.litmus opencl:MP+relaxed opencl:SB+relaxed --exclude ./@few
plan ./one.litmus opencl:MP+relaxed opencl:SB+relaxed --exclude SB/ --exclude 'M*'
echo "== a control that is a test, too"
plan opencl:SB+sc opencl:SB+relaxed --exclude SB+sc
echo "== nothing left, or a slip"
plan 'SB+rel*' --exclude 'SB*' 2>&1
plan 'SB+rel*' --exclude SB+relaxd 2>&1 | cut -c 1-60
plan 'SB+rel*' --exclude LB+relaxed --exclude '*+*' 2>&1
echo "== a run that is taken up has them not"
"$ORCHIL" run --device simulated --instances 1k ./one.litmus ./two.litmus --exclude two >/dev/null 2>&1
"$ORCHIL" run --resume last 2>&1 | tail -n 1 | sed 's/Stored.*/Stored/'
"$ORCHIL" run --resume last --exclude two 2>&1 | head -n 1
ask orchil.db "SELECT test FROM v_job"
echo "== list and check"
"$ORCHIL" list opencl:SB+relaxed opencl:SB+sc --exclude SB+sc | grep -c 'SB+sc .*OPENCL' || :
"$ORCHIL" check 'SB+sc' --exclude c:SB+sc --exclude cuda:SB+sc --json | grep -o '"dialect": *"[A-Z]*"'
