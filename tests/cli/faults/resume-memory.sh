# SPDX-License-Identifier: Apache-2.0
# A driver whose memory size varies from day to day: a run is taken up where the size changed a little, twice, and at
# another place in the list; not where it has halved.
. "$TEST_DIR/store"
toy() {
    echo "{\"devices\": [$2{\"name\": \"Toy\", \"memory_bytes\": $1}]}" >devices.json
}
resume() {
    code=0
    ORCHIL_SIMULATED=devices.json "$ORCHIL" run --resume last >/dev/null 2>messages || code=$?
    sed '/^Try/d; /^job/d' messages
    echo "exit code $code"
}
cut_short() {
    ask orchil.db "UPDATE run SET state = 'interrupted'; UPDATE job SET state = 'interrupted' WHERE id = 1"
}
toy 8000000000 ""
ORCHIL_SIMULATED=devices.json "$ORCHIL" run --device simulated --instances 1k --seed 5 "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >/dev/null 2>&1
cut_short
toy 8000004096 ""
resume
cut_short
toy 7990000000 '{"name": "Other"}, '
resume
cut_short
toy 4000000000 ""
resume
check_store orchil.db
