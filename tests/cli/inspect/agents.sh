# SPDX-License-Identifier: Apache-2.0
# Of a test of several devices every GPU's kernel is inspected: the compiler leaves one of the second GPU's two weak loads. The host's
# threads are not NVIDIA's to compile.
"$ORCHIL" doctor 2>/dev/null | grep -q 'headers: .*libcu++' || { echo "there is no NVRTC with libcu++ here" >&2; exit 77; }
PATH=/usr/bin:/bin
unset CUDA_HOME CUDA_PATH
cat >kept.litmus <<'END'
CUDA MP+devices
{ x=0; y=0; }

P0@cta 0, gpu 0 (int* x, int* y) {
  cuda::atomic_ref<int, cuda::thread_scope_system>(*x).store(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_system>(*y).store(1, cuda::memory_order_release);
}
P1@cta 0, gpu 1 (int* x, int* y) {
  int r0 = cuda::atomic_ref<int, cuda::thread_scope_system>(*y).load(cuda::memory_order_acquire);
  int r1 = cuda::atomic_ref<int, cuda::thread_scope_system>(*x).load(cuda::memory_order_relaxed);
}

exists (1:r0=1 /\ 1:r1=0)
END
cat >merged.litmus <<'END'
CUDA CoRR+devices
{ x=0; }

P0@cta 0, gpu 0 (int* x) {
  cuda::atomic_ref<int, cuda::thread_scope_system>(*x).store(1, cuda::memory_order_relaxed);
}
P1@cta 0, gpu 1 (int* x) {
  int r0 = *x;
  int r1 = *x;
}

exists (1:r0=1 /\ 1:r1=0)
END
sed 's/CoRR+devices/CoRR+host/; s/P0@cta 0, gpu 0/P0@host/; s/gpu 1/gpu 0/' merged.litmus >host.litmus
for test in kept merged host; do
    "$ORCHIL" inspect --lowering source --json $test.litmus 2>/dev/null | grep -oE '"(test|kept|fault)":"[^"]*"'
done
