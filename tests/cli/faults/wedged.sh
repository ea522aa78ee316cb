# SPDX-License-Identifier: Apache-2.0
# A device that is wrong after a fault fails its canary: the remaining tests are not run.
. "$TEST_DIR/store"
echo '{"state": "state.json", "tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"test": "one", "phase": "batch", "batch": 2, "do": "crash", "wedged": true}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --instances 6k --seed 1 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" "$TEST_DIR/three.litmus" >jobs || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
ask orchil.db "SELECT test, state, batches FROM v_job"
check_store orchil.db
exit "$code"
