# SPDX-License-Identifier: Apache-2.0
# The planted violation was not seen, so silence says nothing: exit code 3.
export ORCHIL_SIMULATED="$TEST_DIR/devices.json"
"$ORCHIL" assume --device simulated:2 --time 0.2 --seed 7 assume-lock+onefence assume-tma-store+read 2>messages
