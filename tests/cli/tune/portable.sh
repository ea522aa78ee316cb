# SPDX-License-Identifier: Apache-2.0
# One profile for two devices, both measured in every trial.
. "$TEST_DIR/../faults/store"
printf '[environment]\nrounds = 5\n' >slow.ini # nearly every candidate is better by far, on a busy machine too
ORCHIL_SIMULATED="$TEST_DIR/rates.json" "$ORCHIL" tune --portable --device simulated:0 --device simulated:1 --device Rare --profile slow.ini --time 10 --trials 3 --seed 1 opencl:SB+relaxed 2>messages
grep -E '^; Device|^;   SB' tuned.ini
ask orchil.db "SELECT device, count(DISTINCT profile) > 0 FROM v_job WHERE controls = '' GROUP BY device ORDER BY device"
check_store orchil.db
