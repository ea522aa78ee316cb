# SPDX-License-Identifier: Apache-2.0
# Tests that never ran are counted in the first line and named with the reason, not left out.
. "$TEST_DIR/common"
script 1.0 0.001
sed -i 's/"uuid": "a"/&, "takes": ["c11"]/' script.json
"$ORCHIL" gate calibrate --device simulated --instances 30k --runs 4 --seed 5 --db cal.db opencl:MP+relaxed ptx:SB+relaxed >report 2>/dev/null
sed -n '1,2p; /no result/,$p' report
[ "$(wc -L <report)" -le 80 ] && echo "80 columns"
