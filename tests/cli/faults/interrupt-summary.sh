# SPDX-License-Identifier: Apache-2.0
# The summary of a run that a signal has stopped says what was counted until then, and gives the command that goes on with
# it: also with a folder of kernels, and with names that a shell would take apart. With --json it is on standard error.
. "$TEST_DIR/store"
echo '{"faults": [{"phase": "batch", "do": "slow", "milliseconds": 50}]}' >slow.json
echo '{}' >quick.json
# interrupt OPTION...: runs two tests and stops the first of them.
interrupt() {
    ORCHIL_SIMULATED=slow.json "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 6k --seed 1 "$@" "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >out 2>messages &
    pid=$!
    wait_for "SELECT count(*) >= 2 FROM batch"
    kill -INT $pid
    wait $pid || echo "exit $?"
}
# resume FILE: runs the command that was printed.
resume() {
    sed -n "s|^To run the rest: orchil|'$ORCHIL'|p" "$1" >rest
    ORCHIL_SIMULATED=quick.json sh ./rest 2>&1 | grep '^[0-9]* jobs'
}
mkdir "it's"
ln -s "it's/orchil.db" orchil.db
interrupt --db "it's/orchil.db" --save-kernels "the kernels"
sed -n '/^2 jobs/,$p' out | sed 's/[0-9,]* instances in/N instances in/; s/Stored.*/Stored .../'
counted=$(sed -n 's/^Stopped by a signal, after \([0-9,]*\) instances.*/\1/p' out | tr -d ,)
[ "$counted" = "$(ask "it's/orchil.db" "SELECT sum(instances) - sum(voids) FROM v_job")" ] || echo "not what is stored: $counted"
resume out
echo "== JSON"
rm orchil.db
interrupt --json
grep -c rest out || :
grep rest messages
resume messages
