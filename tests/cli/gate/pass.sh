# SPDX-License-Identifier: Apache-2.0
# The same rates under another driver pass. Tests, seed and environment are the baseline's, and it says so.
. "$TEST_DIR/common"
baseline
script 2.0 0.001
gate
sed 's/, [0-9.]* m*s$//; /^job/d' messages
ask run.db "SELECT test, driver, seed, profile FROM v_job"
