# SPDX-License-Identifier: Apache-2.0
# A database without --job, by its name and by its path: what is missing is said.
"$ORCHIL" run --device simulated --instances 100k --seed 7 --no-controls --db a.db opencl:SB+relaxed >/dev/null 2>&1 || :
"$ORCHIL" explain a.db || echo "exit code $?"
"$ORCHIL" explain ./a.db
