// SPDX-License-Identifier: Apache-2.0
/*
 * Threads that can be exchanged: they run the same code, have the same placement relative to all
 * others, and nobody observes their registers. Of executions that differ only by exchanging them,
 * one is enough.
 */
#include <string.h>

#include "litmus/language/order.h"
#include "models/search/enumerate.h"

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_expression(const struct litmus_expression *a, const struct litmus_expression *b);

static bool same_access(const struct litmus_access *a, const struct litmus_access *b)
{
    if (!a || !b)
        return a == b;
    return a->operation == b->operation && a->type == b->type && ordering_same(a->ordering, b->ordering) &&
           a->failure == b->failure && a->proxy == b->proxy && a->no_result == b->no_result &&
           a->expected_register == b->expected_register && same_expression(a->address, b->address) &&
           same_expression(a->operand, b->operand) && same_expression(a->expected, b->expected) &&
           same_expression(a->expected_address, b->expected_address);
}

static bool same_expression(const struct litmus_expression *a, const struct litmus_expression *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && a->value == b->value && a->index == b->index && a->op == b->op &&
           same_expression(a->left, b->left) && same_expression(a->right, b->right) &&
           same_access(a->access, b->access);
}

static bool same_fence(const struct litmus_fence *a, const struct litmus_fence *b)
{
    return ordering_same(a->ordering, b->ordering) && a->proxy == b->proxy && a->flag_global == b->flag_global &&
           a->flag_local == b->flag_local && a->flag_image == b->flag_image && a->cluster == b->cluster &&
           a->restriction == b->restriction && same_expression(a->map, b->map) && same_expression(a->from, b->from);
}

static bool same_barrier(const struct litmus_barrier *a, const struct litmus_barrier *b)
{
    return a->arrive == b->arrive && same_text(a->instance, b->instance) && same_expression(a->resource, b->resource) &&
           same_expression(a->quorum, b->quorum) && a->flag_global == b->flag_global &&
           a->flag_local == b->flag_local && a->flag_image == b->flag_image && a->sub_group == b->sub_group &&
           a->wait == b->wait && a->relaxed == b->relaxed && ordering_same(a->ordering, b->ordering);
}

static bool same_copy(const struct litmus_copy *a, const struct litmus_copy *b)
{
    return a->bulk == b->bulk && a->operation == b->operation && a->type == b->type && a->order == b->order &&
           a->scope == b->scope && a->bytes == b->bytes && same_expression(a->to, b->to) &&
           same_expression(a->from, b->from) && same_expression(a->value, b->value) &&
           same_expression(a->mbarrier, b->mbarrier);
}

static bool same_group(const struct litmus_group *a, const struct litmus_group *b)
{
    return a->action == b->action && a->bulk == b->bulk && a->pending == b->pending && a->read == b->read &&
           a->no_increment == b->no_increment && same_expression(a->mbarrier, b->mbarrier);
}

static bool same_vector(const struct litmus_vector *a, const struct litmus_vector *b)
{
    bool same = a->lanes == b->lanes && a->whole == b->whole && same_access(&a->access, &b->access);
    for (unsigned lane = 0; same && lane < a->lanes; lane++)
        same = a->registers[lane] == b->registers[lane] && same_expression(a->values[lane], b->values[lane]) &&
               same_expression(a->expected[lane], b->expected[lane]);
    return same;
}

/* Of two statements of one kind. */
static bool same_instruction(const struct litmus_statement *a, const struct litmus_statement *b)
{
    switch (a->kind) {
    case LITMUS_FENCE:
        return same_fence(&a->fence, &b->fence);
    case LITMUS_BARRIER:
        return same_barrier(&a->barrier, &b->barrier);
    case LITMUS_COPY:
        return same_copy(&a->copy, &b->copy);
    case LITMUS_GROUP:
        return same_group(&a->group, &b->group);
    case LITMUS_VECTOR:
        return same_vector(&a->vector, &b->vector);
    default:
        return true;
    }
}

static bool same_block(const struct litmus_block *a, const struct litmus_block *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const struct litmus_statement *p = &a->statements[i], *q = &b->statements[i];
        same = p->kind == q->kind && p->target == q->target && p->label == q->label &&
               same_expression(p->value, q->value) && same_instruction(p, q) && same_block(&p->body, &q->body) &&
               same_block(&p->otherwise, &q->otherwise);
    }
    return same;
}

static bool same_code(const struct litmus_thread *a, const struct litmus_thread *b)
{
    bool same = a->register_count == b->register_count && same_block(&a->body, &b->body);
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
