# SPDX-License-Identifier: Apache-2.0
# The jobs of trials have their circumstances, and a verdict on outcomes that no execution of the test has.
. "$TEST_DIR/../faults/store"
echo '{"devices": [{"circumstances": {"sm_clock_mhz": 1980}}]}' >devices.json
ORCHIL_SIMULATED=devices.json "$ORCHIL" tune --device simulated:0 --out out.ini --time 2 --trials 1 --seed 7 --db results.db \
    "$TEST_DIR/../verdicts/alone.litmus" >/dev/null 2>&1 || :
ask results.db "SELECT DISTINCT circumstances FROM v_job" \
    "SELECT DISTINCT outcome, source_verdict FROM v_outcome ORDER BY outcome"
