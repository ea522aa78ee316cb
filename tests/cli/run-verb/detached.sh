# SPDX-License-Identifier: Apache-2.0
# More work-groups than the device holds at once: the job says so, and its batches are whole.
. "$TEST_DIR/../faults/store"
echo '{"devices": [{"resident": 1}]}' >narrow.json
ORCHIL_SIMULATED=narrow.json "$ORCHIL" run --device simulated --instances 10k --json "$TEST_DIR/one.litmus" | grep -o '"marks":[^]]*]'
ask orchil.db "SELECT DISTINCT json_extract(draw, '$.detached'), json_extract(draw, '$.played_rounds') FROM v_batch" "SELECT marks FROM v_job"
check_store orchil.db
