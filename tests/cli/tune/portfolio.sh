# SPDX-License-Identifier: Apache-2.0
# A search that starts from a portfolio: its first trial is the portfolio, and the candidates are single environments.
. "$TEST_DIR/../faults/store"
ORCHIL_SIMULATED="$TEST_DIR/rates.json" "$ORCHIL" tune --device simulated:0 --profile hopper --seed 1 --no-controls \
    --time 3 --out mine.ini opencl:SB+relaxed >found 2>messages || [ $? -eq 3 ]
ask orchil.db "SELECT 'portfolios: ' || group_concat(DISTINCT profile) FROM v_job j JOIN environment e ON e.hash = j.environment_hash
    WHERE e.text LIKE '%others%' AND profile LIKE 'trial%'" \
    "SELECT 'single: ' || (count(DISTINCT profile) > 0) FROM v_job j JOIN environment e ON e.hash = j.environment_hash
    WHERE e.text NOT LIKE '%others%' AND profile LIKE 'trial%'"
