# SPDX-License-Identifier: Apache-2.0
# Log blocks as litmus7 writes them.
ORCHIL_SIMULATED="$TEST_DIR/exact.json" "$ORCHIL" run --device simulated --profile "$TEST_DIR/fixed.ini" --instances 100k --seed 7 --log out.log "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >stdout
cat out.log
