# SPDX-License-Identifier: Apache-2.0
# Databases of several machines become one; merging them again adds nothing; ids are given again.
. "$TEST_DIR/../faults/store"
export ORCHIL_SIMULATED="$TEST_DIR/../run-verb/exact.json"
run() { "$ORCHIL" run --device simulated --instances 10k --seed "$1" --db "$2" "$TEST_DIR/../run-verb/$3.litmus" >/dev/null 2>&1; }
run 1 a.db one
run 2 a.db two
run 3 b.db one
"$ORCHIL" merge --into all.db a.db b.db
"$ORCHIL" merge --into all.db b.db a.db
"$ORCHIL" merge --json --into other.db --run 2 a.db
"$ORCHIL" merge --json --into other.db a.db b.db
ask all.db "SELECT run, job, test, seed FROM v_job" "SELECT count(*) FROM test"
ask all.db "SELECT run, source, jobs FROM v_merge" | sed "s|$PWD/||"
ask all.db .dump >before
"$ORCHIL" merge --into all.db a.db
ask all.db .dump | cmp before -
check_store all.db
check_store other.db
