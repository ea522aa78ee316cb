# SPDX-License-Identifier: Apache-2.0
# A thread without instructions has a kernel too.
cat >empty.litmus <<'END'
OPENCL empty
"A thread without instructions."
{ x = 0; }
P0 (atomic_int *x) { atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device); }
P1 (atomic_int *x) { }
exists ([x]=1)
END
"$ORCHIL" show --kernel=opencl empty.litmus | grep -c 'BODY void p1\|p1'
