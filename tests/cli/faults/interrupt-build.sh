# SPDX-License-Identifier: Apache-2.0
# A signal while the compiler runs: it is not waited for.
. "$TEST_DIR/store"
echo '{"faults": [{"phase": "build", "do": "hang"}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --time 60 --seed 1 --json "$TEST_DIR/one.litmus" >jobs 2>messages &
pid=$!
wait_for "SELECT count(*) FROM job"
sleep 1
kill -INT $pid
wait $pid || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
ask orchil.db "SELECT state FROM run"
exit "$code"
