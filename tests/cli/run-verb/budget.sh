# SPDX-License-Identifier: Apache-2.0
# A suite's budget is shared by all its jobs, controls too, and said once; --time and --instances go before it.
cat >never.json <<'JSON'
{"tests": {"MP+rel+acq": {"outcomes": {"1:r0=1; 1:r1=0;": 0}}, "SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0}}}}
JSON
export ORCHIL_SIMULATED=never.json
printf 'budget = 0.6\nopencl:MP+relaxed\nopencl:SB+sc\n' >@suite
told() { grep budget told || echo "no budget is told"; }
"$ORCHIL" run --device simulated --db shared.db --json ./@suite 2>told |
    sed 's/.*"seconds":\([0-9.]*\).*/\1/' | awk '{ if ($1 < 0.1 || $1 > 0.6) print "a job took " $1 " s, not a share" }'
told
"$ORCHIL" run --device simulated --time 0.1 ./@suite >/dev/null 2>told
told
"$ORCHIL" run --device simulated --instances 1000 --json ./@suite 2>told | grep -c '"state":"completed"'
told
