# SPDX-License-Identifier: Apache-2.0
# A database of an older schema is refused, in words that say what to do, and stays as it is.
. "$TEST_DIR/../faults/store"
run() {
    "$ORCHIL" run --device simulated --instances 1000 --db old.db "$TEST_DIR/../run-verb/one.litmus"
}
run >/dev/null 2>&1 || :
ask old.db "PRAGMA user_version = 4"
"$ORCHIL" merge --into new.db old.db || echo $?
"$ORCHIL" export --format csv old.db || echo $?
run || echo $?
ask old.db "PRAGMA user_version; SELECT count(*) FROM run"
