# SPDX-License-Identifier: Apache-2.0
# With --fail-on soundness, a change is reported but does not count for the exit code, and is not a
# failure in JUnit; unsound results still fail, and a doubt still leaves the question open.
. "$TEST_DIR/common"
baseline
judge() {
    gate --fail-on soundness --junit gate.xml "$@" >report && code=0 || code=$?
    echo "$code: $(sed 1q report)"
    grep '^  CHANGED\|^  FAILED\|^  DOUBT' report
    sed -n 's/.*<testsuites name="\([^"]*\)".* failures="\([0-9]*\)" errors="\([0-9]*\)".*/\1, \2 failures, \3 errors/p' gate.xml
}
script 2.0 0.004
judge
sed -n '/^Tests/,/^$/p' report
echo "-- unsound"
CONTROL_RATE=0.0001
script 2.0 0.004
judge
echo "-- doubtful"
CONTROL_RATE=0
script 2.0 0.004 '"faults": [{"test": "SB+relaxed", "phase": "batch", "batch": 3, "do": "wrong", "how": "zero"}]'
judge
echo "-- annotations"
script 2.0 0.004
for class in behaviour soundness; do
    GITHUB_ACTIONS=true gate --fail-on $class | sed -n 's/^\(::[a-z]* title=[^:]*\)::.*/\1/p'
done
"$ORCHIL" gate --baseline base.db --fail-on speed 2>&1 | head -n 1
