# SPDX-License-Identifier: Apache-2.0
# An interrupted gate decides nothing, says so in its reports, and what was finished is stored; in a rerun, too.
. "$TEST_DIR/common"
baseline
interrupt() { # WHEN
    "$ORCHIL" gate --baseline base.db --instances 300k --db orchil.db --junit gate.xml --markdown gate.md >stdout 2>messages &
    pid=$!
    wait_for "SELECT count(*) FROM v_job WHERE $1 AND state = 'started'"
    kill -INT $pid
    code=0
    wait $pid || code=$?
    cat stdout gate.md
    grep -o '<error .*' gate.xml
}
slow='{"test": "*+relaxed", "phase": "batch", "do": "slow", "milliseconds": 300'
script 2.0 0.004 "\"faults\": [$slow, \"after\": 62}]"
interrupt "run = 2"
rm orchil.db* state.json
script 2.0 0.001 "\"faults\": [$(echo "$slow" | sed 's/\*/SB/')}]"
interrupt "test = 'SB+relaxed'"
ask orchil.db "SELECT test, state FROM v_job ORDER BY job"
check_store orchil.db
exit $code
