# SPDX-License-Identifier: Apache-2.0
# Launches at the same time on a real driver (PoCL): they are submitted in either order, so both
# outcomes are seen; a launch after both sees the writes of both. If they never overlapped, the job
# says so.
. "$TEST_DIR/../faults/store"
export POCL_DEVICES=pthread
"$ORCHIL" devices opencl 2>/dev/null | grep -q '^opencl:0.*pthread' || { echo "PoCL is not installed" >&2; exit 77; }
sed 's/after P0 by queue/beside P0/' "$TEST_DIR/mp.litmus" >mp.litmus
cp "$TEST_DIR/sb.litmus" .
"$ORCHIL" run --device opencl:0 --instances 300k --seed 5 mp.litmus sb.litmus >text 2>messages || echo "exit code $?"
ask orchil.db "SELECT test, state, batches > 1, invalid_batches, voids, test <> 'MP-ends' OR witnesses > 0 FROM v_job" \
    "SELECT DISTINCT test, json_extract(draw, '$.order') FROM v_batch JOIN v_job USING (job) ORDER BY 1, 2" \
    "SELECT test FROM v_job WHERE (marks = '[]') <> (SELECT max(json_extract(liveness, '$.overlapped')) > 0 FROM v_batch b WHERE b.job = v_job.job)" \
    "SELECT 'lost: ' || outcome FROM v_outcome WHERE test = 'SB-ends' AND outcome NOT LIKE '%2:r0=1; 2:r1=1;'"
grep -c 'launches (.* per second), each of .* instances on average' text
check_store orchil.db
