// SPDX-License-Identifier: Apache-2.0
/* Targets of jumps through tables, which a compiler makes from a switch. */
#ifndef ORCHIL_INSPECT_X86_X86_TABLES_H
#define ORCHIL_INSPECT_X86_X86_TABLES_H

#include "inspect/x86/x86_twin.h"

/* The bytes of .rodata, as objdump -s prints them. */
struct x86_constants {
    unsigned long address;
    unsigned char *bytes; /* the arena's */
    size_t count;
};

/* Reads a line " ADDRESS GROUP GROUP GROUP GROUP  TEXT". */
void x86_read_constants(struct arena *arena, const char *line, struct x86_constants *constants);

/*
 * Lets each jump without a target in the text go to every entry of the function's tables, with an
 * extra instruction for each at the jump's place. Tables have the form of position-independent
 * code: at an address that the function takes, distances of 4 bytes each from there, up to the
 * first that does not lead to an instruction of the function. Without a table, jumps remain as they
 * are.
 */
void x86_open_tables(struct arena *arena, const struct x86_constants *constants, struct x86_function *function);

#endif
