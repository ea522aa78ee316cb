# SPDX-License-Identifier: Apache-2.0
# An outcome that must never be seen is not a variation: it is named, with its test.
. "$TEST_DIR/common"
CONTROL_RATE=0.001
script 1.0 0.001
"$ORCHIL" gate calibrate --device simulated --instances 300k --runs 4 --seed 5 --db cal.db opencl:MP+relaxed >report 2>/dev/null || code=$?
sed -n '1p; /FORBIDDEN/,/^$/p' report
exit "$code"
