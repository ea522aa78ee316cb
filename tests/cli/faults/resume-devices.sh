# SPDX-License-Identifier: Apache-2.0
# A run on several devices, two of them equal, that is killed and taken up: each unfinished unit goes on where it was
# begun, and all is as in an undisturbed run but which of the equal devices ran what.
. "$TEST_DIR/store"
. "$TEST_DIR/views"
devices='"devices": [{"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000001"},
    {"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000002"}, {"name": "Other", "driver": "2"}]'
echo "{$devices}" >fast.json
echo "{$devices, \"faults\": [{\"phase\": \"batch\", \"do\": \"slow\", \"milliseconds\": 20}]}" >slow.json
begin() {
    ORCHIL_SIMULATED=$1.json exec "$ORCHIL" run --device simulated:all --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 3k \
        --seed 5 opencl:LB+relaxed opencl:MP+relaxed opencl:SB+relaxed "$TEST_DIR/one.litmus" >/dev/null 2>&1
}
(begin fast) || :
show_views orchil.db | sed 's/00000000-0000-0000-0000-00000000000[12]/UUID/' | sort >whole.views
for signal in INT KILL; do
    rm -f orchil.db*
    begin slow &
    pid=$!
    wait_for "SELECT count(DISTINCT job_id) >= 5 FROM batch"
    kill -$signal $pid
    { wait $pid || :; } 2>/dev/null
    ask orchil.db "SELECT 'cut short: ' || (count(*) > 1) FROM v_job WHERE state IN ('started', 'interrupted')"
    code=0
    ORCHIL_SIMULATED=fast.json "$ORCHIL" run --resume last >/dev/null 2>&1 || code=$?
    show_views orchil.db | sed 's/00000000-0000-0000-0000-00000000000[12]/UUID/' | sort >views
    cmp whole.views views && echo "$signal: exit code $code"
    ask orchil.db "SELECT 'apart from its test: ' || count(*) FROM v_job c JOIN v_job t ON t.test = c.controls AND t.key = c.key
        AND t.device = c.device WHERE c.device_uuid <> t.device_uuid" "SELECT state FROM run"
    check_store orchil.db
done
