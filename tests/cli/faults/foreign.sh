# SPDX-License-Identifier: Apache-2.0
# A file that is not a database, or another program's: refused and left alone.
. "$TEST_DIR/store"
echo "These are my notes, and they are longer than the head of a database file, which has a hundred bytes." >notes.db
cp notes.db before
"$ORCHIL" run --device simulated --instances 1k --db notes.db "$TEST_DIR/one.litmus" || echo "exit code $?"
cmp notes.db before
ask other.db 'CREATE TABLE mine (text)' "INSERT INTO mine VALUES ('kept')"
cp other.db before
"$ORCHIL" run --device simulated --instances 1k --db other.db "$TEST_DIR/one.litmus" || code=$?
cmp other.db before
exit "$code"
