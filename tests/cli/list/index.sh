# SPDX-License-Identifier: Apache-2.0
# A fault in an index names the line of the index.
cd "$TEST_DIR"
"$ORCHIL" list ./@wrong
