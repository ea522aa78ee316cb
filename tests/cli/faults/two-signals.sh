# SPDX-License-Identifier: Apache-2.0
# A second signal does not wait for the present batch, which hangs.
. "$TEST_DIR/store"
echo '{"faults": [{"phase": "batch", "batch": 12, "do": "hang"}, {"phase": "batch", "do": "slow", "milliseconds": 30}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --time 60 --seed 1 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >jobs 2>messages &
pid=$!
wait_for "SELECT count(*) >= 2 FROM batch"
sleep 1.5
kill -INT $pid
sleep 0.3
kill -INT $pid
wait $pid || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
ask orchil.db "SELECT test, state, batches >= 2 FROM v_job" "SELECT state FROM run"
check_store orchil.db
exit "$code"
