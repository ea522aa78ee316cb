# SPDX-License-Identifier: Apache-2.0
# What other verbs make of tests of several launches: kernels are saved and replayed, a reproducer is refused before anything is minimised,
# environments are compared, one page and one comparison say where launches never overlapped, and the kernel can be read.
. "$TEST_DIR/../faults/store"
sed 's/after P0 by queue/beside P0/; s/MP-ends/MP-beside/' "$TEST_DIR/mp.litmus" >beside.litmus
cp "$TEST_DIR/mp.litmus" .
seen='"MP-ends": {"outcomes": {"1:r0=1; 1:r1=1;": 1}}'
echo "{\"devices\": [{\"name\": \"A\"}], \"tests\": {$seen}}" >fast.json
echo "{\"devices\": [{\"name\": \"A\", \"driver\": \"2\"}], \"tests\": {$seen, \"MP-beside\": {\"dead\": [\"overlapped\"]}}}" >apart.json
run() {
    script=$1
    shift
    ORCHIL_SIMULATED=$script.json "$ORCHIL" run --device simulated --profile "$TEST_DIR/../run-verb/fixed.ini" --instances 200k \
        --seed 3 --json "$@" mp.litmus beside.litmus 2>messages || echo "exit code $?"
}
run fast --save-kernels kernels | grep -o '"state":"[a-z]*"\|"marks":[^]]*]\|"launches":[0-9]*'
run fast --kernels kernels | grep -o '"state":"[a-z]*"\|"marks":[^]]*]'
run apart | grep -o '"state":"[a-z]*"\|"marks":[^]]*]'
"$ORCHIL" reproduce orchil.db --job 1 -o program || echo "exit code $?"
ORCHIL_SIMULATED=fast.json "$ORCHIL" reproduce --device simulated mp.litmus -o program || echo "exit code $?"
"$ORCHIL" compare 1 3 orchil.db | grep overlap || :
"$ORCHIL" report orchil.db --run 3 -o page.html >/dev/null && grep -o 'Not tested here[^.]*\.' page.html
ORCHIL_SIMULATED=fast.json "$ORCHIL" tune --device simulated --time 2 --db tune.db --no-controls beside.litmus >/dev/null 2>&1 || echo "exit code $?"
ask tune.db "SELECT count(*) > 0, count(DISTINCT state), max(state) FROM v_job"
for language in opencl cuda; do
    "$ORCHIL" show --kernel $language mp.litmus | grep '^#define \(LAUNCHES\|LAUNCH_OF\|AFTER_OF\|CONTENDS_OF\)'
done
