# SPDX-License-Identifier: Apache-2.0
# Two devices of a real driver, both this machine's processor, and one with host threads: every batch adds up, the code of every member is
# found to be the test, a location lies where --home says, and a run that is killed leaves nothing running.
. "$TEST_DIR/../faults/store"
. "$TEST_DIR/left"
export POCL_DEVICES="pthread pthread"
"$ORCHIL" devices opencl 2>/dev/null | grep -q '^opencl:1.*pthread' || { echo "PoCL is not installed" >&2; exit 77; }
sed 's/P1@wg 0, dev 1/P1@host/; s/SB+agents/SB+host/' "$TEST_DIR/sb.litmus" >host.litmus
cp "$TEST_DIR/sb.litmus" .
# run DEVICE HOME TEST: a second of it; what decides how often outcomes are seen is not for this test.
run() {
    rm -f orchil.db*
    "$ORCHIL" run --device "$1" --home "x=$2" --time 1 --no-cache "$3" >/dev/null 2>messages || echo "exit code $?"
    ask orchil.db "SELECT test, state, batches > 0, kept, kept_reason FROM v_job" \
        "SELECT DISTINCT json_extract(draw, '$.homes.x') FROM v_batch"
    check_store orchil.db
}
run opencl:0+opencl:1 1 sb.litmus
run opencl:0+host host host.litmus
rm -f orchil.db*
"$ORCHIL" run --device opencl:0+opencl:1 --time 60 sb.litmus >/dev/null 2>messages &
pid=$!
wait_for "SELECT count(*) >= 1 FROM batch"
kill -KILL $pid
{ wait $pid || :; } 2>/dev/null
say_left
