# SPDX-License-Identifier: Apache-2.0
# A hang fails.
. "$TEST_DIR/common"
baseline
script 2.0 0.001 '"faults": [{"test": "SB+relaxed", "phase": "batch", "batch": 2, "do": "hang"}]'
gate --batch-limit 1
