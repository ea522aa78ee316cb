# SPDX-License-Identifier: Apache-2.0
# A worker that aborts while it builds, and one that ends without a word.
echo '{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"test": "one", "phase": "build", "do": "crash", "how": "abort"},
    {"test": "two", "phase": "batch", "do": "crash", "how": "exit"}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --instances 3k --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" "$TEST_DIR/three.litmus" >jobs || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
exit "$code"
