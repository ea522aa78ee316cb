# SPDX-License-Identifier: Apache-2.0
# One JSON object: the device, each assumption with its answer, its planted violation and who relies on it, and the exit code.
export ORCHIL_SIMULATED="$TEST_DIR/devices.json"
"$ORCHIL" assume --device simulated:1 --time 0.2 --seed 7 --json assume-lock+onefence assume-tma-store+read 2>messages || code=$?
exit "$code"
