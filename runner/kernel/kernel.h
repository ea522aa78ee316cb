// SPDX-License-Identifier: Apache-2.0
/*
 * From a test to the kernel that plays it, and from the kernel's counters back to outcomes.
 *
 * The text is: the backend's prelude, a part generated from the test, and the skeleton (skeleton.cl), whose head says
 * how instances are played. The generated part consists of numbers and of names made here (x0, p1_r2): no byte of the
 * test's own text reaches a compiler.
 *
 * Two words beside those of the design: a *slot* is what one work-group plays of an instance (the test's work-groups are
 * its slots); a *body* is the code of a thread, or of a range of equal threads.
 */
#ifndef ORCHIL_RUNNER_KERNEL_H
#define ORCHIL_RUNNER_KERNEL_H

#include "backends/backend.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "litmus/litmus.h"
#include "runner/kernel/layout.h"

enum {
    KERNEL_MAXIMUM_SLOTS = 16,
    KERNEL_MAXIMUM_OUTCOMES = 1024, /* bins of the dense histogram */
    KERNEL_MAXIMUM_DOMAIN = 32,     /* values that one variable may take in it */
    KERNEL_MAXIMUM_WORDS = 64,      /* of one outcome's values */
    KERNEL_MAXIMUM_SITES = 32       /* of delays: bits of a word of the draw. Later instructions have none */
};

/* Values that a variable is expected to take; another one is possible, and is then counted in the table. */
struct kernel_domain {
    uint32_t count;                        /* at least 1 */
    int64_t values[KERNEL_MAXIMUM_DOMAIN]; /* ascending */
};

/* Which lowering turns the test's instructions into kernel text: one row of the table in lower.h. */
struct lowering;

/*
 * One access, fence or barrier of a thread's code: what the compiled code must have. Each has a line of the source of its own,
 * so that compiled code, which says which line an instruction comes from, can be compared with the test (runner/inspect/).
 */
struct kernel_step {
    unsigned body;
    unsigned line;                      /* in kernel->source, from 1 */
    struct litmus_place place;          /* in the test's text */
    const struct litmus_access *access; /* the test's; one of these is set */
    const struct litmus_fence *fence;
    const struct litmus_barrier *barrier;
    const struct litmus_copy *copy;
    const struct litmus_group *group;
    const struct litmus_vector *vector;
};

struct kernel {
    char *source;           /* after the prelude; owned */
    size_t body, body_size; /* in source: the functions of the threads and what they call, in bytes */
    const struct lowering *lowering;
    struct arena arena;
    struct kernel_step
        *steps; /* in order of their lines; the arena's. A barrier is a step of each body that meets there */
    size_t step_count;
    /* Lines of source, from 1: of the helpers that the steps call, up to the threads' functions, and these. A test's
     * instructions are written in a helper that was called in a step's line, or, of a barrier, in the step's own line. */
    unsigned helpers_line, functions_line, functions_end;

    /* Of a test that several agents play each has a kernel of its own, with the same skeleton and the same layout: only the functions
     * of the threads that it plays are in it. */
    unsigned agents; /* 1 for most tests */
    unsigned agent;  /* whose kernel this is */
    unsigned agent_of_slot[KERNEL_MAXIMUM_SLOTS];
    const char **
        location_names; /* of several agents: by which draws say where locations lie; NULL: in no memory that they share */
    /* Likewise: which of them have to lie where read-modify-writes of all members are atomic. NULL: none of them. */
    const bool *atomic_locations;

    /* Of a test with edges each launch plays the slots that are its own, and every group comes to each launch. */
    struct litmus_launches launches; /* count: 1 for most tests */
    /* Of each launch, bit k: nothing orders launch k with this one, one agent plays both, and they access a location that one of them
     * writes. COUNTER_OVERLAPPED says whether these ran at the same time. */
    unsigned contends[LITMUS_MAXIMUM_LAUNCHES];
    unsigned launch_of_slot[KERNEL_MAXIMUM_SLOTS];

    unsigned slots;
    unsigned cluster_groups; /* slots, if the slots of an instance share a cluster; else 1 */
    unsigned bodies;
    unsigned width; /* items of a group for one instance in a slot; above 1: each item plays one thread */
    unsigned slot_of[LITMUS_MAXIMUM_BODIES];
    int sub_group_of[LITMUS_MAXIMUM_BODIES]; /* number of the body's sub-group in its slot, from 0; or LITMUS_NONE */
    bool first_of_slot[LITMUS_MAXIMUM_BODIES];
    /* Where items that play one thread each have to keep to sub-groups, a slot's threads lie in rows of sub_groups
     * sub-groups, each with sub_group_items items for an instance (a power of two); width is the product. Else 0. */
    unsigned sub_groups, sub_group_items;
    unsigned sub_group_size; /* of the device, by which that is laid out */

    unsigned cell_words; /* words of test memory of one instance, before the stride */
    unsigned locations;
    unsigned result_words; /* words of results of one instance */
    unsigned local_cells;  /* words of local memory for one instance in one group, before the stride */
    /* Of cells, in words, which an instance's words are a multiple of: 4 where some are copied, up to 32 where vectors access
     * some. */
    unsigned alignment;
    bool cluster_barriers; /* a thread passes a barrier.cluster */
    bool in_clusters; /* the groups of an instance reach each other's memory, and meet at barriers of their cluster */
    /* Ways to the cells other than the address of test memory. Where a test takes one, its cells are filled, accessed and
     * counted by a launch each: only a launch's end orders reads through all of them (models/ptx.cat). */
    unsigned paths;      /* BACKEND_PATH_* */
    unsigned aliases;    /* further addresses of test memory */
    unsigned bank_words; /* words of the constant bank that one instance takes, before the stride; not in cell_words */
    unsigned warm_cells; /* reads of one instance's cells by which a slot's threads warm their paths, at most */

    unsigned variables;
    struct kernel_domain *domains; /* one per variable of the test; owned */
    unsigned words;                /* of one outcome's values in the table */
    uint32_t outcomes;        /* bins of the dense histogram: the product of the domains, or 0 if that is too much */
    uint32_t histogram_words; /* room of the histogram: outcomes + 1, rounded up to even */
    uint32_t table_entries;
    uint32_t counter_words; /* fixed words, histogram and table: what is read back */

    /* Places before the threads' instructions at which a draw may let them rest: the text has them where that was asked for. */
    bool delays;
    unsigned delay_sites;   /* numbered from 0, KERNEL_MAXIMUM_SITES at most */
    uint32_t certain_sites; /* bit k: a thread comes by site k whatever it reads */

    bool progress;   /* Progress=yes: how often a thread gives up is the test's result */
    bool includes;   /* headers of CUDA's library, which the compiler must find */
    bool undeclared; /* uses an order or scope that the device does not declare */
};

/*
 * Plans and writes the kernel of a test for a device. UNSUPPORTED, with the reason, where the device cannot run it
 * (inline PTX on a device that takes none, an instruction without a lowering, a test that several agents play, ...).
 * The caller releases *kernel, which is empty after a failure.
 */
enum status kernel_generate(const struct litmus_test *test, const struct backend_device *device, struct kernel *kernel,
                            struct error *error);

/* The same by a lowering: "c11", "ptx", "opencl1" or "source"; NULL is the device's usual one. UNSUPPORTED, with the reason, also where
 * the test has no such lowering or the device takes none. */
enum status kernel_generate_by(const struct litmus_test *test, const struct backend_device *device,
                               const char *lowering, struct kernel *kernel, struct error *error);

/* The same, with sites of delays where they are wanted. Without, the threads' functions have no trace of them. */
enum status kernel_generate_delayed(const struct litmus_test *test, const struct backend_device *device,
                                    const char *lowering, bool delays, struct kernel *kernel, struct error *error);

/* The kernels of all agents of a test, in kernels[0 .. agents - 1]: on device's members, or on the device itself where the test has one
 * agent. UNSUPPORTED, with the reason, also where the device's members are not those that the test needs, or would lay it out
 * differently. Draws are made for kernels[0]. */
enum status kernel_generate_agents(const struct litmus_test *test, const struct backend_device *device,
                                   const char *lowering, bool delays, struct kernel kernels[LITMUS_MAXIMUM_AGENTS],
                                   unsigned *agents, struct error *error);
void kernel_release(struct kernel *kernel);

/* The name of the lowering that kernel_generate takes for the test on the device; "" where there is none. */
const char *kernel_usual_lowering(const struct litmus_test *test, const struct backend_device *device);

/* Whether a test of the dialect can be lowered so. */
bool kernel_has_lowering(enum litmus_dialect dialect, const char *name);

/* The name of a lowering as a string that lasts; "" for any other word. */
const char *kernel_lowering_word(const char *name);

/* Whether the test asks for progress (metadata Progress=yes): whether all its threads come to their end. */
bool kernel_is_progress(const struct litmus_test *test);

/* The line of the text that is compiled, which is the backend's prelude and then the kernel's source, of a line of the latter. */
unsigned kernel_unit_line(const struct backend *backend, unsigned line);

/* "c11", "ptx", "opencl1" or "source". */
const char *kernel_lowering_name(const struct kernel *kernel);

/* The labels of the counters, for the simulated device. The array and its strings are the caller's, to be given to
 * kernel_release_counters. Outcomes that differ from every value of a domain have none. */
void kernel_counters(const struct litmus_test *test, const struct kernel *kernel, struct backend_counter **counters,
                     size_t *count);
void kernel_release_counters(struct backend_counter *counters, size_t count);

/* Calls visit for each outcome with a count above zero: one value per variable of the test. Entries of the table that
 * hold the same values are merged. counters has counter_words words. Where several agents play, each counts the instances that its
 * groups own: it is called for the counters of each, the fixed counters are summed, and so are equal outcomes. */
void kernel_outcomes(const struct litmus_test *test, const struct kernel *kernel, const uint32_t *counters,
                     void (*visit)(const int64_t *values, uint64_t count, void *context), void *context);

/* Whether the kernel takes a way to its cells that a launch's end alone orders after the initial writes: ptx.cat takes what is
 * read through a proxy, or by another address, to come after a write only after a proxy fence of the right kind, which PTX has
 * for aliases alone; a launch's end orders everything (PTX ISA, "Memory Consistency Model"). */
bool kernel_takes_paths(const struct kernel *kernel);

/* Whether the test has several launches, between which the host puts edges. */
bool kernel_has_launches(const struct kernel *kernel);

/* The launches that nothing orders with this one, bit k for launch k: they may run at the same time. */
unsigned kernel_beside(const struct kernel *kernel, unsigned launch);

/* How many launches have one beside them; 0 where each comes after another. */
unsigned kernel_beside_count(const struct kernel *kernel);

/* Whether some of them contend, so that a test whose launches never overlapped was not tested. */
bool kernel_counts_overlap(const struct kernel *kernel);

/* The work-groups that have to run at once, so that all threads of a launch do: slots of the launch that has most. */
unsigned kernel_slots_at_once(const struct kernel *kernel);

/* The words that a work-group of group_size items needs of local memory. */
size_t kernel_local_words(const struct kernel *kernel, uint32_t group_size, uint32_t stride);

#endif
