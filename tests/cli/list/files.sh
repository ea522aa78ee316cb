# SPDX-License-Identifier: Apache-2.0
# A folder is listed by families, with placements, controls and the first line of each description.
cd "$TEST_DIR"
"$ORCHIL" list ./other ./family
