# SPDX-License-Identifier: Apache-2.0
# A CUDA test is judged by model ptx, as the instructions that it becomes; events have the lines of the test.
"$ORCHIL" check --explain "$TEST_DIR/cuda.litmus"
