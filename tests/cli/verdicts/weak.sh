# SPDX-License-Identifier: Apache-2.0
# A weak outcome is a finding and no failure.
ORCHIL_SIMULATED="$TEST_DIR/planted.json" "$ORCHIL" run --device simulated --no-controls --instances 10k --seed 7 opencl:SB+relaxed
