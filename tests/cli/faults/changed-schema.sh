# SPDX-License-Identifier: Apache-2.0
# A database whose views were changed: a query on this one would never end. Every verb refuses it at once, and leaves it as
# it is.
. "$TEST_DIR/store"
"$ORCHIL" run --device simulated --instances 1k --seed 1 "$TEST_DIR/one.litmus" >/dev/null 2>&1
ask orchil.db "PRAGMA journal_mode = DELETE" "DROP VIEW v_job" "CREATE VIEW v_job AS
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS job FROM n" >/dev/null
cp orchil.db before
try() {
    code=0
    timeout 20 "$ORCHIL" "$@" >stdout 2>messages || code=$?
    sed '/^Try/d' messages
    echo "exit code $code"
}
try report orchil.db
try export --format csv --what jobs orchil.db
try compare orchil.db orchil.db
try history orchil.db
try merge --into all.db orchil.db
try run --device simulated --instances 1k "$TEST_DIR/one.litmus"
try run --resume last
cmp orchil.db before
