# SPDX-License-Identifier: Apache-2.0
# A search that starts from a profile as good as any keeps it: nothing is written, an older file stays, and the exit code says so.
cat >good.ini <<'TEXT'
[environment]
group_size = 1024
testing_percent = 100
stress_percent = 0
rounds = 8192
TEXT
echo old >tuned.ini
ORCHIL_SIMULATED="$TEST_DIR/rates.json" "$ORCHIL" tune --device simulated:0 --profile good.ini --time 20 --trials 3 --seed 1 opencl:SB+relaxed >found 2>messages || code=$?
grep -o ': kept' found
cat tuned.ini
ls
exit "$code"
