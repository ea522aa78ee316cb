// SPDX-License-Identifier: Apache-2.0
/* Tests as a whole, values of types, and the propositions that an outcome satisfies. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/language/words.h"

struct litmus_test *litmus_new(void)
{
    struct arena arena = {0};
    struct litmus_test *test = arena_take(&arena, 1, sizeof *test);
    test->arena = arena;
    return test;
}

void litmus_release(struct litmus_test *test)
{
    if (!test)
        return;
    struct arena arena = test->arena; /* it holds the test itself */
    arena_release(&arena);
}

unsigned litmus_storage(const struct litmus_test *test, unsigned location)
{
    while (test->locations[location].alias_of != LITMUS_NONE)
        location = (unsigned)test->locations[location].alias_of;
    return location;
}

unsigned litmus_address(const struct litmus_test *test, unsigned location)
{
    while (test->locations[location].proxy != LITMUS_GENERIC && test->locations[location].alias_of != LITMUS_NONE)
        location = (unsigned)test->locations[location].alias_of;
    return location;
}

enum litmus_type litmus_variable_type(const struct litmus_test *test, const struct litmus_variable *variable)
{
    if (variable->thread == LITMUS_NONE)
        return test->locations[variable->index].type;
    return test->threads[variable->body].registers[variable->index].type;
}

void print_value(enum litmus_type type, int64_t value, struct text *text)
{
    if (litmus_type_is_float(type) && !litmus_is_exact(type, value))
        text_add(text, "0x%0*" PRIx64, 2 * (int)litmus_type_size(type), litmus_value_bits(type, value));
    else if (litmus_type_is_unsigned(type))
        text_add(text, "%" PRIu64, (uint64_t)value);
    else
        text_add(text, "%" PRId64, value);
}

enum litmus_scope litmus_barrier_level(enum litmus_dialect dialect, const struct litmus_barrier *barrier)
{
    if (dialect == LITMUS_VULKAN)
        return barrier->scope == LITMUS_SUB_GROUP ? LITMUS_SUB_GROUP : LITMUS_WORK_GROUP;
    if (dialect != LITMUS_OPENCL && barrier->scope == LITMUS_CLUSTER)
        return LITMUS_CLUSTER;
    const bool sub_group = dialect == LITMUS_OPENCL ? barrier->sub_group : barrier->scope == LITMUS_SUB_GROUP;
    return sub_group ? LITMUS_SUB_GROUP : LITMUS_WORK_GROUP;
}

static bool is_ulong(const struct litmus_test *test, const struct litmus_term *term)
{
    return term->variable != LITMUS_NONE &&
           litmus_type_promoted(litmus_variable_type(test, &test->variables[term->variable])) == LITMUS_ULONG;
}

/* -1, 0 or 1. A comparison of a ulong with anything is unsigned, as in C. */
static int compare_terms(const struct litmus_test *test, const struct litmus_proposition *atom, const int64_t *values)
{
    int64_t sides[2];
    for (int i = 0; i < 2; i++)
        sides[i] = atom->terms[i].variable == LITMUS_NONE ? atom->terms[i].value : values[atom->terms[i].variable];
    if (is_ulong(test, &atom->terms[0]) || is_ulong(test, &atom->terms[1])) {
        const uint64_t left = (uint64_t)sides[0], right = (uint64_t)sides[1];
        return (left > right) - (left < right);
    }
    return (sides[0] > sides[1]) - (sides[0] < sides[1]);
}

static bool atom_holds(const struct litmus_test *test, const struct litmus_proposition *atom, const int64_t *values)
{
    const int order = compare_terms(test, atom, values);
    switch (atom->relation) {
    case LITMUS_IS:
        return order == 0;
    case LITMUS_IS_NOT:
        return order != 0;
    case LITMUS_LESS:
        return order < 0;
    case LITMUS_LESS_OR_IS:
        return order <= 0;
    case LITMUS_MORE:
        return order > 0;
    case LITMUS_MORE_OR_IS:
        return order >= 0;
    }
    return false;
}

static bool holds(const struct litmus_test *test, const struct litmus_proposition *proposition, const int64_t *values)
{
    switch (proposition->kind) {
    case LITMUS_TRUE:
        return true;
    case LITMUS_FALSE:
        return false;
    case LITMUS_ATOM:
        return atom_holds(test, proposition, values);
    case LITMUS_NEGATION:
        return !holds(test, proposition->left, values);
    case LITMUS_CONJUNCTION:
        return holds(test, proposition->left, values) && holds(test, proposition->right, values);
    case LITMUS_DISJUNCTION:
        return holds(test, proposition->left, values) || holds(test, proposition->right, values);
    case LITMUS_IMPLICATION:
        return !holds(test, proposition->left, values) || holds(test, proposition->right, values);
    }
    return false;
}

bool litmus_passes_filter(const struct litmus_test *test, const int64_t *values)
{
    return !test->filter || holds(test, test->filter, values);
}

bool litmus_is_witness(const struct litmus_test *test, const int64_t *values)
{
    if (test->quantifier == LITMUS_NO_CONDITION)
        return false;
    return holds(test, test->condition, values) == (test->quantifier != LITMUS_FORALL);
}

void print_variable(const struct litmus_test *test, const struct litmus_variable *variable, struct text *text)
{
    if (variable->thread != LITMUS_NONE) {
        text_add(text, "%d:%s", variable->thread, test->threads[variable->body].registers[variable->index].name);
        return;
    }
    const struct litmus_location *location = &test->locations[variable->index];
    if (location->array)
        text_add(text, "%s[%" PRIu32 "]", location->name, variable->element);
    else
        text_add(text, "[%s]", location->name);
}

void litmus_print_outcome(const struct litmus_test *test, const int64_t *values, struct text *text)
{
    if (test->variable_count == 0)
        text_add(text, "-");
    for (size_t i = 0; i < test->variable_count; i++) {
        text_add(text, "%s", i > 0 ? " " : "");
        print_variable(test, &test->variables[i], text);
        text_add(text, "=");
        print_value(litmus_variable_type(test, &test->variables[i]), values[i], text);
        text_add(text, ";");
    }
}

/* Reads the output of print_value; other text gives an arbitrary value. */
static int64_t read_value(enum litmus_type type, const char *text)
{
    if (litmus_type_is_float(type) && strncmp(text, "0x", 2) == 0)
        return litmus_value_of_bits(type, strtoull(text, NULL, 16));
    return litmus_type_is_unsigned(type) ? (int64_t)strtoull(text, NULL, 10) : strtoll(text, NULL, 10);
}

bool litmus_label_read(const struct litmus_test *test, const char *label, int64_t *values)
{
    struct text again = {0};
    const char *at = label;
    for (size_t i = 0; i < test->variable_count; i++) {
        at = strchr(at, '=');
        if (!at)
            return false;
        values[i] = read_value(litmus_variable_type(test, &test->variables[i]), ++at);
    }
    litmus_print_outcome(test, values, &again);
    const bool same = strcmp(text_string(&again), label) == 0;
    text_release(&again);
    return same;
}

bool litmus_label_is_witness(const struct litmus_test *test, const char *label)
{
    int64_t values[LITMUS_MAXIMUM_VARIABLES];
    return litmus_label_read(test, label, values) && litmus_is_witness(test, values);
}
