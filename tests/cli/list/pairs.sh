# SPDX-License-Identifier: Apache-2.0
# What stands beside each test, and whether it is there. A variant needs no file.
cd "$TEST_DIR"
"$ORCHIL" list --pairs templates/SB.litmus ./family
