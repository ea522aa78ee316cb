# SPDX-License-Identifier: Apache-2.0
# Tests that look changed after the first run are run again, and the reruns decide: a change that
# persists ends in 5, one that is gone is reported and passes. The possible cost is announced.
# Unsound results count from any run, first or last.
. "$TEST_DIR/common"
witness='1:r0=1; 1:r1=0;'
baseline
confirm() { # MORE-OF-THE-SCRIPT [OPTION...]
    rm -f state.json run.db*
    script 2.0 0.001 "$1"
    shift
    gate "$@" >report && code=0 || code=$?
    echo "$code: $(sed 1q report)"
    sed -n '/^[A-Z][a-z]*:$/,$p' report
    grep '^confirm' messages
}
echo "-- stays"
confirm "$(rates MP+relaxed "$witness" 0.004)"
ask run.db "SELECT run, count(*), sum(instances) FROM v_job GROUP BY run"
echo "-- the first run alone"
confirm "$(rates MP+relaxed "$witness" 0.004 '"times": 31')"
echo "-- reruns alone: nobody looks for it"
confirm "$(rates MP+relaxed "$witness" 0.004 '"after": 31')"
echo "-- no reruns"
confirm "$(rates MP+relaxed "$witness" 0.004)" --confirm-budget 0
echo "-- a forbidden outcome in the first run alone"
confirm "$(rates MP+rel+acq "$witness" 0.001 '"times": 1')"
echo "-- a hang in a rerun"
hang='{"test": "MP+relaxed", "phase": "batch", "batch": 5, "do": "hang", "after": 2, "times": 1}'
confirm "$(rates MP+relaxed "$witness" 0.004 | sed 's/]$//'), $hang]" --batch-limit 1
echo "-- a baseline of one run: reruns would say nothing"
rm base.db
SB_RATE=0
baseline --runs 1
confirm "$(rates SB+relaxed '0:r0=0; 1:r0=0;' 0.004)"
ask run.db "SELECT count(*) FROM run"
