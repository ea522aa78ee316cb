// SPDX-License-Identifier: Apache-2.0
/* Expressions, statements, registers and conditions of generated tests. */
#include "litmus/language/build.h"

void *build_take(const struct litmus_builder *builder, size_t count, size_t size)
{
    return arena_take(&builder->test->arena, count, size);
}

struct litmus_expression *build_expression(const struct litmus_builder *builder, enum litmus_expression_kind kind)
{
    struct litmus_expression *expression = build_take(builder, 1, sizeof *expression);
    *expression = (struct litmus_expression){.kind = kind, .index = LITMUS_NONE};
    return expression;
}

struct litmus_expression *build_constant(const struct litmus_builder *builder, int64_t value)
{
    struct litmus_expression *expression = build_expression(builder, LITMUS_EXPRESSION_CONSTANT);
    expression->value = value;
    return expression;
}

struct litmus_expression *build_register(const struct litmus_builder *builder, int index)
{
    struct litmus_expression *expression = build_expression(builder, LITMUS_EXPRESSION_REGISTER);
    expression->index = index;
    return expression;
}

struct litmus_expression *build_binary(const struct litmus_builder *builder, enum litmus_operator op,
                                       struct litmus_expression *left, struct litmus_expression *right)
{
    struct litmus_expression *expression = build_expression(builder, LITMUS_EXPRESSION_BINARY);
    expression->op = op;
    expression->left = left;
    expression->right = right;
    return expression;
}

struct litmus_statement *build_statement(struct litmus_builder *builder, enum litmus_statement_kind kind)
{
    struct litmus_statement *statement = &builder->block->statements[builder->block->count++];
    *statement = (struct litmus_statement){.kind = kind, .target = LITMUS_NONE, .label = LITMUS_NONE};
    return statement;
}

void build_assign(struct litmus_builder *builder, int target, struct litmus_expression *value)
{
    struct litmus_statement *statement = build_statement(builder, LITMUS_ASSIGN);
    statement->target = target;
    statement->value = value;
}

int build_new_register(struct litmus_builder *builder, bool observed)
{
    struct litmus_thread *thread = builder->thread;
    thread->registers[thread->register_count] = (struct litmus_register){
        .name = arena_print(&builder->test->arena, "%c%u", observed ? 'r' : 't',
                            observed ? builder->reads++ : builder->temps++),
        .type = LITMUS_INT,
        .points_to = LITMUS_NONE,
    };
    return (int)thread->register_count++;
}

/* Dialects of instructions jump over the rest to a label. */
void build_only_if_equal(struct litmus_builder *builder, struct litmus_expression *left,
                         struct litmus_expression *right, size_t room)
{
    const bool jumps = litmus_has_columns(builder->test->dialect);
    struct litmus_statement *statement = build_statement(builder, jumps ? LITMUS_GOTO : LITMUS_IF);
    statement->value = build_binary(builder, jumps ? LITMUS_NE : LITMUS_EQ, left, right);
    if (!jumps) {
        statement->body.statements = build_take(builder, room, sizeof *statement->body.statements);
        builder->block = &statement->body;
        return;
    }
    statement->label = 0;
    if (builder->thread->label_count == 0)
        ARENA_ADD(&builder->test->arena, builder->thread->labels, builder->thread->label_count) =
            arena_copy(&builder->test->arena, "LC00");
}

void build_thread_end(struct litmus_builder *builder)
{
    if (builder->thread->label_count > 0)
        build_statement(builder, LITMUS_LABEL)->label = 0;
}

void build_condition_atom(const struct litmus_builder *builder, struct litmus_variable variable, int64_t value)
{
    struct litmus_test *test = builder->test;
    struct litmus_proposition *atom = build_take(builder, 1, sizeof *atom);
    *atom = (struct litmus_proposition){.kind = LITMUS_ATOM, .relation = LITMUS_IS};
    atom->terms[0].variable = (int)test->variable_count;
    atom->terms[1] = (struct litmus_term){.variable = LITMUS_NONE, .value = value};
    test->variables[test->variable_count++] = variable;
    if (test->condition) {
        struct litmus_proposition *both = build_take(builder, 1, sizeof *both);
        *both = (struct litmus_proposition){
            .kind = LITMUS_CONJUNCTION,
            .terms = {{.variable = LITMUS_NONE}, {.variable = LITMUS_NONE}},
            .left = test->condition,
            .right = atom,
        };
        atom = both;
    }
    test->condition = atom;
}
