// SPDX-License-Identifier: Apache-2.0
/* The text of a random test: what its threads do is drawn first, then written in the words of the dialect. */
#include "tests/catalogue/random_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"

enum { MOST_THREADS = 4, MOST_LOCATIONS = 3, MOST_STEPS = 4, MOST_TOTAL = 11, MOST_COMPUTED = 3 };

enum kind { LOAD, STORE, MODIFY, REDUCE, EXCHANGE, COMPARE, FENCE };
enum order { WEAK, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
enum scope { GROUP, DEVICE, SCOPES };
enum operation { ADD, OR, XOR, OPERATIONS };

struct step {
    enum kind kind;
    enum order order;
    enum scope scope;
    enum operation operation;
    unsigned location, value, expected;
    unsigned into; /* the register of its result */
};

/* Shared by the steps of a test. */
struct draft {
    enum litmus_dialect dialect;
    struct random random;
    unsigned threads, locations, values;
    unsigned computed; /* steps that store a value that depends on the one before */
    unsigned group[MOST_THREADS], registers[MOST_THREADS], count[MOST_THREADS];
    struct step steps[MOST_THREADS][MOST_STEPS];
    bool repeats;                  /* values are few: several executions have one outcome */
    bool loose[MOST_LOCATIONS];    /* many of its accesses are weak or of a narrow scope, so coherence is partial */
    bool commutes[MOST_LOCATIONS]; /* all operations on it are of one kind */
    enum operation operation[MOST_LOCATIONS];
    struct text *text;
};

static const char *const locations[MOST_LOCATIONS] = {"x", "y", "z"};
static const char *const orders[] = {
    [WEAK] = "weak",       [RELAXED] = "relaxed", [ACQUIRE] = "acquire",
    [RELEASE] = "release", [ACQ_REL] = "acq_rel", [SEQ_CST] = "seq_cst",
};

static bool chance(struct draft *draft, unsigned percent)
{
    return random_below(&draft->random, 100) < percent;
}

/* ---- drawing ---- */

static bool is_ptx(const struct draft *draft)
{
    return draft->dialect == LITMUS_PTX || draft->dialect == LITMUS_CUDA;
}

static enum order draw_order(struct draft *draft, enum kind kind)
{
    static const enum order loads[] = {RELAXED, RELAXED, ACQUIRE, SEQ_CST},
                            stores[] = {RELAXED, RELAXED, RELEASE, SEQ_CST},
                            fences[] = {ACQ_REL, ACQ_REL, SEQ_CST, SEQ_CST},
                            reductions[] = {RELAXED, RELAXED, RELAXED, RELEASE},
                            others[] = {RELAXED, RELAXED, ACQ_REL, SEQ_CST};
    const bool strong = draft->dialect != LITMUS_PTX;
    const unsigned drawn = random_below(&draft->random, strong || kind == FENCE || kind == REDUCE ? 4 : 3);
    if (kind == REDUCE && strong)
        return others[drawn];
    return kind == LOAD     ? loads[drawn]
           : kind == STORE  ? stores[drawn]
           : kind == FENCE  ? fences[drawn]
           : kind == REDUCE ? reductions[drawn]
                            : others[drawn];
}

/* Fills in what does not depend on the shape of the test. */
static void complete_step(struct draft *draft, unsigned thread, struct step *step)
{
    if (step->kind == MODIFY || step->kind == REDUCE || step->kind == COMPARE)
        step->kind = ++draft->computed > MOST_COMPUTED ? LOAD : step->kind;
    step->order = draw_order(draft, step->kind);
    if ((step->kind == LOAD || step->kind == STORE) && draft->loose[step->location] && chance(draft, 40))
        step->order = WEAK;
    step->operation = draft->commutes[step->location] ? draft->operation[step->location]
                                                      : (enum operation)random_below(&draft->random, OPERATIONS);
    step->value = draft->repeats ? random_between(&draft->random, 1, 2) : ++draft->values;
    step->expected = random_below(&draft->random, step->value);
    if (step->kind == LOAD || step->kind == MODIFY || step->kind == EXCHANGE || step->kind == COMPARE)
        step->into = draft->registers[thread]++;
}

static void draw_step(struct draft *draft, unsigned thread, struct step *step)
{
    static const enum kind kinds[] = {LOAD,   LOAD,   LOAD,   STORE,  STORE,    STORE,    STORE,
                                      MODIFY, MODIFY, REDUCE, REDUCE, EXCHANGE, EXCHANGE, COMPARE};
    step->kind = chance(draft, 7) ? FENCE : kinds[random_below(&draft->random, sizeof kinds / sizeof *kinds)];
    step->location = random_below(&draft->random, draft->locations);
    if (draft->commutes[step->location] && step->kind != LOAD && step->kind != FENCE)
        step->kind = chance(draft, 50) ? MODIFY : REDUCE;
    step->scope = chance(draft, draft->loose[step->location] ? 70 : 10) ? GROUP : DEVICE;
    complete_step(draft, thread, step);
}

/* Steps of threads 0 to 2 on x and y, which coherence orders, and of thread 3, in another group, on x, which it does
 * not: then x may end in two ways when the order of the writes to y is still to be chosen. */
static void draw_partial(struct draft *draft)
{
    static const enum kind changes[] = {MODIFY, REDUCE, EXCHANGE, STORE};
    draft->threads = MOST_THREADS;
    draft->locations = 2;
    for (unsigned t = 0; t < MOST_THREADS; t++) {
        draft->group[t] = t < 3;
        draft->count[t] = t == 0 || t == 3 ? random_between(&draft->random, 1, 3) : 2;
        for (unsigned i = 0; i < draft->count[t]; i++) {
            struct step *step = &draft->steps[t][i];
            const bool reads = t == 3 && i > 0, stores = t == 1 || t == 2;
            step->location = reads ? random_below(&draft->random, 2) : stores && i > 0;
            step->kind = reads ? LOAD : stores ? STORE : changes[random_below(&draft->random, 4)];
            step->scope = t == 3 ? GROUP : DEVICE;
            complete_step(draft, t, step);
        }
    }
}

static void draw_free(struct draft *draft)
{
    draft->threads = chance(draft, 70) ? MOST_THREADS : random_between(&draft->random, 2, MOST_THREADS);
    draft->locations = chance(draft, 80) ? 2 : MOST_LOCATIONS;
    for (unsigned i = 0; i < draft->locations; i++) {
        draft->commutes[i] = chance(draft, 25);
        draft->loose[i] = is_ptx(draft) && chance(draft, i == 0 ? 70 : 15);
        draft->operation[i] = (enum operation)random_below(&draft->random, OPERATIONS);
    }
    unsigned left = random_between(&draft->random, 2 * draft->threads, MOST_TOTAL);
    for (unsigned t = 0; t < draft->threads; t++) {
        draft->group[t] = chance(draft, 70) ? t % 2 : random_below(&draft->random, 2);
        const unsigned others = draft->threads - t - 1, share = left - others < MOST_STEPS ? left - others : MOST_STEPS;
        draft->count[t] = random_between(&draft->random, share > 1, share);
        left -= draft->count[t];
        for (unsigned i = 0; i < draft->count[t]; i++)
            draw_step(draft, t, &draft->steps[t][i]);
    }
}

static void draw(struct draft *draft)
{
    draft->repeats = chance(draft, 40);
    if (is_ptx(draft) && chance(draft, 40))
        draw_partial(draft);
    else
        draw_free(draft);
}

/* ---- PTX ---- */

static void write_ptx(struct text *text, const struct step *step)
{
    static const char *const scopes[] = {"cta", "gpu"}, *const operations[] = {"add", "or", "xor"};
    const char *at = locations[step->location], *order = orders[step->order], *scope = scopes[step->scope];
    if (step->kind == LOAD && step->order == WEAK)
        text_add(text, "ld.weak r%u, %s", step->into, at);
    else if (step->kind == LOAD)
        text_add(text, "ld.%s.%s r%u, %s", order, scope, step->into, at);
    else if (step->kind == STORE && step->order == WEAK)
        text_add(text, "st.weak %s, %u", at, step->value);
    else if (step->kind == STORE)
        text_add(text, "st.%s.%s %s, %u", order, scope, at, step->value);
    else if (step->kind == REDUCE)
        text_add(text, "red.%s.%s.%s %s, %u", order, scope, operations[step->operation], at, step->value);
    else if (step->kind == FENCE)
        text_add(text, "fence.%s.%s", step->order == SEQ_CST ? "sc" : order, scope);
    else if (step->kind == COMPARE)
        text_add(text, "atom.%s.%s.cas r%u, %s, %u, %u", order, scope, step->into, at, step->expected, step->value);
    else if (step->kind == EXCHANGE)
        text_add(text, "atom.%s.%s.exch r%u, %s, %u", order, scope, step->into, at, step->value);
    else
        text_add(text, "atom.%s.%s.%s r%u, %s, %u", order, scope, operations[step->operation], step->into, at,
                 step->value);
}

static void write_columns(struct draft *draft)
{
    for (unsigned t = 0; t < draft->threads; t++)
        text_add(draft->text, " P%u@cta %u, gpu 0 %s", t, draft->group[t], t + 1 < draft->threads ? "|" : ";\n");
    for (unsigned row = 0; row < MOST_STEPS; row++)
        for (unsigned t = 0; t < draft->threads; t++) {
            text_add(draft->text, " ");
            if (row < draft->count[t])
                write_ptx(draft->text, &draft->steps[t][row]);
            text_add(draft->text, t + 1 < draft->threads ? " |" : " ;\n");
        }
}

/* ---- C, OpenCL C and CUDA C++ ---- */

static const char *function_of(const struct step *step)
{
    static const char *const operations[] = {"fetch_add", "fetch_or", "fetch_xor"};
    return step->kind == LOAD       ? "load"
           : step->kind == STORE    ? "store"
           : step->kind == EXCHANGE ? "exchange"
           : step->kind == COMPARE  ? "compare_exchange_strong"
                                    : operations[step->operation];
}

/* The arguments after the location: what is stored or expected, and the order. */
static void write_arguments(const struct draft *draft, const struct step *step, const char *comma)
{
    const char *memory = draft->dialect == LITMUS_CUDA ? "cuda::memory_order_" : "memory_order_";
    const char *failure = step->order == SEQ_CST ? "seq_cst" : "relaxed";
    if (step->kind == COMPARE)
        text_add(draft->text, "%s%sr%u, %u, %s%s", comma, draft->dialect == LITMUS_CUDA ? "" : "&",
                 step->into + MOST_STEPS, step->value, memory, orders[step->order]);
    else if (step->kind == LOAD)
        text_add(draft->text, "%s%s%s", comma, memory, orders[step->order]);
    else
        text_add(draft->text, "%s%u, %s%s", comma, step->value, memory, orders[step->order]);
    if (step->kind == COMPARE)
        text_add(draft->text, ", %s%s", memory, failure);
}

static void write_function(const struct draft *draft, const struct step *step)
{
    static const char *const scopes[] = {"memory_scope_work_group", "memory_scope_device"},
                             *const threads[] = {"cuda::thread_scope_block", "cuda::thread_scope_device"};
    if (step->kind == COMPARE)
        text_add(draft->text, "int r%u = %u;\n  ", step->into + MOST_STEPS, step->expected);
    if (step->kind != STORE && step->kind != REDUCE)
        text_add(draft->text, "int r%u = ", step->into);
    if (draft->dialect == LITMUS_CUDA) {
        text_add(draft->text, "cuda::atomic_ref<int, %s>(*%s).%s(", threads[step->scope], locations[step->location],
                 function_of(step));
        write_arguments(draft, step, "");
        text_add(draft->text, ");\n");
        return;
    }
    text_add(draft->text, "atomic_%s_explicit(%s", function_of(step), locations[step->location]);
    write_arguments(draft, step, ", ");
    text_add(draft->text, "%s%s);\n", draft->dialect == LITMUS_OPENCL ? ", " : "",
             draft->dialect == LITMUS_OPENCL ? scopes[step->scope] : "");
}

static void write_fence(const struct draft *draft, const struct step *step)
{
    if (draft->dialect == LITMUS_CUDA)
        text_add(draft->text, "cuda::atomic_thread_fence(cuda::memory_order_%s, cuda::thread_scope_%s);\n",
                 orders[step->order], step->scope == GROUP ? "block" : "device");
    else if (draft->dialect == LITMUS_OPENCL)
        text_add(draft->text, "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_%s, memory_scope_%s);\n",
                 orders[step->order], step->scope == GROUP ? "work_group" : "device");
    else
        text_add(draft->text, "atomic_thread_fence(memory_order_%s);\n", orders[step->order]);
}

static void write_step(const struct draft *draft, const struct step *step)
{
    text_add(draft->text, "  ");
    if (step->kind == FENCE)
        write_fence(draft, step);
    else if (step->order == WEAK && step->kind == LOAD)
        text_add(draft->text, "int r%u = *%s;\n", step->into, locations[step->location]);
    else if (step->order == WEAK)
        text_add(draft->text, "*%s = %u;\n", locations[step->location], step->value);
    else
        write_function(draft, step);
}

static void write_body(const struct draft *draft, unsigned thread)
{
    const char *type = draft->dialect == LITMUS_CUDA     ? "int"
                       : draft->dialect == LITMUS_OPENCL ? "global atomic_int"
                                                         : "atomic_int";
    text_add(draft->text, "P%u", thread);
    if (draft->dialect != LITMUS_C)
        text_add(draft->text, draft->dialect == LITMUS_CUDA ? "@cta %u, gpu 0" : "@wg %u, dev 0", draft->group[thread]);
    for (unsigned i = 0; i < draft->locations; i++)
        text_add(draft->text, "%s%s* %s", i > 0 ? ", " : " (", type, locations[i]);
    text_add(draft->text, ") {\n");
    for (unsigned i = 0; i < draft->count[thread]; i++)
        write_step(draft, &draft->steps[thread][i]);
    text_add(draft->text, "}\n");
}

/* ---- the whole ---- */

/* Most of the registers, and nearly all locations: the outcome of the others does not matter. */
static void write_condition(struct draft *draft)
{
    const unsigned observed = chance(draft, 50) ? 90 : 30;
    text_add(draft->text, "exists (%s=0", locations[0]);
    for (unsigned i = 1; i < draft->locations; i++)
        if (chance(draft, 85))
            text_add(draft->text, " /\\ %s=0", locations[i]);
    for (unsigned t = 0; t < draft->threads; t++)
        for (unsigned i = 0; i < draft->registers[t]; i++)
            if (chance(draft, observed))
                text_add(draft->text, " /\\ %u:r%u=0", t, i);
    text_add(draft->text, ")\n");
}

struct litmus_test *random_small_test(enum litmus_dialect dialect, uint64_t number, struct text *text)
{
    struct draft draft = {.dialect = dialect, .random = random_start(number, dialect, 0, 0), .text = text};
    struct litmus_test *test;
    struct error error;
    char name[64];
    (void)snprintf(name, sizeof name, "random-%llu", (unsigned long long)number);
    draw(&draft);
    text_add(text, "%s %s\n{ ", litmus_dialect_name(dialect), name);
    for (unsigned i = 0; i < draft.locations; i++)
        text_add(text, "%s=0; ", locations[i]);
    text_add(text, "}\n");
    if (dialect == LITMUS_PTX)
        write_columns(&draft);
    else
        for (unsigned t = 0; t < draft.threads; t++)
            write_body(&draft, t);
    write_condition(&draft);
    if (litmus_parse(name, text_string(text), text->size, &test, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text_string(text));
    return test;
}
