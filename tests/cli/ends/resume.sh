# SPDX-License-Identifier: Apache-2.0
# A run of tests of several launches that is stopped or killed at any moment, and taken up again, has in the end what an undisturbed one
# has, the order of launches and the mark of those that never overlapped among it. In shards it has the same.
. "$TEST_DIR/../faults/store"
. "$TEST_DIR/../faults/views"
sed 's/after P0 by queue/beside P0/; s/MP-ends/MP-beside/' "$TEST_DIR/mp.litmus" >beside.litmus
sed 's/MP-beside/MP-apart/' beside.litmus >apart.litmus
rest='"devices": [{"name": "A"}], "tests": {"MP-apart": {"dead": ["overlapped"]}, "SB-ends": {"outcomes": {"0:r0=0; 1:r0=1; 2:r0=1; 2:r1=1;": 1}}}'
echo "{$rest, \"faults\": [{\"phase\": \"batch\", \"do\": \"slow\", \"milliseconds\": 25}]}" >slow.json
echo "{$rest}" >fast.json
# To be called in a process of its own, which it becomes.
begin() {
    ORCHIL_SIMULATED=$script exec "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 100k \
        --seed 5 "$@" beside.litmus apart.litmus "$TEST_DIR/sb.litmus" >/dev/null 2>&1
}
script=fast.json
(begin)
mv orchil.db whole.db
show_views whole.db >whole.views
ask whole.db "SELECT test, marks, batches > 5 FROM v_job"
for signal in INT KILL; do
    for batches in 1 8 20; do
        rm -f orchil.db*
        script=slow.json
        begin &
        pid=$!
        wait_for "SELECT count(*) >= $batches FROM batch"
        kill -$signal $pid
        { wait $pid || :; } 2>/dev/null
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
"$ORCHIL" merge --into both.db 1.db 2.db >/dev/null
ask both.db "SELECT test, marks FROM v_job ORDER BY 1"
