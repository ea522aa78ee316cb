// SPDX-License-Identifier: Apache-2.0
/* Functions of x86-64 code as they are read, and line numbers for a function without. */
#ifndef ORCHIL_INSPECT_X86_X86_TWIN_H
#define ORCHIL_INSPECT_X86_X86_TWIN_H

#include "inspect/listing.h"

struct x86_frame {
    const char *file;
    unsigned line;
};

/* What may run after an instruction, before addresses have become indexes. */
struct x86_flow {
    bool falls, jumps;
    long target; /* address, or X86_NO_TARGET */
};

struct x86_function {
    const char *name;
    struct machine_instruction *instructions;
    struct x86_flow *flows; /* one for each */
    size_t count, flow_count;
    unsigned long *taken; /* addresses of constants that it takes */
    size_t taken_count;
};

/*
 * Gives a function's instructions the lines of its twin's: a function that the compiler made from
 * the same code, with other registers and other padding. Instructions are matched in order, and
 * moved blocks as a whole. Adds the accesses and fences of the twin that have no counterpart to
 * listing->lost.
 */
void x86_take_lines(struct x86_function *function, const struct x86_function *twin, struct listing *listing);

#endif
