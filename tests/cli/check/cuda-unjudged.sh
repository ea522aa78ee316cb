# SPDX-License-Identifier: Apache-2.0
# Where the place of a fence is the compiler's choice, no model can say what is emitted.
"$ORCHIL" check --model ptx,sc "$TEST_DIR/cuda-unjudged.litmus"
