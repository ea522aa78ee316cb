# SPDX-License-Identifier: Apache-2.0
# --limit takes a time, a number of candidates, or both; an unjudged test says which to raise.
check() { "$ORCHIL" check "$@" "$TEST_DIR/slow.litmus" | sed -n '/unjudged/p'; }
check --limit 2k
check --limit 100T --limit 0.05s
check --limit 1h --limit 3000
"$ORCHIL" check --json --limit 2k "$TEST_DIR/slow.litmus"
"$ORCHIL" check --limit 1k opencl:SB+relaxed | tail -n 5
for value in 5x 0s -1 1.5 ''; do
    "$ORCHIL" check --limit "$value" SB+relaxed 2>&1 | head -n 1
done
