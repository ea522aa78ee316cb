# SPDX-License-Identifier: Apache-2.0
# A rate beyond the tolerance that reruns confirm ends in 5, with direction, figures and the command that repeats it; a larger
# tolerance takes it.
. "$TEST_DIR/common"
baseline
script 2.0 0.004
gate && exit 9 || [ $? -eq 5 ] || exit 8
echo "-- tolerance 10"
gate --tolerance 10
