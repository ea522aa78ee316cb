#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: hunt.sh DEVICE TEST...
# Runs the tests for a short time, then those that were not seen for longer. TIMES has the seconds of each round, PROFILE the
# environment. Leaves hunt.db, hunt.html and, of the rarest witness, the program in reproduce/.
set -eu
newline='
'
device=$1
shift
for time in ${TIMES:-0.3 1}; do
    [ $# -gt 0 ] || break
    echo "== $# tests, $time s each"
    # 1: an outcome was seen that must never appear. That is a find, too.
    orchil run --device "$device" ${PROFILE:+--profile "$PROFILE"} --time "$time" --until witness --db hunt.db "$@" >>hunt.log ||
        [ $? -eq 1 ]
    # What was not seen goes on, each test by its name and its dialect: a line is a name, whatever it has.
    unseen=$(sqlite3 -readonly hunt.db "SELECT lower(dialect) || ':' || test FROM v_job
        WHERE controls = '' GROUP BY dialect, test HAVING sum(witnesses) = 0")
    set -f
    IFS=$newline
    # shellcheck disable=SC2086
    set -- $unseen
    unset IFS
    set +f
done
echo "never seen: ${*:-none}"

orchil report --page hunt.html hunt.db >/dev/null
rarest=$(sqlite3 -readonly hunt.db "SELECT job FROM v_job WHERE controls = '' AND witnesses > 0
    ORDER BY 1.0 * witnesses / (instances - voids) LIMIT 1")
if [ -n "$rarest" ]; then
    rm -rf reproduce
    orchil explain hunt.db --job "$rarest"
    orchil reproduce hunt.db --job "$rarest" --as-it-is -o reproduce || echo "no program can be written for job $rarest"
fi
