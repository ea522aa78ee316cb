# SPDX-License-Identifier: Apache-2.0
# A control's witness, or another forbidden outcome of it: the candidate is reported and rejected, and here no other is left.
echo '{"tests": {"SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0.001}}}}' >seen.json
ORCHIL_SIMULATED=seen.json "$ORCHIL" tune --device simulated --time 20 --trials 2 --seed 1 opencl:SB+relaxed 2>messages || code=$?
grep -o "orchil tune: .*" messages
ls
# control TEST LINE CONDITION
control() {
    cat >"$1.litmus" <<L
PTX $1
$2
{ x=0; P0:r0=0; }
 P0@cta 0,gpu 0       | P1@cta 1,gpu 0      ;
 st.relaxed.gpu x, 1  | st.relaxed.gpu x, 2 ;
 ld.relaxed.gpu r0, x |                     ;
exists ($3)
L
}
control own "Control=own+none" "0:r0=2"
control own+none "Expect=forbidden" "0:r0=2 /\\ x=0"
echo '{"tests": {"own": {"outcomes": {"0:r0=2;": 0.1}}, "own+none": {"outcomes": {"0:r0=0; x=1;": 0.001}}}}' >seen.json
ORCHIL_SIMULATED=seen.json "$ORCHIL" tune --device simulated --time 20 --trials 1 --seed 1 own.litmus 2>&1 |
    grep -o "^orchil tune: .*showed.* times in"
exit "$code"
