# SPDX-License-Identifier: Apache-2.0
# What a device cannot run is reported with its reason, and changes nothing where another holds; where nothing is left, it does.
export ORCHIL_SIMULATED="$TEST_DIR/devices.json"
"$ORCHIL" assume --device simulated:3 --time 0.2 --seed 7 assume-lock+onefence assume-tma-store+read 2>messages
"$ORCHIL" assume --device simulated:3 --time 0.2 --seed 7 assume-tma-store+read >page 2>messages || code=$?
sed -n 4p page
exit "$code"
