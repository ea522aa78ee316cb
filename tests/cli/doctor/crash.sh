# SPDX-License-Identifier: Apache-2.0
# A driver that crashes is named, and the rest is reported all the same. The real drivers are kept out of it.
ulimit -c 0
export OCL_ICD_VENDORS=/nowhere OPENCL_VENDOR_PATH=/nowhere CUDA_VISIBLE_DEVICES=
ORCHIL_SIMULATED="$TEST_DIR/crash.json" "$ORCHIL" doctor
