// SPDX-License-Identifier: Apache-2.0
/* Collects the numbers in a test. */
#include "litmus/language/visit.h"
#include "models/search/enumerate.h"

static void add_constant(struct enumeration *enumeration, int64_t value)
{
    for (size_t i = 0; i < enumeration->constant_count; i++)
        if (enumeration->constants[i] == value)
            return;
    ARENA_ADD(&enumeration->arena, enumeration->constants, enumeration->constant_count) = value;
}

static void add_of_expression(const struct litmus_expression *expression, void *enumeration)
{
    if (expression->kind == LITMUS_EXPRESSION_CONSTANT)
        add_constant(enumeration, expression->value);
}

static void add_of_proposition(struct enumeration *enumeration, const struct litmus_proposition *proposition)
{
    if (!proposition)
        return;
    for (int side = 0; side < 2 && proposition->kind == LITMUS_ATOM; side++)
        if (proposition->terms[side].variable == LITMUS_NONE)
            add_constant(enumeration, proposition->terms[side].value);
    add_of_proposition(enumeration, proposition->left);
    add_of_proposition(enumeration, proposition->right);
}

void enumeration_find_constants(struct enumeration *enumeration)
{
    const struct litmus_test *test = enumeration->test;
    for (size_t body = 0; body < test->body_count; body++)
        litmus_visit_block(&test->threads[body].body, &(struct visitor){NULL, add_of_expression, enumeration});
    add_of_proposition(enumeration, test->condition);
    add_of_proposition(enumeration, test->filter);
}
