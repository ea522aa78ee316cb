# SPDX-License-Identifier: Apache-2.0
# A job whose counts do not add up to its instances is invalid, and says so; the other jobs of the database are shown.
. "$TEST_DIR/../gate/common"
. "$TEST_DIR/../faults/store"
script 1.0 0.001
for file in all.db all.db all.db new.db; do
    "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 100k --seed 5 --db $file opencl:SB+relaxed opencl:MP+relaxed >/dev/null 2>&1
done
ask new.db "UPDATE outcome_count SET count = 9223372036854775807 WHERE batch_id IN (SELECT b.id FROM batch b JOIN v_job j ON j.job = b.job_id WHERE j.test = 'SB+relaxed')"
"$ORCHIL" gate --stored all.db new.db | sed -n '/INVALID\|invalid\|counts/p' || :
"$ORCHIL" report new.db | sed 's/, [0-9.]* kB/, SIZE/'
grep -c 'a batch does not add up to its instances' orchil-report.html
