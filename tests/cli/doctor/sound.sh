# SPDX-License-Identifier: Apache-2.0
# A database that a run has written is checked whole, also under another name.
export ORCHIL_SIMULATED="$TEST_DIR/three.json"
"$ORCHIL" run --device simulated --instances 1000 --db night.db "$TEST_DIR/../show/MP.litmus" --no-controls >run.txt 2>&1
"$ORCHIL" doctor --db night.db | grep night.db
