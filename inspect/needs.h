// SPDX-License-Identifier: Apache-2.0
/* The instructions that a step of a test needs on a machine. A table of rules (rules_NAME.c) gives them; the comparison
 * asks for every step. */
#pragma once

#include "inspect/inspect.h"

/* One instruction that a step needs. The code's instruction must have at least its scope and its order. */
struct inspect_need {
    enum machine_effect effect;
    LITMUS_ORDERED;   /* at least; LITMUS_SCOPE_NONE: any */
    unsigned bytes;   /* of an access or a copy; 0: any */
    unsigned element; /* of an asynchronous update; 0: any */
    unsigned pending; /* of a wait: groups at most */
    unsigned hints;   /* MACHINE_HINT_* that it must have */
    const char *form; /* PTX: the only instruction that does, as a kernel writes it, up to a semicolon, with %0 for a
                       * register; of the rest, only the effect counts then. NULL: the rest says it */
    /* What it accesses and how, as in struct machine_instruction. The regions matter only for copies and proxy
     * fences. */
    enum litmus_region region, from;
    bool multicast;
    enum litmus_proxy proxy;
    enum litmus_operation operation; /* LOAD: any */
    struct machine_vulkan vulkan;    /* at least */
    bool optional;                   /* it may be missing, or skipped */
    bool required;                   /* it may be skipped on some paths, but the code must have it */
    bool repeats;                    /* it may repeat, in a loop that the compiler makes from one access */
    bool elects;                     /* it repeats for each item of a sub-group, one after another */
    bool widens;                     /* it may take neighbours with it, whose values other steps use */
    bool is_order;                   /* it only orders the step's access; without it, the step is present but weaker */
};

enum { INSPECT_MAXIMUM_NEEDS = 8 };

/* The instructions that a step needs, in the order in which they must run. */
struct inspect_needs {
    struct inspect_need items[INSPECT_MAXIMUM_NEEDS];
    size_t count;
};

struct inspect_need *inspect_need_add(struct inspect_needs *needs, struct inspect_need need);

/* Of a fence for which litmus_fence_is_of_grids holds. */
struct inspect_need inspect_need_of_grids(const struct litmus_fence *fence);

/* What a compare-and-swap needs whose expected value is in memory: that is loaded before and, if the swap fails, stored
 * after it. Adds that load or store, or nothing for any other access. */
void inspect_need_expected(struct inspect_needs *needs, const struct litmus_access *access, enum machine_effect effect,
                           unsigned bytes);

enum machine_effect inspect_effect(enum litmus_operation operation); /* LOAD, STORE, or UPDATE for all others */

/* The location that an access names, or NULL. */
const struct litmus_location *inspect_location(const struct litmus_test *test, const struct litmus_access *access);

/* Whether an access is of constant memory, which is never written: the code may know its contents. */
bool inspect_is_constant(const struct litmus_test *test, const struct litmus_access *access);

#define INSPECT_STEP_ENUM(name, words) INSPECT_STEP_##name,
enum inspect_step { INSPECT_STEP_LIST(INSPECT_STEP_ENUM) INSPECT_STEP_COUNT };

enum inspect_step inspect_step(const struct kernel_step *step);
const char *inspect_step_words(enum inspect_step kind); /* "the fence" */

/* Whether the instruction meets a need or exceeds it; if not, the first fault. */
bool compare_satisfies(const struct machine_instruction *instruction, const struct inspect_need *need);
enum inspect_fault compare_fault(const struct machine_instruction *instruction, const struct inspect_need *need);

/* Refuses a step that has no row in a machine's table: UNSUPPORTED, with its instruction. */
enum status inspect_refuse(const struct litmus_test *test, const struct kernel_step *step, const char *machine,
                           struct error *error);

/* Whether a step is of that access, or of that part of a statement; all parts of a statement are at one place. */
static inline bool inspect_is_step(const struct kernel_step *step, const void *part)
{
    const void *const parts[] = {step->access, step->fence,  step->barrier,   step->copy,
                                 step->group,  step->vector, step->collective};
    return ANY_OF(one, parts, COUNT(parts), *one == part);
}

/* Whether a step is of the access, or of the statement itself; either may be NULL. */
static inline bool inspect_is_step_of(const struct kernel_step *step, const struct litmus_access *access,
                                      const struct litmus_statement *statement)
{
    return (access && step->access == access) || (statement && inspect_is_step(step, &statement->fence));
}

struct inspect_subject;

/* Adds the instructions that a step needs to *needs, which is empty; none for a relaxed fence. UNSUPPORTED, with the
 * reason, if the machine's needs for such a step are unknown; the test is then not inspected. */
typedef enum status inspect_rule(const struct inspect_subject *subject, const struct kernel_step *step,
                                 struct inspect_needs *needs, struct error *error);

/* Appends findings for orders of a body that needs do not express. UNSUPPORTED, with the reason, if they cannot be
 * checked; the test is then not inspected. */
typedef enum status inspect_orders(const struct inspect_subject *subject, unsigned body, struct inspection *inspection,
                                   struct error *error);

/* The subject of a comparison: a kernel, its test, and the listing of its code. */
struct inspect_subject {
    const struct litmus_test *test;
    const struct kernel *kernel;
    const struct listing *listing;
    inspect_rule *rule;
    const bool *needless; /* per step of the kernel: no execution of the test reaches it (needless.c) */
    const bool *same;     /* per step: it writes what its location has */
    /* Per step, or NULL: it is not compared (alone.h). alone: the steps that are compared are the plain accesses of one
     * location, which only their thread can notice; spare: of these, the loads that nobody reads and the stores that
     * change nothing. */
    const bool *ignored, *spare;
    bool alone;
    bool lines_of_calls; /* an instruction of a helper has the line of its call, and no other */
    /* A compiler of the whole kernel may have unrolled the loop in which an item of several agents' tests plays a body
     * once for each member of its team: only stores of results are between two plays. */
    bool unrolls;
    inspect_orders *orders; /* or NULL */
    unsigned first_line;    /* of kernel->source in the text to which the listing's lines refer, from 1 */
};

static inline bool inspect_ignores(const struct inspect_subject *subject, size_t step)
{
    return subject->ignored && subject->ignored[step];
}

inspect_rule rules_sass, rules_ptx, rules_amdgcn, rules_spirv;

/* Gives the instructions of steps that only inline PTX has the effects of these steps (rules_ptx.c). */
void ptx_place(const struct inspect_subject *subject, struct listing *listing);

inspect_orders ptx_check_operands; /* of PTX: operands_ptx.c */

/* Whether it is a plain load or store of a location, without a cache operator or a hint. */
bool inspect_is_plain(const struct litmus_access *access);

/* Whether only one body accesses the location, in one thread and by plain accesses, so that no other thread notices
 * when, or whether. */
bool inspect_is_own(const struct litmus_test *test, unsigned body, unsigned location);

/* Per step of the kernel, whether no execution of the test reaches it, so that the code needs no instruction for it
 * (needless.c). The caller frees it. same, unless it is NULL: made true for updates that write what they read, and for
 * stores of what their own location (above) has. */
bool *needless_find(const struct litmus_test *test, const struct kernel *kernel, bool *same);

/* Gives accesses of SPIR-V the lines that they should have (read_spirv.c). */
void spirv_place(const struct inspect_subject *subject, struct listing *listing);

/* Compares, and fills *inspection, which inspection_release frees whatever the result. */
void inspect_compare(const struct inspect_subject *subject, struct inspection *inspection);

/* Fills in inspection->became, after the comparison. */
void inspect_list_became(const struct inspect_subject *subject, struct inspection *inspection);
