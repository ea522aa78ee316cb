# SPDX-License-Identifier: Apache-2.0
# Launches on several devices: the host puts the edge between them, one member's own edges stay its own, threads of the host are launched
# too, and what a device or its members lack is refused with the reason. Groups of one test need not run at once.
. "$TEST_DIR/../faults/store"
export POCL_DEVICES="pthread pthread"
"$ORCHIL" devices opencl 2>/dev/null | grep -q '^opencl:1.*pthread' || { echo "PoCL is not installed" >&2; exit 77; }
sed 's/P1@wg 1, dev 0/P1@wg 1, dev 1/; s/by queue/by host/; s/MP-ends/MP-two/' "$TEST_DIR/mp.litmus" >two.litmus
sed 's/after P0 by host/beside P0/; s/MP-two/MP-beside/' two.litmus >beside.litmus
sed 's/by host/by event/; s/MP-two/MP-event/' two.litmus >event.litmus
sed 's/P1@wg 1, dev 1/P1@host/; s/MP-two/MP-host/' two.litmus >host.litmus
cat >three.litmus <<'END'
OPENCL MP-three
{ x=0; y=0; }
P0@wg 0, dev 0 (global int* x, global int* y) { *x = 1; *y = 1; }
P1@wg 1, dev 0 (global int* x, global int* y) { int r0 = *y; int r1 = *x; }
P2@wg 2, dev 1 (global int* x, global int* y) { int r0 = *y; int r1 = *x; }
P1 after P0 by event
P2 after P1 by host
exists (1:r0=0 \/ 1:r1=0 \/ 2:r0=0 \/ 2:r1=0)
END
"$ORCHIL" run --device opencl:0+opencl:1 --instances 60k --seed 2 two.litmus three.litmus event.litmus beside.litmus >/dev/null 2>messages || echo "exit code $?"
"$ORCHIL" run --device opencl:0+host --instances 60k --seed 2 host.litmus >/dev/null 2>messages || echo "exit code $?"
ask orchil.db "SELECT test, state, reason, batches > 0, invalid_batches, voids, test = 'MP-beside' OR witnesses = 0, kept FROM v_job"
check_store orchil.db
