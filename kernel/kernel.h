// SPDX-License-Identifier: Apache-2.0
/*
 * From a test to the kernel that plays it, and from the kernel's counters back to outcomes.
 *
 * The text consists of the backend's prelude, a part generated from the test, and the skeleton (skeleton.cl), whose
 * opening comment explains how instances are played. The generated part contains only numbers and names made here (x0,
 * p1_r2): no byte of the test's own text reaches a compiler.
 *
 * A *slot* is the part of an instance that one work-group plays (each work-group of the test is a slot). A *body* is
 * the code of a thread, or of a range of equal threads.
 */
#pragma once

#include "backends/backend.h"
#include "kernel/layout.h"
#include "litmus/litmus.h"

enum {
    KERNEL_MAXIMUM_SLOTS = 16,
    KERNEL_MAXIMUM_OUTCOMES = 1024, /* bins of the dense histogram */
    KERNEL_MAXIMUM_DOMAIN = 32,     /* values of one variable in the histogram */
    KERNEL_MAXIMUM_WORDS = 64,      /* of one outcome's values */
    KERNEL_MAXIMUM_SITES = 32       /* delay sites, bits of a word of the draw; later instructions get none */
};

/* Values that a variable is expected to take. Outcomes with other values are possible and are counted in the table. */
struct kernel_domain {
    uint32_t count;                        /* at least 1 */
    int64_t values[KERNEL_MAXIMUM_DOMAIN]; /* ascending */
};

/* How the test's instructions become kernel text (lower.h). */
struct lowering;

/* One access, fence or barrier of a thread, which the compiled code must contain. Each has a source line of its own.
 * Compiled code gives the line that an instruction comes from, so it can be compared with the test (inspect/). */
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
    const struct litmus_collective *collective;
    const char *code; /* the statements on its line or in the function that it calls */
};

struct kernel {
    char *source; /* after the prelude; owned */
    const char
        *prologue;  /* what precedes the prelude (user_atomics.h); NULL: no function of a user's header is called */
    unsigned types; /* BACKEND_TYPE_LONG, SHORT and CHAR, if the text uses them and its language may lack them */
    size_t body, body_size; /* in source: the functions of the threads and what they call, in bytes */
    const struct lowering *lowering;
    struct arena arena;
    struct kernel_step
        *steps; /* in the order of their lines, in the arena. A barrier is a step of each body that meets there */
    size_t step_count;
    /* Lines of source, from 1: the start of the helpers that the steps call, and the start and end of the threads'
     * functions. A test's instruction is in a helper called from the step's line; a barrier is on the step's line
     * itself. */
    unsigned helpers_line, functions_line, functions_end;

    /* If several agents play a test, each has a kernel with the same skeleton and layout. Agents on equal devices have
     * the same kernel, which contains the functions of all threads that they play, so it is compiled once. */
    unsigned agents; /* 1 for most tests */
    unsigned agent;  /* whose kernel this is */
    unsigned plays;  /* bit k: the kernel has agent k's threads */
    unsigned agent_of_slot[KERNEL_MAXIMUM_SLOTS];
    const char **location_names; /* with several agents: names for placing locations; NULL: not shared */
    /* With several agents: the locations that must lie where read-modify-writes of all members are atomic. NULL:
     * none. */
    const bool *atomic_locations;

    /* In a test with edges, each launch plays its own slots, and every group takes part in every launch. */
    struct litmus_launches launches; /* count: 1 for most tests */
    /* For each launch, bit k: launch k is unordered with it, the same agent plays both, and they access a location that
     * one of them writes. COUNTER_OVERLAPPED shows whether these ran at the same time. */
    unsigned contends[LITMUS_MAXIMUM_LAUNCHES];
    unsigned launch_of_slot[KERNEL_MAXIMUM_SLOTS];

    unsigned slots;
    unsigned cluster_groups; /* slots, if the slots of an instance share a cluster; else 1 */
    unsigned bodies;
    unsigned width; /* items of a group per instance in a slot; above 1: each item plays one thread */
    unsigned slot_of[LITMUS_MAXIMUM_BODIES];
    int sub_group_of[LITMUS_MAXIMUM_BODIES]; /* number of the body's sub-group in its slot, from 0; or LITMUS_NONE */
    bool first_of_slot[LITMUS_MAXIMUM_BODIES];
    unsigned loading_slots; /* bit k: the bodies of slot k all begin with a load */
    /* If items play one thread each and must stay within sub-groups, a slot's threads are laid out in sub_groups
     * sub-groups, each with sub_group_items items per instance (a power of two); width is the product. Otherwise 0. */
    unsigned sub_groups, sub_group_items;
    unsigned sub_group_size; /* the device's, used for this layout */

    unsigned cell_words; /* words of test memory of one instance, before the stride */
    unsigned locations;
    unsigned result_words; /* words of results of one instance */
    unsigned local_cells;  /* words of local memory for one instance in one group, before the stride */
    /* Of cells, in words; an instance's words are a multiple of it: 4 if cells are copied, up to 32 if vectors access
     * them. */
    unsigned alignment;
    bool cluster_barriers; /* a thread passes a barrier.cluster */
    bool in_clusters;      /* groups of an instance access each other's memory and meet at cluster barriers */
    /* Ways to the cells other than the address of test memory. If a test uses one, its cells are filled, accessed and
     * counted by separate launches: only the end of a launch orders reads through all of them (models/ptx.cat). */
    unsigned paths;      /* BACKEND_PATH_* */
    unsigned aliases;    /* further addresses of test memory */
    unsigned bank_words; /* words of the constant bank that one instance takes, before the stride; not in cell_words */
    unsigned warm_cells; /* bound on a slot's warming reads of an instance's cells */

    unsigned variables;
    struct kernel_domain *domains; /* one per variable of the test; owned */
    unsigned words;                /* of one outcome's values in the table */
    uint32_t outcomes;             /* bins of the dense histogram: the product of the domain sizes, or 0 if too large */
    uint32_t histogram_words;      /* room of the histogram: outcomes + 1, rounded up to even */
    uint32_t table_entries;
    uint32_t counter_words; /* fixed words, histogram and table: what is read back */

    /* Places before the threads' instructions at which a draw may delay them. Present only if requested. */
    bool delays;
    unsigned delay_sites;   /* numbered from 0, KERNEL_MAXIMUM_SITES at most */
    uint32_t certain_sites; /* bit k: a thread passes site k whatever it reads */

    bool separate; /* only the end of a launch orders what groups do: initialising, playing, counting are launches */

    bool repeats; /* an item may play several instances one after the other in a round */

    bool progress;     /* Progress=yes: how often a thread gives up is the test's result */
    bool programmatic; /* a launch may begin before another has ended that it comes after */
    bool includes;     /* headers of CUDA's library, which the compiler must find */
    bool user_code;    /* it calls functions of the user's header */
    bool undeclared;   /* it uses an order or scope that the device does not declare */
};

/* Plans and writes the kernel of a test for a device, with a given lowering: "c11", "ptx", "opencl1", "source" or
 * "glsl"; NULL is the device's default. delays: with delay sites; else the threads' functions contain nothing for them.
 * UNSUPPORTED, with the reason, if the device cannot run it (inline PTX that the device does not take, an instruction
 * without a lowering, no such lowering, a test for several agents, ...). The caller releases *kernel, which is empty
 * after a failure. */
enum status kernel_generate(const struct litmus_test *test, const struct backend_device *device, const char *lowering,
                            bool delays, struct kernel *kernel, struct error *error);

/* The kernels of all agents of a test, in kernels[0 .. agents - 1]: on the device's members, or on the device itself if
 * the test has one agent. Also UNSUPPORTED, with the reason, if the members do not fit the test or would lay it out
 * differently. Draws are made for kernels[0]. */
enum status kernel_generate_agents(const struct litmus_test *test, const struct backend_device *device,
                                   const char *lowering, bool delays, struct kernel kernels[LITMUS_MAXIMUM_AGENTS],
                                   unsigned *agents, struct error *error);

/* Whether kernel_generate_agents succeeds, at a fraction of its cost. */
enum status kernel_check_agents(const struct litmus_test *test, const struct backend_device *device,
                                const char *lowering, struct error *error);
void kernel_release(struct kernel *kernel);

/* What a backend compiles for the kernel: a test's name, and what the kernel has, which both must outlive it. */
struct backend_source kernel_backend_source(const struct kernel *kernel, const char *name);

/* Appends the text of a kernel by the lowering "wgsl" as a browser takes it, its prelude included. */
enum status kernel_print_wgsl(const struct kernel *kernel, struct text *wgsl, struct error *error);

/* The name of the lowering that kernel_generate uses for the test on the device; "" if there is none. */
const char *kernel_usual_lowering(const struct litmus_test *test, const struct backend_device *device);

/* The same without the user's header. */
const char *kernel_built_in_lowering(const struct litmus_test *test, const struct backend_device *device);

/* Whether tests of the dialect have the lowering. */
bool kernel_has_lowering(enum litmus_dialect dialect, const char *name);

/* The name that a lowering has with the user's header: "source+my.h:1a2b3c4d5e"; the same without a header, and NULL
 * for NULL. */
const char *kernel_user_lowering(const char *name);

/* The name of a lowering as a static string; "" for any other word. */
const char *kernel_lowering_word(const char *name);

/* Converts a line of the kernel's source to a line of the compiled text, which has the backend's prelude before it. */
unsigned kernel_unit_line(const struct backend *backend, unsigned line);

/* "c11", "ptx", "opencl1" or "source". */
const char *kernel_lowering_name(const struct kernel *kernel);

/* The labels of the counters, for the simulated device. The caller owns the array and its strings, and releases them
 * with kernel_release_counters. Outcomes with a value outside its domain have no label. */
void kernel_counters(const struct litmus_test *test, const struct kernel *kernel, struct backend_counter **counters,
                     size_t *count);
void kernel_release_counters(struct backend_counter *counters, size_t count);

/* Calls visit for each outcome with a count above zero: one value per variable of the test. Entries of the table that
 * hold the same values are merged. counters has counter_words words. If several agents play, each counts the instances
 * that its groups own: call this for the counters of each, and add up the fixed counters and the counts of equal
 * outcomes. */
void kernel_outcomes(const struct litmus_test *test, const struct kernel *kernel, const uint32_t *counters,
                     void (*visit)(const int64_t *values, uint64_t count, void *context), void *context);

/* Whether the test has two threads, in a work-group each, on one device. */
bool kernel_is_pair(const struct kernel *kernel);

/* Whether work-groups can start at the ticks of a clock: only those that meet, and on one device. */
bool kernel_starts_at_ticks(const struct kernel *kernel);

/* Whether the kernel uses a way to its cells that only the end of a launch orders after the initial writes. In ptx.cat,
 * a read through a proxy or by another address comes after a write only with a proxy fence of the right kind, which PTX
 * has for aliases alone; the end of a launch orders everything (PTX ISA, "Memory Consistency Model"). */
bool kernel_takes_paths(const struct kernel *kernel);

/* Whether the kernel has the slot's threads: all kernels of one agent do. */
bool kernel_plays_slot(const struct kernel *kernel, unsigned slot);

/* Whether an earlier agent, on an equal device, has the same kernel. */
bool kernel_is_shared(const struct kernel *kernel);

/* The number of a slot in kernel text, where the slots of the first agent come first. */
unsigned kernel_slot_number(const struct kernel *kernel, unsigned slot);

/* Whether the test has several launches, between which the host puts edges. */
bool kernel_has_launches(const struct kernel *kernel);

/* The launches that are unordered with this one, and may run at the same time: bit k for launch k. */
unsigned kernel_beside(const struct kernel *kernel, unsigned launch);

/* The number of launches that may run at the same time as another; 0 if all are ordered. */
unsigned kernel_beside_count(const struct kernel *kernel);

/* Whether some launches contend. If these never overlapped, the test was not tested. */
bool kernel_counts_overlap(const struct kernel *kernel);

/* The work-groups that must run at once for all threads of a launch to do so: the largest number of slots in a
 * launch. */
unsigned kernel_slots_at_once(const struct kernel *kernel);

/* The words of local memory that a work-group of group_size items needs. */
size_t kernel_local_words(const struct kernel *kernel, uint32_t group_size, uint32_t stride);
