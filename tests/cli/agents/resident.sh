# SPDX-License-Identifier: Apache-2.0
# GPUs of different sizes take as many work-groups each as the smaller one holds: one number is stored, by which their draws can be made
# again and controls get the sizes of their tests.
. "$TEST_DIR/../faults/store"
cp "$TEST_DIR/sb.litmus" .
printf '[environment]\ntesting_percent = 100\nstress_percent = 100\n' >all.ini
export ORCHIL_SIMULATED=script.json
for second in 60 100 250; do
    echo "{\"devices\": [{\"name\": \"A\", \"resident\": 100}, {\"name\": \"B\", \"resident\": $second}]}" >script.json
    rm -f orchil.db*
    "$ORCHIL" run --device simulated:0+simulated:1 --profile all.ini --instances 100k --seed 1 --no-controls sb.litmus >/dev/null 2>&1 || :
    ask orchil.db "SELECT DISTINCT $second, resident_groups FROM build" "SELECT max(json_extract(draw, '\$.groups')) FROM v_batch"
done
