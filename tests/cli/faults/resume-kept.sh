# SPDX-License-Identifier: Apache-2.0
# Protects: a job that was cut short is built again when its run is taken up, and its batches are then of two builds: it is kept only
# where both kept it, whichever was first. What was found of a job that had ended is read back, for the summary.
. "$TEST_DIR/store"
profile=$TEST_DIR/../run-verb/fixed.ini
script() { # script ONE TWO [FAULTS]: what becomes of the tests
    not_kept='"kept": "not-kept", "kept_reason": "P0 line 4: the store is missing"'
    one="\"kept\": \"$1\"" two="\"kept\": \"$2\""
    [ "$1" = kept ] || one=$not_kept
    [ "$2" = kept ] || two=$not_kept
    printf '{"devices": [{"instances_per_second": 1e6}], "tests": {"one": {%s}, "two": {%s}}%s}' "$one" "$two" "${3:-}"
}
cut_short() { # cut_short ONE TWO: a run that is stopped in its second job
    script "$1" "$2" ', "faults": [{"phase": "batch", "test": "two", "batch": 3, "do": "hang"}]' >hang.json
    rm -f orchil.db
    ORCHIL_SIMULATED=hang.json "$ORCHIL" run --device simulated --profile "$profile" --instances 6k --seed 5 \
        "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >/dev/null 2>&1 &
    pid=$!
    wait_for "SELECT count(*) = 2 AND (SELECT count(*) FROM batch WHERE job_id = 2) > 0 FROM build"
    kill -TERM $pid
    sleep 0.2
    kill -TERM $pid 2>/dev/null || : # where it waits for the batch that hangs
    wait $pid || :
}
take_up() {
    script "$1" "$2" >whole.json
    ORCHIL_SIMULATED=whole.json "$ORCHIL" run --resume 1 2>messages >out || echo "exit $?"
    grep '^Compiled' out
    ask orchil.db "SELECT test, state, kept, kept_reason FROM v_job"
}
echo "the second build loses it:"
cut_short kept kept
take_up not-kept not-kept
echo "the first had lost it:"
cut_short not-kept not-kept
take_up kept kept
