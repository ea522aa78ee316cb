# SPDX-License-Identifier: Apache-2.0
# Runs that cannot be resumed: a run of another driver, on a device that is gone, of another orchil,
# one that is not there; and what --resume does not go with.
. "$TEST_DIR/store"
device() {
    echo "{\"devices\": [{\"name\": \"$1\", \"driver\": \"$2\", \"uuid\": \"$3\"}]}" >"$4.json"
}
device Toy 1.0 00000000-0000-0000-0000-000000000001 then
device Toy 2.0 00000000-0000-0000-0000-000000000001 driver
device Toy 1.0 00000000-0000-0000-0000-000000000002 gone
resume() {
    code=0
    # shellcheck disable=SC2086
    ORCHIL_SIMULATED=$1.json "$ORCHIL" run --resume "$2" $3 2>messages || code=$?
    sed '/^Try/d' messages
    echo "exit code $code"
}
ORCHIL_SIMULATED=then.json "$ORCHIL" run --device simulated --instances 1k --seed 5 "$TEST_DIR/one.litmus" >/dev/null 2>&1
ask orchil.db "UPDATE run SET state = 'interrupted'; UPDATE job SET state = 'interrupted'"
resume driver 1 ""
resume gone last ""
resume then 7 ""
resume then first ""
resume then 1 "--db other.db"
resume then 1 "--seed 3"
resume then 1 one.litmus
ask orchil.db "UPDATE run SET tool_version = '0.0.1'"
resume then 1 ""
ask orchil.db "UPDATE run SET tool_version = '0.0.1'; DELETE FROM planned_job; DELETE FROM plan"
resume then 1 ""
ask orchil.db "SELECT state FROM run" "SELECT state FROM job" "SELECT count(*) FROM resumption"
