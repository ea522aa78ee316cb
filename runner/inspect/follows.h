// SPDX-License-Identifier: Apache-2.0
/*
 * Which instruction may follow which in a thread of a test: the control flow of its body, in which each step has become the
 * instructions that it needs. Private to this folder.
 */
#ifndef ORCHIL_RUNNER_INSPECT_FOLLOWS_H
#define ORCHIL_RUNNER_INSPECT_FOLLOWS_H

#include "runner/inspect/needs.h"

/* A need of a step of the body. */
struct piece {
    unsigned step; /* index in kernel->steps */
    struct inspect_need need;
};

/* Before the first piece and after the last one: rows and columns of the relation beyond the pieces. */
enum { FOLLOWS_START, FOLLOWS_END, FOLLOWS_BOUNDS };

/* A way back to a loop's head: at least one of the pairs that go by it must be in the code, or the loop runs once. */
struct follows_loop {
    size_t step;        /* that comes first in the loop's next iteration */
    bool items;         /* it is none of the test's, but the loop over items that ends at a barrier */
    const bool *before; /* per piece: may be the last before the way back */
    const bool *after;  /* per piece: may be the first after it */
};

struct follows {
    struct arena arena;
    struct piece *pieces; /* of one step, in its order, without a gap */
    size_t count;
    bool *
        allowed; /* (count + FOLLOWS_BOUNDS) squared: allowed[a * (count + FOLLOWS_BOUNDS) + b], may b come next after a? */
    struct follows_loop *loops;
    size_t loop_count;
    bool has_late; /* there is the end of a group that may be late */
};

/*
 * Builds the relation of a body. UNSUPPORTED, with the reason, where a rule does not know a step. The caller calls
 * follows_release whatever the result.
 *
 * late: the end of a group of copies comes after the ordinary accesses that the test has after it, up to the next statement of
 * another kind. It is the same test: which group a copy belongs to is all that the end of a group says, and it orders nothing.
 */
enum status follows_build(const struct inspect_subject *subject, unsigned body, inspect_rule *rule, bool late,
                          struct follows *follows, struct error *error);
void follows_release(struct follows *follows);

static inline bool follows_allowed(const struct follows *follows, size_t a, size_t b)
{
    return follows->allowed[a * (follows->count + FOLLOWS_BOUNDS) + b];
}

#endif
