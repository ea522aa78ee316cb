# SPDX-License-Identifier: Apache-2.0
# Protects: no text of a database becomes a formula in a spreadsheet, and numbers keep their sign.
cat >evil.litmus <<'END'
OPENCL =HYPERLINK("http://x")
{ x=0; }
P0@wg 0, dev 0 (atomic_int* x) { int r0 = atomic_load(x); atomic_store(x, -1); }
exists (0:r0=0)
END
for name in +1 -1 @SUM; do sed "s/=HYPER.*/$name/" evil.litmus >"evil$name.litmus"; done
"$ORCHIL" run --device simulated --instances 1k --no-controls --db a.db evil*.litmus >/dev/null 2>&1 || true # some outcomes are forbidden
"$ORCHIL" export --format csv --what jobs a.db | grep -o "[^,]*HYPERLINK[^,]*\|,'[-+@][^,]*" | sort -u
"$ORCHIL" export --format jsonl --what jobs a.db | grep -o '"test":"[^,]*' | sort -u
