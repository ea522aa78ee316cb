# SPDX-License-Identifier: Apache-2.0
# An interrupted baseline is not written, and says so and where the runs are.
. "$TEST_DIR/common"
script 1.0 0.001 '"faults": [{"phase": "batch", "do": "slow", "milliseconds": 100}]'
"$ORCHIL" gate baseline --device simulated --time 30 --seed 5 --db run.db --out base.db opencl:MP+relaxed >/dev/null 2>messages &
tries=0
while [ "$tries" -lt 200 ] && [ "$(ask run.db "SELECT count(*) > 0 FROM batch" 2>/dev/null || :)" != 1 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
kill -TERM $!
wait $! || echo "exit code $?"
tail -n 1 messages
[ -e base.db ] || echo "no base.db"
