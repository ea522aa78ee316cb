# SPDX-License-Identifier: Apache-2.0
# Protects: the name of the starting profile's file stays within the comments of the new profile, however it is made.
export ORCHIL_SIMULATED="$TEST_DIR/rates.json"
start=$(printf 'a\n[environment]\nforged = 1\nb%0120d.ini' 7)
printf '[environment]\nrounds = 5\n' >"$start"
"$ORCHIL" tune --device simulated:0 --profile "$start" --time 10 --trials 2 --seed 1 --out mine.ini opencl:SB+relaxed >out 2>&1
grep -q "profile a?\[environment\]?forged = 1?b" mine.ini && echo "one line"
grep -c '^forged\|^\[' mine.ini
"$ORCHIL" run --device simulated:0 --instances 1k --no-controls --profile mine.ini opencl:SB+relaxed 2>&1 | grep -c '1 completed'
