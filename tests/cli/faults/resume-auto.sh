# SPDX-License-Identifier: Apache-2.0
# --resume auto: the same command starts a run, takes it up after a kill, and does nothing once it has ended. Another
# command line starts a run of its own.
. "$TEST_DIR/store"
. "$TEST_DIR/views"
device='"devices": [{"name": "Toy"}]'
echo "{$device}" >fast.json
echo "{$device, \"faults\": [{\"phase\": \"batch\", \"do\": \"slow\", \"milliseconds\": 20}]}" >slow.json
begin() { # SCRIPT SEED [NUMBER]
    ORCHIL_SIMULATED=$1.json exec "$ORCHIL" run --resume auto --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" \
        --instances 3k --seed "$2" --shard 1/1 opencl:LB+relaxed opencl:MP+relaxed >"output${3:-}" 2>"messages${3:-}"
}
again() { # SEED
    code=0
    (begin fast "$1") || code=$?
    grep -e '^run [0-9]*[: ]' -e '^orchil' messages || :
    echo "exit code $code"
    ask orchil.db "SELECT run, seed, state, jobs FROM v_run" "SELECT count(*) || ' resumptions' FROM resumption"
}

echo "-- a new run, and the same once it has ended"
again 5
show_views orchil.db >whole.views
again 5
show_views orchil.db | cmp whole.views -

echo "-- another command line"
again 6

echo "-- killed, and started again"
rm -f orchil.db*
begin slow 5 &
pid=$!
wait_for "SELECT count(DISTINCT job_id) >= 2 FROM batch"
kill -KILL $pid
{ wait $pid || :; } 2>/dev/null
again 5 | sed 's/: [0-9] of/: N of/; s/about .*/TIME/'
show_views orchil.db | cmp whole.views -

echo "-- killed before it had a plan"
ask orchil.db "PRAGMA foreign_keys = OFF" "UPDATE run SET state = 'started', finished_at = NULL" "DELETE FROM plan" \
    "DELETE FROM planned_job" "DELETE FROM job" "DELETE FROM build" "DELETE FROM batch" "DELETE FROM outcome_count" \
    "DELETE FROM void_count" "DELETE FROM judgement" "DELETE FROM verdict" "DELETE FROM resumption"
again 5
show_views orchil.db | cmp whole.views -
check_store orchil.db

echo "-- two at once: both look before either begins, because listing the devices takes longer than to start them"
rm -f orchil.db*
echo "{$device, \"faults\": [{\"phase\": \"list\", \"do\": \"slow\", \"milliseconds\": 700}]}" >listing.json
(begin listing 5 1) &
(begin listing 5 2) || :
wait
sed -n 's/^orchil run: .*run 1 .*/the second is refused/p' messages1 messages2
ask orchil.db "SELECT count(*) || ' run' FROM run" "SELECT seed, state, jobs FROM v_run"

echo "-- without a test"
"$ORCHIL" run --resume auto 2>&1 | head -n 1
