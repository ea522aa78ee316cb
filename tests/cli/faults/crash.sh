# SPDX-License-Identifier: Apache-2.0
# A worker that crashes: the signal and the last words of its standard error; the next job runs.
. "$TEST_DIR/store"
echo '{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"test": "one", "phase": "batch", "batch": 2, "do": "stderr", "how": "segv",
    "lines": ["driver: first words", "driver: last words"]}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 6k --seed 1 "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >stdout || code=$?
grep -A 2 'crash:' stdout
grep -E '^(one|two) ' stdout
ask orchil.db "SELECT test, state, batches, reason FROM v_job" "SELECT detail FROM job WHERE id = 1"
check_store orchil.db
exit "$code"
