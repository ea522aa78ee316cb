# SPDX-License-Identifier: Apache-2.0
# The same for programs.
cd "$TEST_DIR"
"$ORCHIL" list --pairs --json templates/SB.litmus
