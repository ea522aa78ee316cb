// SPDX-License-Identifier: Apache-2.0
/* Ranges of threads whose registers hold their threads' numbers, as threads of their own. */
#include <string.h>

#include "litmus/litmus.h"

static bool is_numbered(const struct litmus_test *test)
{
    for (size_t i = 0; i < test->body_count; i++)
        for (size_t k = 0; k < test->threads[i].register_count; k++)
            if (test->threads[i].registers[k].numbered)
                return true;
    return false;
}

/* One thread of a range. */
static struct litmus_thread thread_of(struct arena *arena, const struct litmus_thread *range, unsigned number)
{
    struct litmus_thread thread = *range;
    thread.first = range->first + number;
    thread.count = 1;
    thread.registers = arena_take(arena, range->register_count, sizeof *thread.registers);
    for (size_t i = 0; i < range->register_count; i++) {
        struct litmus_register *own = &thread.registers[i];
        *own = range->registers[i];
        if (own->numbered)
            own->initial = litmus_wrap(own->type, number);
        own->numbered = false;
    }
    return thread;
}

/* An edge between two ranges becomes one between each two of their threads, which are numbered from
 * 0 without gaps. */
static void expand_edges(struct arena *arena, const struct litmus_test *test, struct litmus_test *expanded)
{
    expanded->edges = NULL;
    expanded->edge_count = 0;
    for (size_t i = 0; i < test->edge_count; i++) {
        const struct litmus_thread *later = &test->threads[test->edges[i].later],
                                   *earlier = &test->threads[test->edges[i].earlier];
        for (unsigned a = 0; a < later->count; a++)
            for (unsigned b = 0; b < earlier->count; b++) {
                struct litmus_edge edge = test->edges[i];
                edge.later = later->first + a;
                edge.earlier = earlier->first + b;
                ARENA_ADD(arena, expanded->edges, expanded->edge_count) = edge;
            }
    }
}

struct litmus_test *litmus_expand(const struct litmus_test *test)
{
    if (!is_numbered(test))
        return NULL;
    struct litmus_test *expanded = litmus_new();
    struct arena arena = expanded->arena;
    *expanded = *test;
    expanded->threads = arena_take(&arena, test->thread_count, sizeof *expanded->threads);
    expanded->body_count = 0;
    for (size_t i = 0; i < test->body_count; i++)
        for (unsigned k = 0; k < test->threads[i].count; k++)
            expanded->threads[expanded->body_count++] = thread_of(&arena, &test->threads[i], k);
    expanded->variables = arena_take(&arena, test->variable_count, sizeof *expanded->variables);
    for (size_t i = 0; i < test->variable_count; i++) {
        expanded->variables[i] = test->variables[i];
        if (test->variables[i].thread != LITMUS_NONE)
            expanded->variables[i].body = test->variables[i].thread;
    }
    expand_edges(&arena, test, expanded);
    expanded->arena = arena;
    return expanded;
}
