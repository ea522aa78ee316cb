# SPDX-License-Identifier: Apache-2.0
# The README of a forbidden outcome: the test with its line numbers, the model's cycle, the device, the rates and what made it.
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
"$ORCHIL" run --device simulated --seed 1 --instances 1M --no-controls --db a.db ptx:CoRR+relaxed >run.log 2>&1 || :
"$ORCHIL" reproduce a.db --job 1 --as-it-is -o corr >written
cat corr/README.md corr/Makefile
