# SPDX-License-Identifier: Apache-2.0
# A small file for comparing with: every sum and verdict is there, kernels and the like are not.
. "$TEST_DIR/../faults/store"
export ORCHIL_SIMULATED="$TEST_DIR/../run-verb/exact.json"
"$ORCHIL" run --device simulated --instances 10k --seed 1 --db a.db 'opencl:SB+relaxed' >/dev/null 2>&1 || :
"$ORCHIL" merge --into small.db --leave-out kernels,binaries,logs,draws a.db
"$ORCHIL" compare a.db small.db >compared
grep -c 'B: small.db' compared || :
for db in a.db small.db; do
    ask $db "SELECT test, batches, instances, voids, witnesses, forbidden FROM v_job" >$db.jobs
    ask $db "SELECT max(length(text)) > 5000 FROM content" "SELECT max(length(draw)) > 2 FROM v_batch"
done
cmp a.db.jobs small.db.jobs
ask small.db "SELECT left_out FROM v_merge"
