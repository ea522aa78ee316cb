# SPDX-License-Identifier: Apache-2.0
# An instruction of several lines is put on one; of a template, the instance's text is shown; on a terminal of 80 columns a long line goes on below the instruction.
command -v script >/dev/null || { echo "script is not installed" >&2; exit 77; }
script -qec true /dev/null >/dev/null 2>&1 || { echo "there is no pseudo-terminal, see /dev/pts" >&2; exit 77; }
cat >lines.litmus <<'TEST'
OPENCL MP+$flag
vary flag = release
{ x=0; y=0; }
P0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {
  atomic_store_explicit(x,
     1, memory_order_relaxed, memory_scope_device); atomic_store_explicit(y, 1, memory_order_$flag, memory_scope_device);
}
P1@wg 1, dev 0 (global atomic_int* x, global atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);
  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);
}
exists (1:r0=1 /\ 1:r1=0)
TEST
"$ORCHIL" check --explain lines.litmus | sed -n '/breaks/,$p'
script -qec "stty cols 80; TERM=xterm NO_COLOR=1 '$ORCHIL' check --explain lines.litmus" /dev/null | tr -d '\r' |
    sed -n '/breaks/,$p' | awk 'length($0) > 80 { print "too wide: " $0 } { print }'
