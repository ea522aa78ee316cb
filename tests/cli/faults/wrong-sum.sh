# SPDX-License-Identifier: Apache-2.0
# Counters that do not add up: the batch is kept as invalid, counted nowhere, and the job proves nothing.
. "$TEST_DIR/store"
echo '{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"test": "one", "phase": "batch", "batch": 1, "do": "wrong", "how": "sum"}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 6k --seed 1 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >jobs || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
ask orchil.db "SELECT test, state, invalid_batches, instances FROM v_job" "SELECT job, batch FROM v_batch WHERE NOT valid"
check_store orchil.db
exit "$code"
