# SPDX-License-Identifier: Apache-2.0
# The database is moved while a run writes to it: the run stops and says so, and what was stored before is whole where the
# file is moved back, so that the run can be taken up again.
. "$TEST_DIR/store"
. "$TEST_DIR/views"
tests='"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}}'
echo "{$tests, \"faults\": [{\"phase\": \"batch\", \"do\": \"slow\", \"milliseconds\": 50}]}" >slow.json
echo "{$tests}" >fast.json
run() {
    ORCHIL_SIMULATED=$1 exec "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 6k \
        --seed 5 "$TEST_DIR/two.litmus" "$TEST_DIR/one.litmus"
}
(run fast.json) >/dev/null 2>&1
mv orchil.db whole.db
show_views whole.db >whole.views
run slow.json >stdout 2>stderr &
pid=$!
wait_for "SELECT count(*) >= 2 FROM batch"
mv orchil.db elsewhere.db
wait $pid || code=$?
grep -c 'Stored as' stdout || sed -n '$p' stderr
[ ! -e orchil.db ] && mv elsewhere.db orchil.db
check_store orchil.db
ask orchil.db "SELECT state, (SELECT count(*) >= 2 FROM batch) FROM run"
ORCHIL_SIMULATED=fast.json "$ORCHIL" run --resume last 2>messages | sed -n 's/^\(Stored as run 1\) .*/\1/p'
show_views orchil.db >views
cmp whole.views views
exit "$code"
