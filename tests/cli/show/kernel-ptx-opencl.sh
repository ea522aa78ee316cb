# SPDX-License-Identifier: Apache-2.0
# A PTX test in OpenCL is for a device that takes PTX.
"$ORCHIL" show --kernel opencl "$TEST_DIR/SB.litmus" | grep -o "st\.weak[.a-z0-9]*"
