# SPDX-License-Identifier: Apache-2.0
# A run was killed and went on in a copy of its database, which is merged back. The plan then knows the jobs that came, so
# that taking up the run where it began runs none of them a second time.
. "$TEST_DIR/../faults/store"
echo '{"faults": [{"phase": "batch", "do": "slow", "milliseconds": 50}]}' >slow.json
ORCHIL_SIMULATED=slow.json "$ORCHIL" run --device simulated --no-controls --profile "$TEST_DIR/../run-verb/fixed.ini" \
    --instances 6k --seed 5 "$TEST_DIR/../run-verb/two.litmus" "$TEST_DIR/../run-verb/one.litmus" >/dev/null 2>&1 &
pid=$!
wait_for "SELECT count(*) >= 3 FROM batch"
kill -KILL "$pid"
{ wait "$pid" || :; } 2>/dev/null
ask orchil.db "SELECT 'before: ' || count(*) || ' job' FROM job"
ask orchil.db "VACUUM INTO 'copy.db'"
"$ORCHIL" run --resume last --db copy.db >/dev/null 2>&1 || :
"$ORCHIL" merge --into orchil.db copy.db >/dev/null
"$ORCHIL" run --resume last >/dev/null 2>&1 || :
ask orchil.db "SELECT 'in the end: ' || count(*) || ' jobs, of ' || count(DISTINCT test_id) || ' tests, ' ||
    (SELECT count(*) FROM planned_job WHERE job_id IS NOT NULL) || ' of them planned' FROM job"
check_store orchil.db
