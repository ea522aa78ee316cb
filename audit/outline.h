// SPDX-License-Identifier: Apache-2.0
/* A litmus test that is being made of a kernel's instructions: columns of a PTX test, a thread each. */
#pragma once

#include "audit/access.h"

enum { OUTLINE_COLUMNS = 6, OUTLINE_ROWS = 24, OUTLINE_MOST_STEPS = 8 };

struct outline {
    struct arena *arena;
    const char *cells[OUTLINE_COLUMNS][OUTLINE_ROWS];
    unsigned rows[OUTLINE_COLUMNS];
    const char *places[OUTLINE_COLUMNS]; /* "cta 0,gpu 0" */
    unsigned columns;
    unsigned ideal; /* bits: columns that are no code of the kernel */
};

/* What orders all ways from one instruction of a kernel to another. */
struct outline_steps {
    struct outline_step {
        enum sync_kind kind;
        const char *text; /* of a fence, as a test has it */
        bool by_all;      /* all threads of the block execute it */
    } steps[OUTLINE_MOST_STEPS];
    unsigned count;
    bool hands_over; /* the two are executed by different threads */
    bool meets;      /* ... which meet at a barrier between them */
};

/* Adds a column; returns its number. */
unsigned outline_column(struct outline *outline, const char *place, bool ideal);

/* Adds an instruction to a column. */
void outline_add(struct outline *outline, unsigned column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same before its row with this number. */
void outline_insert(struct outline *outline, unsigned column, unsigned row, const char *instruction);

/* Finds the steps from one instruction to another, executed by threads of these roles. */
void outline_find_steps(struct arena *arena, struct audited *audited, unsigned from, enum access_role from_role,
                        unsigned to, enum access_role to_role, struct outline_steps *steps);

/* Adds columns of one block: the first instruction, the steps, the last instruction, which is in the last column. With
 * `again`, its thread executes the steps' fences once more before it. */
void outline_chain(struct outline *outline, const char *first, const struct outline_steps *steps, const char *last,
                   unsigned block, bool again);

/* An access as an instruction of a test, on a location; a load into a register. */
const char *outline_load(struct arena *arena, const struct audited *audited, const struct access *access,
                         const char *target, const char *location);
const char *outline_store(struct arena *arena, const struct audited *audited, const struct access *access,
                          const char *location);
/* The scope at which an ideal partner of a flag's access synchronises. */
const char *outline_partner_scope(const struct access *flag);

/* A fence as a test has it: membar.gl is fence.sc.gpu. NULL: it is one for something else. */
const char *outline_fence(struct arena *arena, const struct audited *audited, const struct sync *sync);

/* The test's text after its first line. */
const char *outline_text(const struct outline *outline, const char *title, const char *initial, const char *lines,
                         const char *condition);
