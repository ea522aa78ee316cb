# SPDX-License-Identifier: Apache-2.0
# Protects: when a run is taken up, what was compiled for a job that had ended is judged again from the database. Here it lacks the
# test's fences, so the outcome that it shows is a known limit of the mapping, and not the device's fault.
. "$TEST_DIR/store"
profile=$TEST_DIR/../run-verb/fixed.ini
script() { # script [FAULTS]
    printf '{"devices": [{"instances_per_second": 1e6}],
        "tests": {"MP+rel+acq": {"outcomes": {"1:r0=1; 1:r1=0;": 0.01, "1:r0=1; 1:r1=1;": 0.99}}}%s}' "${1:-}"
}
line() { grep -n -- "$1" kernel.cl | sed -n "$2s/:.*//p"; }
step() { # step LINE-OF-HELPER LINE-OF-CALL INSTRUCTION
    printf '\t.loc\t1 %s 0\n\t.loc\t1 %s 0, function_name L, inlined_at 1 %s 0\n\t%s\n' "$2" "$1" "$2" "$3"
}
module() {
    printf '.version 9.0\n.target sm_90\n.entry orchil()\n{\n\t.loc\t1 1 0\n\t@%%p1 bra \tP1;\n'
    step "$(line 'FUNCTION void store_relaxed' 1)" "$(line store_relaxed 2)" 'atom.global.exch.b32 %r1, [%rd1], 1;'
    step "$(line 'FUNCTION void store_release' 1)" "$(line store_release 2)" 'atom.global.exch.b32 %r2, [%rd2], 1;'
    printf '\tret;\nP1:\n'
    step "$(line 'FUNCTION int load_acquire' 1)" "$(line load_acquire 2)" 'ld.volatile.global.u32 %r3, [%rd2];'
    step "$(line 'FUNCTION int load_relaxed' 1)" "$(line load_relaxed 2)" 'ld.volatile.global.u32 %r4, [%rd1];'
    printf '\tret;\n}\n'
}
script ', "faults": [{"phase": "batch", "test": "two", "batch": 3, "do": "hang"}]' >hang.json
ORCHIL_SIMULATED=hang.json "$ORCHIL" run --device simulated --profile "$profile" --instances 6k --seed 5 --no-controls \
    opencl:MP+rel+acq "$TEST_DIR/two.litmus" >/dev/null 2>&1 &
pid=$!
wait_for "SELECT count(*) = 2 AND (SELECT count(*) FROM batch WHERE job_id = 2) > 0 FROM build"
kill -TERM $pid
sleep 0.2
kill -TERM $pid 2>/dev/null || : # where it waits for the batch that hangs
wait $pid || :
take_up() { # take_up DATABASE
    ORCHIL_SIMULATED=whole.json "$ORCHIL" run --db "$1" --resume 1 2>/dev/null >out || echo "exit $?"
    grep '^2 jobs' out
}
script >whole.json
ask orchil.db "SELECT c.text FROM build b JOIN content c ON c.id = b.kernel_id WHERE b.job_id = 1" >kernel.cl
module >weak.ptx
cp orchil.db compiled.db
ask compiled.db "INSERT INTO content SELECT max(id) + 1, printf('%064d', 0), CAST(readfile('weak.ptx') AS TEXT) FROM content" \
    "UPDATE build SET binary_id = (SELECT max(id) FROM content) WHERE job_id = 1"
echo "nothing is known of the code:"
take_up orchil.db
echo "the code lacks the fences:"
take_up compiled.db
