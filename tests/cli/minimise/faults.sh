# SPDX-License-Identifier: Apache-2.0
# A hang and a crash while an outcome is minimised cost a step each and nothing else: the step is undone, the device answers its
# canary, and the rest goes on. A test that hangs as it is given is not minimised; a device that fails its canary ends it.
device='"devices": [{"name": "Faulty", "instances_per_second": 1000000}], "state": "state.json"'
canary='"canary": {"outcomes": {"0:r0=42;": 1}}'
rates='"SB*": {"outcomes": {"0:r0=0; 1:r0=0;": 0.01}}'

# The first three trials are the start; the fourth, of everything neutral, hangs.
cat >hang.json <<END
{$device, "tests": {$canary, $rates},
 "faults": [{"test": "SB*", "phase": "batch", "batch": 0, "do": "hang", "after": 3, "times": 1},
            {"test": "SB*", "phase": "batch", "batch": 0, "do": "crash", "after": 5, "times": 1}]}
END
ORCHIL_SIMULATED=hang.json "$ORCHIL" reproduce --device simulated --seed 7 --time 20s --batch-limit 1 \
    opencl:SB+relaxed -o sb >out 2>err || echo "exit $?"
grep -c 'undone: hang' err
grep -c 'undone: crash' err
grep 'runs: what is left: seen in' err
grep 'Needed' out

cat >always.json <<END
{$device, "tests": {$canary, $rates}, "faults": [{"test": "SB*", "phase": "batch", "do": "crash"}]}
END
rm -f state.json
ORCHIL_SIMULATED=always.json "$ORCHIL" reproduce --device simulated --seed 7 --time 20s opencl:SB+relaxed -o none 2>&1 || echo "exit $?"

cat >wrong.json <<END
{$device, "tests": {"canary": {"outcomes": {"0:r0=42;": 0}}, $rates},
 "faults": [{"test": "SB*", "phase": "batch", "batch": 0, "do": "crash", "after": 3, "times": 1}]}
END
rm -f state.json
ORCHIL_SIMULATED=wrong.json "$ORCHIL" reproduce --device simulated --seed 7 --time 20s opencl:SB+relaxed -o none 2>&1 || echo "exit $?"
