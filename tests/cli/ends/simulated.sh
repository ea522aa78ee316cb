# SPDX-License-Identifier: Apache-2.0
# Launches on a simulated device, with each edge that the language of a test has: what overlaps, where nothing orders it, is counted; what
# overlaps although an edge orders it makes the batch invalid; and a device that has not the edge refuses the test.
. "$TEST_DIR/../faults/store"
# run NAME TEST OPTION...
run() {
    name=$1 test=$2
    shift 2
    rm -f orchil.db*
    code=0
    ORCHIL_SIMULATED=$name.json "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 200k \
        --seed 3 "$@" "$test" >text 2>messages || code=$?
    echo "== $name $test: exit code $code"
    grep -ho 'Not tested here.*\|says nothing.*\|not tested here.*\|a launch began.*' text | sort -u
    ask orchil.db "SELECT test, state, reason, batches > 0, invalid_batches, marks FROM v_job" \
        "SELECT DISTINCT valid, json_extract(liveness, '$.overlapped') > 0 FROM v_batch"
    check_store orchil.db
}
for edge in queue event barrier host map copy; do
    sed "s/queue/$edge/; s/MP-ends/MP-$edge/" "$TEST_DIR/mp.litmus" >$edge.litmus
done
for edge in queue event host graph copy; do
    cat >ptx-$edge.litmus <<END
PTX MP-ptx-$edge
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1   | ld.weak r0, x  ;
P1 after P0 by $edge
exists (1:r0=0)
END
done
sed 's/after P0 by queue/beside P0/' "$TEST_DIR/mp.litmus" >beside.litmus
tests='"tests": {"MP-ptx-*": {"outcomes": {"1:r0=1;": 1}}, "MP-*": {"outcomes": {"1:r0=1; 1:r1=1;": 1}}}'
echo "{\"devices\": [{\"name\": \"A\", \"takes\": [\"c11\", \"ptx\"]}], $tests}" >all.json
for test in queue event barrier host map copy ptx-queue ptx-event ptx-host ptx-graph ptx-copy beside; do
    run all $test.litmus
done
# Launches that never overlap.
echo "{\"devices\": [{\"name\": \"A\"}], $(echo "$tests" | sed 's/"outcomes"/"dead": ["overlapped"], &/g')}" >apart.json
run apart beside.litmus
run apart queue.litmus
# An edge that the driver breaks.
echo "{\"devices\": [{\"name\": \"A\"}], $tests, \"faults\": [{\"phase\": \"batch\", \"batch\": 1, \"do\": \"wrong\", \"how\": \"overlap\"}]}" >broken.json
run broken queue.litmus
run broken beside.litmus
# A device without the edge.
echo "{\"devices\": [{\"name\": \"A\", \"edges\": [\"queue\"]}], $tests}" >few.json
run few queue.litmus
run few event.litmus
run few beside.litmus
