# SPDX-License-Identifier: Apache-2.0
# What a bound cut off is said; more iterations show more.
"$ORCHIL" check "$TEST_DIR/loop.litmus"
"$ORCHIL" check --unroll 4 "$TEST_DIR/loop.litmus"
