# SPDX-License-Identifier: Apache-2.0
# The database is moved while the suite runs: nothing is decided, since nobody would find what was measured.
. "$TEST_DIR/common"
baseline
script 2.0 0.001 '"faults": [{"test": "SB+relaxed", "phase": "batch", "do": "slow", "milliseconds": 300}]'
"$ORCHIL" gate --baseline base.db --instances 30M --db orchil.db --junit gate.xml >stdout 2>messages &
pid=$!
wait_for "SELECT count(*) FROM v_job WHERE test = 'SB+relaxed' AND state = 'started'"
mv orchil.db elsewhere.db
began=$(date +%s)
wait $pid || code=$?
[ $(($(date +%s) - began)) -lt 100 ] || echo "it went on for $(($(date +%s) - began)) s"
tail -n 1 messages
cat stdout
grep -o '<error .*' gate.xml
exit "$code"
