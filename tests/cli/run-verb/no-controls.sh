# SPDX-License-Identifier: Apache-2.0
# --no-controls leaves them out.
echo '{"tests": {"SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0.01}}}}' >seen.json
ORCHIL_SIMULATED=seen.json "$ORCHIL" run --no-controls --device simulated --instances 10k --json opencl:SB+relaxed | cut -d, -f1
