# SPDX-License-Identifier: Apache-2.0
# A control without a witness: all is well, and it has the key of the test that it controls.
. "$TEST_DIR/../faults/store"
ORCHIL_SIMULATED="$TEST_DIR/exact.json" "$ORCHIL" run --device simulated --instances 10k --seed 1 opencl:SB+relaxed >stdout
tail -n 2 stdout | sed 's/^Stored.*/Stored/'
ask orchil.db "SELECT test, controls, witnesses > 0 FROM v_job" \
    "SELECT count(DISTINCT key) FROM v_job"
check_store orchil.db
