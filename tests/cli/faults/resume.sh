# SPDX-License-Identifier: Apache-2.0
# A run that is stopped or killed, once or twice, and taken up again has in the end what an undisturbed one has: the same
# rows in every view, the same summary and exit code. Nothing is run twice, and no batch is lost.
. "$TEST_DIR/store"
. "$TEST_DIR/views"
tests='"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}, "LB+relaxed": {"outcomes": {"0:r0=1; 1:r0=1;": 0.01}, "voids": {"gave_up": 0.01}}}'
echo "{$tests, \"faults\": [{\"phase\": \"batch\", \"do\": \"slow\", \"milliseconds\": 25},
    {\"phase\": \"batch\", \"test\": \"two\", \"do\": \"wrong\", \"batch\": 5}]}" >slow.json
echo "{$tests, \"faults\": [{\"phase\": \"batch\", \"test\": \"two\", \"do\": \"wrong\", \"batch\": 5}]}" >fast.json
# To be called in a process of its own, which it becomes.
begin() {
    ORCHIL_SIMULATED=slow.json exec "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 6k \
        --seed 5 opencl:LB+relaxed "$TEST_DIR/two.litmus" "$TEST_DIR/one.litmus" "$@" >/dev/null 2>&1
}
# stop SIGNAL BATCHES: sends the signal when the database has so many batches.
stop() {
    wait_for "SELECT count(*) >= $2 FROM batch"
    kill -"$1" "$pid" || ask orchil.db 'SELECT test, state FROM v_job'
    { wait "$pid" || :; } 2>/dev/null
}
resume() {
    ORCHIL_SIMULATED=fast.json "$ORCHIL" run --resume last --json >/dev/null 2>messages || code=$?
}
left() {
    sed -n 's/^run 1: \([0-9]*\) of .*/\1 jobs were left,/p' messages
    ask orchil.db "SELECT 'now the run is ' || state || ', and was taken up ' || (SELECT count(*) FROM v_resumption WHERE run = id) FROM run"
}
code=0
(begin) || code=$?
echo "undisturbed: exit code $code"
mv orchil.db whole.db
show_views whole.db >whole.views
for signal in INT KILL; do
    for batches in 1 50 90; do
        rm -f orchil.db*
        begin &
        pid=$!
        stop $signal $batches
        code=0
        resume
        show_views orchil.db >views
        cmp whole.views views && echo "$signal at $batches: exit code $code, $(left)"
        check_store orchil.db
    done
done
# Twice.
rm -f orchil.db*
begin &
pid=$!
stop INT 20
ORCHIL_SIMULATED=slow.json "$ORCHIL" run --resume 1 >/dev/null 2>&1 &
pid=$!
stop KILL 80
resume
show_views orchil.db >views
cmp whole.views views && echo "twice: exit code $code, $(left)"
