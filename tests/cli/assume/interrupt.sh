# SPDX-License-Identifier: Apache-2.0
# SIGINT ends it: the page has the results so far, and says that it was interrupted.
. "$TEST_DIR/../faults/store"
export ORCHIL_SIMULATED="$TEST_DIR/devices.json"
"$ORCHIL" assume --device simulated:0 --time 10m --seed 7 assume-lock+onefence assume-tma-store+read >page 2>messages &
pid=$!
wait_for "SELECT count(*) > 0 FROM batch WHERE job_id IN (SELECT id FROM job WHERE run_id = 2)"
kill -INT $pid
wait $pid || code=$?
sed -n '4p; /^unknown/p' page
grep -c "Relied on" page
check_store orchil.db
exit "$code"
