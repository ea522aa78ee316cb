# SPDX-License-Identifier: Apache-2.0
# One test, with fixed seed and speed: the histogram, what it means, and where it is kept.
ORCHIL_SIMULATED="$TEST_DIR/exact.json" "$ORCHIL" run --device simulated --profile "$TEST_DIR/fixed.ini" --instances 100k --seed 7 --db my.db "$TEST_DIR/one.litmus"
[ -f my.db ]
