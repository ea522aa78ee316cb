# SPDX-License-Identifier: Apache-2.0
# Without a device the exit code is 4, and the reason is reported.
ORCHIL_SIMULATED="$TEST_DIR/none.json" "$ORCHIL" devices simulated
