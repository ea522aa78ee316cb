# SPDX-License-Identifier: Apache-2.0
# Whatever happens to the files of the database while a run writes to them: the run and its workers end soon, not after
# its time, with exit code 4 and what happened.
. "$TEST_DIR/store"
[ -e /proc/$$/task/$$/children ] || { echo "/proc names no children here" >&2; exit 77; }
echo '{"faults": [{"phase": "batch", "do": "slow", "milliseconds": 30}]}' >script.json
# during NAME COMMAND...: a run of 5 minutes, in the middle of which the command is run.
during() {
    echo "$1:"
    shift
    mkdir folder
    ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --time 300 --seed 1 --db folder/orchil.db \
        "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >stdout 2>stderr &
    pid=$!
    (cd folder && wait_for "SELECT count(*) >= 2 FROM batch")
    workers=$(cat /proc/$pid/task/*/children)
    began=$(date +%s)
    "$@"
    code=0
    wait $pid || code=$?
    echo "exit code $code"
    tail -n 1 stderr
    [ $(($(date +%s) - began)) -lt 100 ] || echo "it went on for $(($(date +%s) - began)) s"
    grep 'Stored as' stdout || :
    for worker in $workers; do
        ! kill -0 "$worker" 2>/dev/null || echo "worker $worker is still there"
    done
    rm -rf folder moved
}
sqlite3 other.db 'CREATE TABLE mine (id)'
during "removed" sh -c 'rm folder/orchil.db*'
during "replaced" cp --remove-destination other.db folder/orchil.db
during "its folder renamed" mv folder moved
during "its log removed" rm folder/orchil.db-wal
