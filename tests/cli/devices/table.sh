# SPDX-License-Identifier: Apache-2.0
# One line for each device, the default marked, and no byte of a name that could steer a terminal.
ORCHIL_SIMULATED="$TEST_DIR/three.json" "$ORCHIL" devices simulated
