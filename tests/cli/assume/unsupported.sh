# SPDX-License-Identifier: Apache-2.0
# Unsupported assumptions are reported with the reason; they affect the exit code only if nothing
# else is left.
export ORCHIL_SIMULATED="$TEST_DIR/devices.json"
"$ORCHIL" assume --device simulated:3 --time 0.2 --seed 7 assume-lock+onefence assume-tma-store+read 2>messages
"$ORCHIL" assume --device simulated:3 --time 0.2 --seed 7 assume-tma-store+read >page 2>messages || code=$?
sed -n 4p page
exit "$code"
