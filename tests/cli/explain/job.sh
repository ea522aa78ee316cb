# SPDX-License-Identifier: Apache-2.0
# An outcome of a stored job: the gravest that was seen, with how often; and one by its label.
"$ORCHIL" run --device simulated --instances 100k --seed 7 --no-controls --db a.db opencl:SB+relaxed >/dev/null 2>&1 || :
"$ORCHIL" explain a.db --job 1 | sed -n 1,8p
"$ORCHIL" explain a.db --job 1 --outcome "0:r0=1; 1:r0=1;" | sed -n 3,4p
