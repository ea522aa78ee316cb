# SPDX-License-Identifier: Apache-2.0
# --last-failed: the tests of the newest run that did not end as they should: a forbidden outcome, a control's witness,
# a hang, a crash, a failed build, a wrong sum, a device that was lost, what was not run. What is unsupported did not fail.
# Once all is well, there is nothing to run.
. "$TEST_DIR/../faults/store"
cat >bad.json <<'JSON'
{"devices": [{"takes": ["c11"]}],
 "tests": {"canary": {"outcomes": {"0:r0=42;": 1}}, "claimed": {"outcomes": {"0:r0=0; 1:r0=0;": 0.01}},
           "SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0.01}}, "CoRR+relaxed": {"outcomes": {"1:r0=1; 1:r1=0;": 0.01}},
           "MP+rel+acq": {"outcomes": {"1:r0=1; 1:r1=0;": 0}}},
 "faults": [{"test": "crash", "phase": "batch", "do": "crash"}, {"test": "hang", "phase": "batch", "do": "hang"},
            {"test": "build", "phase": "build", "do": "build-error", "text": "error"},
            {"test": "wrong", "phase": "batch", "do": "wrong"}]}
JSON
cat >good.json <<'JSON'
{"devices": [{"takes": ["c11"]}],
 "tests": {"canary": {"outcomes": {"0:r0=42;": 1}}, "claimed": {"outcomes": {"0:r0=0; 1:r0=0;": 0}},
           "SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0}}, "CoRR+relaxed": {"outcomes": {"1:r0=1; 1:r1=0;": 0}},
           "MP+rel+acq": {"outcomes": {"1:r0=1; 1:r1=0;": 0}}}}
JSON
for name in crash hang build wrong fine; do sed "s/^OPENCL .*/OPENCL $name/" "$TEST_DIR/one.litmus" >$name.litmus; done
sed 's/^OPENCL .*/OPENCL claimed/' "$TEST_DIR/forbidden.litmus" >claimed.litmus
run() { "$ORCHIL" run --device simulated --instances 1k --seed 1 --batch-limit 1 "$@" 2>messages >out || echo "exit $?"; grep '^run [0-9]' messages || :; }
failed() { ORCHIL_SIMULATED=good.json "$ORCHIL" run --device simulated --dry-run --json --last-failed "$@" 2>/dev/null | python3 -c '
import json, sys
for job in json.loads(sys.stdin.read() or "{\"jobs\": []}")["jobs"]:
    print("  " * job["control"] + job["test"], job["dialect"])'; }

"$ORCHIL" run --device simulated --last-failed 2>&1 || echo "exit $?"
export ORCHIL_SIMULATED=bad.json
run ./crash.litmus ./hang.litmus ./build.litmus ./wrong.litmus ./fine.litmus ./claimed.litmus opencl:CoRR+relaxed opencl:SB+relaxed opencl:MP+relaxed ptx:MP+weak
ask orchil.db "SELECT test, state FROM v_job WHERE state <> 'completed'"
echo "== failed"
failed
echo "== of those named"
failed './crash.litmus' opencl:MP+relaxed
echo "== the files may be gone: run again, all is well"
rm ./*.litmus
export ORCHIL_SIMULATED=good.json
run --last-failed --exclude hang
ask orchil.db "SELECT test, state FROM v_job WHERE run = 2"
echo "== nothing failed"
run --last-failed
run --last-failed --json
cat out
ask orchil.db "SELECT count(*) FROM run"
echo "== what was not run failed, too"
"$ORCHIL" run --device simulated --time 60 --seed 1 opencl:SB+relaxed opencl:MP+relaxed >/dev/null 2>&1 &
pid=$!
wait_for "SELECT count(*) >= 1 FROM batch JOIN job ON job.id = job_id WHERE run_id = 3"
kill -INT $pid
wait $pid || :
failed
failed opencl:LB+relaxed || :
run --last-failed opencl:LB+relaxed
