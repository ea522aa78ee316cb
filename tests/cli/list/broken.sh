# SPDX-License-Identifier: Apache-2.0
# A fault in a file is reported as FILE:LINE:COLUMN at the start of a line.
cd "$TEST_DIR"
"$ORCHIL" list broken.litmus
