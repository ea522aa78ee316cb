# SPDX-License-Identifier: Apache-2.0
# A progress test's result is how many instances gave up. That is not an error, also where all did.
cat >script.json <<'TEXT'
{"tests": {"*": {"outcomes": {"[x]=0;": 0}}, "some": {"outcomes": {"[x]=0;": 0}, "voids": {"gave_up": 0.25}},
           "all": {"voids": {"gave_up": 1}}}}
TEXT
for name in some all none; do
    cat >$name.litmus <<TEXT
OPENCL $name
Progress=yes
{ x=0; }
P0@wg 0, dev 0 (global atomic_int* x) { while (atomic_load(x) == 0) { } }
P1@wg 0, dev 0 (global atomic_int* x) { atomic_store(x, 1); }
exists (x=1)
TEXT
    ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --seed 1 --instances 10k $name.litmus >out 2>err
    grep -o -E 'Gave up: .*|gave up: .*' out
    ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated --seed 1 --instances 10k --json $name.litmus 2>err | grep -o '"gave_up": *[0-9]*[,}]' | head -1 | tr -d ' ' | sed 's/[0-9][0-9]*/N/'
done
