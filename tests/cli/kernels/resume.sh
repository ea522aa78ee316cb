# SPDX-License-Identifier: Apache-2.0
# A run that replays is taken up again with the folder, not without: its other half would be of other code.
. "$ORCHIL_SOURCE_DIR/tests/cli/faults/store"
"$ORCHIL" run --device simulated --instances 10000 --no-controls --db saved.db --save-kernels k ptx:MP+relaxed >/dev/null 2>&1
echo '{"faults": [{"phase": "batch", "do": "slow", "milliseconds": 30}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --instances 10000 --no-controls --kernels k ptx:MP+relaxed >/dev/null 2>&1 &
pid=$!
wait_for "SELECT count(*) >= 2 FROM batch"
kill -INT $pid
wait $pid || echo "exit $?"
"$ORCHIL" run --resume last || echo "exit $?"
"$ORCHIL" run --resume last --save-kernels other || echo "exit $?"
"$ORCHIL" run --resume last --kernels k 2>/dev/null | grep -E 'Replayed|^1 job'
"$ORCHIL" run --resume last --db saved.db --kernels k || echo "exit $?"
