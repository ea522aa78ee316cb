# SPDX-License-Identifier: Apache-2.0
# A worker that someone else kills is a crash.
. "$TEST_DIR/store"
echo '{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"phase": "batch", "test": "one", "do": "slow", "milliseconds": 30}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --time 1 --seed 1 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >jobs 2>messages &
pid=$!
[ -e /proc/$$/task/$$/children ] || { echo "/proc names no children here" >&2; kill $pid; exit 77; }
wait_for "SELECT count(*) >= 2 FROM batch"
kill -KILL $(cat /proc/$pid/task/*/children)
wait $pid || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
check_store orchil.db
exit "$code"
