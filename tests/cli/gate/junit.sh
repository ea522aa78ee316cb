# SPDX-License-Identifier: Apache-2.0
# JUnit XML that a schema accepts, for a pass, a failure, a doubt and a skip; Markdown; JSON.
. "$TEST_DIR/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
command -v xmllint >/dev/null || { echo "xmllint (libxml2-utils) is not installed" >&2; exit 77; }
baseline
printf '[SB+sc]\nskip = "]]><&\n' >expect.ini
script 2.0 0.004 '"faults": [{"test": "SB+relaxed", "phase": "batch", "batch": 2, "do": "crash"}]'
gate --expect expect.ini --junit gate.xml --markdown gate.md >/dev/null || echo "exit $?"
xmllint --noout --schema "$ORCHIL_SOURCE_DIR/tests/runner/gate/junit.xsd" gate.xml 2>&1
sed 's/time="[0-9.]*"/time="T"/g' gate.xml | cut -c 1-100
sed -n 1,12p gate.md | cut -c 1-100
gate --json | python3 -m json.tool >document
grep -E '^    "(verdict|exit_code|compared|draw_by_draw|baseline_runs)"' document
