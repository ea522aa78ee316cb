# SPDX-License-Identifier: Apache-2.0
# The batches of a portfolio take turns by their numbers. A run that was killed and taken up again, and shards, have the draws
# of the whole run; a member's batches are those that it would have alone.
. "$TEST_DIR/store"
. "$TEST_DIR/views"
printf '[portfolio]\ngpu = 2\nenvironment = 1\n[environment]\nstride = 77\ngroup_size = 32\n' >turns.ini
faults='"faults": [{"phase": "batch", "do": "slow", "milliseconds": 25}]'
begin() {
    ORCHIL_SIMULATED=$script exec "$ORCHIL" run --device simulated --profile turns.ini --instances 300k --seed 5 --no-controls \
        "$@" opencl:LB+relaxed opencl:SB+relaxed opencl:MP+relaxed >/dev/null 2>&1
}
echo '{}' >fast.json
echo "{$faults}" >slow.json
script=fast.json
(begin)
ask orchil.db "SELECT group_concat(turn, '') FROM (SELECT iif(json_extract(draw, '$.stride') = 77, 'e', 'g') AS turn
    FROM v_batch WHERE job = 1 ORDER BY batch LIMIT 12)"
mv orchil.db whole.db
show_views whole.db >whole.views
script=slow.json
begin &
pid=$!
wait_for "SELECT count(*) >= 10 FROM batch"
kill -KILL "$pid"
{ wait "$pid" || :; } 2>/dev/null
ORCHIL_SIMULATED=fast.json "$ORCHIL" run --resume last >/dev/null 2>&1
show_views orchil.db >views
cmp whole.views views && echo "resumed: the same"
script=fast.json
for part in 1 2; do
    (begin --db $part.db --shard $part/2)
    show_views $part.db >>parts
done
sort whole.views >whole.sorted
sort parts | cmp whole.sorted - && echo "in shards: the same"
