# SPDX-License-Identifier: Apache-2.0
# The reader of the output has gone: results are still stored.
. "$TEST_DIR/store"
"$ORCHIL" run --device simulated --instances 6k --seed 1 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >/dev/full || code=$?
ask orchil.db "SELECT state, batches >= 30 FROM v_job"
check_store orchil.db
exit "$code"
