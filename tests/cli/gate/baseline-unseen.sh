# SPDX-License-Identifier: Apache-2.0
# A mutant that the baseline never saw on this machine is named: its control's silence proves nothing.
. "$TEST_DIR/common"
SB_RATE=0
script 1.0 0.001
"$ORCHIL" gate baseline --device simulated --instances 300k --seed 5 --db cal.db --out base.db opencl:MP+relaxed opencl:SB+relaxed 2>/dev/null |
    sed 's/, [0-9,]* bytes/, SIZE/'
