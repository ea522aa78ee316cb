# SPDX-License-Identifier: Apache-2.0
# Protects: every verb takes a test as some editors save it, with a byte order mark and line ends of Windows; a carriage
# return alone, which would end a comment of a generated program, is refused, also where a database has the test.
export ORCHIL_SIMULATED=
{ printf '\357\273\277'; "$ORCHIL" show opencl:SB+relaxed | sed 's/$/\r/'; } >bom.litmus
"$ORCHIL" show opencl:SB+relaxed >plain.litmus
for verb in show list check explain; do
    "$ORCHIL" $verb ./bom.litmus >bom.txt 2>&1 || echo "exit $?"
    "$ORCHIL" $verb ./plain.litmus >plain.txt 2>&1 || true
    tr -d '\r' <bom.txt | sed 's/bom\.litmus/plain.litmus/' | cmp - plain.txt && echo "$verb: the same"
done
"$ORCHIL" run --device simulated --instances 1k --no-controls --db a.db ./bom.litmus 2>/dev/null | grep -c "1 completed"
echo "== carriage return"
sed '2s/^"/"Hi.\r#error injected /' plain.litmus >return.litmus
for verb in show check run; do
    "$ORCHIL" $verb ./return.litmus || echo "exit $?"
done
sqlite3 a.db "UPDATE content SET text = replace(text, '{ x=0', '\"Hi.' || char(13) || '#error injected\" { x=0')
    WHERE text LIKE 'OPENCL%'; SELECT changes()"
"$ORCHIL" reproduce a.db --job 1 --as-it-is -o rep || echo "exit $?"
