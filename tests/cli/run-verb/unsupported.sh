# SPDX-License-Identifier: Apache-2.0
# Nothing completed: inconclusive.
echo '{"devices": [{"name": "Plain", "takes": ["c11"]}]}' >plain.json
ORCHIL_SIMULATED=plain.json "$ORCHIL" run --device simulated --instances 10k --log out.log ptx:SB+weak >stdout || code=$?
grep -E "unsupported" stdout
cat out.log
exit "$code"
