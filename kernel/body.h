// SPDX-License-Identifier: Apache-2.0
/* The threads' own instructions as kernel text. Private to this folder. */
#ifndef ORCHIL_KERNEL_BODY_H
#define ORCHIL_KERNEL_BODY_H

#include "kernel/allocation.h"
#include "kernel/lower.h"

/* The kernel text of a test while it is written: helpers first, then the functions that call
 * them. */
struct writer {
    const struct allocation *allocation;
    const struct lowering *lowering;
    struct text helpers;   /* one function per distinct access, fence and barrier */
    struct text functions; /* play_0, play_1, ... */
    unsigned body;         /* the body being written */
    unsigned depth;        /* of indentation */
    unsigned unkept;       /* vector words that no register keeps, written so far in this segment */
    struct arena *arena;   /* the kernel's; holds its steps */
    struct kernel_step *steps;
    size_t step_count;
    size_t lines_until; /* bytes of functions of which `lines` are counted */
    unsigned lines;     /* newlines in these bytes */
    unsigned types;     /* as in struct kernel */
    bool undeclared;    /* an order or scope was used that the device does not declare */
    enum status status; /* of the first failure; writing continues, and the text is discarded */
    struct error *error;
};

/* Appends the code of a slot's threads, in segments separated by barriers. */
void write_threads(struct writer *writer, unsigned slot);

/* Numbers the delay sites of a slot that another agent plays, so that the kernels of all agents
 * number their sites the same way. */
void write_skip_sites(struct writer *writer, unsigned slot);

/* Appends the function that plays one slot: play_<slot>. Its steps' lines count from 1 in
 * writer->functions. */
void write_slot(struct writer *writer, unsigned slot);

/* Helpers in body.c: whether a body is in the slot; the lines that compute which thread of which
 * instance an item plays, if it does not play the whole slot; the instance that a body's item
 * plays; and making the slot's first body the current one. */
bool write_is_in_slot(const struct writer *writer, unsigned body, unsigned slot);
void write_items(struct writer *writer);
void write_instance(const struct allocation *allocation, unsigned body, struct text *out);
void write_enter_slot(struct writer *writer, unsigned slot);

/* Also in body.c: appends "CELL(local_memory, ...)", or "(CELL(local_memory, ...) + step)", of the lane's instance. */
void write_local_cell(const struct allocation *allocation, unsigned location, uint32_t element, struct text *out);

/* In results.c: the lines that declare where the results of a slot's threads lie ("p0_result"); the
 * addresses of these results, each after a |; and the lines that store them. */
void write_result_places(struct writer *writer, unsigned slot);
void write_result_addresses(const struct allocation *allocation, unsigned slot, struct text *addresses);
void write_results(struct writer *writer, unsigned slot);

/* Also in body.c: starts a line, indented to the writer's depth. */
void write_indent(struct writer *writer);

/* Writes lines that use the registers of a slot's threads that are not variables: ptxas drops a
 * read whose value is unused, and the read would then not bring its line into a cache. */
void write_unobserved(struct writer *writer, unsigned slot);

/* Appends the functions that read, before a round, the cells that the threads of a slot will read
 * by an alias or through a proxy, and sets kernel->warm_cells. */
void write_warm(struct writer *writer);

#endif
