# SPDX-License-Identifier: Apache-2.0
# Every device, each with its own job.
echo '{"devices": [{"name": "First"}, {"name": "Second", "driver": "2"}]}' >two.json
ORCHIL_SIMULATED=two.json "$ORCHIL" run --device simulated:0 --instances 1k --json "$TEST_DIR/one.litmus" | grep -oE '"device":"(First|Second)"'
ORCHIL_SIMULATED=two.json OCL_ICD_VENDORS=/nonexistent "$ORCHIL" run --device all --instances 1k --json "$TEST_DIR/one.litmus" | grep -oE '"device":"(First|Second)"' | sort
