# SPDX-License-Identifier: Apache-2.0
# What must never be seen is no variation.
. "$TEST_DIR/common"
CONTROL_RATE=0.001
script 1.0 0.001
"$ORCHIL" gate calibrate --device simulated --instances 300k --runs 2 --seed 5 --db cal.db opencl:MP+relaxed >report 2>/dev/null || code=$?
grep settle report
exit "$code"
