# SPDX-License-Identifier: Apache-2.0
# A run with itself: so it is said.
. "$TEST_DIR/plant"
script 1.0 c 2e-5 >script.json
run script.json results.db 1 --device simulated:0 opencl:MP+relaxed
"$ORCHIL" compare 1 1 results.db
