# SPDX-License-Identifier: Apache-2.0
# A worker that goes on after its job is over, or after it was asked to stop, and says so all the time, is killed: not only when a
# batch has taken too long, which is after 30 s.
. "$TEST_DIR/store"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
cat >script.json <<EOF
{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
 "faults": [{"test": "two", "phase": "build", "do": "exec",
             "command": ["python3", "$ORCHIL_SOURCE_DIR/tests/nightly/workers", "--worker", "flood-of-batches"]}]}
EOF
run() {
    ORCHIL_SIMULATED=script.json timeout 20 "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --seed 1 "$@" "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" "$TEST_DIR/three.litmus" >/dev/null 2>messages
}
for limits in '--time 0.2' '--instances 1M --until witness'; do
    code=0
    # shellcheck disable=SC2086
    run $limits || code=$?
    echo "exit $code"
    ask orchil.db "SELECT test, state, instances > 0, reason FROM v_job WHERE run = (SELECT max(id) FROM run)"
done

# A signal, while the second job runs: the third is not begun.
rm orchil.db
ORDER=1 ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --seed 1 --time 30 "$TEST_DIR/two.litmus" "$TEST_DIR/three.litmus" >/dev/null 2>messages &
pid=$!
wait_for "SELECT count(*) >= 2 FROM batch"
kill -INT $pid
code=0
wait $pid || code=$?
echo "exit $code"
ask orchil.db "SELECT test, state, instances > 0, reason FROM v_job" "SELECT state FROM run"
check_store orchil.db
