# SPDX-License-Identifier: Apache-2.0
# A batch whose stress did nothing is invalid.
. "$TEST_DIR/store"
echo '{"tests": {"*": {"dead": ["stress_rounds"]}}}' >script.json
printf '[environment]\nstress_percent = 50\ntesting_percent = 50\n' >stress.ini
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --instances 6k --seed 1 --profile stress.ini --json "$TEST_DIR/one.litmus" >jobs || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs | sed 's/[0-9][0-9]* of [0-9][0-9]*/ALL/'
ask orchil.db "SELECT batches FROM v_job"
check_store orchil.db
exit "$code"
