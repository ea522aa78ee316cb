# SPDX-License-Identifier: Apache-2.0
# Devices that differ in nothing but their UUID share the tests, a test and its controls on one of them; it does not
# matter which: a run on one device alone has the same outcomes. Two jobs cannot end before both devices have begun one.
. "$TEST_DIR/../faults/store"
echo '{"state": "state.json", "devices": [
    {"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000001"},
    {"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000002"},
    {"name": "Other"}],
    "faults": [{"phase": "batch", "batch": 0, "do": "await", "devices": 3}]}' >three.json
echo '{"devices": [{"name": "Twin"}]}' >one.json
set -- --instances 6k --seed 1 SB+relaxed MP+relaxed LB+relaxed "$TEST_DIR/one.litmus"
ORCHIL_SIMULATED=three.json "$ORCHIL" run --device simulated:all "$@" >/dev/null 2>&1 || code=$?
ORCHIL_SIMULATED=one.json "$ORCHIL" run --device simulated --db one.db "$@" >/dev/null 2>&1 || :
ask orchil.db "SELECT device, count(DISTINCT test_hash || controls), count(*), count(DISTINCT device_uuid) FROM v_job GROUP BY 1" \
    "SELECT 'apart from its test:', count(*) FROM v_job c JOIN v_job t ON t.test = c.controls AND t.key = c.key AND t.device = c.device
        WHERE c.device_uuid <> t.device_uuid"
for db in orchil one; do
    ask $db.db "SELECT test, dialect, outcome, count FROM v_outcome WHERE device = 'Twin' ORDER BY 1, 2, 3, 4" >$db.outcomes
done
cmp orchil.outcomes one.outcomes
check_store orchil.db
exit "$code"
