# SPDX-License-Identifier: Apache-2.0
# Unpromised outcomes are allowed: a run reports them without failing, a gate of the same run
# passes, and lists and pages call them unpromised.
export ORCHIL_SIMULATED="$TEST_DIR/devices.json"
"$ORCHIL" run --device simulated:1 --time 0.1 --seed 7 --no-controls assume-lock+onefence >log 2>messages
grep Unpromised log
"$ORCHIL" list --pairs assume-lock+onefence
"$ORCHIL" report --out page.html orchil.db >/dev/null
grep -o "unpromised, is allowed[^<]*" page.html
"$ORCHIL" gate --stored orchil.db orchil.db >decision || :
head -n 1 decision
