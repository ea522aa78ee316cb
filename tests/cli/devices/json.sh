# SPDX-License-Identifier: Apache-2.0
# All that is known of each device, and nothing else on stdout.
ORCHIL_SIMULATED="$TEST_DIR/three.json" "$ORCHIL" devices --json simulated
