# SPDX-License-Identifier: Apache-2.0
# A database that reaches the process's limit on the size of files: an error that says so, and nothing stored is lost.
. "$TEST_DIR/store"
run() {
    (
        ulimit -f 3000 # blocks of 512 bytes: 1.5 MiB
        exec "$ORCHIL" run --device simulated --time 20 "$TEST_DIR/one.litmus" >stdout
    )
}
run || code=$?
ask orchil.db "SELECT test, state FROM v_job" "SELECT count(*) > 0 FROM batch"
check_store orchil.db
exit "$code"
