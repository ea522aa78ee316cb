# SPDX-License-Identifier: Apache-2.0
# --confidence: a test ends when its witness was seen often enough (3 times for 0.95), and its control after as many
# instances as that took. A control whose test showed too few witnesses runs to its limits.
. "$TEST_DIR/../faults/store"
run() { "$ORCHIL" run --device simulated --seed 1 --instances 3M --confidence 0.95 --db "$@" opencl:SB+relaxed >/dev/null 2>&1; }
script() {
    echo "{\"tests\": {\"SB+relaxed\": {\"outcomes\": {\"0:r0=0; 1:r0=0;\": $1}}, \"SB+sc\": {\"outcomes\": {\"0:r0=0; 1:r0=0;\": 0}}},
      \"faults\": [{\"phase\": \"batch\", \"do\": \"slow\", \"milliseconds\": 10}]}" >script.json
}
export ORCHIL_SIMULATED=script.json
script 1e-5
run often.db
ask often.db "SELECT test, state, batches BETWEEN 1 AND 29, witnesses >= 3 FROM v_job"
script 0
run never.db
ask never.db "SELECT test, state, batches >= 30, witnesses FROM v_job"
for confidence in 0 1 2 -0.5 high ''; do
    "$ORCHIL" run --device simulated --confidence "$confidence" opencl:SB+relaxed 2>&1 | head -n 1
done
