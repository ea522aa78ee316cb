# SPDX-License-Identifier: Apache-2.0
# Protects: compare lists tests whose compiled code is the test on one side alone, with the reason, and nothing where both sides agree;
# who inspected is a remark; of several runs the worst counts; a forbidden outcome of code that is not the test accuses the compiler.
. "$TEST_DIR/plant"
not_kept='"kept": "not-kept", "kept_reason": "P1 line 9: the load of x is missing"'
kept='"kept": "kept"'
never='"outcomes": {"0:r0=0; 1:r0=0;": 0}'
script 1.0 '' 1e-2 ", \"SB+relaxed\": {$kept}, \"LB+relaxed\": {$not_kept}, \"SB+sc\": {$kept, $never}" >old.json
script 2.0 '' 1e-2 ", \"SB+relaxed\": {$kept}, \"LB+relaxed\": {$kept}, \"SB+sc\": {\"kept_reason\": \"nvdisasm is not on PATH\", $never}" |
    sed "s/\"MP+relaxed\": {/&$kept, /; /CoRR/s/: 0}/: 1e-6}, $not_kept/" >new.json
sed "s/\"SB+relaxed\": {\"kept\": \"kept\"/\"SB+relaxed\": {$not_kept/" new.json >newer.json
tests='opencl:MP+relaxed opencl:SB+relaxed opencl:LB+relaxed opencl:SB+sc opencl:CoRR+relaxed'
run old.json results.db 1 --no-controls --device simulated:0 $tests || :
run new.json results.db 1 --no-controls --device simulated:0 $tests || :
run newer.json results.db 2 --no-controls --device simulated:0 $tests || :
"$ORCHIL" compare --driver 1.0 2.0 results.db >out || echo "exit $?"
sed -n '1p; /^FORBIDDEN/,/^[CU]/p' out
"$ORCHIL" compare --driver 1.0 2.0 --verbose results.db | grep -A3 '^KEPT  SB+relaxed\|^The inspection' || :
echo "json:"
"$ORCHIL" compare --driver 1.0 2.0 --json results.db >out || :
grep '"kept' out | sort | uniq -c
echo "itself:"
"$ORCHIL" compare --driver 1.0 1.0 results.db | grep -c KEPT || :
