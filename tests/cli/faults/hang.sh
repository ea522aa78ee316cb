# SPDX-License-Identifier: Apache-2.0
# A batch that hangs costs its limit and one job; a canary, and the next job runs.
. "$TEST_DIR/store"
echo '{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"test": "one", "phase": "batch", "batch": 3, "do": "hang"}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 6k --seed 1 --batch-limit 1 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >jobs || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
ask orchil.db "SELECT test, state, batches FROM v_job"
check_store orchil.db
exit "$code"
