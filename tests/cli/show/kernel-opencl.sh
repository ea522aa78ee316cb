# SPDX-License-Identifier: Apache-2.0
# The whole kernel, from the first line of the prelude on, without a device. No text of the test itself is in it.
"$ORCHIL" show --kernel opencl "$TEST_DIR/MP.litmus" >kernel.cl
cmp -n "$(wc -c <"$ORCHIL_SOURCE_DIR/backends/opencl/prelude.cl")" kernel.cl "$ORCHIL_SOURCE_DIR/backends/opencl/prelude.cl"
grep -o "value, memory_order_relaxed);" kernel.cl
grep "flag be seen" kernel.cl || :
