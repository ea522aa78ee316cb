# SPDX-License-Identifier: Apache-2.0
# The program for a stored job, whole: the test's instructions once, the numbers of the best batch, and nothing that it does not use.
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
"$ORCHIL" run --device simulated --seed 1 --instances 1M --no-controls --db a.db ptx:MP+relaxed+cta+01 >run.log 2>&1
"$ORCHIL" reproduce a.db --job 1 --as-it-is -o mp
cat mp/reproduce.cu
