# SPDX-License-Identifier: Apache-2.0
# Batch systems send SIGTERM to all processes of a job. A worker that gets it first has not crashed: the run is interrupted,
# and taken up again has what an undisturbed one has.
. "$TEST_DIR/store"
. "$TEST_DIR/views"
echo '{"devices": [{"name": "Toy"}], "faults": [{"phase": "batch", "do": "slow", "milliseconds": 25}]}' >slow.json
echo '{"devices": [{"name": "Toy"}]}' >fast.json
begin() {
    ORCHIL_SIMULATED=$1.json exec "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 6k \
        --seed 5 opencl:LB+relaxed opencl:MP+relaxed >/dev/null 2>&1
}
(begin fast) || [ $? -eq 1 ]
show_views orchil.db >whole.views
rm -f orchil.db*
begin slow &
pid=$!
wait_for "SELECT count(*) >= 3 FROM batch"
for process in /proc/[0-9]*; do
    grep -qsx "PPid:	$pid" "$process/status" && workers="${workers:-} ${process#/proc/}"
done
# shellcheck disable=SC2086
kill -TERM $workers
sleep 0.3
kill -TERM "$pid"
code=0
{ wait "$pid" || code=$?; } 2>/dev/null
echo "exit code $code"
ask orchil.db "SELECT state FROM v_run" "SELECT count(*) FROM v_job WHERE state = 'crash'"
ORCHIL_SIMULATED=fast.json "$ORCHIL" run --resume last >/dev/null 2>&1 || [ $? -eq 1 ]
show_views orchil.db | cmp whole.views -
