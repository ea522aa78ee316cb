# SPDX-License-Identifier: Apache-2.0
# A real processor runs a loop further than the model follows it, and accuses nobody.
"$ORCHIL" run --device opencl --time 0.3 "$TEST_DIR/cut.litmus" >stdout 2>stderr || code=$?
[ "${code:-0}" -ne 4 ] || { echo "there is no OpenCL device" >&2; exit 77; }
grep -ci forbidden stdout || true
exit "${code:-0}"
