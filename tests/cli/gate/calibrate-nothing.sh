# SPDX-License-Identifier: Apache-2.0
# If no witness is seen, the mutants are blind, and the exit code says so.
. "$TEST_DIR/common"
script 1.0 0
"$ORCHIL" gate calibrate --device simulated --instances 30k --runs 4 --seed 5 --db cal.db opencl:MP+relaxed 2>/dev/null | grep -e mutants -e blind
"$ORCHIL" gate calibrate --from cal.db >/dev/null
