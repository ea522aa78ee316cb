# SPDX-License-Identifier: Apache-2.0
# A mutant that the baseline showed, and which is hardly seen, leaves the question open; the time that would do is reported. One
# that the baseline did not show either is blind: it is reported and counted, and relied on no more; if all are, the gate is inconclusive.
. "$TEST_DIR/common"
script 1.0 0.00003
"$ORCHIL" gate baseline --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 300k --seed 5 --out base.db opencl:MP+relaxed >/dev/null 2>&1
script 2.0 0.00001
gate --confirm-budget 0 || echo "exit $?"
echo "-- blind"
rm base.db
script 1.0 0
"$ORCHIL" gate baseline --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 300k --seed 5 --out base.db opencl:MP+relaxed >/dev/null 2>&1
gate || echo "exit $?"
