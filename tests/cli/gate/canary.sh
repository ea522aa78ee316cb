# SPDX-License-Identifier: Apache-2.0
# A hang is known and does not count; but the canary after it fails, so the tests after it did not run.
. "$TEST_DIR/common"
baseline
script 2.0 0.001 '"faults": [{"test": "MP+relaxed", "phase": "batch", "batch": 2, "do": "hang", "times": 1, "wedged": true}]'
printf '[MP+relaxed]\nknown.fault = waits for a firmware\n' >expect.ini
gate --batch-limit 1 --expect expect.ini
