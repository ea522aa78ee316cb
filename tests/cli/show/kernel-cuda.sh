# SPDX-License-Identifier: Apache-2.0
# A PTX test keeps its instructions; an OPENCL one gets those that correspond to its own.
"$ORCHIL" show --kernel cuda "$TEST_DIR/SB.litmus" | grep -o "st\.weak[.a-z0-9]*"
"$ORCHIL" show --kernel cuda "$TEST_DIR/MP.litmus" | grep -o "st\.relaxed[.a-z0-9]*"
