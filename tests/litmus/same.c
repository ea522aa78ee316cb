// SPDX-License-Identifier: Apache-2.0
/* Whether two tests are the same, member by member. */
#include "tests/litmus/same.h"

#include <string.h>

/* Returns what differs from the calling function. */
#define SAME(condition, what)                                                                                          \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return what;                                                                                               \
    } while (0)

#define SAME_PART(call)                                                                                                \
    do {                                                                                                               \
        const char *different = call;                                                                                  \
        if (different)                                                                                                 \
            return different;                                                                                          \
    } while (0)

static bool same_text(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static const char *same_access(const struct litmus_access *a, const struct litmus_access *b);

static const char *same_expression(const struct litmus_expression *a, const struct litmus_expression *b)
{
    SAME(!a == !b, "presence of an expression");
    if (!a)
        return NULL;
    SAME(a->kind == b->kind, "kind of an expression");
    SAME(a->value == b->value, "value of a constant");
    SAME(a->index == b->index, "index of an expression");
    SAME(a->generic == b->generic, "address space of a pointer");
    SAME(a->op == b->op, "operator");
    SAME_PART(same_expression(a->left, b->left));
    SAME_PART(same_expression(a->right, b->right));
    SAME(!a->access == !b->access, "presence of an access");
    return a->access ? same_access(a->access, b->access) : NULL;
}

static const char *same_access(const struct litmus_access *a, const struct litmus_access *b)
{
    SAME(a->operation == b->operation, "operation");
    SAME(a->type == b->type, "type of an access");
    SAME(a->order == b->order && a->failure == b->failure, "order");
    SAME(a->scope == b->scope, "scope");
    SAME(a->semantics == b->semantics, "semantics");
    SAME(a->proxy == b->proxy, "proxy");
    SAME(memcmp(&a->spelling, &b->spelling, sizeof a->spelling) == 0, "spelling of an access");
    SAME(a->no_result == b->no_result, "result of an access");
    SAME(a->cache == b->cache && a->prefetch == b->prefetch, "cache operator or hint");
    SAME(a->read_only == b->read_only && a->mmio == b->mmio, ".nc or .mmio");
    SAME(a->expected_register == b->expected_register, "expected register");
    SAME_PART(same_expression(a->address, b->address));
    SAME_PART(same_expression(a->operand, b->operand));
    SAME_PART(same_expression(a->expected, b->expected));
    return same_expression(a->expected_address, b->expected_address);
}

static const char *same_barrier(const struct litmus_barrier *a, const struct litmus_barrier *b)
{
    SAME(a->arrive == b->arrive && a->wait == b->wait && a->relaxed == b->relaxed, "kind of a barrier");
    SAME(same_text(a->instance, b->instance), "instance of a barrier");
    SAME(a->flag_global == b->flag_global && a->flag_local == b->flag_local, "flags of a barrier");
    SAME(a->flag_image == b->flag_image, "image flag of a barrier");
    SAME(memcmp(&a->spelling, &b->spelling, sizeof a->spelling) == 0, "spelling of a barrier");
    SAME(a->sub_group == b->sub_group, "level of a barrier");
    SAME(a->scope == b->scope, "scope of a barrier");
    SAME(a->order == b->order && a->semantics == b->semantics, "semantics of a barrier");
    SAME_PART(same_expression(a->resource, b->resource));
    return same_expression(a->quorum, b->quorum);
}

static const char *same_copy(const struct litmus_copy *a, const struct litmus_copy *b)
{
    SAME(a->bulk == b->bulk && a->operation == b->operation, "kind of a copy");
    SAME(a->type == b->type && a->bytes == b->bytes, "size of a copy");
    SAME(a->order == b->order && a->scope == b->scope, "order of a copy");
    SAME(a->cluster == b->cluster && a->through_l2 == b->through_l2, "spelling of a copy");
    SAME_PART(same_expression(a->to, b->to));
    SAME_PART(same_expression(a->from, b->from));
    SAME_PART(same_expression(a->value, b->value));
    return same_expression(a->mbarrier, b->mbarrier);
}

static const char *same_group(const struct litmus_group *a, const struct litmus_group *b)
{
    SAME(a->action == b->action && a->bulk == b->bulk, "what is done with a group of copies");
    SAME(a->pending == b->pending && a->read == b->read, "what a group of copies is waited for");
    SAME(a->no_increment == b->no_increment, "increment of an mbarrier");
    return same_expression(a->mbarrier, b->mbarrier);
}

static const char *same_vector(const struct litmus_vector *a, const struct litmus_vector *b)
{
    SAME(a->lanes == b->lanes && a->whole == b->whole && a->unaligned == b->unaligned, "kind of a vector access");
    SAME(a->lanes == 0 || memcmp(a->registers, b->registers, sizeof a->registers) == 0, "registers of a vector access");
    SAME_PART(same_access(&a->access, &b->access));
    for (unsigned i = 0; i < a->lanes; i++) {
        SAME_PART(same_expression(a->values[i], b->values[i]));
        SAME_PART(same_expression(a->expected[i], b->expected[i]));
    }
    return NULL;
}

static const char *same_fence(const struct litmus_fence *a, const struct litmus_fence *b)
{
    SAME(a->order == b->order && a->scope == b->scope && a->proxy == b->proxy && a->flag_global == b->flag_global &&
             a->flag_local == b->flag_local && a->flag_image == b->flag_image &&
             a->spelling.legacy == b->spelling.legacy && a->cluster == b->cluster && a->restriction == b->restriction &&
             a->semantics == b->semantics,
         "fence");
    SAME_PART(same_expression(a->map, b->map));
    return same_expression(a->from, b->from);
}

/* What only statements of their kind have. */
static const char *same_instruction(const struct litmus_statement *a, const struct litmus_statement *b)
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
    case LITMUS_UNSUPPORTED:
        SAME(same_text(a->text, b->text), "text of an unsupported instruction");
        return NULL;
    default:
        return NULL;
    }
}

static const char *same_block(const struct litmus_block *a, const struct litmus_block *b)
{
    SAME(a->count == b->count, "number of statements");
    for (size_t i = 0; i < a->count; i++) {
        const struct litmus_statement *c = &a->statements[i], *d = &b->statements[i];
        SAME(c->kind == d->kind, "kind of a statement");
        SAME(c->target == d->target, "target");
        SAME(c->label == d->label, "label");
        SAME_PART(same_expression(c->value, d->value));
        SAME_PART(same_instruction(c, d));
        SAME_PART(same_block(&c->body, &d->body));
        SAME_PART(same_block(&c->otherwise, &d->otherwise));
    }
    return NULL;
}

static const char *same_location(const struct litmus_location *a, const struct litmus_location *b)
{
    SAME(same_text(a->name, b->name), "name of a location");
    SAME(a->type == b->type, "type of a location");
    SAME(a->atomic == b->atomic && a->is_volatile == b->is_volatile && a->legacy == b->legacy,
         "qualifiers of a location");
    SAME(a->constant == b->constant, "constant memory");
    SAME(a->region == b->region && a->home == b->home, "region");
    SAME(a->elements == b->elements && a->array == b->array, "elements");
    SAME(memcmp(a->initial, b->initial, a->elements * sizeof *a->initial) == 0, "initial values");
    SAME(a->points_to == b->points_to, "address in a location");
    SAME(a->alias_of == b->alias_of && a->proxy == b->proxy, "alias");
    return NULL;
}

static bool same_placement(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return a->sub_group == b->sub_group && a->work_group == b->work_group && a->cluster == b->cluster &&
           a->device == b->device && a->queue_family == b->queue_family && a->host == b->host;
}

static const char *same_thread(const struct litmus_thread *a, const struct litmus_thread *b)
{
    SAME(a->first == b->first && a->count == b->count, "numbers of a thread");
    SAME(same_placement(&a->placement, &b->placement), "placement");
    SAME(a->register_count == b->register_count, "number of registers");
    for (size_t i = 0; i < a->register_count; i++) {
        SAME(same_text(a->registers[i].name, b->registers[i].name), "name of a register");
        SAME(a->registers[i].type == b->registers[i].type, "type of a register");
        SAME(a->registers[i].initial == b->registers[i].initial, "initial value of a register");
        SAME(a->registers[i].points_to == b->registers[i].points_to, "address in a register");
        SAME(a->registers[i].numbered == b->registers[i].numbered, "thread's number in a register");
    }
    SAME(a->label_count == b->label_count, "number of labels");
    for (size_t i = 0; i < a->label_count; i++)
        SAME(same_text(a->labels[i], b->labels[i]), "name of a label");
    return same_block(&a->body, &b->body);
}

static const char *same_proposition(const struct litmus_proposition *a, const struct litmus_proposition *b)
{
    SAME(!a == !b, "presence of a proposition");
    if (!a)
        return NULL;
    SAME(a->kind == b->kind && a->relation == b->relation, "kind of a proposition");
    for (int i = 0; i < 2; i++)
        SAME(a->terms[i].variable == b->terms[i].variable && a->terms[i].value == b->terms[i].value, "term");
    SAME_PART(same_proposition(a->left, b->left));
    return same_proposition(a->right, b->right);
}

static const char *same_observations(const struct litmus_test *a, const struct litmus_test *b)
{
    SAME(a->variable_count == b->variable_count, "number of variables");
    for (size_t i = 0; i < a->variable_count; i++) {
        const struct litmus_variable *c = &a->variables[i], *d = &b->variables[i];
        SAME(c->thread == d->thread && c->body == d->body && c->index == d->index && c->element == d->element,
             "variable");
    }
    SAME(a->listed_count == b->listed_count, "number of listed variables");
    for (size_t i = 0; i < a->listed_count; i++)
        SAME(a->listed[i] == b->listed[i], "listed variable");
    SAME(a->quantifier == b->quantifier, "quantifier");
    SAME_PART(same_proposition(a->filter, b->filter));
    return same_proposition(a->condition, b->condition);
}

const char *same_tests(const struct litmus_test *a, const struct litmus_test *b)
{
    SAME(a->dialect == b->dialect, "dialect");
    SAME(same_text(a->name, b->name), "name");
    SAME(same_text(a->doc, b->doc), "doc");
    SAME(a->metadata_count == b->metadata_count, "number of metadata");
    for (size_t i = 0; i < a->metadata_count; i++)
        SAME(same_text(a->metadata[i].key, b->metadata[i].key) && same_text(a->metadata[i].value, b->metadata[i].value),
             "metadata");
    SAME(a->location_count == b->location_count, "number of locations");
    for (size_t i = 0; i < a->location_count; i++)
        SAME_PART(same_location(&a->locations[i], &b->locations[i]));
    SAME(a->thread_count == b->thread_count && a->body_count == b->body_count, "number of threads");
    for (size_t i = 0; i < a->body_count; i++)
        SAME_PART(same_thread(&a->threads[i], &b->threads[i]));
    SAME(a->edge_count == b->edge_count, "number of edges between launches");
    for (size_t i = 0; i < a->edge_count; i++)
        SAME(a->edges[i].later == b->edges[i].later && a->edges[i].earlier == b->edges[i].earlier &&
                 a->edges[i].kind == b->edges[i].kind,
             "edge between launches");
    return same_observations(a, b);
}
