# SPDX-License-Identifier: Apache-2.0
# Probable mistakes in a test: on standard error, and a member of JSON.
cat >typed.litmus <<'END'
OPENCL typed
"P0 stores, then signals."
Expct=forbidden
{ slot=0; redy=0; }
P0@wg 0, dev 0 (global atomic_int* slot, global atomic_int* ready) {
  atomic_store(slot, 1);
  if (atomic_load(ready) == 0) {
    int r1 = atomic_load(slot);
  }
}
exists (0:r1=0)
END
"$ORCHIL" show typed.litmus >/dev/null
"$ORCHIL" check --json typed.litmus 2>/dev/null | grep -o '"warnings.*'
"$ORCHIL" show --json typed.litmus 2>/dev/null | grep -c '"message"'
"$ORCHIL" run --device simulated --instances 1k --db a.db --json typed.litmus 2>err | grep -c '"warnings":'
grep -c warning err
