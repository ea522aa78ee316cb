# SPDX-License-Identifier: Apache-2.0
# The counts of a test with a data race mean nothing: its job and the summary say so.
cat >racy.litmus <<'END'
OPENCL racy
{ x=0; }
P0@wg 0, dev 0 (global int* x) { *x = 1; }
P1@wg 1, dev 0 (global int* x) { int r0 = *x; }
exists (1:r0=1)
END
"$ORCHIL" run --device simulated --instances 1k --db runs.db --seed 1 racy.litmus opencl:SB+relaxed 2>/dev/null >output || echo "exit code $?"
grep -n 'mean nothing' output | cut -d: -f2-
grep -c 'data race$' output
