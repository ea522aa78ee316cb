# SPDX-License-Identifier: Apache-2.0
# Whatever happens to one member of an ensemble costs one job and no more: a fresh worker gets the canary of two members right, the next
# job runs, every batch that is stored adds up, and nothing is left running.
. "$TEST_DIR/../faults/store"
. "$TEST_DIR/left"
canary='"tests": {"canary": {"outcomes": {"0:r0=42; 1:r0=42; [x0]=42; [x1]=42;": 1}}}'
devices='"devices": [{"name": "A"}, {"name": "B"}]'
# try NAME FAULT OPTION...: the fault, on either member, in the first of two tests.
try() {
    name=$1 fault=$2
    shift 2
    for member in 0 1; do
        rm -f orchil.db* state.json
        echo "{$devices, $canary, \"state\": \"state.json\", \"faults\": [{\"device\": $member, $fault}]}" >script.json
        code=0
        ORCHIL_SIMULATED=script.json "$ORCHIL" run --device simulated:0+simulated:1 --profile "$TEST_DIR/../run-verb/fixed.ini" \
            --instances 6k --seed 1 --json "$@" "$TEST_DIR/sb.litmus" "$TEST_DIR/two.litmus" >jobs 2>messages || code=$?
        echo "== $name, member $member: exit code $code"
        grep -o '"state":"[a-z-]*","reason":"[^"]*"' jobs
        ask orchil.db "SELECT test, state, batches > 0, invalid_batches FROM v_job"
        check_store orchil.db
        say_left
    done
}
try hang '"test": "SB*", "phase": "batch", "batch": 3, "do": "hang"' --batch-limit 1
try "hanging compiler" '"test": "SB*", "phase": "build", "do": "hang"' --build-limit 1
try crash '"test": "SB*", "phase": "batch", "batch": 2, "do": "stderr", "how": "segv", "lines": ["driver: last words"]'
try "end without a word" '"test": "SB*", "phase": "batch", "batch": 2, "do": "crash", "how": "exit"'
try "lost device" '"test": "SB*", "phase": "batch", "batch": 4, "do": "device-lost"'
try "refused kernel" '"test": "SB*", "phase": "build", "do": "build-error", "text": "no such instruction"'
try "wrong sum" '"test": "SB*", "phase": "batch", "batch": 1, "do": "wrong", "how": "sum"'
try "no counts" '"test": "SB*", "phase": "batch", "batch": 1, "do": "wrong", "how": "zero"'
# The first that opens members is who asks what they share; each worker then opens them once.
try "no third opening" '"phase": "open", "do": "crash", "after": 2' --builders 0
try "crash of opening" '"phase": "open", "do": "crash", "after": 1, "times": 1'
try "wrong for good" '"test": "SB*", "phase": "batch", "batch": 2, "do": "crash", "wedged": true'
