# SPDX-License-Identifier: Apache-2.0
# A device that is not there.
ORCHIL_SIMULATED="$TEST_DIR/exact.json" "$ORCHIL" run --device simulated:5 --instances 1k "$TEST_DIR/one.litmus" || code=$?
[ ! -e orchil.db ]
exit "$code"
