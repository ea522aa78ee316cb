# SPDX-License-Identifier: Apache-2.0
# One object per line and job, and nothing else; the same seed gives the same numbers.
ORCHIL_SIMULATED="$TEST_DIR/exact.json" "$ORCHIL" run --device simulated --profile "$TEST_DIR/fixed.ini" --instances 100k --seed 7 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >first
ORCHIL_SIMULATED="$TEST_DIR/exact.json" "$ORCHIL" run --device simulated --profile "$TEST_DIR/fixed.ini" --instances 100k --seed 7 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >second
# A run's number and the pauses between launches are its own.
sed 's/"run":[0-9]*/"run":N/; s/"seconds":[0-9.e-]*/"seconds":S/' first >first.same
sed 's/"run":[0-9]*/"run":N/; s/"seconds":[0-9.e-]*/"seconds":S/' second >second.same
cmp first.same second.same
cat first.same
