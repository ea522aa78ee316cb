# SPDX-License-Identifier: Apache-2.0
# What is unpromised is allowed: a run tells it and fails nothing, a gate of the same run passes, and lists and pages call it so.
export ORCHIL_SIMULATED="$TEST_DIR/devices.json"
"$ORCHIL" run --device simulated:1 --time 0.1 --seed 7 --no-controls assume-lock+onefence >log 2>messages
grep Unpromised log
"$ORCHIL" list --pairs assume-lock+onefence
"$ORCHIL" report --out page.html orchil.db >/dev/null
grep -o "unpromised, is allowed[^<]*" page.html
"$ORCHIL" gate --stored orchil.db orchil.db >decision || :
head -n 1 decision
