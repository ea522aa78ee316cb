# SPDX-License-Identifier: Apache-2.0
# Results that nobody reads any more: they are stored all the same.
. "$TEST_DIR/store"
"$ORCHIL" run --device simulated --instances 6k --seed 1 --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >/dev/full || code=$?
ask orchil.db "SELECT state, batches >= 30 FROM v_job"
check_store orchil.db
exit "$code"
