// SPDX-License-Identifier: Apache-2.0
/* What the two files of rules for SASS share. Private to this folder. */
#ifndef ORCHIL_RUNNER_INSPECT_RULES_SASS_H
#define ORCHIL_RUNNER_INSPECT_RULES_SASS_H

#include "runner/inspect/needs.h"

enum { SASS_CLUSTERS = 90 }; /* the first architecture whose shared memory other work-groups reach */

/* The needs of one step, as they are listed. */
struct sass_needs {
    const struct inspect_subject *subject;
    const struct kernel_step *step;
    unsigned architecture; /* 90 for sm_90 */
    struct inspect_need *needs;
    size_t *count;
};

static inline void sass_need(struct sass_needs *needs, struct inspect_need need)
{
    needs->needs[(*needs->count)++] = need;
}

/* A MEMBAR, and a CCTL.IVALL, as a fence of the order needs them. */
void sass_need_fence(struct sass_needs *needs, enum litmus_order order, enum litmus_scope scope, bool is_order);

/* How an access was written in PTX. */
struct ptx_access {
    const struct litmus_access *access;
    enum litmus_order order;
    enum litmus_scope scope;
    unsigned bytes; /* of all its words */
    bool local, generic, fence_sc;
};

struct ptx_access sass_ptx_of(const struct litmus_test *test, const struct litmus_access *access);
void sass_need_access(struct sass_needs *needs, const struct ptx_access *ptx);

/* rules_sass_vector.c: what a cache operator makes of an access, and the hints that it then must have. */
void sass_hint_order(struct ptx_access *ptx);
unsigned sass_hints(const struct litmus_access *access);

/* The kinds of step of rules_sass_async.c. Each: UNSUPPORTED, with the reason, where no instruction of that form was learnt. */
typedef enum status sass_rule(struct sass_needs *needs, struct error *error);
sass_rule sass_need_vector;
sass_rule sass_need_mbarrier, sass_need_proxy, sass_need_proxy_fence, sass_need_cluster_barrier, sass_need_copy,
    sass_need_group;

#endif
