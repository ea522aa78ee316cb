# SPDX-License-Identifier: Apache-2.0
# An instance is shown as the test that it is.
cd "$TEST_DIR"
"$ORCHIL" show templates/SB.litmus
