# SPDX-License-Identifier: Apache-2.0
# The same seed gives the same draws, another seed others; tests have keys of their own.
. "$TEST_DIR/../faults/store"
export ORCHIL_SIMULATED="$TEST_DIR/exact.json"
for seed in 7 7 8; do
    "$ORCHIL" run --device simulated --instances 20k --seed $seed --json "$TEST_DIR/one.litmus" "$TEST_DIR/two.litmus" >stdout
done
# Jobs 1 and 2 are run 1, jobs 3 and 4 run 2, and so on.
for job in 1 2 3 4 5 6; do
    ask orchil.db "SELECT batch, draw FROM v_batch WHERE job = $job ORDER BY batch" >draws.$job
    [ "$(wc -l <draws.$job)" -ge 30 ]
done
cmp draws.1 draws.3
cmp draws.2 draws.4
cmp -s draws.1 draws.5 && echo "another seed gives the same draws"
cmp -s draws.1 draws.2 && echo "another test gets the same draws"
ask orchil.db "SELECT count(DISTINCT key), count(*) FROM v_job" "SELECT DISTINCT seed FROM v_job"
[ "$(ask orchil.db "SELECT count(DISTINCT draw) FROM v_batch WHERE job = 1")" -ge 30 ]
check_store orchil.db
