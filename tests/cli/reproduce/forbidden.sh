# SPDX-License-Identifier: Apache-2.0
# An outcome that a model forbids: the test is also minimised, and the README has the result.
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
"$ORCHIL" run --device simulated --seed 1 --instances 1M --no-controls --db a.db ptx:CoRR+relaxed >run.log 2>&1 || :
"$ORCHIL" reproduce a.db --job 1 --time 20s -o corr 2>steps | grep 'left\|lines' | cut -d. -f1
sed -n '/^    PTX/,/^    exists/p' corr/README.md
