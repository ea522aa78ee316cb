# SPDX-License-Identifier: Apache-2.0
# The shards of a run are disjoint and together have the rows of the whole run in every view, whatever else is selected
# with a test; a test's controls go with it. A shard without a test is not a fault.
. "$TEST_DIR/../faults/store"
. "$TEST_DIR/../faults/views"
run() {
    "$ORCHIL" run --device simulated --profile "$TEST_DIR/fixed.ini" --instances 3k --seed 7 "$@" >/dev/null 2>messages || :
}
run --db whole.db 'opencl:LB*relaxed' 'opencl:MP+relaxed' "$TEST_DIR/one.litmus"
show_views whole.db | sort >whole.views
for part in 1 2 3; do
    run --db $part.db --shard $part/3 'opencl:LB*relaxed' 'opencl:MP+relaxed' "$TEST_DIR/one.litmus"
    cat messages | head -n 1
    show_views $part.db >>parts.views
    ask $part.db "SELECT command_line LIKE '% --shard $part/3 %' FROM run" \
        "SELECT 'without its test: ' || count(*) FROM v_job c WHERE controls <> '' AND NOT EXISTS (SELECT 1 FROM v_job t WHERE t.test = c.controls AND t.key = c.key)"
done
sort parts.views | cmp whole.views -
ask whole.db "SELECT count(*) FROM v_job"
# Alone, a test is in the same shard.
for part in 1 2 3; do
    run --db alone$part.db --shard $part/3 "$TEST_DIR/one.litmus"
    [ "$(ask alone$part.db "SELECT count(*) FROM v_job")" = "$(ask $part.db "SELECT count(*) FROM v_job WHERE test = 'one'")" ]
    [ "$(ask alone$part.db "SELECT count(*) FROM v_job")" = 1 ] || empty=$part
done
"$ORCHIL" run --device simulated --profile "$TEST_DIR/fixed.ini" --shard "$empty/3" --db none.db "$TEST_DIR/one.litmus" 2>&1 | sed "s/ $empty of/ I of/; s/seed [0-9]*/seed N/g; s/in .*\.db/in FILE/"
for wrong in 0/3 4/3 3 1/ a/b 1/3x; do
    "$ORCHIL" run --device simulated --shard $wrong "$TEST_DIR/one.litmus" 2>&1 | head -n 1
done
