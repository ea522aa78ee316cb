// SPDX-License-Identifier: Apache-2.0
/* A litmus test that is being made of a kernel's instructions: columns of a PTX test, a thread each. */
#ifndef ORCHIL_AUDIT_DRAFT_H
#define ORCHIL_AUDIT_DRAFT_H

#include "audit/access.h"

enum { DRAFT_COLUMNS = 6, DRAFT_ROWS = 24, DRAFT_MOST_STEPS = 8 };

struct draft {
    struct arena *arena;
    const char *cells[DRAFT_COLUMNS][DRAFT_ROWS];
    unsigned rows[DRAFT_COLUMNS];
    const char *places[DRAFT_COLUMNS]; /* "cta 0,gpu 0" */
    unsigned columns;
    unsigned ideal; /* bits: columns that are no code of the kernel */
};

/* What orders all ways from one instruction of a kernel to another. */
struct draft_steps {
    struct draft_step {
        enum sync_kind kind;
        const char *text; /* of a fence, as a test has it */
        bool by_all;      /* all threads of the block execute it */
    } steps[DRAFT_MOST_STEPS];
    unsigned count;
    bool hands_over; /* the two are executed by different threads */
    bool meets;      /* ... which meet at a barrier between them */
};

/* Adds a column; returns its number. */
unsigned draft_column(struct draft *draft, const char *place, bool ideal);

/* Adds an instruction to a column. */
void draft_add(struct draft *draft, unsigned column, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Finds the steps from one instruction to another, executed by threads of these roles. */
void draft_find_steps(struct arena *arena, struct audited *audited, unsigned from, enum access_role from_role,
                      unsigned to, enum access_role to_role, struct draft_steps *steps);

/* Adds columns of one block: the first instruction, the steps, the last instruction, which is in the last column. With
 * `again`, its thread executes the steps' fences once more before it. */
void draft_chain(struct draft *draft, const char *first, const struct draft_steps *steps, const char *last,
                 unsigned block, bool again);

/* An access as an instruction of a test, on a location; a load into a register. */
const char *draft_load(struct arena *arena, const struct audited *audited, const struct access *access,
                       const char *target, const char *location);
const char *draft_store(struct arena *arena, const struct audited *audited, const struct access *access,
                        const char *location);
/* A fence as a test has it: membar.gl is fence.sc.gpu. NULL: it is one for something else. */
const char *draft_fence(struct arena *arena, const struct audited *audited, const struct sync *sync);

/* The test's text after its first line. */
const char *draft_text(const struct draft *draft, const char *title, const char *initial, const char *lines,
                       const char *condition);

#endif
