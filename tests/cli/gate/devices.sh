# SPDX-License-Identifier: Apache-2.0
# Devices: the baseline's are taken where they are here, each with its own; --device narrows the baseline too; where none of
# them is here, none is judged unless --device names it.
. "$TEST_DIR/common"
two() {
    script 1.0 0.001
    sed 's/{"name": "Simulated GPU", "driver": "1.0", "uuid": "a"}/{"name": "One", "uuid": "'"$1"'", "driver": "'"$3"'"}, {"name": "Two", "uuid": "'"$2"'", "driver": "'"$3"'"}/' \
        script.json >two.json
}
two a b 1.0
export ORCHIL_SIMULATED=two.json
"$ORCHIL" gate baseline --device simulated:0,simulated:1 --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 300k --seed 5 \
    --runs 1 --out base.db opencl:MP+relaxed >/dev/null 2>&1
judge() { gate "$@" | sed -n '1p; /^Tests/s/ Runs.*//p'; grep '^device' messages || :; }
cp base.db both.db
two a b 2.0
judge
judge --device simulated:1
ask run.db "SELECT run, device, driver, count(*) FROM v_job GROUP BY 1, 2, 3"
echo "-- another card"
"$ORCHIL" gate baseline --device simulated:0 --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 300k --seed 5 --runs 1 \
    --out one.db opencl:MP+relaxed >/dev/null 2>&1
mv one.db base.db
two c d 2.0
judge | sed 's/; here: .*; to/; here: OTHERS; to/'
judge --device simulated:0
echo "-- one of two cards"
sed "s/, {.name.: .Two.[^}]*}//; s/\"uuid\": \"c\"/\"uuid\": \"a\"/" two.json >one.json; export ORCHIL_SIMULATED=one.json
gate --baseline both.db | sed -n '1p; /missing/p'
