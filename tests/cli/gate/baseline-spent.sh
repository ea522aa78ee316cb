# SPDX-License-Identifier: Apache-2.0
# Tests that the budget did not reach in a run are named, with how many of their runs lack a result.
. "$TEST_DIR/common"
baseline
jobs="(SELECT j.id FROM job j JOIN test t ON t.id = j.test_id WHERE j.run_id = 2 AND t.name LIKE 'SB+%')"
ask whole.db "DELETE FROM outcome_count WHERE batch_id IN (SELECT id FROM batch WHERE job_id IN $jobs)" \
    "DELETE FROM void_count WHERE batch_id IN (SELECT id FROM batch WHERE job_id IN $jobs)" \
    "DELETE FROM batch WHERE job_id IN $jobs" "DELETE FROM verdict WHERE judgement_id IN (SELECT id FROM judgement WHERE job_id IN $jobs)" \
    "DELETE FROM judgement WHERE job_id IN $jobs" \
    "UPDATE job SET state = 'not-run', reason = 'the budget was spent' WHERE id IN $jobs"
"$ORCHIL" gate baseline --from whole.db --out spent.db | sed 1d
