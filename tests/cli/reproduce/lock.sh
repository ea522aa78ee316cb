# SPDX-License-Identifier: Apache-2.0
# A lock has no more than 200 lines: its threads share a function, which has each instruction once. The program says after which
# time three of three runs are expected to see the outcome.
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
"$ORCHIL" run --device simulated --seed 1 --instances 4M --no-controls --db a.db ptx:lock-spin+textbook >run.log 2>&1
"$ORCHIL" reproduce a.db --job 1 --as-it-is --outcome '0:r1=0; 1:r1=0;' -o lock >written
wc -l <lock/reproduce.cu
grep -c 'atom.relaxed.gpu.global.cas' lock/reproduce.cu
grep -o '3 of 3 runs see it after' lock/reproduce.cu
