# SPDX-License-Identifier: Apache-2.0
# The summary and the exit code of a resumed run cover the whole run; --json prints the jobs that
# were run now. A run with nothing left to do stays as it is.
. "$TEST_DIR/store"
echo '{"faults": [{"phase": "batch", "test": "two", "batch": 3, "do": "hang"}], "devices": [{"instances_per_second": 1e6}]}' >hang.json
echo '{"devices": [{"instances_per_second": 1e6}]}' >whole.json
ORCHIL_SIMULATED=hang.json "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 6k --seed 5 "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" "$TEST_DIR/three.litmus" >/dev/null 2>&1 &
pid=$!
wait_for "SELECT count(*) = 2 FROM job"
kill -TERM $pid
sleep 0.2
kill -TERM $pid 2>/dev/null || : # where it waits for the batch that hangs
wait $pid || :
ask orchil.db "SELECT test, state FROM v_job" "SELECT state FROM run"
ORCHIL_SIMULATED=whole.json "$ORCHIL" run --resume 1 --json | grep -o '"test":"[a-z]*"\|"run":[0-9]*'
ORCHIL_SIMULATED=whole.json "$ORCHIL" run --resume 1
ask orchil.db "SELECT command_line LIKE '% run --resume 1 --json' FROM v_resumption"
