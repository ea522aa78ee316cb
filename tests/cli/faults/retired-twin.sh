# SPDX-License-Identifier: Apache-2.0
# Of two equal devices one is retired: the other runs all that is left, and the test that failed is not run again.
. "$TEST_DIR/store"
echo '{"state": "state.json", "devices": [
    {"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000001"},
    {"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000002"}],
    "tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"phase": "batch", "test": "[!c]*", "batch": 0, "do": "await", "devices": 2},
        {"device": 0, "test": "[!c]*", "phase": "batch", "do": "crash", "wedged": true}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated:all --instances 6k --seed 1 --no-controls MP+relaxed LB+relaxed SB+relaxed S+relaxed R+relaxed >/dev/null 2>&1 || code=$?
ask orchil.db "SELECT substr(device_uuid, -1), state, count(*) FROM v_job GROUP BY 1, 2"
check_store orchil.db
exit "$code"
