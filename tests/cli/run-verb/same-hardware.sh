# SPDX-License-Identifier: Apache-2.0
# Devices with one UUID are one piece of hardware, which runs one job at a time.
. "$TEST_DIR/../faults/store"
echo '{"devices": [{"name": "By one driver", "uuid": "00000000-0000-0000-0000-000000000001"},
    {"name": "By another", "driver": "2", "uuid": "00000000-0000-0000-0000-000000000001"}],
    "faults": [{"phase": "batch", "do": "slow", "milliseconds": 5}]}' >two.json
ORCHIL_SIMULATED=two.json "$ORCHIL" run --device simulated:all --instances 6k --seed 1 "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >/dev/null 2>&1 || code=$?
ask orchil.db "SELECT test, device, state FROM v_job" \
    "SELECT 'at once:', count(*) FROM v_job a JOIN v_job b ON a.job < b.job AND b.started_at < a.finished_at"
exit "$code"
