# SPDX-License-Identifier: Apache-2.0
# A cut by the bound is reported; more iterations show more.
"$ORCHIL" check "$TEST_DIR/loop.litmus"
"$ORCHIL" check --unroll 4 "$TEST_DIR/loop.litmus"
