# SPDX-License-Identifier: Apache-2.0
# When the budget is spent, a build or batch in progress ends; then nothing more starts, and the
# cause is named.
. "$TEST_DIR/common"
# overrun WHAT FAULT: a run of one second in which that fault makes SB+relaxed slow.
overrun() {
    rm -f run.db base.db
    script 1.0 0.001 '"faults": [{"test": "SB+relaxed", "do": "slow", "milliseconds": 2500, '"$2"'}]'
    code=0
    start=$(date +%s%N)
    "$ORCHIL" gate baseline --device simulated --budget 1 --runs 1 --seed 5 --db run.db --out base.db \
        opencl:SB+relaxed >/dev/null 2>messages || code=$?
    echo "$1: exit code $code"
    took=$((($(date +%s%N) - start) / 1000000))
    [ "$took" -ge 2400 ] && [ "$took" -le 4500 ] || echo "$took ms"
    sed -n '/overrun/{s/by [0-9.]* s/by TIME/; s/took [0-9.]* s/took TIME/p}' messages
    ask run.db "SELECT test.name, state, (SELECT count(*) FROM batch WHERE job_id = job.id)
                FROM job JOIN test ON test.id = test_id"
}
overrun "a slow build" '"phase": "build"'
overrun "a slow batch" '"phase": "batch"'
