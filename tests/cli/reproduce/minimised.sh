# SPDX-License-Identifier: Apache-2.0
# A test and a seed: it is run, minimised and written. On this device no parameter matters, so none is needed and the program has no
# mechanism. An outcome that is not seen is said, and nothing is written.
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
"$ORCHIL" reproduce --device simulated --seed 7 --time 20s ptx:MP+relaxed+cta+01 -o mp 2>steps | grep -v ' run [123]:'
grep -c . steps | grep -q '^[1-9]' && echo "steps were told"
grep -c 'idle\|stress\|team_maps' mp/reproduce.cu || :
code=0
"$ORCHIL" reproduce --device simulated --seed 7 --time 3s ptx:SB+fencesc -o sb 2>steps || code=$?
tail -n 1 steps
echo "exit $code"
ls
