# SPDX-License-Identifier: Apache-2.0
# Under GitHub Actions: annotations, and the summary of the step. Elsewhere nothing
# of it. With --json the annotations go to standard error.
. "$TEST_DIR/common"
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
baseline
script 2.0 0.004
unset GITHUB_ACTIONS
export GITHUB_STEP_SUMMARY="$PWD/summary"
gate | grep -c '^::' || :
ls summary 2>/dev/null || echo "no summary"
export GITHUB_ACTIONS=true
echo "written by an earlier command" >summary
gate | cut -c 1-100
cut -c 1-80 summary
echo "-- json"
gate --json >document || :
python3 -m json.tool document >/dev/null && grep -c '"verdict": "changed"' document
grep -c '^::error' messages
