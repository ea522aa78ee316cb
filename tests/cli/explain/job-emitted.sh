# SPDX-License-Identifier: Apache-2.0
# On a device that gets PTX, the PTX model explains what was emitted, with the instructions of the source.
ORCHIL_SIMULATED="$TEST_DIR/../verdicts/planted-ptx.json" "$ORCHIL" run --device simulated --no-controls --instances 10k --seed 7 --db a.db opencl:MP+rel+acq >/dev/null 2>&1 || :
"$ORCHIL" explain a.db --job 1
