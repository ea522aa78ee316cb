# SPDX-License-Identifier: Apache-2.0
# A device that hangs does not hold up another one, which has ended all its jobs when the limit for the batch is over.
. "$TEST_DIR/store"
echo '{"devices": [{"name": "Sick"}, {"name": "Sound"}], "tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"device": 0, "test": "one", "phase": "batch", "batch": 3, "do": "hang"}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated:all --instances 6k --seed 1 --batch-limit 5 "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >/dev/null 2>&1 || code=$?
ask orchil.db "SELECT device, test, state FROM v_job ORDER BY 1, 2 DESC" \
    "SELECT 'sound before sick:', (SELECT max(finished_at) FROM v_job WHERE device = 'Sound') < (SELECT min(finished_at) FROM v_job WHERE device = 'Sick')"
check_store orchil.db
exit "$code"
