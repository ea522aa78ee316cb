# SPDX-License-Identifier: Apache-2.0
# No libOpenCL that can be loaded: the same.
mkdir broken
echo "not a library" >broken/libOpenCL.so.1
LD_LIBRARY_PATH=$PWD/broken "$ORCHIL" run --device opencl --instances 1k "$TEST_DIR/one.litmus" || code=$?
[ ! -e orchil.db ]
LD_LIBRARY_PATH=$PWD/broken "$ORCHIL" run --device simulated --instances 1k --json "$TEST_DIR/one.litmus" | grep -o '"state":"[a-z]*"'
exit "$code"
