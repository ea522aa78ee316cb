# SPDX-License-Identifier: Apache-2.0
# The largest seed survives the way through the worker, the database and JSON.
. "$TEST_DIR/../faults/store"
"$ORCHIL" run --device simulated --instances 1k --seed 9223372036854775807 "$TEST_DIR/one.litmus" | tail -n 1
"$ORCHIL" run --device simulated --instances 1k --seed 9223372036854775807 --json "$TEST_DIR/one.litmus" | grep -o '"seed":[^,]*'
ask orchil.db "SELECT seed FROM v_job"
