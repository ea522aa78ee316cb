# SPDX-License-Identifier: Apache-2.0
# A kernel that the compiler refuses: its log, and no canary is needed for the next job.
. "$TEST_DIR/store"
echo '{"faults": [{"test": "one", "phase": "build", "do": "build-error", "text": "line 3: error: no such instruction"},
    {"test": "canary", "phase": "build", "do": "crash"}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --instances 3k "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >stdout || code=$?
grep -A 1 'build-failed:' stdout
ask orchil.db "SELECT test, state FROM v_job" "SELECT detail FROM job WHERE id = 1"
check_store orchil.db
exit "$code"
