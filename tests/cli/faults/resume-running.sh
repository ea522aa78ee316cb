# SPDX-License-Identifier: Apache-2.0
# A run that another process works on cannot be taken up, whatever network that one is in; it is not disturbed. Killed, it
# can. The lock file goes with the run, and nobody can lock it who may not write the database.
. "$TEST_DIR/store"
echo '{"faults": [{"phase": "batch", "do": "slow", "milliseconds": 20}]}' >slow.json
ORCHIL_SIMULATED=slow.json "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 100k --seed 1 "$TEST_DIR/one.litmus" >/dev/null 2>&1 &
pid=$!
wait_for "SELECT count(*) >= 2 FROM batch"
stat -c '%a %n' orchil.db*-run-*
ln -s orchil.db link.db
"$ORCHIL" run --db link.db --resume last 2>messages || echo "exit code $?"
sed "s/$pid/PID/; s/ on $(uname -n) / on HOST /" messages
if unshare -rn true 2>/dev/null; then
    unshare -rn "$ORCHIL" run --resume last 2>messages || echo "exit code $?"
    sed "s/$pid/PID/; s/ on $(uname -n) / on HOST /" messages
else
    printf 'exit code 2\norchil run: run 1 of orchil.db is still running: process PID on HOST is working on it; wait for it to end, or stop it\n'
fi
kill -KILL $pid
{ wait $pid || :; } 2>/dev/null
ls orchil.db-run-*
"$ORCHIL" run --resume last --json 2>/dev/null | grep -o '"state":"[a-z]*"'
ls orchil.db-run-* 2>/dev/null || echo "no lock is left"
check_store orchil.db
