# SPDX-License-Identifier: Apache-2.0
# Before it starts, a run says on standard error what it has to do and how long that takes: by its limits, on devices that
# share the tests or each run them all, in a shard, for what is left of it. What is long is highlighted, with what to do.
# Standard output has none of it.
export ORCHIL_SIMULATED=many.json
cat >many.json <<'JSON'
{"devices": [{"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000001"},
             {"name": "Twin", "uuid": "00000000-0000-0000-0000-000000000002"},
             {"name": "Other"}],
 "tests": {"MP+rel+acq": {"outcomes": {"1:r0=1; 1:r1=0;": 0}}, "SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0}}}}
JSON
run() { "$ORCHIL" run --device simulated --seed 1 "$@" 2>&1 >stdout | grep -v '^job \|jobs ended' || :; }
run --time 0.05 opencl:SB+relaxed opencl:MP+relaxed
grep -c 'tests with' stdout || :
echo "== without controls; with another limit; until; one job"
run --time 0.05 --no-controls opencl:SB+relaxed opencl:MP+relaxed
run --time 0.05 --instances 10k opencl:SB+relaxed
run --time 0.05 --until witness opencl:SB+relaxed
run --time 0.05 "$TEST_DIR/one.litmus"
echo "== several devices: two that share, two that do not; a test and its control stay together"
dry() { "$ORCHIL" run --device simulated --seed 1 --dry-run "$@" 2>&1 | grep 'with\|builds\|shard\|budget'; }
dry --time 60 --device simulated:all opencl:SB+relaxed opencl:MP+relaxed opencl:LB+relaxed opencl:S+relaxed
dry --time 60 --device simulated:0,simulated:2 opencl:SB+relaxed opencl:MP+relaxed opencl:LB+relaxed opencl:S+relaxed
sed '/Other/d; s/00002"},/00002"}],/' many.json >twins.json
ORCHIL_SIMULATED=twins.json
dry --time 60 --device simulated:all opencl:SB+relaxed opencl:MP+relaxed opencl:LB+relaxed opencl:S+relaxed
dry --time 60 --device simulated:all opencl:SB+relaxed
ORCHIL_SIMULATED=many.json
echo "== a budget; a shard"
run --budget 0.2 opencl:SB+relaxed opencl:MP+relaxed
dry --budget 10m --shard 1/3 'opencl:SB*'
run --time 0.05 --shard 1/3 'opencl:SB+*'
echo "== hours"
"$ORCHIL" run --device simulated --time 60 --dry-run 'SB*' 'LB*' 2>&1 >/dev/null
"$ORCHIL" run --device simulated --budget 10m --dry-run 'SB*' 'LB*' 2>&1 >/dev/null | sed 's/shared.*/shared .../'
"$ORCHIL" run --device simulated --budget 1m --time 2 --dry-run 'SB*' 2>&1 | head -n 1
