# SPDX-License-Identifier: Apache-2.0
# A forbidden outcome at 1 in 1e9 is found, ends with 1, and is reported first, as text and as JSON.
. "$TEST_DIR/plant"
script 1.0 c 2e-5 >old.json
script 2.0 c 2e-5 | sed '/CoRR/s/: 0}/: 1e-9}/' >new.json
run old.json old.db 1 --instances 10G --device simulated:0 opencl:CoRR+relaxed
run new.json new.db 1 --instances 10G --device simulated:0 opencl:CoRR+relaxed || true
"$ORCHIL" compare old.db new.db | sed -n '1p; /^FORBIDDEN/,/^$/p'
"$ORCHIL" compare --json old.db new.db | sed -n '/"findings"/,/"sure"/p'
"$ORCHIL" compare old.db new.db >/dev/null
