# SPDX-License-Identifier: Apache-2.0
# A test that the folder has no kernel of is not compiled again: its job fails, the others run.
"$ORCHIL" run --device simulated --seed 1 --instances 10000 --no-controls --save-kernels k ptx:MP+relaxed >/dev/null 2>&1
"$ORCHIL" run --device simulated --seed 1 --instances 10000 --no-controls --kernels k ptx:MP+relaxed ptx:SB+relaxed | grep -E 'build-failed|completed'
"$ORCHIL" run --device simulated --seed 1 --instances 10000 --no-controls --kernels k ptx:SB+relaxed >/dev/null
