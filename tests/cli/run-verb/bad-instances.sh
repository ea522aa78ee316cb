# SPDX-License-Identifier: Apache-2.0
# Values that make no sense are wrong usage.
for value in 0 -1 1.5 ten 1e99 ''; do
    "$ORCHIL" run --device simulated --instances "$value" "$TEST_DIR/one.litmus" 2>&1 | head -n 1
done
for value in 0 -1 soon ''; do
    "$ORCHIL" run --device simulated --time "$value" "$TEST_DIR/one.litmus" 2>&1 | head -n 1
done
for value in -1 1.5 9223372036854775808 x ''; do
    "$ORCHIL" run --device simulated --seed "$value" "$TEST_DIR/one.litmus" 2>&1 | head -n 1
done
"$ORCHIL" run --device simulated --batch-limit 0 "$TEST_DIR/one.litmus" 2>&1 | head -n 1
"$ORCHIL" run --device simulated --instances 0 "$TEST_DIR/one.litmus" 2>/dev/null
