# SPDX-License-Identifier: Apache-2.0
# Every trial is stored: one run, a test and its control in the same draws, the final ones as
# replicates. Equal seeds draw equal candidates, other seeds others; the first is the profile that
# fits.
. "$TEST_DIR/../faults/store"
export ORCHIL_SIMULATED="$TEST_DIR/rates.json"
tune() { "$ORCHIL" tune --device simulated:0 --out "$2.ini" --time 40 --trials 5 --seed "$1" --db "$2" opencl:SB+relaxed >/dev/null 2>&1; }
trials() { ask "$1" "SELECT DISTINCT profile, environment_hash FROM v_job WHERE replicate = 0 ORDER BY profile"; }
tune 1 one.db & one=$!
tune 1 again.db & again=$!
tune 2 other.db
wait $one
wait $again
trials one.db >one
trials again.db | cmp one - && wc -l <one
[ "$(trials other.db | head -n 1)" = "$(head -n 1 one)" ]
trials other.db | sed 1d | sort >second
sed 1d one | sort | comm -12 - second | wc -l
ask one.db "SELECT DISTINCT state FROM v_job" "SELECT state FROM run" \
    "SELECT count(*) FROM v_job c WHERE controls = 'SB+relaxed' AND NOT EXISTS (SELECT 1 FROM v_job t WHERE t.test = 'SB+relaxed' AND t.key = c.key)" \
    "SELECT DISTINCT replicate FROM v_job WHERE replicate > 100 ORDER BY replicate" \
    "SELECT count(DISTINCT key) = count(DISTINCT profile || replicate) FROM v_job"
check_store one.db
