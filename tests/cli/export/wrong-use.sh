# SPDX-License-Identifier: Apache-2.0
# Meaningless arguments are refused, and the database is never used as the output.
"$ORCHIL" run --device simulated --instances 1k --no-controls --db a.db opencl:SB+relaxed >/dev/null 2>&1
try() { "$ORCHIL" export "$@" 2>&1 >out | head -n 1; cat out; }
try a.db
try --format xml a.db
try --format csv --what kittens a.db
try --format litmus7 --what jobs a.db
try --format csv --device x a.db
try --format csv --run 0 a.db
try --format csv --run 7 a.db
try --format csv a.db a.db
try --format csv
try --format csv --out a.db a.db
ln a.db b.db
try --format csv --out b.db a.db
try --format csv --out none/out.csv a.db
"$ORCHIL" export --format csv a.db | wc -l
"$ORCHIL" export --format csv --out /dev/full a.db
