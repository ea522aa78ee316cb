# SPDX-License-Identifier: Apache-2.0
# The compiler did not keep the test: silence says nothing.
cat >kept.json <<'TEXT'
{"devices": [{"instances_per_second": 1000000000}],
 "tests": {"assume-lock+onefence": {"outcomes": {"0:r1=0; 1:r1=0;": 0, "0:r1=0; 1:r1=1;": 0.5, "0:r1=1; 1:r1=0;": 0.5}, "kept": "not-kept", "kept_reason": "P0's fence is gone"},
           "assume-lock+planted": {"outcomes": {"0:r1=0; 1:r1=0;": 0.2, "0:r1=0; 1:r1=1;": 0.4, "0:r1=1; 1:r1=0;": 0.4}}}}
TEXT
ORCHIL_SIMULATED=kept.json "$ORCHIL" assume --device simulated --time 0.2 --seed 7 assume-lock+onefence >page 2>messages || code=$?
grep -A 2 Found page
exit "$code"
