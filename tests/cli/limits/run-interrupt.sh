# SPDX-License-Identifier: Apache-2.0
# SIGINT while a run's model thinks: the run stops at once, and what it did not come to is stored as not run.
. "$TEST_DIR/../faults/store"
. "$TEST_DIR/common"
"$ORCHIL" run --device simulated --instances 1000 --db orchil.db opencl:SB+sc "$TEST_DIR/slow.litmus" opencl:MP+relaxed >out 2>err &
pid=$!
wait_for "SELECT count(*) = 1 FROM job WHERE state <> 'started'"
sleep 0.3 # as in check-interrupt
interrupt $pid
ask orchil.db "SELECT t.name, j.state, j.reason FROM job j JOIN test t ON t.id = j.test_id ORDER BY j.id" "SELECT state FROM run"
check_store orchil.db
