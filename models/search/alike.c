// SPDX-License-Identifier: Apache-2.0
/*
 * Threads that can be exchanged: they run the same code, have the same placement relative to all
 * others, and nobody observes their registers. Of executions that differ only by exchanging them,
 * one is enough.
 */
#include "litmus/language/visit.h"
#include "models/search/enumerate.h"

static bool same_code(const struct litmus_thread *a, const struct litmus_thread *b)
{
    bool same = a->register_count == b->register_count && litmus_same_block(&a->body, &b->body, false);
    for (size_t i = 0; same && i < a->register_count; i++)
        same = a->registers[i].type == b->registers[i].type && a->registers[i].initial == b->registers[i].initial &&
               a->registers[i].points_to == b->registers[i].points_to;
    return same;
}

static struct event event_of(const struct enumeration *enumeration, unsigned slot)
{
    return (struct event){.thread = enumeration->threads[slot].number, .body = enumeration->threads[slot].body};
}

/* Are both in one launch, and does every other thread share the same levels with both? */
static bool same_place(const struct enumeration *enumeration, unsigned a, unsigned b)
{
    const unsigned *launch = enumeration->launches.of_body;
    if (launch[enumeration->threads[a].body] != launch[enumeration->threads[b].body])
        return false;
    const struct execution execution = {.test = enumeration->test};
    const struct event p = event_of(enumeration, a), q = event_of(enumeration, b);
    for (unsigned other = 0; other < enumeration->thread_count; other++) {
        const struct event r = event_of(enumeration, other);
        for (int level = 0; other != a && other != b && level < LITMUS_SCOPE_COUNT; level++)
            if (execution_same_instance(&execution, &p, &r, (enum litmus_scope)level) !=
                execution_same_instance(&execution, &q, &r, (enum litmus_scope)level))
                return false;
    }
    return true;
}

static bool is_observed(const struct enumeration *enumeration, unsigned slot)
{
    for (size_t i = 0; i < enumeration->test->variable_count; i++)
        if (enumeration->test->variables[i].thread == enumeration->threads[slot].number)
            return true;
    return false;
}

void enumeration_find_alike(struct enumeration *enumeration)
{
    const struct litmus_thread *threads = enumeration->test->threads;
    for (unsigned slot = 0; slot < enumeration->thread_count; slot++) {
        enumeration->alike[slot] = slot;
        for (unsigned first = 0; !is_observed(enumeration, slot) && first < slot; first++)
            if (enumeration->alike[first] == first && !is_observed(enumeration, first) &&
                same_code(&threads[enumeration->threads[first].body], &threads[enumeration->threads[slot].body]) &&
                same_place(enumeration, first, slot)) {
                enumeration->alike[slot] = first;
                break;
            }
    }
}
