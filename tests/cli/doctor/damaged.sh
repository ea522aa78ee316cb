# SPDX-License-Identifier: Apache-2.0
# A file that is not a database of ours is found before a run fails on it.
echo "this is no database" >orchil.db
ORCHIL_SIMULATED="$TEST_DIR/three.json" "$ORCHIL" doctor
