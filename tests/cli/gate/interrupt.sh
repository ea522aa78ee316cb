# SPDX-License-Identifier: Apache-2.0
# An interrupted gate decides nothing, writes no report, and what was finished is stored.
. "$TEST_DIR/common"
baseline
script 2.0 0.001 '"faults": [{"test": "SB+relaxed", "phase": "batch", "do": "slow", "milliseconds": 300}]'
"$ORCHIL" gate --baseline base.db --instances 300k --db orchil.db --junit gate.xml 2>messages &
pid=$!
wait_for "SELECT count(*) FROM v_job WHERE test = 'SB+relaxed' AND state = 'started'"
kill -INT $pid
code=0
wait $pid || code=$?
grep interrupted messages
wc -c <gate.xml
ask orchil.db "SELECT test, state FROM v_job ORDER BY job"
check_store orchil.db
exit $code
