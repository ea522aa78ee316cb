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

/* The kinds of step of rules_sass_async.c. Each: UNSUPPORTED, with the reason, where no instruction of that form was learnt. */
typedef enum status sass_rule(struct sass_needs *needs, struct error *error);
sass_rule sass_need_mbarrier, sass_need_proxy, sass_need_proxy_fence, sass_need_cluster_barrier, sass_need_copy,
    sass_need_group;

#endif
