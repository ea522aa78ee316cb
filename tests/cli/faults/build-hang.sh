# SPDX-License-Identifier: Apache-2.0
# A compiler that hangs has a limit of its own.
. "$TEST_DIR/store"
echo '{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"test": "one", "phase": "build", "do": "hang"}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --instances 3k --build-limit 1 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >jobs || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
check_store orchil.db
exit "$code"
