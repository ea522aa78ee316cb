# SPDX-License-Identifier: Apache-2.0
# With --strict it counts.
code=0
ORCHIL_SIMULATED="$TEST_DIR/narrow.json" "$ORCHIL" run --strict --device simulated --no-controls --instances 10k --seed 7 opencl:MP+rel+acq >stdout || code=$?
grep -E 'promised|orbidden|FORBIDDEN|must never' stdout
exit "$code"
