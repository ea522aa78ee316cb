# SPDX-License-Identifier: Apache-2.0
# Every section is there, and a device that can run tests is enough.
ORCHIL_SIMULATED="$TEST_DIR/three.json" "$ORCHIL" doctor
