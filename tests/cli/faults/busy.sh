# SPDX-License-Identifier: Apache-2.0
# Another program keeps the database locked while a run writes to it: for a while, and nothing is lost; for longer than a
# run waits, and what was stored before stays.
. "$TEST_DIR/store"
echo '{"faults": [{"phase": "batch", "do": "slow", "milliseconds": 20}]}' >slow.json
begin() {
    rm -f orchil.db*
    ORCHIL_SIMULATED=slow.json "$ORCHIL" run --device simulated --instances "$1" --seed 1 "$TEST_DIR/one.litmus" >stdout 2>messages &
    pid=$!
    wait_for "SELECT count(*) >= 2 FROM batch"
}
# keep SECONDS: the lock, through a pipe that stays open as long
keep() {
    (echo 'BEGIN IMMEDIATE; SELECT 1;'; sleep "$1") | sqlite3 -batch -init /dev/null -cmd '.timeout 5000' orchil.db >/dev/null
}
begin 10k
keep 1
wait $pid && echo "the run went on"
ask orchil.db "SELECT state, instances >= 10000 FROM v_job"
check_store orchil.db
begin 100M
keep 12
code=0
wait $pid || code=$?
echo "exit code $code"
sed -n 's/batches [0-9]* to [0-9]*/batches N to N/; /^orchil run/p' messages
ask orchil.db "SELECT state, instances > 0 FROM v_job"
check_store orchil.db
