// SPDX-License-Identifier: Apache-2.0
/* What one instruction of x86-64, as objdump -M intel prints it, does to memory and to the control flow. */
#ifndef ORCHIL_RUNNER_INSPECT_X86_EFFECT_H
#define ORCHIL_RUNNER_INSPECT_X86_EFFECT_H

#include "runner/inspect/listing.h"

enum { X86_NO_TARGET = -1 };

struct x86_effect {
    enum machine_effect effect;
    bool folds;       /* a load that is one with what is computed of it: add eax,[m] */
    bool also_stores; /* a load that an equal store of the same instruction follows: add [m],1 without a lock */
    unsigned bytes, lanes;
    enum litmus_order order;
    bool predicated;
    bool falls;  /* the instruction after it may run next */
    bool jumps;  /* its own target may */
    long target; /* the address of that, or X86_NO_TARGET where the text does not say it */
};

/* framed: rbp is the frame pointer, so what it points to is the stack. SYNTAX where the table lacks an instruction that writes
 * memory. */
enum status x86_effect_read(const char *text, bool framed, struct x86_effect *effect, struct error *error);

/* Whether rbp is the frame pointer after it. */
bool x86_makes_frame(const char *text);

/* Whether it does nothing at all: what assemblers fill gaps with. */
bool x86_is_padding(const char *text);

#endif
