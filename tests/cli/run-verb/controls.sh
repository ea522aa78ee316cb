# SPDX-License-Identifier: Apache-2.0
# A control's witness: exit code 1, and the words say which.
echo '{"tests": {"SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0.01}}}}' >seen.json
ORCHIL_SIMULATED=seen.json "$ORCHIL" run --device simulated --instances 10k opencl:SB+relaxed >stdout || code=$?
grep -E "control of|never appear" stdout
exit "$code"
