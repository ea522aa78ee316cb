# SPDX-License-Identifier: Apache-2.0
# A mutant that the baseline never saw on this machine is named: its control's silence proves nothing.
# If none was seen, no gate can pass: tests without a control that show something here are named.
. "$TEST_DIR/common"
SB_RATE=0
script 1.0 0.001
"$ORCHIL" gate baseline --device simulated --instances 300k --seed 5 --db cal.db --out base.db opencl:MP+relaxed opencl:SB+relaxed 2>/dev/null |
    sed 's/, [0-9,]* bytes/, SIZE/'
echo "-- all of them"
script 1.0 0
sed -i 's/"canary"/"mine": {"outcomes": {"1:r0=1; 1:r1=0;": 0.001}}, "canary"/' script.json
sed 's/^OPENCL MP+relaxed/OPENCL mine/; /^Control/d' "$TEST_DIR/../show/MP.litmus" >mine.litmus
"$ORCHIL" gate baseline --device simulated --instances 300k --seed 5 --db other.db --out blind.db opencl:MP+relaxed ./mine.litmus 2>/dev/null |
    sed 1d
