# SPDX-License-Identifier: Apache-2.0
# A job that fails, or that shows what no execution has, is reported as failed, and the exit code is 4.
cat >fault.json <<'TEXT'
{"tests": {"canary": {"outcomes": {"0:r0=42;": 1}}},
 "faults": [{"test": "assume-lock+onefence", "phase": "build", "do": "build-error", "text": "error: no such instruction"}]}
TEXT
ORCHIL_SIMULATED=fault.json "$ORCHIL" assume --device simulated --time 0.2 --seed 7 assume-lock+onefence >page 2>messages || code=$?
grep -A 2 "assume-lock+onefence: " page
cat >wrong.json <<'TEXT'
{"tests": {"assume-lock+onefence": {"outcomes": {"0:r1=0; 1:r1=0;": 0, "0:r1=7; 1:r1=7;": 1e-3}}}}
TEXT
ORCHIL_SIMULATED=wrong.json "$ORCHIL" assume --device simulated --time 0.2 --seed 7 assume-lock+onefence >page 2>messages || echo "exit code $?"
grep "assume-lock+onefence: " page
exit "$code"
