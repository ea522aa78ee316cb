# SPDX-License-Identifier: Apache-2.0
# A forbidden outcome on a device that does not declare what the test uses: not promised, and exit code 0.
ORCHIL_SIMULATED="$TEST_DIR/narrow.json" "$ORCHIL" run --device simulated --no-controls --instances 10k --seed 7 opencl:MP+rel+acq
