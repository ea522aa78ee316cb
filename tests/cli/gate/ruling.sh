# SPDX-License-Identifier: Apache-2.0
# Whether an outcome fails is one rule: run, --last-failed, gate, compare, history and report must give the same answer.
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
export ORCHIL_SIMULATED=script.json
SHORT="--instances 100k --batch-limit 1 --build-limit 1"
LOCK=lock-counter+fenced+wg+1x512

# write_script LOCK SB+SC CLAIM MUTANT: the rates of their witnesses; the driver's version follows from them.
write_script() {
    cat >script.json <<JSON
{"devices": [{"name": "ACME X1", "driver": "$1$2$3"}],
 "tests": {"$LOCK": {"outcomes": {"[c]=1;": $1, "[c]=512;": $((1 - $1))}},
           "SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": $2}}, "SB+relaxed": {"outcomes": {"0:r0=0; 1:r0=0;": $4}},
           "claim": {"outcomes": {"0:r0=0; 1:r0=0;": $3}}, "canary": {"outcomes": {"0:r0=42;": 1}}}}
JSON
}
cat >claim.litmus <<'L'
OPENCL claim
"Its file says what its model does not: store buffering never happens."
Expect=forbidden
{ x=0; y=0; }
P0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);
  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);
}
P1@wg 1, dev 0 (global atomic_int* x, global atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);
}
exists (0:r0=0 /\ 1:r0=0)
L

# agree NAME FAILS TEST...: each verb's answer is 1 if it says that a test fails, else 0; FAILS is what it should be.
agree() {
    name=$1 fails=$2 code=0
    shift 2
    rm -f new.db
    "$ORCHIL" run --device simulated $SHORT --seed 1 --db new.db "$@" >out 2>&1 || code=$?
    by_run=$([ $code -eq 1 ] && echo 1 || echo 0)
    "$ORCHIL" run --dry-run --last-failed --db new.db --device simulated >out 2>&1
    by_last=$([ "$(grep -c 'nothing to run\|No test .*failed\|none failed' out)" -eq 0 ] && echo 1 || echo 0)
    code=0
    "$ORCHIL" gate --baseline base.db --db gate.db $SHORT --confirm-budget 0 "$@" >out 2>&1 || code=$?
    by_gate=$([ $code -eq 1 ] && echo 1 || echo 0)
    code=0
    "$ORCHIL" compare base.db new.db >out 2>&1 || code=$?
    by_compare=$([ $code -eq 1 ] && echo 1 || echo 0)
    "$ORCHIL" history --json base.db new.db >out 2>&1
    by_history=$(grep -q '"new": *true' out && echo 1 || echo 0)
    "$ORCHIL" report --out page.html new.db >out 2>&1
    by_page=$(grep -q 'class="lead bad"' page.html && echo 1 || echo 0)
    for answer in run=$by_run last-failed=$by_last gate=$by_gate compare=$by_compare history=$by_history report=$by_page; do
        [ "${answer#*=}" = "$fails" ] || echo "$name: WRONG: ${answer%=*} says ${answer#*=}, expected $fails"
    done
    echo "$name: $fails"
}

write_script 0 0 0 0.01
"$ORCHIL" gate baseline --device simulated $SHORT --seed 8 --db whole.db --out base.db claim.litmus opencl:SB+relaxed opencl:$LOCK >out 2>&1 || cat out
write_script 0 0 0 0.01; agree "nothing" 0 claim.litmus opencl:SB+relaxed opencl:$LOCK
write_script 1 0 0 0.01; agree "a spinlock of 512 threads, which no model judges" 1 opencl:SB+relaxed opencl:$LOCK
"$ORCHIL" history base.db new.db | sed -n "1,/^$/p" | tr "\n" " " | sed "s/ (20[-0-9]*)//g; s/seen [0-9,]* times/seen [...] times/; s/  */ /g; s/ *$/\n/"
"$ORCHIL" compare base.db new.db | head -n 1
write_script 0 0.001 0 0.01; agree "a control's witness, forbidden by the model" 1 opencl:SB+relaxed
write_script 0 0 0.001 0.01; agree "a claim against the model" 1 claim.litmus opencl:SB+relaxed
write_script 0 0 0 0.01; agree "a mutant's witness" 0 opencl:SB+relaxed
