// SPDX-License-Identifier: Apache-2.0
/* A test in the words of PTX or VULKAN, whose threads are columns of single instructions. */
#include <stdio.h>
#include <string.h>

#include "kernel/target.h"
#include "litmus/language/ptx_instructions.h"
#include "litmus/language/visit.h"

struct target_printing {
    const struct litmus_test *test;
    struct arena *arena;
    struct litmus_thread *thread; /* with what was written so far */
    unsigned temporaries, barriers;
    struct error *error;
};

static enum status refuse(struct target_printing *printing, const char *what)
{
    return error_set(printing->error, STATUS_UNSUPPORTED, "%s, which a test of single instructions cannot have", what);
}

static bool is_operand(const struct litmus_expression *expression)
{
    return !expression || expression->kind == LITMUS_EXPRESSION_CONSTANT ||
           expression->kind == LITMUS_EXPRESSION_REGISTER ||
           (expression->kind == LITMUS_EXPRESSION_ADDRESS && is_operand(expression->left));
}

/* A comparison or an operator with a word, of two operands. PTX alone has comparisons that give a number. */
static bool is_computation(const struct target_printing *printing, const struct litmus_expression *value)
{
    const bool compares = printing->test->dialect == LITMUS_PTX && ptx_comparison_name(value->op);
    return value->kind == LITMUS_EXPRESSION_BINARY && is_operand(value->left) && is_operand(value->right) &&
           (compares || ptx_operator_name(PTX_COMPUTE, value->op));
}

static struct litmus_statement *add(struct target_printing *printing, enum litmus_statement_kind kind)
{
    struct litmus_block *body = &printing->thread->body;
    struct litmus_statement *statement = &ARENA_ADD(printing->arena, body->statements, body->count);
    *statement = (struct litmus_statement){.kind = kind, .target = LITMUS_NONE, .label = LITMUS_NONE};
    return statement;
}

static struct litmus_expression *register_of(struct target_printing *printing, int index)
{
    struct litmus_expression *expression = arena_take(printing->arena, 1, sizeof *expression);
    expression->kind = LITMUS_EXPRESSION_REGISTER;
    expression->index = index;
    return expression;
}

static bool has_register(const struct litmus_thread *thread, const char *name)
{
    for (size_t i = 0; i < thread->register_count; i++)
        if (strcmp(thread->registers[i].name, name) == 0)
            return true;
    return false;
}

/* A register that the test has not. */
static int add_temporary(struct target_printing *printing, enum litmus_type type)
{
    struct litmus_thread *thread = printing->thread;
    struct litmus_register *list = arena_take(printing->arena, thread->register_count + 1, sizeof *list);
    char *name;
    do
        name = arena_print(printing->arena, "t%u", printing->temporaries++);
    while (has_register(thread, name));
    if (thread->register_count > 0)
        memcpy(list, thread->registers, thread->register_count * sizeof *list);
    list[thread->register_count] = (struct litmus_register){.name = name, .type = type, .points_to = LITMUS_NONE};
    thread->registers = list;
    return (int)thread->register_count++;
}

/* A compare-and-swap that gives success, and the old value where the expected one was: t = cas x, r0, v; r1 = t == r0; r0 = t. */
static enum status add_swap(struct target_printing *printing, int target, struct litmus_access *access,
                            struct litmus_expression *value)
{
    const int old = add_temporary(printing, access->type), expected = access->expected_register;
    struct litmus_statement *swap = add(printing, LITMUS_ASSIGN);
    swap->target = old;
    swap->value = value;
    access->expected = register_of(printing, expected);
    access->expected_register = LITMUS_NONE;
    if (target != LITMUS_NONE && printing->test->dialect != LITMUS_PTX)
        return refuse(printing, "the success of a compare_exchange");
    if (target != LITMUS_NONE) {
        struct litmus_expression *success = arena_take(printing->arena, 1, sizeof *success);
        *success = (struct litmus_expression){.kind = LITMUS_EXPRESSION_BINARY,
                                              .op = LITMUS_EQ,
                                              .left = register_of(printing, old),
                                              .right = register_of(printing, expected)};
        struct litmus_statement *compare = add(printing, LITMUS_ASSIGN);
        compare->target = target;
        compare->value = success;
    }
    struct litmus_statement *keep = add(printing, LITMUS_ASSIGN);
    keep->target = expected;
    keep->value = register_of(printing, old);
    return STATUS_OK;
}

/* A subtraction adds the opposite. */
static enum status negate(struct target_printing *printing, struct litmus_access *access)
{
    struct litmus_expression *operand = arena_take(printing->arena, 1, sizeof *operand);
    if (access->operand->kind != LITMUS_EXPRESSION_CONSTANT)
        return refuse(printing, "a subtraction of a register");
    *operand = *access->operand;
    operand->value = -operand->value;
    access->operand = operand;
    access->operation = LITMUS_FETCH_ADD;
    return STATUS_OK;
}

static enum status add_access(struct target_printing *printing, const struct litmus_statement *statement)
{
    const int target = statement->kind == LITMUS_ASSIGN ? statement->target : LITMUS_NONE;
    struct litmus_expression *value = arena_take(printing->arena, 1, sizeof *value);
    struct litmus_access *access = arena_take(printing->arena, 1, sizeof *access);
    *value = *statement->value;
    *access = *statement->value->access;
    value->access = access;
    if (access->expected_address)
        return refuse(printing, "a compare_exchange whose expected value is in a location");
    if (!is_operand(access->address) || !is_operand(access->operand) || !is_operand(access->expected))
        return refuse(printing, "an operand that is computed");
    if (access->operation == LITMUS_FETCH_SUB)
        TRY(negate(printing, access));
    if (access->operation == LITMUS_CAS && !access->expected)
        return add_swap(printing, target, access, value);
    const bool drops = target == LITMUS_NONE && access->operation != LITMUS_STORE && !access->no_result;
    const int kept = drops ? add_temporary(printing, access->type) : target;
    struct litmus_statement *own = add(printing, kept == LITMUS_NONE ? LITMUS_PERFORM : LITMUS_ASSIGN);
    own->target = kept;
    own->value = value;
    return STATUS_OK;
}

static enum status add_statement(struct target_printing *printing, const struct litmus_statement *statement)
{
    const struct litmus_expression *value = statement->value;
    switch (statement->kind) {
    case LITMUS_ASSIGN:
    case LITMUS_PERFORM:
        if (value->access)
            return add_access(printing, statement);
        if (!is_operand(value) && !is_computation(printing, value))
            return refuse(printing, "a computation of several steps");
        break;
    case LITMUS_BARRIER: {
        struct litmus_barrier *barrier = &add(printing, LITMUS_BARRIER)->barrier;
        *barrier = statement->barrier;
        if (!barrier->instance)
            barrier->instance = arena_print(printing->arena, "%u", printing->barriers);
        printing->barriers++;
        return STATUS_OK;
    }
    case LITMUS_GOTO:
        if (value && (value->kind != LITMUS_EXPRESSION_BINARY || !is_operand(value->left) ||
                      !is_operand(value->right) || !ptx_operator_name(PTX_BRANCH, value->op)))
            return refuse(printing, "a computed condition");
        break;
    case LITMUS_IF:
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        return refuse(printing, "a branch or a loop");
    default:
        break;
    }
    *add(printing, statement->kind) = *statement;
    return STATUS_OK;
}

/* The host's statements are C11's, with values of any depth. */
static enum status add_host_statement(struct target_printing *printing, const struct litmus_statement *statement)
{
    if (statement->kind != LITMUS_ASSIGN && statement->kind != LITMUS_PERFORM && !litmus_is_fence(statement))
        return refuse(printing, "a branch or a loop");
    *add(printing, statement->kind) = *statement;
    return STATUS_OK;
}

enum status kernel_print_instructions(const struct litmus_test *test, struct text *text, struct error *error)
{
    struct arena arena = {0};
    struct litmus_test printed = *test;
    struct target_printing printing = {.test = test, .arena = &arena, .error = error};
    enum status status = STATUS_OK;
    printed.threads = arena_take(&arena, test->body_count, sizeof *printed.threads);
    for (size_t body = 0; body < test->body_count && status == STATUS_OK; body++) {
        printing.thread = &printed.threads[body];
        printing.temporaries = printing.barriers = 0;
        *printing.thread = test->threads[body];
        printing.thread->body = (struct litmus_block){0};
        for (size_t i = 0; i < test->threads[body].body.count && status == STATUS_OK; i++)
            status = (test->threads[body].placement.host ? add_host_statement : add_statement)(
                &printing, &test->threads[body].body.statements[i]);
    }
    if (status == STATUS_OK)
        litmus_print(&printed, text);
    arena_release(&arena);
    return status;
}

enum status kernel_target_print(const struct kernel_target *target, struct text *text, struct error *error)
{
    struct litmus_test *again;
    struct error why;
    const size_t start = text->size;
    TRY(kernel_print_instructions(target->test, text, error));
    const char *const own = text_string(text) + start;
    if (litmus_parse(target->test->name, own, text->size - start, &again, &why) != STATUS_OK)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no words for it: %s",
                         litmus_dialect_name(target->test->dialect), why.text);
    litmus_release(again);
    return STATUS_OK;
}
