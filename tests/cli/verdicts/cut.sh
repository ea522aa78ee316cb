# SPDX-License-Identifier: Apache-2.0
# If the bound on loops cuts the search, no fault is reported: an outcome that two iterations cannot
# give is explained by a third, and one that no bound explains in time stays without a verdict, with
# the reason, wherever verdicts are shown. How many iterations there was time for depends on the
# machine.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
command -v sqlite3 >/dev/null || { echo "sqlite3 is not installed" >&2; exit 77; }
export ORCHIL_SIMULATED="$TEST_DIR/limits.json"
{
"$ORCHIL" check "$TEST_DIR/cut.litmus"
"$ORCHIL" check --json "$TEST_DIR/cut.litmus" | python3 -c '
import json, sys
print(json.load(sys.stdin)["outcomes"])'
for run in 1 2; do
    "$ORCHIL" run --device simulated --instances 10k --seed $run --json --db a$run.db "$TEST_DIR/cut.litmus" "$TEST_DIR/far.litmus" >jobs 2>/dev/null
    python3 -c '
import json
for job in map(json.loads, open("jobs")):
    print(job["test"], "violated" if job["violated"] else "not violated")
    for outcome in sorted(job["outcomes"], key=lambda outcome: outcome["outcome"]):
        print(" ", outcome["outcome"], outcome["verdict"], outcome.get("unjudged", "-"))'
done
"$ORCHIL" run --device simulated --instances 10k --seed 3 --db a1.db "$TEST_DIR/far.litmus" 2>/dev/null | grep -E 'unjudged|Unjudged|forbidden'
sqlite3 -batch -noheader -list -init /dev/null a1.db "SELECT test, sum(forbidden) FROM v_job GROUP BY 1 ORDER BY 1;
    SELECT DISTINCT test, outcome, coalesce(source_verdict, '-'), coalesce(target_verdict, '-'), coalesce(substr(unjudged, 1, 31), '-')
    FROM v_outcome ORDER BY test, outcome"
"$ORCHIL" report -o page.html a1.db >/dev/null 2>&1
grep -o 'Unjudged: [^.]*' page.html
grep -c 'forbidden by the model' page.html || true
"$ORCHIL" gate --stored a1.db a2.db >gate.txt || echo "gate: exit $?"
grep -ci 'FORBIDDEN' gate.txt || true
} | sed 's/at most [1-9][0-9]* iterations/at most N iterations/'
