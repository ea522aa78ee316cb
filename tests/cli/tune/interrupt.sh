# SPDX-License-Identifier: Apache-2.0
# SIGINT ends the search; the best so far is written, and all trials are stored.
. "$TEST_DIR/../faults/store"
mkdir tmp
export TMPDIR="$PWD/tmp"
ORCHIL_SIMULATED="$TEST_DIR/rates.json" "$ORCHIL" tune --device simulated:0 --time 10m --seed 1 opencl:SB+relaxed >found 2>messages &
pid=$!
wait_for "SELECT count(*) >= 4 FROM v_job WHERE state = 'completed'"
kill -INT $pid
wait $pid || code=$?
sed -n '1p; /^;.*earch/p' tuned.ini
grep -c ' = ' tuned.ini
tail -n 2 found
ask orchil.db "SELECT state FROM run" "SELECT count(*) FROM v_job WHERE state = 'started'"
check_store orchil.db
ls . tmp
exit "$code"
