# SPDX-License-Identifier: Apache-2.0
# Launches with each edge between them that a real driver (PoCL) has: every batch adds up, none begins before the one that it comes after
# has ended, the later launch sees what the earlier wrote, and the test is found in the compiled code.
. "$TEST_DIR/../faults/store"
export POCL_DEVICES=pthread
"$ORCHIL" devices opencl 2>/dev/null | grep -q '^opencl:0.*pthread' || { echo "PoCL is not installed" >&2; exit 77; }
for edge in queue event barrier host map copy; do
    sed "s/queue/$edge/; s/MP-ends/MP-$edge/" "$TEST_DIR/mp.litmus" >$edge.litmus
done
"$ORCHIL" run --device opencl:0 --instances 100k --seed 5 ./*.litmus >/dev/null 2>messages || echo "exit code $?"
ask orchil.db "SELECT test, state, batches > 1, invalid_batches, voids, witnesses, marks, kept FROM v_job" \
    "SELECT max(json_extract(liveness, '$.overlapped')), group_concat(DISTINCT json_extract(draw, '$.order')) FROM v_batch"
check_store orchil.db
