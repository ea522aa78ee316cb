# SPDX-License-Identifier: Apache-2.0
# A run that has not ended is refused unless it is asked for, and is brought up to date when it has, also where it ended in
# the same millisecond as its last job; the other databases are merged in any case.
. "$TEST_DIR/../faults/store"
export ORCHIL_SIMULATED="$TEST_DIR/../run-verb/exact.json"
"$ORCHIL" run --device simulated --instances 10k --seed 1 --db a.db "$TEST_DIR/../run-verb/one.litmus" >/dev/null 2>&1
"$ORCHIL" run --device simulated --instances 10k --seed 2 --db b.db "$TEST_DIR/../run-verb/two.litmus" >/dev/null 2>&1
ask a.db "UPDATE run SET finished_at = (SELECT max(finished_at) FROM job)"
cp a.db whole.db
ask a.db "UPDATE run SET state = 'started', finished_at = NULL"
"$ORCHIL" merge --into all.db a.db b.db || code=$?
"$ORCHIL" merge --into all.db --unfinished a.db
ask all.db "SELECT run, state FROM v_run"
"$ORCHIL" merge --into all.db whole.db
ask all.db "SELECT run, state FROM v_run"
exit "$code"
