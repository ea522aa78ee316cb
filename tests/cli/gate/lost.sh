# SPDX-License-Identifier: Apache-2.0
# A lost outcome of a mutant fails, and its silence is no proof either.
. "$TEST_DIR/common"
baseline
SB_RATE=0
script 2.0 0.001
gate
