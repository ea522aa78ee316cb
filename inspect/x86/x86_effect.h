// SPDX-License-Identifier: Apache-2.0
/* The effect of an x86-64 instruction, as objdump -M intel prints it, on memory and control flow. */
#ifndef ORCHIL_INSPECT_X86_X86_EFFECT_H
#define ORCHIL_INSPECT_X86_X86_EFFECT_H

#include "inspect/listing.h"

enum { X86_NO_TARGET = -1 };

struct x86_effect {
    enum machine_effect effect;
    bool folds;       /* a load that is part of the instruction that uses its value: add eax,[m] */
    bool also_stores; /* a load followed by an equal store of the same instruction: add [m],1 without a lock */
    unsigned bytes, lanes;
    enum litmus_order order;
    bool predicated;
    bool falls;  /* the instruction after it may run next */
    bool jumps;  /* its target may run next */
    long target; /* its address, or X86_NO_TARGET if the text does not give it */
};

/* Which registers besides rsp point to the stack: rbp, if it is the frame pointer; and rbx, which LLVM takes if a
 * function realigns its stack and has arrays of unknown size (PoCL's variables that outlive a barrier). */
struct x86_stack {
    bool rbp, rbx;
};

/* SYNTAX if the instruction writes
 * memory and is not in the table. */
enum status x86_effect_read(const char *text, const struct x86_stack *stack, struct x86_effect *effect,
                            struct error *error);

/* Notes what the instruction does to the registers that point to the stack. */
void x86_note_stack(const char *text, struct x86_stack *stack);

/* Whether it does nothing: padding of assemblers. */
bool x86_is_padding(const char *text);

#endif
