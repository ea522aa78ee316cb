# SPDX-License-Identifier: Apache-2.0
# Shards, merged as one run, equal the undivided run row for row: in every view, except ids, UUIDs
# and times. Ids are replaced by what they refer to. Twelve shards: more than the ten databases that
# SQLite attaches to one connection, in an order of names that differs from the order of numbers;
# one more test has shards that nothing fell to.
. "$TEST_DIR/../faults/store"
export ORCHIL_SIMULATED="$TEST_DIR/../run-verb/exact.json"
run() {
    "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 1k --seed 7 --builders 0 \
        --json --db "$@" 'opencl:SB*' >/dev/null 2>&1 || [ $? -eq 1 ] || [ $? -eq 3 ]
}
run single.db
i=1
while [ $i -le 12 ]; do
    run shard-$i.db --shard $i/12
    i=$((i + 1))
done
"$ORCHIL" merge --into all.db --as-one-run shard-*.db | tail -n 2
"$ORCHIL" merge --into all.db --as-one-run shard-*.db | tail -n 2

job="j.run, j.test, j.dialect, j.test_hash, j.backend, j.device, j.device_uuid, j.driver, j.environment_hash, j.controls"
views() {
    ask "$1" ".mode quote" \
        "SELECT run, tool_version, host, environment_variables, seed, state, jobs FROM v_run" \
        "SELECT $job, condition, platform, compiler, profile, seed, replicate, key, state, reason, marks, batches,
            invalid_batches, instances, voids, witnesses, forbidden, kernel_hash, circumstances FROM v_job j ORDER BY $job" \
        "SELECT $job, o.run, o.test, o.outcome, o.witness, o.count, o.counted, o.rate, o.source_model, o.source_verdict,
            o.target_model, o.target_verdict, o.axiom, o.unjudged FROM v_outcome o JOIN v_job j USING (job) ORDER BY $job, o.outcome" \
        "SELECT $job, b.batch, b.valid, b.instances, b.voids, b.witnesses, b.draw, b.liveness
            FROM v_batch b JOIN v_job j USING (job) ORDER BY $job, b.batch" \
        "SELECT $job, v.reason, v.count FROM v_void v JOIN v_job j USING (job) ORDER BY $job, v.reason" \
        "SELECT $job, g.role, g.model, g.unjudged, g.complete, g.racy, g.cut, g.model_hash FROM v_judgement g JOIN v_job j USING (job)
            ORDER BY $job, g.role"
}
views single.db >single
views all.db >all
cmp single all
[ "$(wc -l <single)" -gt 1000 ]

# What is not compared above are ids, UUIDs, and what a clock says.
ask single.db "SELECT DISTINCT c.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c
    WHERE s.type = 'view' AND s.name IN ('v_job', 'v_outcome', 'v_batch', 'v_void', 'v_judgement') ORDER BY 1" |
    while read -r column; do
        views_text=$(sed -n '/^job=/,/^}/p' "$TEST_DIR/shards.sh")
        case $views_text in *"$column"*) ;; *) echo "$column" ;; esac
    done
ask all.db "SELECT count(*), count(DISTINCT run) FROM v_part" "SELECT count(DISTINCT source) FROM v_merge"
check_store all.db

echo "-- shards without a test"
alone() {
    "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 1k --seed 7 --builders 0 --json \
        --db "$@" opencl:SB+sc --no-controls >/dev/null 2>&1 || [ $? -eq 1 ] || [ $? -eq 3 ]
}
alone one.db
for i in 1 2 3; do
    alone empty-$i.db --shard $i/3
    ask empty-$i.db "SELECT count(*) FROM v_job"
done | sort
"$ORCHIL" merge --into few.db --as-one-run empty-*.db >/dev/null
views one.db >one
views few.db >few
cmp one few
check_store few.db
