# SPDX-License-Identifier: Apache-2.0
# Unsupported tests get no share of the budget, since they are known in advance: the supported jobs
# take all of it.
. "$TEST_DIR/common"
script 1.0 0.001 '"faults": [{"phase": "batch", "do": "slow", "milliseconds": 5}]'
sed -i 's/"uuid": "a"/&, "takes": ["c11"]/' script.json
start=$(date +%s%N)
"$ORCHIL" gate baseline --device simulated --budget 3 --runs 1 --seed 5 --db run.db --out base.db \
    ptx:SB+relaxed ptx:LB+relaxed opencl:MP+relaxed opencl:SB+relaxed 2>messages | cut -d, -f1
took=$((($(date +%s%N) - start) / 1000000))
[ "$took" -ge 2400 ] && [ "$took" -le 4000 ] || echo "$took ms"
sed -n '/^budget.* for/s/: [0-9.]* m*s each/: TIME each/p; /^[0-9]* more/s/^[0-9]*/N/p' messages
ask run.db "SELECT count(*), min(seconds) > 0.3 FROM v_job WHERE state = 'completed'"
ask run.db "SELECT count(*) > 3, max(seconds) FROM v_job WHERE state = 'unsupported'"
"$ORCHIL" gate baseline --device simulated --time 0.05 --runs 1 --seed 5 --db run.db --out time.db \
    ptx:SB+relaxed ptx:LB+relaxed opencl:MP+relaxed opencl:SB+relaxed 2>&1 >/dev/null | sed -n '/^time/p; /^budget/p'
