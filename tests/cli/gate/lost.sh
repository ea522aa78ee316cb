# SPDX-License-Identifier: Apache-2.0
# A lost outcome that reruns confirm ends in 5; of a mutant, its silence is not a proof either.
. "$TEST_DIR/common"
baseline
SB_RATE=0
script 2.0 0.001
gate
