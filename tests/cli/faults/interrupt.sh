# SPDX-License-Identifier: Apache-2.0
# SIGINT while a job runs: the present batch ends, everything finished is stored, and nothing else runs.
. "$TEST_DIR/store"
echo '{"faults": [{"phase": "batch", "do": "slow", "milliseconds": 30}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --time 60 --seed 1 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >jobs 2>messages &
pid=$!
wait_for "SELECT count(*) >= 2 FROM batch"
kill -INT $pid
wait $pid || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
ask orchil.db "SELECT test, state, batches >= 2 FROM v_job" "SELECT state FROM run"
[ "$(grep -o '"batches":[0-9]*' jobs | head -n 1)" = "\"batches\":$(ask orchil.db 'SELECT batches FROM v_job WHERE job = 1')" ]
head -n 2 messages
check_store orchil.db
exit "$code"
