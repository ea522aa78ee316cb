# SPDX-License-Identifier: Apache-2.0
# PTX that was written elsewhere is inspected and judged: as NVIDIA's OpenCL makes it of MP+rel+acq, and without its fences. The
# lines are those of the kernel that `show` prints.
"$ORCHIL" show --kernel opencl opencl:MP+rel+acq >kernel.cl

line() { grep -n -- "$1" kernel.cl | sed -n "$2s/:.*//p"; }

# line of the helper, line of the call, instructions
step() {
    printf '\t.loc\t1 %s 0\n\t.loc\t1 %s 0, function_name L, inlined_at 1 %s 0\n' "$2" "$1" "$2"
    shift 2
    printf '\t%s\n' "$@"
}

module() {
    # The kernel's own branch, to the threads' code.
    printf '.version 9.0\n.target sm_90\n.entry orchil()\n{\n\t.loc\t1 1 0\n\t@%%p1 bra \tP1;\n'
    step "$(line 'FUNCTION void store_relaxed' 1)" "$(line store_relaxed 2)" 'atom.global.exch.b32 %r1, [%rd1], 1;'
    step "$(line 'FUNCTION void store_release' 1)" "$(line store_release 2)" "$1" 'atom.global.exch.b32 %r2, [%rd2], 1;'
    printf '\tret;\nP1:\n'
    step "$(line 'FUNCTION int load_acquire' 1)" "$(line load_acquire 2)" 'ld.volatile.global.u32 %r3, [%rd2];' "$1"
    step "$(line 'FUNCTION int load_relaxed' 1)" "$(line load_relaxed 2)" 'ld.volatile.global.u32 %r4, [%rd1];'
    printf '\tret;\n}\n'
}

module 'membar.gl;' >kept.ptx
"$ORCHIL" inspect --code kept.ptx opencl:MP+rel+acq
module '' >weak.ptx
"$ORCHIL" inspect --code weak.ptx opencl:MP+rel+acq || echo "exit code $?"
"$ORCHIL" inspect --code weak.ptx opencl:MP+rel+acq ptx:MP+rel+acq || echo "exit code $?"
sed '/\.loc/d' kept.ptx >no-lines.ptx
"$ORCHIL" inspect --code no-lines.ptx opencl:MP+rel+acq
