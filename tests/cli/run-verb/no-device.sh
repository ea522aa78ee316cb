# SPDX-License-Identifier: Apache-2.0
# No OpenCL driver: a sentence and exit code 4, and the simulated device still works.
OCL_ICD_VENDORS=/nonexistent "$ORCHIL" run --device opencl --instances 1k "$TEST_DIR/one.litmus" || code=$?
[ ! -e orchil.db ]
OCL_ICD_VENDORS=/nonexistent "$ORCHIL" run --device simulated --instances 1k --json "$TEST_DIR/one.litmus" | grep -o '"state":"[a-z]*"'
exit "$code"
