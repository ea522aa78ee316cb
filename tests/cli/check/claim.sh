# SPDX-License-Identifier: Apache-2.0
# What the model says against the test's Expect=: a sentence, a member, and with --expect exit code 1.
for claim in forbidden allowed maybe; do
    "$ORCHIL" show opencl:SB+relaxed | sed "s/^Expect=.*/Expect=$claim/" >$claim.litmus
done
"$ORCHIL" check forbidden.litmus && echo "exit 0"
"$ORCHIL" check --expect forbidden.litmus allowed.litmus | grep -c contradicts
"$ORCHIL" check --expect forbidden.litmus >/dev/null || echo "exit $?"
"$ORCHIL" check --expect allowed.litmus >/dev/null && echo "exit 0"
"$ORCHIL" check --expect --model sc allowed.litmus >/dev/null || echo "exit $?"
"$ORCHIL" check --json forbidden.litmus allowed.litmus | grep -o '"expect.*'
"$ORCHIL" check maybe.litmus || echo "exit $?"
