# SPDX-License-Identifier: Apache-2.0
# Where no witness is seen nothing can be said of changes.
. "$TEST_DIR/common"
script 1.0 0
"$ORCHIL" gate calibrate --device simulated --instances 30k --runs 2 --seed 5 --db cal.db opencl:MP+relaxed 2>/dev/null | tail -n 2
"$ORCHIL" gate calibrate --from cal.db >/dev/null
