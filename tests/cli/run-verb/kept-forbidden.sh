# SPDX-License-Identifier: Apache-2.0
# Protects: whom a forbidden outcome accuses. Where the compiled code is not the test, the compiler first; where it was read and is the
# test, no more the compiler. The exit code is 1 all the same: the outcome was seen.
export ORCHIL_SIMULATED="$TEST_DIR/kept-forbidden.json"
for device in simulated:0 simulated:1; do
    "$ORCHIL" run --device $device --no-controls --instances 10k --seed 7 opencl:MP+rel+acq >out 2>messages || echo "exit $?"
    grep -n 'suspect\|Not kept' out | cut -d: -f2-
    grep '^MP.*FORB' out
done
