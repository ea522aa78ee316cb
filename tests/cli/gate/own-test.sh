# SPDX-License-Identifier: Apache-2.0
# The tests come from the baseline as they were run, so one's own test needs no file next to it, and no name in the
# catalogue. So does the environment.
. "$TEST_DIR/common"
script 1.0 0.001
sed 's/^OPENCL MP+relaxed/OPENCL mine/; /^Control/d' "$TEST_DIR/../show/MP.litmus" >mine.litmus
printf '[environment]\ngroup_size = 32\n' >mine.ini
"$ORCHIL" gate baseline --device simulated --instances 30k --profile mine.ini --seed 5 --out base.db ./mine.litmus >/dev/null 2>&1
rm mine.litmus mine.ini
"$ORCHIL" gate --baseline base.db --instances 30k --db run.db 2>/dev/null | sed -n '1p; /^Tests/p'
ask run.db "SELECT test, profile FROM v_job"
ask run.db "ATTACH 'base.db' AS base; SELECT count(*) FROM (SELECT hash FROM environment UNION SELECT hash FROM base.environment)"
echo "-- by its name, as the command that repeats a finding has it"
"$ORCHIL" gate --baseline base.db --instances 30k --db named.db opencl:mine 2>/dev/null | sed 1q
ask named.db "SELECT test, profile FROM v_job"
