# SPDX-License-Identifier: Apache-2.0
# A test without a meaning in the language is judged, but never runs: a barrier that not all threads
# reach could hang the device. So is what orchil judges and cannot run: an image.
export ORCHIL_SIMULATED=both.json
echo '{"devices": [{"name": "Both", "takes": ["c11", "ptx"]}]}' >both.json
cat >divergent.litmus <<'END'
OPENCL divergent
{ x=0; }
P0@wg 0, dev 0 (global int* x) { work_group_barrier(CLK_GLOBAL_MEM_FENCE); int r0 = 1; }
P1@wg 0, dev 0 (global int* x) { int r0 = 1; }
exists (0:r0=1 /\ 1:r0=1)
END
cat >syncthreads.litmus <<'END'
CUDA syncthreads
{ x=0; }
P0@cta 0, gpu 0 (int* x) { *x = 1; __syncthreads(); }
P1@cta 0, gpu 0 (int* x) { int r0 = *x; }
exists (1:r0=1)
END
cat >quorum.litmus <<'END'
PTX quorum
{ x=0; }
 P0@cta 0,gpu 0        | P1@cta 0,gpu 0 ;
 bar.cta.sync 0, 1, 3  | ld.weak r0, x  ;
exists (1:r0=1)
END
cat >scope.litmus <<'END'
OPENCL scope
{ x=0; }
P0@wg 0, dev 0 (global atomic_int* x) {
  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_item);
}
exists (x=1)
END
cat >image.litmus <<'END'
OPENCL image
{ x=0; }
P0@wg 0, dev 0 (read_write image1d_t x) {
  write_imagei(x, 0, (int4)(1, 0, 0, 0));
  int r0 = read_imagei(x, 0).x;
}
exists (0:r0=0)
END
for test in divergent syncthreads quorum scope image; do
    "$ORCHIL" check $test.litmus | sed -n 's/^  The/The/p'
    "$ORCHIL" run --device simulated --instances 1k --db runs.db $test.litmus >output 2>/dev/null || echo "exit code $?"
    sed -n 's/^[0-9]* job[^:]*: //p; /unsupported,\{0,1\} and left/p; s/^ *unsupported: /unsupported: /p' output
done
