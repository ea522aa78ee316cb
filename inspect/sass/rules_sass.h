// SPDX-License-Identifier: Apache-2.0
/* Declarations shared by the files of rules for SASS. Private to this folder. */
#ifndef ORCHIL_INSPECT_SASS_RULES_SASS_H
#define ORCHIL_INSPECT_SASS_RULES_SASS_H

#include "inspect/needs.h"

enum { SASS_CLUSTERS = 90 }; /* the first where shared memory is accessible to other work-groups */

/* The needs of one step, while they are listed. */
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

/* Adds the MEMBAR and the CCTL.IVALL that a fence of the order needs. */
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

/* rules_sass_vector.c: the order that a cache operator gives an access, and the hints that it must
 * have. */
void sass_hint_order(struct ptx_access *ptx);
unsigned sass_hints(const struct litmus_access *access);

/* The kinds of step of rules_sass_async.c. Each is UNSUPPORTED, with the reason, if no instruction
 * of that form is known. */
typedef enum status sass_rule(struct sass_needs *needs, struct error *error);
sass_rule sass_need_vector;
sass_rule sass_need_mbarrier, sass_need_proxy, sass_need_proxy_fence, sass_need_cluster_barrier, sass_need_copy,
    sass_need_group;

#endif
