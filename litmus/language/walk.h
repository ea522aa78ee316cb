// SPDX-License-Identifier: Apache-2.0
/* What a kind of statement is and has, in tables, for code that treats all kinds alike; and walks through the bodies of
 * a test. */
#pragma once

#include "litmus/litmus.h"

struct litmus_kind {
    bool orders;        /* it has `orders` */
    bool meets;         /* threads wait for each other: a barrier */
    bool has_event;     /* it is an event of the models, besides those of its expressions */
    bool goes_on;       /* the next statement runs after it, once */
    const char *device; /* what threads of a host have instead, for messages; NULL: they have it too */
};

extern const struct litmus_kind litmus_kinds[]; /* by enum litmus_statement_kind */

/* Whether the threads of a block call functions together with others of their sub-group. */
bool litmus_has_collectives(const struct litmus_block *block);

/* Whether it is a fence. */
bool litmus_is_fence(const struct litmus_statement *statement);

/* The expressions of a statement itself, not of those inside it, in the order of the instruction: its value, and those
 * of its fence, barrier, copy, group or vector. Returns how many there are. */
enum { STATEMENT_MAXIMUM_OPERANDS = 2 + 2 * LITMUS_MAXIMUM_LANES };
size_t litmus_statement_operands(const struct litmus_statement *statement,
                                 struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS]);

/* The index of a label in a block; the block's count if it is in another one. */
size_t litmus_find_label(const struct litmus_block *block, int label);

/* The registers that it sets itself, not through an expression; LITMUS_NONE among them is none. */
size_t litmus_statement_registers(const struct litmus_statement *statement, const int **registers);

/* The access that it makes itself for each of several words, or NULL. */
const struct litmus_access *litmus_statement_access(const struct litmus_statement *statement);

/* Whether two blocks do the same in threads whose registers, by number, have the same types and values. spelling: are
 * also written alike. */
bool litmus_same_block(const struct litmus_block *a, const struct litmus_block *b, bool spelling);

/* Whether two bodies do the same if their registers, by number, begin with the same values. The types of these are then
 * the same, too. */
bool litmus_same_code(const struct litmus_thread *a, const struct litmus_thread *b);

/* ---- walks ---- */

/* A walk to every statement, before its own expressions and the statements inside it, and to every expression, before
 * its operands and those of its access:
 *
 *     for (struct litmus_walk walk = litmus_walk_block(&thread->body); litmus_walk_next(&walk);)
 *
 * It must be gone to its end, which releases it. */
struct litmus_walk {
    const struct litmus_statement *statement;   /* where it is: either a statement */
    const struct litmus_expression *expression; /* or an expression; the other is NULL */
    const struct litmus_access *access;         /* that of either, or NULL */
    struct litmus_pending *pending;
    size_t count, room;
};

struct litmus_walk litmus_walk_test(const struct litmus_test *test); /* all bodies */
struct litmus_walk litmus_walk_block(const struct litmus_block *block);
struct litmus_walk litmus_walk_statement(const struct litmus_statement *statement);
struct litmus_walk litmus_walk_expression(const struct litmus_expression *expression); /* which may be NULL */

/* Goes on; false at the end. */
bool litmus_walk_next(struct litmus_walk *walk);

/* Whether the predicate is true of a statement of the block, or of one inside those. */
bool litmus_any_statement(const struct litmus_block *block, bool (*is)(const struct litmus_statement *statement));

/* Whether the first access of the block, in the order of its text, is a load. */
bool litmus_loads_first(const struct litmus_block *block);

/* Whether computing the expression, which may be NULL, accesses memory. */
bool litmus_has_access(const struct litmus_expression *expression);
