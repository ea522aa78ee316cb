// SPDX-License-Identifier: Apache-2.0
/* The threads' own instructions as kernel text. Private to this folder. */
#ifndef ORCHIL_RUNNER_BODY_H
#define ORCHIL_RUNNER_BODY_H

#include "runner/kernel/lower.h"
#include "runner/kernel/plan.h"

/* The kernel text of a test in the making: helpers first, the functions that call them after. */
struct writer {
    const struct plan *plan;
    const struct lowering *lowering;
    struct text helpers;   /* one function per distinct access, fence and barrier */
    struct text functions; /* play_0, play_1, ... */
    unsigned body;         /* whose instructions are being written */
    unsigned depth;        /* of indentation */
    unsigned unkept; /* of the words that vectors read and no register keeps: how many were written in this segment */
    struct arena *arena; /* the kernel's, for its steps */
    struct kernel_step *steps;
    size_t step_count;
    size_t lines_until; /* bytes of functions of which `lines` are counted */
    unsigned lines;     /* newlines in these bytes */
    bool undeclared;    /* an order or scope was used that the device does not declare */
    enum status status; /* of the first failure; writing goes on and its text is dropped */
    struct error *error;
};

/* Appends what the threads of a slot do, in segments, with the barriers between these. */
void write_threads(struct writer *writer, unsigned slot);

/* Numbers the sites of delays of a slot that another agent plays, so that those of all agents' kernels have one numbering. */
void write_skip_sites(struct writer *writer, unsigned slot);

/* Appends the function that plays one slot: play_<slot>. Lines of its steps count from 1 in writer->functions. */
void write_slot(struct writer *writer, unsigned slot);

/* Of body.c, for these: whether a body's threads are of the slot; which thread of which instance an item plays, where it does not play
 * all of the slot; whose instance it is of a body; and the slot's first body as the one that is being written. */
bool write_is_in_slot(const struct writer *writer, unsigned body, unsigned slot);
void write_items(struct writer *writer);
void write_instance(const struct plan *plan, unsigned body, struct text *out);
void write_enter_slot(struct writer *writer, unsigned slot);

/* Of body.c too: the start of a line that is as deep as the writer is. */
void write_indent(struct writer *writer);

/* Lines that use the registers of a slot's threads that no variable is: ptxas drops a read whose value is not used, and with it
 * the line that the read would have brought into a cache. */
void write_unobserved(struct writer *writer, unsigned slot);

/* Appends the functions that read, before a round, what the threads of a slot will read by an alias or through a proxy, and sets
 * kernel->warm_cells. */
void write_warm(struct writer *writer);

#endif
