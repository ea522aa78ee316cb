# SPDX-License-Identifier: Apache-2.0
# The places of locations matter more than stress does: they are drawn for each batch, or fixed with
# --home; the rates of each place are printed by run, also for what an earlier part of a run
# counted, by compare and by the page, and they add up to the job's.
. "$TEST_DIR/../faults/store"
cp "$TEST_DIR/sb.litmus" .
devices='"devices": [{"name": "A"}, {"name": "B"}], "tests": {"*": {"outcomes": {"0:r0=0; 1:r0=0;": 0.01}}}'
echo "{$devices}" >fast.json
echo "{$devices, \"faults\": [{\"phase\": \"batch\", \"do\": \"slow\", \"milliseconds\": 25}]}" >slow.json
export ORCHIL_SIMULATED=fast.json
# In a process of its own, which it becomes.
begin() {
    exec "$ORCHIL" run --device simulated:0+simulated:1 --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 6k --seed 5 "$@" sb.litmus
}
run() {
    (begin "$@")
}
run --db whole.db 2>/dev/null | sed -n '/home of memory/,/^$/p'
ask whole.db "SELECT sum(instances), sum(witnesses) FROM v_job"
run --db fixed.db --home ' y = host, *=1' 2>/dev/null | grep '^  Home'
ask fixed.db "SELECT DISTINCT json_extract(draw, '\$.homes') FROM v_batch" "SELECT json_extract(text, '\$.homes') FROM environment"
echo "== taken up again"
ORCHIL_SIMULATED=slow.json begin --db orchil.db >/dev/null 2>&1 &
pid=$!
wait_for "SELECT count(*) >= 5 FROM batch"
kill -INT $pid
wait $pid || :
"$ORCHIL" run --resume last --json 2>/dev/null | grep -o '"homes":.*' >again
run --json --db json.db 2>/dev/null | grep -o '"homes":.*' | cmp - again && echo "the same"
echo "== page and compare"
"$ORCHIL" report --out page.html whole.db >/dev/null 2>&1
sed -n '/Home of memory/,/<.table>/p' page.html | grep -c '^<tr><td>x=[01h][ost]*,y=[01h]'
echo "{$devices}" | sed 's/0.01}/0.1}/; s/"B"/"B", "driver": "2"/' >fast.json
run --db changed.db >/dev/null 2>&1
"$ORCHIL" compare whole.db changed.db | tr -d '\n|' | tr -s ' ' | grep -o 'most of [AB] at [^:]*'
echo "== tune and gate"
printf '[environment]\nrounds = 5\n' >poor.ini # nearly every candidate is better by far
tune() {
    "$ORCHIL" tune --device simulated:0+simulated:1 --time 10 --trials 6 --seed 1 --profile poor.ini --no-controls "$@" sb.litmus
}
echo "{$devices, \"faults\": [{\"phase\": \"batch\", \"do\": \"slow\", \"milliseconds\": 5}]}" >fast.json
tune --home x=1,y=host --db tuned.db >/dev/null 2>messages && grep '^home' tuned.ini
ask tuned.db "SELECT DISTINCT json_extract(draw, '\$.homes') FROM v_batch"
"$ORCHIL" gate baseline --device simulated:0+simulated:1 --home '*=1' --instances 6k --runs 1 --seed 5 --db base.db --out given.db \
    sb.litmus >/dev/null 2>messages
"$ORCHIL" gate --baseline given.db --instances 6k --db again.db >/dev/null 2>messages || :
ask base.db "SELECT DISTINCT json_extract(draw, '\$.homes') FROM v_batch"
ask again.db "SELECT DISTINCT json_extract(draw, '\$.homes') FROM v_batch"
"$ORCHIL" gate --baseline given.db --device simulated:0 --home x=1 --instances 6k --db none.db sb.litmus 2>&1 | grep home
