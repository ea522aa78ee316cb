// SPDX-License-Identifier: Apache-2.0
/*
 * What a step of a test needs of the machine: the question that a table of rules answers (rules_NAME.c), and that the
 * comparison asks for every step. Private to this folder.
 */
#ifndef ORCHIL_RUNNER_INSPECT_NEEDS_H
#define ORCHIL_RUNNER_INSPECT_NEEDS_H

#include "runner/inspect/inspect.h"

/* One instruction that a step needs. What an instruction has must be this or more: as wide a scope, as strong an order. */
struct inspect_need {
    enum machine_effect effect;
    enum litmus_order order;
    enum litmus_scope scope; /* at least; LITMUS_SCOPE_NONE: any */
    unsigned bytes;          /* of an access or a copy; 0: any */
    unsigned element;        /* of an asynchronous update; 0: any */
    unsigned pending;        /* of a wait: groups at most */
    unsigned hints;          /* MACHINE_HINT_* that it has at least */
    /* What it accesses and how, as in struct machine_instruction. The regions count of copies, and of fences of a proxy. */
    enum litmus_region region, from;
    enum litmus_proxy proxy;
    enum litmus_operation operation; /* LOAD: any */
    bool optional;                   /* it may be missing, or skipped */
    bool required;                   /* although it may be skipped on a way, the code must have it */
    bool repeats;                    /* it may come again and again: of a loop that the compiler makes of one access */
    bool elects;   /* it comes again for the next item of a sub-group: items do it one after the other */
    bool gathers;  /* one instruction of a vector may do it for several items, an element for each */
    bool is_order; /* it only orders the step's access, so that without it the step is there, but weaker */
};

enum { INSPECT_MAXIMUM_NEEDS = 8 };

/* X(name, words): what a step of a kernel is. A table of rules has a row for each; without one the test is not inspected. */
#define INSPECT_STEP_LIST(X)                                                                                           \
    X(ACCESS, "the access")                                                                                            \
    X(MBARRIER, "the operation of an mbarrier") /* an access by one of LITMUS_ARRIVE to LITMUS_TRY_WAIT */             \
    X(PROXY, "the access through a proxy")      /* any but the generic one */                                          \
    X(VECTOR, "the vector access")                                                                                     \
    X(FENCE, "the fence")                                                                                              \
    X(PROXY_FENCE, "the fence of a proxy")                                                                             \
    X(BARRIER, "the barrier")                                                                                          \
    X(CLUSTER_BARRIER, "the barrier of a cluster")                                                                     \
    X(COPY, "the asynchronous operation")                                                                              \
    X(GROUP, "the instruction for groups of copies")                                                                   \
    X(UNKNOWN, "the step")

#define INSPECT_STEP_ENUM(name, words) INSPECT_STEP_##name,
enum inspect_step { INSPECT_STEP_LIST(INSPECT_STEP_ENUM) INSPECT_STEP_COUNT };
#undef INSPECT_STEP_ENUM

enum inspect_step inspect_step(const struct kernel_step *step);
const char *inspect_step_words(enum inspect_step kind); /* "the fence" */

/* Refuses a step that the table of a machine has no row for: UNSUPPORTED, with its instruction. */
enum status inspect_refuse(const struct litmus_test *test, const struct kernel_step *step, const char *machine,
                           struct error *error);

/* What is compared: a kernel, its test, and what a machine's code says of it. */
struct inspect_subject {
    const struct litmus_test *test;
    const struct kernel *kernel;
    const struct listing *listing;
    /* The items of a work-group run one after the other: from a barrier, the code may go back to the part before it for the next
     * item. */
    bool items_in_turn;
    unsigned first_line; /* of kernel->source, in the text that the listing's lines count in, from 1 */
};

/*
 * Fills what a step needs, in the order in which it must run; *count 0 where nothing is needed (a relaxed fence).
 * UNSUPPORTED, with the reason, where nothing is known of such a step on such a machine: the test is not inspected.
 */
typedef enum status inspect_rule(const struct inspect_subject *subject, const struct kernel_step *step,
                                 struct inspect_need needs[INSPECT_MAXIMUM_NEEDS], size_t *count, struct error *error);

inspect_rule rules_sass, rules_ptx, rules_x86;

/* Gives accesses of x86-64 the lines that they should have (x86_place.c). */
void x86_place(const struct inspect_subject *subject, struct listing *listing);

/* Compares, and fills *inspection, which inspection_release frees whatever comes of it. */
void inspect_compare(const struct inspect_subject *subject, inspect_rule *rule, struct inspection *inspection);

#endif
