# SPDX-License-Identifier: Apache-2.0
# Two runs into one database at once: both finish, and nothing is lost.
. "$TEST_DIR/store"
echo '{"faults": [{"phase": "batch", "do": "slow", "milliseconds": 10}]}' >script.json
export ORCHIL_SIMULATED=script.json
"$ORCHIL" run --device simulated --instances 6k --seed 1 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >first 2>first.messages &
one=$!
"$ORCHIL" run --device simulated --instances 6k --seed 2 --json "$TEST_DIR/two.litmus" "$TEST_DIR/one.litmus" >second 2>second.messages &
two=$!
wait $one
wait $two
cat first second | grep -o '"state":"[a-z-]*"'
ask orchil.db "SELECT count(*) FROM v_job WHERE state = 'completed' AND batches >= 30" "SELECT state FROM run"
check_store orchil.db
