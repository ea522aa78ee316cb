# SPDX-License-Identifier: Apache-2.0
# A job that is not there.
"$ORCHIL" run --device simulated --instances 100k --seed 7 --no-controls --db a.db opencl:SB+relaxed >/dev/null 2>&1 || :
"$ORCHIL" explain a.db --job 99
