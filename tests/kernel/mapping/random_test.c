// SPDX-License-Identifier: Apache-2.0
/* The text of a random test, thread by thread. */
#include "tests/kernel/mapping/random_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"

enum { MOST_THREADS = 4, MOST_LOCATIONS = 3, MOST_OF_THREAD = 4, MOST_INSTRUCTIONS = 10 };

static const char *const locations[MOST_LOCATIONS] = {"x", "y", "z"};

/* What is drawn once for a test, and what its text needs to go on. */
struct draft {
    struct random random;
    struct text text, condition; /* the condition's terms, each followed by " /\ " */
    bool opencl, ring, relaxed, one_group, sub_groups, all_of_device, barriers;
    bool plain[MOST_LOCATIONS], local[MOST_LOCATIONS];
    unsigned threads, locations;
    unsigned thread, registers; /* which one is written, and how many it has */
    unsigned value;             /* the last one that was stored: all are distinct */
};

static bool chance(struct draft *draft, unsigned percent)
{
    return random_below(&draft->random, 100) < percent;
}

static const char *choose(struct draft *draft, const char *const *words, unsigned count)
{
    return words[random_below(&draft->random, count)];
}

/* ", memory_scope_device" where the dialect has scopes. */
static void add_scope(struct draft *draft)
{
    static const char *const scopes[] = {"work_item", "sub_group", "work_group", "work_group",
                                         "device",    "device",    "device",     "all_svm_devices"};
    if (draft->opencl)
        text_add(&draft->text, ", memory_scope_%s", draft->all_of_device ? "device" : choose(draft, scopes, 8));
}

static void add_register(struct draft *draft)
{
    text_add(&draft->condition, "%u:r%u=0 /\\ ", draft->thread, draft->registers);
    text_add(&draft->text, "  int r%u = ", draft->registers++);
}

static void add_load(struct draft *draft, unsigned location)
{
    static const char *const orders[] = {"seq_cst", "seq_cst", "seq_cst", "acquire", "acquire", "relaxed"};
    const unsigned weakest = draft->relaxed ? 6 : 5;
    add_register(draft);
    if (draft->plain[location]) {
        text_add(&draft->text, "*%s;\n", locations[location]);
        return;
    }
    text_add(&draft->text, "atomic_load_explicit(%s, memory_order_%s", locations[location],
             choose(draft, orders, weakest));
    add_scope(draft);
    text_add(&draft->text, ");\n");
}

static void add_store(struct draft *draft, unsigned location)
{
    static const char *const orders[] = {"seq_cst", "seq_cst", "seq_cst", "release", "release", "relaxed"};
    const unsigned weakest = draft->relaxed ? 6 : 5;
    const unsigned value = ++draft->value;
    if (draft->plain[location]) {
        text_add(&draft->text, "  *%s = %u;\n", locations[location], value);
        return;
    }
    text_add(&draft->text, "  atomic_store_explicit(%s, %u, memory_order_%s", locations[location], value,
             choose(draft, orders, weakest));
    add_scope(draft);
    text_add(&draft->text, ");\n");
}

static const char *const modify_orders[] = {"seq_cst", "seq_cst", "seq_cst", "seq_cst",
                                            "acquire", "release", "acq_rel", "relaxed"};

/* A compare_exchange of a value that the location may well have. */
static void add_compare(struct draft *draft, unsigned location)
{
    static const char *const failures[] = {"seq_cst", "seq_cst", "acquire", "relaxed"};
    const unsigned expected = draft->registers++;
    text_add(&draft->condition, "%u:r%u=0 /\\ ", draft->thread, expected);
    text_add(&draft->text, "  int r%u = %u;\n", expected, random_below(&draft->random, draft->value + 1));
    add_register(draft);
    text_add(&draft->text, "atomic_compare_exchange_strong_explicit(%s, &r%u, %u, memory_order_%s, memory_order_%s",
             locations[location], expected, ++draft->value, choose(draft, modify_orders, draft->relaxed ? 8 : 7),
             choose(draft, failures, 4));
    add_scope(draft);
    text_add(&draft->text, ");\n");
}

static void add_modify(struct draft *draft, unsigned location)
{
    static const char *const operations[] = {"exchange", "fetch_add", "fetch_sub", "fetch_or"};
    if (draft->plain[location]) {
        add_store(draft, location);
        return;
    }
    if (chance(draft, 30)) {
        add_compare(draft, location);
        return;
    }
    if (chance(draft, 60))
        add_register(draft);
    else
        text_add(&draft->text, "  ");
    text_add(&draft->text, "atomic_%s_explicit(%s, %u, memory_order_%s", choose(draft, operations, 4),
             locations[location], ++draft->value, choose(draft, modify_orders, draft->relaxed ? 8 : 7));
    add_scope(draft);
    text_add(&draft->text, ");\n");
}

static void add_fence(struct draft *draft)
{
    static const char *const orders[] = {"seq_cst", "seq_cst", "acq_rel", "acquire", "release"};
    static const char *const flags[] = {"CLK_GLOBAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE",
                                        "CLK_LOCAL_MEM_FENCE"};
    if (draft->opencl)
        text_add(&draft->text, "  atomic_work_item_fence(%s, memory_order_%s",
                 flags[draft->one_group ? random_below(&draft->random, 3) : 0], choose(draft, orders, 5));
    else
        text_add(&draft->text, "  atomic_thread_fence(memory_order_%s", choose(draft, orders, 5));
    add_scope(draft);
    text_add(&draft->text, ");\n");
}

static void add_barrier(struct draft *draft)
{
    static const char *const flags[] = {"CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                                        "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"};
    static const char *const scopes[] = {"", ", memory_scope_work_group", ", memory_scope_device"};
    text_add(&draft->text, "  work_group_barrier(%s%s);\n", choose(draft, flags, 3), choose(draft, scopes, 3));
}

static void add_access(struct draft *draft, unsigned location)
{
    const unsigned kind = random_below(&draft->random, 100);
    if (kind < 35)
        add_load(draft, location);
    else if (kind < 70)
        add_store(draft, location);
    else
        add_modify(draft, location);
}

static void add_parameters(struct draft *draft)
{
    for (unsigned i = 0; i < draft->locations; i++)
        text_add(&draft->text, "%s%s%s* %s", i > 0 ? ", " : "",
                 !draft->opencl    ? ""
                 : draft->local[i] ? "local "
                                   : "global ",
                 draft->plain[i] ? "int" : "atomic_int", locations[i]);
}

/* Where there are barriers, the first two threads meet at one and share a group. */
static bool has_barrier(const struct draft *draft)
{
    return draft->barriers && (draft->one_group || draft->thread < 2);
}

static unsigned group_of(struct draft *draft)
{
    if (draft->one_group || has_barrier(draft))
        return 0;
    return draft->barriers || chance(draft, 70) ? draft->thread : random_below(&draft->random, 2);
}

static void start_thread(struct draft *draft)
{
    draft->registers = 0;
    text_add(&draft->text, "\nP%u", draft->thread);
    if (draft->opencl) {
        text_add(&draft->text, "@");
        if (draft->sub_groups)
            text_add(&draft->text, "sg %u, ", random_below(&draft->random, 2));
        text_add(&draft->text, "wg %u, dev 0", group_of(draft));
    }
    text_add(&draft->text, " (");
    add_parameters(draft);
    text_add(&draft->text, ") {\n");
}

/* A thread of accesses anywhere. */
static void add_loose_thread(struct draft *draft, unsigned instructions)
{
    const unsigned barrier = random_below(&draft->random, instructions + 1);
    start_thread(draft);
    for (unsigned i = 0; i <= instructions; i++) {
        if (has_barrier(draft) && i == barrier)
            add_barrier(draft);
        if (i < instructions && chance(draft, 12))
            add_fence(draft);
        else if (i < instructions)
            add_access(draft, random_below(&draft->random, draft->locations));
    }
    text_add(&draft->text, "}\n");
}

static void add_loose_threads(struct draft *draft)
{
    unsigned left = random_between(&draft->random, 2 * draft->threads, MOST_INSTRUCTIONS);
    for (; draft->thread < draft->threads; draft->thread++) {
        const unsigned others = draft->threads - draft->thread - 1;
        const unsigned own = others == 0 ? left : random_between(&draft->random, 1, left - others);
        add_loose_thread(draft, own < MOST_OF_THREAD ? own : MOST_OF_THREAD);
        left -= own;
    }
}

/* Threads in a ring, as cycles have them: each ends where the next begins, and those of two accesses change the
 * location. */
static void add_ring(struct draft *draft)
{
    unsigned location = 0, changes = 0;
    for (; draft->thread < draft->threads; draft->thread++) {
        const bool must_change = changes + draft->threads - draft->thread <= draft->locations;
        start_thread(draft);
        add_access(draft, location);
        if (must_change || (changes < draft->locations && chance(draft, 60))) {
            location = ++changes % draft->locations;
            if (chance(draft, 15))
                add_fence(draft);
            add_access(draft, location);
        }
        text_add(&draft->text, "}\n");
    }
}

/* Who shares a work-group, which memory is local and which is plain, and whether all scopes are the device's. */
static void draw_setting(struct draft *draft)
{
    draft->threads = random_between(&draft->random, 2, MOST_THREADS);
    draft->ring = chance(draft, 75);
    draft->relaxed = !draft->ring || chance(draft, 40);
    draft->locations = random_between(&draft->random, draft->ring ? 2 : 1, MOST_LOCATIONS);
    if (draft->locations > draft->threads)
        draft->locations = draft->threads;
    draft->one_group = draft->opencl && chance(draft, 25);
    draft->sub_groups = draft->one_group && chance(draft, 40);
    draft->all_of_device = chance(draft, 75);
    draft->barriers = draft->opencl && !draft->ring && chance(draft, 40);
    for (unsigned i = 0; i < draft->locations; i++) {
        draft->plain[i] = !draft->ring && chance(draft, 10);
        draft->local[i] = draft->one_group && chance(draft, 40);
    }
}

struct litmus_test *random_test(enum litmus_dialect dialect, uint64_t seed, uint64_t number)
{
    struct draft draft = {.random = random_start(seed, number, dialect, 0), .opencl = dialect == LITMUS_OPENCL};
    struct litmus_test *test;
    struct error error;
    char name[64];
    (void)snprintf(name, sizeof name, "random-%llu-%llu", (unsigned long long)seed, (unsigned long long)number);
    draw_setting(&draft);
    text_add(&draft.text, "%s %s\n{ ", litmus_dialect_name(dialect), name);
    for (unsigned i = 0; i < draft.locations; i++) {
        text_add(&draft.text, "%s=0; ", locations[i]);
        text_add(&draft.condition, "%s=0 /\\ ", locations[i]);
    }
    text_add(&draft.text, "}\n");
    if (draft.ring)
        add_ring(&draft);
    else
        add_loose_threads(&draft);
    text_add(&draft.text, "\nexists (%.*s)\n", (int)draft.condition.size - 4, text_string(&draft.condition));
    if (litmus_parse(name, text_string(&draft.text), draft.text.size, &test, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text_string(&draft.text));
    text_release(&draft.text);
    text_release(&draft.condition);
    return test;
}
