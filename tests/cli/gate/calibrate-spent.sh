# SPDX-License-Identifier: Apache-2.0
# If time was too short for a test in some runs, those jobs are not a separate test: it is counted
# once.
. "$TEST_DIR/common"
script 1.0 0.001
"$ORCHIL" gate calibrate --device simulated --instances 30k --runs 5 --seed 5 --db cal.db opencl:MP+relaxed opencl:SB+relaxed >/dev/null 2>&1
jobs="(SELECT j.id FROM job j JOIN test t ON t.id = j.test_id WHERE j.run_id = 5 AND t.name LIKE 'SB+%')"
ask cal.db "DELETE FROM outcome_count WHERE batch_id IN (SELECT id FROM batch WHERE job_id IN $jobs)" \
    "DELETE FROM void_count WHERE batch_id IN (SELECT id FROM batch WHERE job_id IN $jobs)" \
    "DELETE FROM batch WHERE job_id IN $jobs" "DELETE FROM verdict WHERE judgement_id IN (SELECT id FROM judgement WHERE job_id IN $jobs)" \
    "DELETE FROM judgement WHERE job_id IN $jobs" \
    "UPDATE job SET state = 'not-run', reason = 'the budget was spent' WHERE id IN $jobs"
"$ORCHIL" gate calibrate --from cal.db | sed -n '1p; /no result/,$p; /^opencl:/p'
