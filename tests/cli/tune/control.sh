# SPDX-License-Identifier: Apache-2.0
# A control's witness, or another forbidden outcome of it: the candidate is reported and rejected, and here no other is left.
echo '{"tests": {"SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0.001}}}}' >seen.json
ORCHIL_SIMULATED=seen.json "$ORCHIL" tune --device simulated --time 20 --trials 2 --seed 1 opencl:SB+relaxed 2>messages || code=$?
grep -o "orchil tune: .*" messages
ls
# Not the witness, but final values that nothing writes.
cat >seen.json <<'JSON'
{"tests": {"2+2W+relaxed": {"outcomes": {"[x]=2; [y]=1;": 0.99, "[x]=2; [y]=2;": 0.01}},
           "2+2W+sc": {"outcomes": {"[x]=0; [y]=0;": 0.001, "[x]=2; [y]=1;": 0.999}}}}
JSON
ORCHIL_SIMULATED=seen.json "$ORCHIL" tune --device simulated --time 20 --trials 1 --seed 1 opencl:2+2W+relaxed >out 2>&1 || :
grep -o "^orchil tune: .*showed.* times in" out || cat out
exit "$code"
