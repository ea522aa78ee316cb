# SPDX-License-Identifier: Apache-2.0
# An outcome that no execution of the test has is forbidden: on the terminal, in JSON and in the database, before and after its
# model has changed.
. "$TEST_DIR/../faults/store"
"$ORCHIL" run --device simulated --instances 1000 --seed 7 --json --db results.db "$TEST_DIR/alone.litmus" >run.json 2>/dev/null || [ $? -eq 1 ]
outcomes="json_each(readfile('run.json'), '\$.outcomes')"
printed=$(ask :memory: "SELECT sum(value ->> 'count') FROM $outcomes WHERE value ->> 'verdict' = 'forbidden'")
show() {
    ask "$1" "SELECT outcome, source_model, source_verdict, coalesce(axiom, 'no axiom') FROM v_outcome ORDER BY outcome"
    [ "$(ask "$1" "SELECT forbidden FROM v_job")" = "$printed" ] && echo "v_job counts what was printed"
}
ask :memory: "SELECT value ->> 'outcome' || ' ' || (value ->> 'verdict') || ' ' || coalesce(value ->> 'axiom', 'null') FROM $outcomes ORDER BY 1"
show results.db

echo "== merged"
"$ORCHIL" merge --into all.db results.db >/dev/null
show all.db

echo "== judged again by a model that has changed"
ask results.db "DELETE FROM verdict WHERE axiom = '' AND verdict = 'forbidden';
    UPDATE judgement SET model_hash = printf('%064d', 7)"
"$ORCHIL" export --format jsonl results.db 2>/dev/null >again.json
[ "$(ask :memory: "SELECT readfile('again.json') ->> 'forbidden'")" = "$printed" ] && echo "the export counts what was printed"
