# SPDX-License-Identifier: Apache-2.0
# One is broken: k of N, exit code 1. The page of all is at most 80 columns wide.
export ORCHIL_SIMULATED="$TEST_DIR/devices.json"
"$ORCHIL" assume --device simulated:1 --time 0.2 --seed 7 assume-lock+onefence assume-tma-store+read 2>messages || code=$?
"$ORCHIL" assume --device simulated:1 --time 0.1 --seed 7 >page 2>messages || true
awk 'length > 80' page
exit "$code"
