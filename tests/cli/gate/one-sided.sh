# SPDX-License-Identifier: Apache-2.0
# An outcome that one side alone has seen is listed in every output, however little it proves, and no pass is silent about
# it. Here it is 900 sightings in two of 31 batches with equal draws, which no test over batches can tell from chance.
# Reruns can: what every run sees in the same two draws, and no run of the baseline, is new.
. "$TEST_DIR/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
SB_RATE=0
for driver in 1.0 2.0; do
    script $driver 0.001
    "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 300k --seed 5 --no-controls \
        --db $driver.db opencl:MP+relaxed opencl:SB+relaxed >/dev/null 2>&1
done
ask 2.0.db "
    CREATE TEMP TABLE chosen AS SELECT b.id FROM batch b JOIN v_job j ON j.job = b.job_id
        WHERE j.test = 'SB+relaxed' AND b.number IN (3, 17);
    INSERT OR IGNORE INTO outcome (test_id, label, witness)
        SELECT id, '0:r0=0; 1:r0=0;', 1 FROM test WHERE name = 'SB+relaxed';
    INSERT INTO outcome_count SELECT c.id, o.id, 450 FROM chosen c, outcome o JOIN test t ON t.id = o.test_id
        WHERE t.name = 'SB+relaxed' AND o.label = '0:r0=0; 1:r0=0;';
    UPDATE outcome_count SET count = count - 450 WHERE batch_id IN (SELECT id FROM chosen)
        AND outcome_id IN (SELECT id FROM outcome WHERE label = '0:r0=1; 1:r0=1;')"
check_store 2.0.db
echo "-- new"
"$ORCHIL" gate --stored --junit gate.xml --markdown gate.md 1.0.db 2.0.db
sed -n '/system-out/p' gate.xml | cut -c 1-150
sed -n '1,3p; /^### Seen/,/undecided/p' gate.md | cut -c 1-150
GITHUB_ACTIONS=true "$ORCHIL" gate --stored 1.0.db 2.0.db | grep '^::[nwe][oar]' | cut -c 1-150
"$ORCHIL" gate --stored --json 1.0.db 2.0.db >document
python3 - <<'PYTHON'
import json
document = json.load(open("document"))
print(document["verdict"], {key: document["counts"][key] for key in ("new", "lost", "undecided", "expected")})
for case in document["cases"]:
    for reason in case["reasons"]:
        print(case["test"], reason["kind"], reason["figures"]["count"], reason["figures"]["seen_in_batches"])
PYTHON
echo "-- lost"
"$ORCHIL" gate --stored 2.0.db 1.0.db | sed -n '1p; /^Seen/,$p'
echo "-- expected"
printf '[SB+relaxed]\nknown.new = since the clocks are capped\n' >expect.ini
"$ORCHIL" gate --stored --expect expect.ini 1.0.db 2.0.db | sed -n '1p; /^Expected/,$p' | cut -c 1-80
echo "-- reruns"
SB_RATE=0
baseline
two='{"test": "SB+relaxed", "phase": "batch", "batch": 3, "do": "rates", "outcomes": {"0:r0=0; 1:r0=0;": 0.046}}'
script 2.0 0.001 "\"faults\": [$two, $(echo "$two" | sed 's/3/17/')]"
gate --verbose || echo "exit $?"
