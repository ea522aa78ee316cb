# SPDX-License-Identifier: Apache-2.0
# A file that says an outcome must never appear, against the model: the message says which line claims what and what the model
# says, and no device is accused. It is an alarm all the same, because the file asked for it.
cp "$TEST_DIR/wrong-claim.litmus" "$TEST_DIR/two.litmus" .
"$ORCHIL" run --device simulated --instances 6k --seed 1 wrong-claim.litmus two.litmus 2>/dev/null >out || code=$?
grep -n 'must never appear\|suspect' out | cut -d: -f2-
exit "$code"
