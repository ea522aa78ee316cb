# SPDX-License-Identifier: Apache-2.0
# The database is moved while the search writes to it: the search ends soon, says so, and does not claim to have stored.
. "$TEST_DIR/../faults/store"
mkdir tmp
export TMPDIR="$PWD/tmp"
ORCHIL_SIMULATED="$TEST_DIR/rates.json" "$ORCHIL" tune --device simulated:0 --time 10m --seed 1 opencl:SB+relaxed >found 2>messages &
pid=$!
wait_for "SELECT count(*) >= 2 FROM v_job WHERE state = 'completed'"
mv orchil.db elsewhere.db
began=$(date +%s)
wait $pid || code=$?
[ $(($(date +%s) - began)) -lt 200 ] || echo "it went on for $(($(date +%s) - began)) s"
tail -n 1 messages
cat found
ls . tmp
exit "$code"
