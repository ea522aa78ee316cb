# SPDX-License-Identifier: Apache-2.0
# Two devices work at the same time: in their third batch each waits until the other is there too. What they print
# stays whole, and one database has all of it.
. "$TEST_DIR/../faults/store"
echo '{"state": "state.json", "devices": [{"name": "First"}, {"name": "Second", "driver": "2"}],
    "faults": [{"phase": "batch", "batch": 2, "do": "await", "devices": 2}]}' >two.json
ORCHIL_SIMULATED=two.json "$ORCHIL" run --device simulated:all --instances 6k --seed 1 --batch-limit 20 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >jobs 2>messages || code=$?
sed 's/^{"test":"\([a-z]*\)".*"device":"\([A-Za-z]*\)".*"state":"\([a-z]*\)".*"run":\([0-9]*\).*}$/\1 on \2 in run \4: \3/' jobs | sort
ask orchil.db "SELECT test, device, driver, state, batches, instances FROM v_job ORDER BY test, device" \
    "SELECT count(*), state FROM run"
check_store orchil.db
grep -c 'of 4 jobs ended; simulated:[01]: one: opening' messages
exit "$code"
