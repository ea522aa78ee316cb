# SPDX-License-Identifier: Apache-2.0
# A driver that crashes the process that asks for devices: a sentence, exit code 4, no database.
echo '{"faults": [{"phase": "list", "do": "crash"}]}' >script.json
ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --instances 3k "$TEST_DIR/one.litmus" || code=$?
[ ! -e orchil.db ]
exit "$code"
