# SPDX-License-Identifier: Apache-2.0
# Tests that only the compiler refuses are known too late to be left out of the shares. Their time
# goes to later jobs.
. "$TEST_DIR/common"
script 1.0 0.001 '"faults": [{"test": "SB+sc", "phase": "build", "do": "build-error", "text": "no such order"},
    {"phase": "batch", "do": "slow", "milliseconds": 5}]'
sed -i 's/"uuid": "a"/&, "atomic_orders": ["relaxed", "acq_rel"], "fence_orders": ["relaxed", "acq_rel"]/' script.json
"$ORCHIL" gate baseline --device simulated --budget 3 --runs 1 --seed 5 --db run.db --out base.db \
    opencl:SB+sc opencl:MP+relaxed 2>messages | cut -d, -f1
ask run.db "SELECT test.name, state FROM job JOIN test ON test.id = test_id"
ask run.db "SELECT sum(seconds) > 1.85 FROM job" # of 3 s; the shares of two jobs are 1.8 s
sed -n '/^budget.* for/s/: [0-9.]* m*s each/: TIME each/p' messages
