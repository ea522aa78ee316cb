# SPDX-License-Identifier: Apache-2.0
# A run on an ensemble that is stopped or killed at any moment, and taken up again, has in the end what an undisturbed one has, and leaves
# no worker running. In shards it has the same.
. "$TEST_DIR/../faults/store"
. "$TEST_DIR/../faults/views"
. "$TEST_DIR/left"
devices='"devices": [{"name": "A"}, {"name": "B"}]'
echo "{$devices, \"faults\": [{\"phase\": \"batch\", \"device\": 1, \"do\": \"slow\", \"milliseconds\": 25}]}" >slow.json
echo "{$devices}" >fast.json
# To be called in a process of its own, which it becomes.
begin() {
    ORCHIL_SIMULATED=$script exec "$ORCHIL" run --device simulated:0+simulated:1 --profile "$TEST_DIR/../run-verb/fixed.ini" \
        --home x=1 --instances 6k --seed 5 "$@" "$TEST_DIR/sb.litmus" "$TEST_DIR/two.litmus" >/dev/null 2>&1
}
script=fast.json
(begin)
mv orchil.db whole.db
show_views whole.db >whole.views
ask whole.db "SELECT DISTINCT backend, device, json_extract(draw, '\$.homes.x') FROM v_job JOIN v_batch USING (job)"
for signal in INT KILL; do
    for batches in 1 20 50; do
        rm -f orchil.db*
        script=slow.json
        begin &
        pid=$!
        wait_for "SELECT count(*) >= $batches FROM batch"
        kill -$signal $pid
        { wait $pid || :; } 2>/dev/null
        say_left
        ORCHIL_SIMULATED=fast.json "$ORCHIL" run --resume last --json >/dev/null 2>&1
        show_views orchil.db >views
        cmp whole.views views && echo "$signal at $batches: the same"
        check_store orchil.db
    done
done
script=fast.json
for part in 1 2; do
    (begin --db $part.db --shard $part/2) || :
    show_views $part.db >>parts
done
sort whole.views >whole.sorted
sort parts | cmp whole.sorted - && echo "in shards: the same"
# Another ensemble is not the one that the run was begun on.
rm -f orchil.db*
script=slow.json
begin &
pid=$!
wait_for "SELECT count(*) >= 2 FROM batch"
kill -KILL $pid
{ wait $pid || :; } 2>/dev/null
echo '{"devices": [{"name": "A"}, {"name": "B", "driver": "2.0"}]}' >changed.json
ORCHIL_SIMULATED=changed.json "$ORCHIL" run --resume last || echo "exit code $?"
