# SPDX-License-Identifier: Apache-2.0
# A driver that crashes when it is asked is named, with its last output.
ulimit -c 0
ORCHIL_SIMULATED="$TEST_DIR/crash.json" "$ORCHIL" devices simulated
