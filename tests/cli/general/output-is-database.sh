# SPDX-License-Identifier: Apache-2.0
# Protects: no verb writes a page, a report or a log over a database, and the database is as it was afterwards.
"$ORCHIL" run --device simulated --instances 1k --seed 1 --no-controls opencl:SB+relaxed --db a.db >/dev/null 2>&1
before=$(sha256sum <a.db)
"$ORCHIL" report --out a.db a.db || echo "exit $?"
"$ORCHIL" compare --page a.db a.db a.db >/dev/null || echo "exit $?"
"$ORCHIL" gate --stored a.db a.db --markdown a.db || echo "exit $?"
"$ORCHIL" gate --baseline a.db --junit a.db --db b.db || echo "exit $?"
"$ORCHIL" tune --device simulated --time 1 --out a.db --db b.db opencl:SB+relaxed || echo "exit $?"
"$ORCHIL" run --device simulated --log c.db --db c.db opencl:SB+relaxed || echo "exit $?"
"$ORCHIL" export --format csv --out a.db a.db || echo "exit $?"
[ "$before" = "$(sha256sum <a.db)" ] && echo "the database is as it was"
