# SPDX-License-Identifier: Apache-2.0
# A worker that cannot allocate memory ends with a message. That costs its job; the next worker runs the next job.
if grep -q __asan_init "$ORCHIL"; then
    echo "the sanitizer has its own word on memory" >&2
    exit 77
fi
echo '{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
    "faults": [{"test": "one", "phase": "batch", "do": "starve"}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --instances 3k --no-controls "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >jobs 2>progress || code=$?
sed -n '/^  crash/p; s/allocate [0-9]* bytes/allocate N bytes/p' jobs
grep -o '^[0-9]* jobs:[^.]*' jobs
exit "$code"
