# SPDX-License-Identifier: Apache-2.0
# A job's circumstances and the hash of its kernel are stored, exported and merged, also where kernels are left out.
. "$TEST_DIR/../faults/store"
cat >devices.json <<'END'
{"devices": [{"name": "busy", "circumstances": {"sm_clock_mhz": 1200, "power_w": 701.25, "throttle": "power thermal",
                                                "other_processes": 2}},
             {"name": "unknown"}]}
END
export ORCHIL_SIMULATED=devices.json
"$ORCHIL" run --device simulated:0,simulated:1 --instances 1000 --seed 7 --db results.db "$TEST_DIR/one.litmus" >/dev/null 2>&1 || echo "$?"
show() {
    ask "$1" "SELECT device, circumstances FROM v_job ORDER BY device" \
        "SELECT count(DISTINCT kernel_hash), min(length(kernel_hash)) FROM v_job" \
        "SELECT count(*) FROM build JOIN content ON content.id = kernel_id WHERE hash = kernel_hash"
}
show results.db
echo "== merged without kernels"
"$ORCHIL" merge --leave-out kernels --into small.db results.db >/dev/null
show small.db
echo "== exported"
"$ORCHIL" export --format csv results.db >export.csv
head -1 export.csv | tr -d '\r' | tr , '\n' | grep -e kernel -e circumstances
"$ORCHIL" export --format jsonl results.db | grep -o '"circumstances": *{[^}]*}' | sort

echo "== what a script must not say"
sed -i 's/1200/-1/' devices.json
"$ORCHIL" run --device simulated --instances 1000 "$TEST_DIR/one.litmus" 2>&1 >/dev/null | grep -o 'devices.*'
