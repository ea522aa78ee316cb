# SPDX-License-Identifier: Apache-2.0
# A device on which nothing runs gives no baseline.
. "$TEST_DIR/common"
script 1.0 0.001 '"faults": [{"phase": "build", "do": "build-error", "text": "no"}]'
"$ORCHIL" gate baseline --device simulated --instances 30k --runs 2 --out base.db opencl:SB+relaxed 2>messages || code=$?
tail -n 1 messages
ls base.db* 2>/dev/null || echo "no file"
exit "$code"
