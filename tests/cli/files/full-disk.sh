# SPDX-License-Identifier: Apache-2.0
# Protects: where the disk is full, or here the limit on the size of files reached, a verb says so, ends with 4, keeps the old
# file, and leaves no part of the new one.
limited() { # BLOCKS COMMAND...: files of at most that many blocks of 512 bytes
    (
        ulimit -f "$1"
        shift
        "$@"
    ) || echo "exit $?"
}
"$ORCHIL" run --device simulated --instances 1k --no-controls 'opencl:SB*' --db a.db >/dev/null 2>&1 || true # some outcomes are forbidden
"$ORCHIL" run --device simulated --instances 1k --no-controls opencl:SB+relaxed --db good.db >/dev/null 2>&1
mkdir out
echo old >out/page.html
limited 80 "$ORCHIL" report --out out/page.html a.db
limited 80 "$ORCHIL" report --out out/new.html a.db
limited 80 "$ORCHIL" export --format jsonl --out out/new.jsonl a.db
limited 80 "$ORCHIL" export --format csv --what outcomes --out out/new.csv a.db
limited 80 "$ORCHIL" compare --page out/compare.html a.db a.db >/dev/null
ls -A out
cat out/page.html
echo "== generate"
limited 1 "$ORCHIL" generate --family MP,SB -o tests
find tests -type f
echo "== devices"
for option in --junit --markdown; do
    "$ORCHIL" gate --stored good.db good.db $option /dev/full >/dev/null 2>messages || echo "exit $?"
    tail -n 1 messages
done
"$ORCHIL" report --out /dev/full a.db || echo "exit $?"
"$ORCHIL" export --format csv --out /dev/full a.db || echo "exit $?"
"$ORCHIL" run --device simulated --instances 1k --no-controls --no-cache --log /dev/full opencl:SB+relaxed --db b.db >/dev/null 2>messages ||
    echo "exit $?"
tail -n 1 messages
