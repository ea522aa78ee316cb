// SPDX-License-Identifier: Apache-2.0
/* Whether two tests are the same, member by member. */
#include "tests/litmus/same.h"

#include <string.h>

#include "litmus/language/walk.h"

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
    return litmus_same_block(&a->body, &b->body, true) ? NULL : "statements";
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
