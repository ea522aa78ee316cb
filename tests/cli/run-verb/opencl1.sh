# SPDX-License-Identifier: Apache-2.0
# A device of OpenCL 1.2 promises no orders: what it shows that a model forbids fails nothing, except with --strict. What its
# language cannot say is unsupported, with the reason.
cat >old.json <<'END'
{"devices": [{"name": "Old GPU", "driver": "1.2", "takes": ["opencl1"],
  "atomic_orders": [], "atomic_scopes": [], "fence_orders": [], "fence_scopes": [], "types": [],
  "tests": {"MP+rel+acq": {"outcomes": {"1:r0=1; 1:r1=0;": 0.01}}}}]}
END
cat >wide.litmus <<'END'
OPENCL wide
{ x=0; }
P0@wg 0, dev 0 (global atomic_int* x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_all_svm_devices);
}
exists (0:r0=1)
END
cat >long.litmus <<'END'
OPENCL long
{ long x=0; }
P0@wg 0, dev 0 (global long* x) {
  long r0 = atom_inc(x);
}
exists (0:r0=1)
END
export ORCHIL_SIMULATED=old.json
run() { code=0; "$ORCHIL" run --device simulated --seed 1 --instances 10k "$@" >out 2>/dev/null || code=$?; echo "exit $code"; }
run opencl:MP+rel+acq
grep -E 'does not declare|MP\+rel\+acq  ' out
run --strict opencl:MP+rel+acq
run wide.litmus long.litmus ptx:SB+weak opencl:SB+relaxed
grep -E 'unsupported' out
"$ORCHIL" run --json --device simulated --seed 1 --instances 10k wide.litmus long.litmus 2>/dev/null | grep -o '"reason":"[^"]*"'
