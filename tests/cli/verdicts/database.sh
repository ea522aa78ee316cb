# SPDX-License-Identifier: Apache-2.0
# The database has the verdicts, the axiom and the count of forbidden outcomes.
command -v sqlite3 >/dev/null || { echo "sqlite3 is not installed" >&2; exit 77; }
ORCHIL_SIMULATED="$TEST_DIR/planted.json" "$ORCHIL" run --device simulated --no-controls --instances 10k --db c11.db opencl:MP+rel+acq opencl:SB+relaxed >stdout || [ $? -eq 1 ]
ORCHIL_SIMULATED="$TEST_DIR/planted-ptx.json" "$ORCHIL" run --device simulated --no-controls --instances 10k --db ptx.db opencl:MP+rel+acq >stdout || [ $? -eq 1 ]
for db in c11.db ptx.db; do
    echo "$db"
    sqlite3 -batch -noheader -list -init /dev/null "$db" "SELECT test, forbidden = witnesses AND forbidden > 0 FROM v_job ORDER BY test;
        SELECT test, outcome, source_model, source_verdict, coalesce(target_model, '-'), coalesce(target_verdict, '-'), coalesce(axiom, '-') FROM v_outcome ORDER BY test, outcome;
        SELECT role, model, unjudged, complete, racy FROM v_judgement ORDER BY job, role"
done
