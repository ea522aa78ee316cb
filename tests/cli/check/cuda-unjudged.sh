# SPDX-License-Identifier: Apache-2.0
# If the compiler chooses the place of a fence, no model can judge the emitted code.
"$ORCHIL" check --model ptx,sc "$TEST_DIR/cuda-unjudged.litmus"
