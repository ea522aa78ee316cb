# SPDX-License-Identifier: Apache-2.0
# Thirty nights of three tests, of which two double at night 20. A driver that is new at night 20 is
# named, with a confidence; one that was new at night 12 is not; if orchil or the compiler is also
# new at night 20, nothing is named; a changed clock is.
. "$TEST_DIR/nights"
n=1
while [ $n -le 30 ]; do
    night driver $n "$([ $n -lt 20 ] && echo 560.1 || echo 570.2)" "$([ $n -lt 20 ] && echo 1 || echo 2)"
    n=$((n + 1))
done
say() {
    echo "== $1"
    "$ORCHIL" history "$1" | sed -n '1,/What moved/p'
}
"$ORCHIL" history driver

cp -r driver earlier
change_from earlier 12 "UPDATE driver SET version = '570.2'"
say earlier

cp -r driver orchil
change_from orchil 20 "UPDATE run SET tool_version = '1.1'"
say orchil

cp -r driver compiler
change_from compiler 20 "UPDATE driver SET compiler = 'other'"
say compiler

cp -r driver clock
change_from clock 20 "UPDATE driver SET version = '560.1'; UPDATE job SET circumstances = json_set(circumstances, '\$.sm_clock_mhz', 1410)"
say clock

mkdir quiet
n=1
while [ $n -le 19 ]; do
    cp "$(printf 'driver/%02d.db' $n)" quiet
    n=$((n + 1))
done
say quiet
