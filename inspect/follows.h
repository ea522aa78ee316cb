// SPDX-License-Identifier: Apache-2.0
/* Which instruction may follow which in a thread of a test: the control flow of its body, with each step replaced by
 * the instructions that it needs. */
#pragma once

#include "inspect/needs.h"

/* A need of a step of the body. */
struct piece {
    unsigned step; /* index in kernel->steps */
    struct inspect_need need;
};

/* Rows and columns of the relation after those of the pieces: before the first piece, and after the last. */
enum { FOLLOWS_START, FOLLOWS_END, FOLLOWS_BOUNDS };

/* A back edge of a loop: at least one of the pairs that cross it must be in the code; otherwise the loop runs once. */
struct follows_loop {
    unsigned step;      /* the first of the loop's next iteration */
    const bool *before; /* per piece: may be the last before the back edge */
    const bool *after;  /* per piece: may be the first after it */
};

struct follows {
    struct arena arena;
    struct piece *pieces; /* those of a step are adjacent and in its order */
    size_t count;
    bool *allowed; /* square: allowed[a * (count + FOLLOWS_BOUNDS) + b]: b may come next after a */
    struct follows_loop *loops;
    size_t loop_count;
    bool has_late; /* some end of a group may be late */
};

/*
 * Builds the relation of a body. UNSUPPORTED, with the reason, if a rule does not know a step. The caller releases
 * *follows, whatever the result.
 *
 * late: the end of a group of copies comes after the ordinary accesses that follow it in the test, up to the next
 * statement of another kind. This does not change the test: the end of a group only says which group a copy belongs to,
 * and orders nothing.
 */
enum status follows_build(const struct inspect_subject *subject, unsigned body, bool late, struct follows *follows,
                          struct error *error);
void follows_release(struct follows *follows);

static inline bool follows_allowed(const struct follows *follows, size_t a, size_t b)
{
    return follows->allowed[a * (follows->count + FOLLOWS_BOUNDS) + b];
}
