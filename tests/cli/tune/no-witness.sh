# SPDX-License-Identifier: Apache-2.0
# A test whose witness does not appear cannot be tuned: no profile, and an older one stays.
echo old >tuned.ini
ORCHIL_SIMULATED="$TEST_DIR/rates.json" "$ORCHIL" tune --device simulated:0 --time 20 --trials 3 --seed 1 opencl:MP+relaxed 2>messages || code=$?
cat tuned.ini
ls
exit "$code"
