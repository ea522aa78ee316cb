# SPDX-License-Identifier: Apache-2.0
# A run that another process works on cannot be taken up; it is not disturbed. Killed, it can.
. "$TEST_DIR/store"
echo '{"faults": [{"phase": "batch", "do": "slow", "milliseconds": 20}]}' >slow.json
ORCHIL_SIMULATED=slow.json "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 100k --seed 1 "$TEST_DIR/one.litmus" >/dev/null 2>&1 &
pid=$!
wait_for "SELECT count(*) >= 2 FROM batch"
"$ORCHIL" run --resume last || echo "exit code $?"
kill -KILL $pid
{ wait $pid || :; } 2>/dev/null
"$ORCHIL" run --resume last --json 2>/dev/null | grep -o '"state":"[a-z]*"'
check_store orchil.db
