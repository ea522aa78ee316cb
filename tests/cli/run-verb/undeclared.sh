# SPDX-License-Identifier: Apache-2.0
# Orders and scopes that a device does not declare are not promised: a witness does not fail, except
# with --strict.
echo '{"devices": [{"atomic_orders": []}]}' >narrow.json
ORCHIL_SIMULATED=narrow.json "$ORCHIL" run --device simulated --instances 10k "$TEST_DIR/forbidden.litmus" >stdout
grep -E "not promised" stdout
ORCHIL_SIMULATED=narrow.json "$ORCHIL" run --strict --device simulated --instances 10k "$TEST_DIR/forbidden.litmus" >strict || code=$?
exit "$code"
