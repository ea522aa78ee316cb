# SPDX-License-Identifier: Apache-2.0
# A run that is not there.
"$ORCHIL" run --device simulated --no-controls --instances 1k ptx:MP+relaxed >stdout 2>stderr
"$ORCHIL" report --run 5
