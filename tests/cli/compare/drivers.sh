# SPDX-License-Identifier: Apache-2.0
# Everything that can happen between two drivers of three runs each, in the order in which it
# matters: the answer in the first line, then forbidden outcomes, states, new and lost outcomes,
# rates, and tests without a match.
. "$TEST_DIR/plant"
script 575.57 'NVRTC 12.9' 2e-5 ', "SB+relaxed": {"outcomes": {"0:r0=0; 1:r0=0;": 1e-6}},
    "LB+relaxed": {"outcomes": {"0:r0=1; 1:r0=1;": 0}}' >old.json
script 580.159 'NVRTC 13.0' 6e-5 ', "SB+relaxed": {"outcomes": {"0:r0=0; 1:r0=0;": 0}},
    "LB+relaxed": {"outcomes": {"0:r0=1; 1:r0=1;": 1e-6}}' |
    sed '/CoRR/s/: 0}/: 1e-6}/
        $s/}$/, "faults": [{"test": "SB+ra", "phase": "batch", "batch": 2, "do": "crash"}]}/' >new.json
tests='opencl:MP+relaxed opencl:SB+relaxed opencl:LB+relaxed opencl:CoRR+relaxed opencl:SB+ra'
for _ in 1 2 3; do
    run old.json results.db 1 --no-controls --device simulated:0 $tests opencl:SB+fencear
    run new.json results.db 1 --no-controls --device simulated:0 $tests opencl:LB+ctrl || true
done
"$ORCHIL" compare --driver 575.57 580.159 results.db
