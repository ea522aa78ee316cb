# SPDX-License-Identifier: Apache-2.0
# A backend without kernels is a usage error.
"$ORCHIL" show --kernel vulkan "$TEST_DIR/MP.litmus"
