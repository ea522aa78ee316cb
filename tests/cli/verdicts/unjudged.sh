# SPDX-License-Identifier: Apache-2.0
# A test that a model cannot judge runs, and says so.
ORCHIL_SIMULATED="$TEST_DIR/planted.json" "$ORCHIL" run --device simulated --no-controls --instances 1k --seed 7 'opencl:lock-counter+unfenced+wg+1x512' >stdout || code=$?
grep -E 'Unjudged|^[0-9]+ job|FORBIDDEN' stdout
exit "${code:-0}"
