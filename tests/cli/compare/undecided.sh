# SPDX-License-Identifier: Apache-2.0
# Questions with too little data are named and counted, also if one side has seen none: here B
# crashes after one batch, and A has seen very many.
. "$TEST_DIR/plant"
script 1.0 c 2e-5 ', "SB+relaxed": {"outcomes": {"0:r0=0; 1:r0=0;": 5e-4}}' >old.json
script 2.0 c 2e-5 ', "SB+relaxed": {"outcomes": {"0:r0=0; 1:r0=0;": 0}}' |
    sed '$s/}$/, "faults": [{"test": "SB+relaxed", "phase": "batch", "batch": 1, "do": "crash"}]}/' >new.json
run old.json old.db 1 --no-controls --device simulated:0 opencl:SB+relaxed
run new.json new.db 1 --no-controls --device simulated:0 opencl:SB+relaxed || true
"$ORCHIL" compare old.db new.db | sed '/^A: /,/^Compared/d; /^Similarity/,$d'
"$ORCHIL" compare --json old.db new.db | tr -d ' \n' | grep -o '"result":"lost-rare","standing":"undecided","count":.[0-9]*,0.'
"$ORCHIL" compare --page page.html old.db new.db >/dev/null
grep -c 'too little data to compare the rate of outcome' page.html
grep -o '<p class="lead [a-z]*">' page.html
echo "-- the other way round"
"$ORCHIL" compare new.db old.db | sed -n '1p; /new:/,/^[A-Z]/p' | sed '$d'
