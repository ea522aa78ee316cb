# SPDX-License-Identifier: Apache-2.0
# A merge that is killed leaves whole runs; the same command completes it.
. "$TEST_DIR/../faults/store"
export ORCHIL_SIMULATED="$TEST_DIR/../run-verb/exact.json"
i=0
while [ $i -lt 4 ]; do
    "$ORCHIL" run --device simulated --instances 50k --seed $i --no-controls --db a.db 'opencl:SB+*' >/dev/null 2>&1 || :
    i=$((i + 1))
done
"$ORCHIL" merge --into whole.db a.db >/dev/null
for delay in 0.01 0.02 0.03 0.04 0.06 0.08 0.1; do
    rm -f all.db*
    "$ORCHIL" merge --into all.db a.db >/dev/null 2>&1 &
    sleep $delay
    kill -KILL $! 2>/dev/null || :
    wait $! 2>/dev/null || :
    if [ -s all.db ] && [ "$(ask all.db "PRAGMA user_version")" -gt 3 ]; then # else it was killed before it had tables
        check_store all.db
        ask all.db "ATTACH 'whole.db' AS whole" "SELECT 'run ' || run || ' is torn' FROM v_run r
            WHERE jobs <> (SELECT jobs FROM whole.v_run w WHERE w.run_uuid = r.run_uuid)"
    fi
    "$ORCHIL" merge --into all.db a.db >/dev/null
    ask all.db "SELECT count(*), sum(instances) FROM v_job" >all
    ask whole.db "SELECT count(*), sum(instances) FROM v_job" | cmp - all
done
