# SPDX-License-Identifier: Apache-2.0
# Stress that was not alive makes a pass mean nothing.
. "$TEST_DIR/common"
printf '[environment]\nstress_percent = 50\ntesting_percent = 50\n' >stress.ini
baseline --profile stress.ini
script 2.0 0.001
sed 's/"variation": 0.3}/"variation": 0.3, "dead": ["stress_rounds"]}/' script.json >dead.json
ORCHIL_SIMULATED=dead.json
gate
