# SPDX-License-Identifier: Apache-2.0
# A test of several devices, or of a device and the host, has a kernel for each of them, in the language of that device.
cp "$TEST_DIR/../agents/sb.litmus" .
cat >host.litmus <<'END'
PTX MP+host
{ x=0; y=0; }
 P0@host                                           | P1@cta 0,gpu 0       ;
 atomic_store_explicit(x, 1, memory_order_relaxed) | ld.acquire.sys r0, y ;
 atomic_store_explicit(y, 1, memory_order_release) | ld.relaxed.sys r1, x ;
exists (1:r0=1 /\ 1:r1=0)
END
heads() { grep -E '^// member|^#define AGENT |^#define AGENTS|^FUNCTION void play_[0-9]|  atomic_store_explicit|asm volatile\("ld.acquire.sys' "$1"; }
show() {
    echo "== $*"
    "$ORCHIL" show "$@" >out && heads out
}
show --kernel cuda sb.litmus
show --kernel opencl sb.litmus
show --body --kernel cuda host.litmus
show --body host.litmus
"$ORCHIL" show --json --kernel cuda sb.litmus | grep -c 'member 1'
