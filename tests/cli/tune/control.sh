# SPDX-License-Identifier: Apache-2.0
# A control's witness: the candidate is reported and rejected, and here no other is left.
echo '{"tests": {"SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0.001}}}}' >seen.json
ORCHIL_SIMULATED=seen.json "$ORCHIL" tune --device simulated --time 20 --trials 2 --seed 1 opencl:SB+relaxed 2>messages || code=$?
grep -o "orchil tune: .*" messages
ls
exit "$code"
