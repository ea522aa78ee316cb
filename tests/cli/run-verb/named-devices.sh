# SPDX-License-Identifier: Apache-2.0
# Devices that are named run every test each, also where they are equal; one that is named twice runs them once. What
# selects several devices cannot be among them.
. "$TEST_DIR/../faults/store"
echo '{"devices": [{"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000001"},
    {"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000002"}, {"name": "Left, or right"}]}' >three.json
export ORCHIL_SIMULATED=three.json
run() {
    "$ORCHIL" run --instances 1k --seed 1 "$@" "$TEST_DIR/one.litmus" 2>&1 >/dev/null | grep '^orchil' || :
}
run --db twins.db --device simulated:0,simulated:1,simulated:0
ask twins.db "SELECT test, device_uuid, state FROM v_job ORDER BY 2"
run --db name.db --device 'left, or'
ask name.db "SELECT device FROM v_job"
run --db other.db --device simulated:0,all
run --db other.db --device simulated:0,simulated:7
run --db other.db --device simulated:0,
