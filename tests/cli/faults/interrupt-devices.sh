# SPDX-License-Identifier: Apache-2.0
# SIGINT reaches all devices: each ends its batch, and no further job runs on any.
. "$TEST_DIR/store"
echo '{"devices": [{"name": "First"}, {"name": "Second"}, {"name": "Third"}],
    "faults": [{"phase": "batch", "do": "slow", "milliseconds": 30}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated:all --time 60 --seed 1 "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >/dev/null 2>&1 &
pid=$!
wait_for "SELECT count(*) = 3 FROM (SELECT 1 FROM batch GROUP BY job_id HAVING count(*) >= 2)"
kill -INT $pid
wait $pid || code=$?
ask orchil.db "SELECT device, test, state, batches >= 2 FROM v_job ORDER BY 1, 2" "SELECT state FROM run"
check_store orchil.db
exit "$code"
