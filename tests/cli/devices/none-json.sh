# SPDX-License-Identifier: Apache-2.0
# A script that reads JSON gets an empty array, and the same exit code.
ORCHIL_SIMULATED="$TEST_DIR/none.json" "$ORCHIL" devices simulated --json
