# SPDX-License-Identifier: Apache-2.0
# The budget is for everything: starting, building, running, deciding. Slow batches and slow builds do not break it.
. "$TEST_DIR/common"
script 1.0 0.001 '"faults": [{"phase": "batch", "do": "slow", "milliseconds": 5}, {"phase": "build", "do": "slow", "milliseconds": 300}]'
"$ORCHIL" gate baseline --device simulated --budget 4 --runs 1 --seed 5 --out base.db opencl:MP+relaxed opencl:SB+relaxed >/dev/null 2>&1
start=$(date +%s%N)
"$ORCHIL" gate --baseline base.db --budget 4 --db run.db --tolerance 3 2>messages | sed -n '1p; /^Tests/p'
took=$((($(date +%s%N) - start) / 1000000))
[ "$took" -ge 2500 ] && [ "$took" -le 4500 ] || echo "$took ms"
sed -n "s|: [0-9.]* ms each|: TIME each|; /^budget.*for/p" messages
ask run.db "SELECT count(*), min(seconds) > 0.2 FROM v_job"
