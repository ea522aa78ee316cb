# SPDX-License-Identifier: Apache-2.0
# A fault in a replay: the canary that decides about the device is replayed, too.
export ORCHIL_SIMULATED=$PWD/script.json
tests='"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}}'
echo "{$tests}" >script.json
run() { "$ORCHIL" run --device simulated --seed 1 --instances 10000 --no-controls --json "$@" ptx:MP+relaxed ptx:SB+relaxed ptx:LB+relaxed | grep -o '"state":"[^"]*","reason":"[^"]*"'; }
run --save-kernels k
echo "{$tests, \"faults\": [{\"test\": \"MP*\", \"phase\": \"batch\", \"batch\": 3, \"do\": \"crash\"}]}" >script.json
run --kernels k
rm k/*-canary-*
run --kernels k
