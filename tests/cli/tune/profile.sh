# SPDX-License-Identifier: Apache-2.0
# The profile says where it comes from, and run takes it: its environment is the one that the winning trial had.
. "$TEST_DIR/../faults/store"
mkdir tmp
export TMPDIR="$PWD/tmp"
export ORCHIL_SIMULATED="$TEST_DIR/rates.json"
printf '[environment]\nrounds = 5\n' >slow.ini # nearly every candidate is better by far, on a busy machine too
"$ORCHIL" tune --device simulated:0 --profile slow.ini --time 10 --trials 6 --seed 1 --out mine.ini opencl:SB+relaxed 2>messages
sed -n '1,/^group_size/p' mine.ini
grep -c ' = ' mine.ini
"$ORCHIL" run --device simulated:0 --instances 1k --profile mine.ini opencl:SB+relaxed >/dev/null 2>&1
winner=$(sed -n 's/.*: candidate \([0-9]*\) of .*/\1/p' mine.ini)
ask orchil.db "SELECT count(DISTINCT environment_hash) FROM v_job WHERE profile IN ('mine.ini', 'trial $winner')"
ls . tmp
