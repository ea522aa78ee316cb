# SPDX-License-Identifier: Apache-2.0
# A baseline of a device that hangs is written; the fault is named with its test, and the exit code says what it is worth.
. "$TEST_DIR/common"
script 1.0 0.001 '"faults": [{"test": "SB+relaxed", "phase": "batch", "batch": 2, "do": "hang", "times": 1}]'
"$ORCHIL" gate baseline --device simulated --instances 30k --batch-limit 1 --runs 2 --out base.db opencl:SB+relaxed 2>/dev/null >report || echo "exit code $?"
sed 's/, [0-9,]* batches.*//' report
