# SPDX-License-Identifier: Apache-2.0
# A test without a condition asks for no outcome: no empty line where the condition would be, no claim that it holds, and no count of witnesses.
cat >plain.litmus <<'TEST'
OPENCL plain
{ x=0; }
P0@wg 0, dev 0 (global atomic_int* x) { atomic_store(x, 1); }
P1@wg 1, dev 0 (global atomic_int* x) { int r0 = atomic_load(x); }
TEST
"$ORCHIL" check plain.litmus
"$ORCHIL" run --device simulated:0 --instances 100 --seed 1 --db plain.db plain.litmus 2>/dev/null | sed -n '1,2p;/^test/,/^plain/p'
