# SPDX-License-Identifier: Apache-2.0
# One object for each test on which the models differ, with a verdict by every model.
"$ORCHIL" check --model sc,ptx,ptx-strengthened --differ --json ptx:2+2W+ra ptx:MP+relaxed ptx:MP+fencesc
