# SPDX-License-Identifier: Apache-2.0
# A time limit instead of a number: batches until then.
. "$TEST_DIR/../faults/store"
echo '{"faults": [{"phase": "batch", "do": "slow", "milliseconds": 20}]}' >slow.json
ORCHIL_SIMULATED=slow.json "$ORCHIL" run --device simulated --time 0.3 --json "$TEST_DIR/one.litmus" | grep -o '"state":"[a-z]*"'
ask orchil.db "SELECT batches BETWEEN 2 AND 16, seconds BETWEEN 0.25 AND 2 FROM v_job"
check_store orchil.db
