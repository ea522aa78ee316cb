# SPDX-License-Identifier: Apache-2.0
# A file that cannot be read costs itself: it is named, the others are shown, and the exit code is 2; 4 where it is not a database
# of ours. Nothing to read, and nothing that fits, is wrong usage.
. "$TEST_DIR/nights"
n=1
while [ $n -le 3 ]; do
    night nights $n 560.1 1
    n=$((n + 1))
done
mkdir empty
echo text >nights/broken.db
echo text >nights/notes.txt # no database, and not read
try() {
    echo "== $*"
    "$ORCHIL" history "$@" 2>&1 || echo "exit $?"
}
try
try empty
try nights/01.db missing.db
try nights
try --test 'XX*' nights/01.db
try --page nights/01.db nights/02.db
