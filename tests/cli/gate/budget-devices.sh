# SPDX-License-Identifier: Apache-2.0
# Each device shares the budget among the jobs that it can run: where these are few, each gets more time. However many they
# are, all of them start.
. "$TEST_DIR/common"
script 1.0 0.001 '"faults": [{"phase": "batch", "do": "slow", "milliseconds": 5}]'
sed -i 's/"uuid": "a"}/"uuid": "a"}, {"name": "Other GPU", "uuid": "b", "takes": ["c11"]}/' script.json
"$ORCHIL" gate baseline --device simulated:0,simulated:1 --budget 4 --runs 1 --seed 5 --db run.db --out base.db \
    ptx:SB+relaxed ptx:LB+relaxed opencl:MP+relaxed opencl:SB+relaxed >/dev/null 2>messages || :
ask run.db "SELECT device, sum(state = 'completed') > 4, sum(seconds) BETWEEN 1.2 AND 4.2 FROM v_job GROUP BY device"
ask run.db "SELECT DISTINCT device, state FROM v_job ORDER BY 1, 2"
