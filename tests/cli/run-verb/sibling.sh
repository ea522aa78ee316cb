# SPDX-License-Identifier: Apache-2.0
# A test that the device cannot run is refused with its sibling in a dialect that it can run, and the verb that needs no device.
echo '{"devices": [{"name": "Plain", "takes": ["c11"]}]}' >plain.json
export ORCHIL_SIMULATED=plain.json
printf 'PTX own\n{ x=0; }\nP0@cta 0,gpu 0 ;\n st.weak x, 1 ;\nexists (x=1)\n' >own.litmus
for test in ptx:MP+relaxed cuda:LB+ra+cta+01 ptx:L1 own.litmus; do
    "$ORCHIL" run --device simulated --instances 10k --no-controls "$test" 2>/dev/null | grep -A 2 "unsupported, and" | tail -n +2 |
        grep -v '^Stored' || :
done
"$ORCHIL" tune --device simulated ptx:SB+relaxed 2>&1 >/dev/null | head -n 2
# The device that can run the test gets no advice.
echo '{"devices": [{"name": "Any", "takes": ["c11", "ptx"]}]}' >plain.json
"$ORCHIL" run --device simulated --instances 10k --no-controls ptx:MP+relaxed 2>/dev/null | grep instead || :
echo '{"devices": [{"name": "Plain", "takes": ["c11"]}]}' >plain.json
"$ORCHIL" gate baseline --device simulated --out base.db --runs 1 --budget 1 ptx:MP+relaxed 2>&1 | grep instead || :
