# SPDX-License-Identifier: Apache-2.0
# The gravest reason comes first in every output, whatever the tests are called: a forbidden outcome
# among more failures than GitHub shows, then faults, then lost outcomes, then rates.
. "$TEST_DIR/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
# write DRIVER RATE FORBIDDEN LOST [MEMBER]: eleven tests of the names a.. to k.., whose rates change, then the others.
write() {
    cat >script.json <<JSON
{"state": "state.json", "devices": [{"name": "Simulated GPU", "driver": "$1", "uuid": "a"}],
 "tests": {$(for name in $names; do printf '"%s": {"outcomes": {"1:r0=1; 1:r1=0;": %s}}, ' "$name" "$2"; done)
           "x-lost": {"outcomes": {"1:r0=1; 1:r1=0;": $4}},
           "z-forbidden": {"outcomes": {"1:r0=1; 1:r1=0;": $3}},
           "canary": {"outcomes": {"0:r0=42;": 1}}}${5:+, $5}}
JSON
    for run in 1 2 3; do
        "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 300k --seed 5 --no-controls \
            --db "$1.db" ./tests >/dev/null 2>&1 || :
    done
}
names=$(printf '%s-rate ' a b c d e f g h i j k)
mkdir tests
for name in $names x-lost y-crash; do
    "$ORCHIL" show opencl:MP+relaxed | sed "s/MP+relaxed/$name/" >"tests/$name.litmus"
done
"$ORCHIL" show opencl:CoRR+relaxed | sed 's/CoRR+relaxed/z-forbidden/' >tests/z-forbidden.litmus
write 1.0 0.001 0 0.01
write 2.0 0.01 0.001 0 '"faults": [{"test": "y-crash", "phase": "batch", "batch": 2, "do": "crash"}]'
export GITHUB_ACTIONS=true
"$ORCHIL" gate --stored --junit gate.xml --markdown gate.md 1.0.db 2.0.db >report || echo "exit $?"
unset GITHUB_ACTIONS
sed -n '1p; /^Soundness/,/^Notes/p' report | grep -v '^     \|^::' | cut -c 1-30
echo "-- annotations"
sed -n 's/^::error title=\([^:]*\)::.*/\1/p' report
echo "-- Markdown"
sed -n 's/^| \([a-z]*\) | \([^ ]*\).*/\2 \1/p' gate.md | grep -v reason | head -n 4
echo "-- JUnit"
sed -n 's/.*<testcase name="\([^"]*\)".*/\1/p' gate.xml | head -n 4
echo "-- JSON"
"$ORCHIL" gate --stored --json 1.0.db 2.0.db >document || :
python3 - <<'PYTHON'
import json
for case in json.load(open("document"))["cases"][:4]:
    print(case["test"], [reason["kind"] for reason in case["reasons"]])
PYTHON
