# SPDX-License-Identifier: Apache-2.0
# A baseline of an ensemble: the gate finds the ensemble again by its members, passes where nothing has changed, and fails where another
# driver of one member has changed a rate. compare, report and the page know it by its name.
. "$TEST_DIR/../faults/store"
cp "$TEST_DIR/sb.litmus" .
# script DRIVER RATE: of the second member.
script() {
    echo "{\"devices\": [{\"name\": \"A\"}, {\"name\": \"B\", \"driver\": \"$1\"}],
        \"tests\": {\"*\": {\"outcomes\": {\"0:r0=0; 1:r0=0;\": $2}, \"variation\": 0.05}}}" >script.json
}
export ORCHIL_SIMULATED=script.json
script 1.0 0.001
"$ORCHIL" gate baseline --device simulated:0+simulated:1 --instances 300k --runs 3 --seed 5 --db whole.db --out base.db sb.litmus >/dev/null 2>messages
ask base.db "SELECT DISTINCT test, backend, device, driver, state FROM v_job"
script 2.0 0.001
"$ORCHIL" gate --instances 300k --db same.db --baseline base.db >out 2>messages && echo "exit code 0"
sed -n 1,2p out
ask same.db "SELECT DISTINCT backend, device, driver FROM v_job"
script 3.0 0.01
"$ORCHIL" gate --instances 300k --db changed.db --baseline base.db >out 2>messages || echo "exit code $?"
sed -n 1,4p out
"$ORCHIL" compare base.db changed.db >out 2>messages || echo "exit code $?"
grep -c 'A + B' out
"$ORCHIL" report --out page.html changed.db >/dev/null 2>&1 && grep -c 'A + B' page.html
check_store changed.db
