# SPDX-License-Identifier: Apache-2.0
# Meaningless arguments are usage errors, before anything runs.
export ORCHIL_SIMULATED="$TEST_DIR/rates.json"
tune() { "$ORCHIL" tune --device simulated:0 "$@" 2>&1 | head -n 1; }
tune
tune --trials 0 opencl:SB+relaxed
tune --time soon opencl:SB+relaxed
tune --seed -1 opencl:SB+relaxed
tune no-such-test
tune opencl:SB+sc
tune --device simulated:1 opencl:SB+relaxed
tune --device simulated:7 --portable opencl:SB+relaxed
tune --out missing/tuned.ini opencl:SB+relaxed
tune --profile missing.ini opencl:SB+relaxed
ls
"$ORCHIL" tune --device simulated:0 opencl:SB+sc 2>/dev/null
