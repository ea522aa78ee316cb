# SPDX-License-Identifier: Apache-2.0
# The tests that belong to each test, and whether they exist. A variant needs no file.
cd "$TEST_DIR"
"$ORCHIL" list --pairs templates/SB.litmus ./family
