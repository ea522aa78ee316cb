# SPDX-License-Identifier: Apache-2.0
# One object per test, with the whole description and the condition.
cd "$TEST_DIR"
"$ORCHIL" list --json ./family
