# SPDX-License-Identifier: Apache-2.0
# A mutant that is seen too rarely makes a pass mean nothing; the time that would do is told.
. "$TEST_DIR/common"
script 1.0 0.00001
"$ORCHIL" gate baseline --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 300k --seed 5 --out base.db opencl:MP+relaxed >/dev/null 2>&1
script 2.0 0.00001
gate
