# SPDX-License-Identifier: Apache-2.0
# --until witness: a test ends at the batch with its first witness, and a test without one at its limits. --until forbidden
# takes no notice of a witness that is allowed.
. "$TEST_DIR/../faults/store"
echo '{"tests": {"one": {"outcomes": {"0:r0=0; 1:r0=0;": 0.5}}, "two": {"outcomes": {"0:r0=0; 1:r0=0;": 0}}},
 "faults": [{"phase": "batch", "do": "slow", "milliseconds": 10}]}' >slow.json
export ORCHIL_SIMULATED=slow.json
"$ORCHIL" run --device simulated --instances 30M --until witness --db witness.db "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >/dev/null 2>&1
ask witness.db "SELECT test, state, batches < 15, witnesses > 0 FROM v_job"
check_store witness.db
"$ORCHIL" run --device simulated --instances 30M --until forbidden --db forbidden.db "$TEST_DIR/one.litmus" >/dev/null 2>&1
ask forbidden.db "SELECT test, state, batches >= 30, witnesses > 0 FROM v_job"
echo '{"tests": {"SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0.5}}}, "faults": [{"phase": "batch", "do": "slow", "milliseconds": 10}]}' >slow.json
"$ORCHIL" run --device simulated --instances 30M --until forbidden --db seen.db opencl:SB+sc >/dev/null 2>&1 || echo "exit $?"
ask seen.db "SELECT test, state, batches < 15, witnesses > 0 FROM v_job"
for what in '' never; do
    "$ORCHIL" run --device simulated --until "$what" opencl:SB+sc 2>&1 | head -n 1
done
