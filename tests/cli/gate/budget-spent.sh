# SPDX-License-Identifier: Apache-2.0
# When builds are so slow that the budget is spent, nothing more is built or launched: the rest is not run, says so, and
# leaves the gate inconclusive. A run that is taken up again has time for it.
. "$TEST_DIR/common"
tests="opencl:MP+relaxed opencl:SB+relaxed"
slow='"faults": [{"phase": "build", "do": "slow", "milliseconds": 700}]'
script 1.0 0.001
"$ORCHIL" gate baseline --device simulated --instances 300k --runs 1 --seed 5 --db whole.db --out base.db $tests \
    >/dev/null 2>&1
script 1.0 0.001 "$slow"
start=$(date +%s%N)
"$ORCHIL" gate --baseline base.db --budget 2 --db run.db --json >gate.json 2>messages || code=$?
echo "exit code ${code:-0}"
took=$((($(date +%s%N) - start) / 1000000))
[ "$took" -ge 1400 ] && [ "$took" -le 3500 ] || echo "$took ms"
sed -n 's/[0-9]* of 4 jobs/N of 4 jobs/p; s/\(all need about\) .*/\1 TIME/p' messages
ask run.db "SELECT count(*), sum(state = 'completed') > 0, sum(state = 'not-run') > 0 FROM v_job"
ask run.db "SELECT DISTINCT state, reason FROM job WHERE state <> 'completed'"
ask run.db "SELECT count(*) FROM batch JOIN job ON job.id = job_id WHERE state = 'not-run'"
grep -o '"kind": *"cut-short"' gate.json | sort -u
script 1.0 0.001
"$ORCHIL" run --resume last --db run.db >/dev/null 2>&1
ask run.db "SELECT state, count(*) FROM job GROUP BY state"
