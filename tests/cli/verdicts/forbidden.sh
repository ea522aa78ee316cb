# SPDX-License-Identifier: Apache-2.0
# A forbidden outcome in a conformance test: its row comes first, the axiom is named, and the exit code is 1.
ORCHIL_SIMULATED="$TEST_DIR/planted.json" "$ORCHIL" run --device simulated --no-controls --instances 10k --seed 7 opencl:MP+rel+acq
