# SPDX-License-Identifier: Apache-2.0
# The largest seed survives the way through the worker and the database.
. "$TEST_DIR/../faults/store"
"$ORCHIL" run --device simulated --instances 1k --seed 18446744073709551615 "$TEST_DIR/one.litmus" | tail -n 1
ask orchil.db "SELECT seed FROM v_job"
