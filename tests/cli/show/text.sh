# SPDX-License-Identifier: Apache-2.0
# Read and written again: descriptions, metadata and the condition too.
"$ORCHIL" show "$TEST_DIR/MP.litmus" "$TEST_DIR/SB.litmus"
