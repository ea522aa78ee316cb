# SPDX-License-Identifier: Apache-2.0
# A worker that crashes while it opens the device costs one job.
echo '{"state": "state.json", "tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"phase": "open", "do": "crash", "times": 1}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --instances 3k --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >jobs || code=$?
grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
exit "$code"
