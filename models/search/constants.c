// SPDX-License-Identifier: Apache-2.0
/* Collects the numbers in a test. */
#include "models/search/enumerate.h"

static void add_constant(struct enumeration *enumeration, int64_t value)
{
    for (size_t i = 0; i < enumeration->constant_count; i++)
        if (enumeration->constants[i] == value)
            return;
    ARENA_ADD(&enumeration->arena, enumeration->constants, enumeration->constant_count) = value;
}

static void add_of_expression(struct enumeration *enumeration, const struct litmus_expression *expression)
{
    if (!expression)
        return;
    if (expression->kind == LITMUS_EXPRESSION_CONSTANT)
        add_constant(enumeration, expression->value);
    add_of_expression(enumeration, expression->left);
    add_of_expression(enumeration, expression->right);
    if (!expression->access)
        return;
    add_of_expression(enumeration, expression->access->address);
    add_of_expression(enumeration, expression->access->operand);
    add_of_expression(enumeration, expression->access->expected);
    add_of_expression(enumeration, expression->access->expected_address);
}

static void add_of_block(struct enumeration *enumeration, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        add_of_expression(enumeration, block->statements[i].value);
        const struct litmus_vector *vector = &block->statements[i].vector;
        for (unsigned lane = 0; block->statements[i].kind == LITMUS_VECTOR && lane < vector->lanes; lane++)
            add_of_expression(enumeration, vector->values[lane]);
        add_of_block(enumeration, &block->statements[i].body);
        add_of_block(enumeration, &block->statements[i].otherwise);
    }
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
        add_of_block(enumeration, &test->threads[body].body);
    add_of_proposition(enumeration, test->condition);
    add_of_proposition(enumeration, test->filter);
}
