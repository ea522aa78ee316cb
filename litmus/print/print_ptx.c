// SPDX-License-Identifier: Apache-2.0
/* Threads of PTX tests: columns of equal width, one row per instruction. */
#include <inttypes.h>

#include "litmus/language/ptx.h"
#include "litmus/print/printer.h"

static void print_operand(const struct litmus_test *test, const struct litmus_thread *thread,
                          const struct litmus_expression *operand, struct text *text)
{
    switch (operand->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        text_add(text, "%" PRId64, operand->value);
        break;
    case LITMUS_EXPRESSION_REGISTER:
        text_add(text, "%s", thread->registers[operand->index].name);
        break;
    case LITMUS_EXPRESSION_ADDRESS:
        text_add(text, "%s", test->locations[operand->index].name);
        if (operand->left) {
            text_add(text, "[");
            print_operand(test, thread, operand->left, text);
            text_add(text, "]");
        }
        break;
    case LITMUS_EXPRESSION_UNARY:
    case LITMUS_EXPRESSION_BINARY:
    case LITMUS_EXPRESSION_ACCESS:
        break; /* operands of instructions are none of these */
    }
}

/* A register that holds an address stands in brackets, so that "ld r1, [r2]" differs from the move "mov r1, r2". */
static void print_address(const struct litmus_test *test, const struct litmus_thread *thread,
                          const struct litmus_expression *address, struct text *text)
{
    const bool brackets = address->kind == LITMUS_EXPRESSION_REGISTER;
    text_add(text, "%s", brackets ? "[" : "");
    print_operand(test, thread, address, text);
    text_add(text, "%s", brackets ? "]" : "");
}

static const char *type_suffix(enum litmus_type type)
{
    static const char *const suffixes[LITMUS_TYPE_COUNT] = {
        [LITMUS_INT] = ".s32",   [LITMUS_UINT] = ".u32",  [LITMUS_LONG] = ".s64",
        [LITMUS_ULONG] = ".u64", [LITMUS_FLOAT] = ".f32", [LITMUS_DOUBLE] = ".f64"};
    return suffixes[type];
}

/* The type that an access has without a suffix. */
static enum litmus_type assumed_type(const struct litmus_test *test, const struct litmus_thread *thread,
                                     const struct litmus_access *access)
{
    const int location = access->address->kind == LITMUS_EXPRESSION_ADDRESS
                             ? access->address->index
                             : thread->registers[access->address->index].points_to;
    return location == LITMUS_NONE ? LITMUS_INT : test->locations[location].type;
}

static void print_access(const struct litmus_test *test, const struct litmus_thread *thread,
                         const struct litmus_statement *statement, struct text *text)
{
    const struct litmus_access *access = statement->value->access;
    const enum ptx_shape shape = access->operation == LITMUS_LOAD    ? PTX_LOAD
                                 : access->operation == LITMUS_STORE ? PTX_STORE
                                 : access->no_result                 ? PTX_RED
                                                                     : PTX_ATOM;
    text_add(text, "%s.%s", ptx_access_name(shape, access->proxy), litmus_order_name(LITMUS_PTX, access->order));
    if (access->order != LITMUS_PLAIN && access->order != LITMUS_VOLATILE)
        text_add(text, ".%s", litmus_scope_name(LITMUS_PTX, access->scope));
    if (shape == PTX_ATOM || shape == PTX_RED)
        text_add(text, ".%s", litmus_operation_name(LITMUS_PTX, access->operation));
    if (access->type != assumed_type(test, thread, access))
        text_add(text, "%s", type_suffix(access->type));
    text_add(text, " ");
    if (statement->kind == LITMUS_ASSIGN)
        text_add(text, "%s, ", thread->registers[statement->target].name);
    print_address(test, thread, access->address, text);
    const struct litmus_expression *const operands[] = {access->expected, access->operand};
    for (int i = 0; i < 2; i++) {
        if (operands[i]) {
            text_add(text, ", ");
            print_operand(test, thread, operands[i], text);
        }
    }
}

static void print_binary(const struct litmus_test *test, const struct litmus_thread *thread,
                         const struct litmus_expression *value, struct text *text)
{
    print_operand(test, thread, value->left, text);
    text_add(text, ", ");
    print_operand(test, thread, value->right, text);
}

static void print_assignment(const struct litmus_test *test, const struct litmus_thread *thread,
                             const struct litmus_statement *statement, struct text *text)
{
    const struct litmus_expression *value = statement->value;
    const char *const target = thread->registers[statement->target].name;
    if (value->kind == LITMUS_EXPRESSION_ACCESS)
        print_access(test, thread, statement, text);
    else if (value->kind == LITMUS_EXPRESSION_BINARY) {
        text_add(text, "%s %s, ", ptx_operator_name(PTX_COMPUTE, value->op), target);
        print_binary(test, thread, value, text);
    } else {
        text_add(text, "mov %s, ", target);
        print_operand(test, thread, value, text);
    }
}

static void print_fence(const struct litmus_fence *fence, struct text *text)
{
    if (fence->order == LITMUS_PLAIN)
        text_add(text, "fence.proxy.%s", proxy_name(fence->proxy));
    else
        text_add(text, "fence.%s.%s", litmus_order_name(LITMUS_PTX, fence->order),
                 litmus_scope_name(LITMUS_PTX, fence->scope));
}

static void print_barrier(const struct litmus_test *test, const struct litmus_thread *thread,
                          const struct litmus_barrier *barrier, struct text *text)
{
    text_add(text, "bar.%s.%s %s", barrier->scope == LITMUS_SUB_GROUP ? "warp" : "cta",
             barrier->arrive ? "arrive" : "sync", barrier->instance);
    const struct litmus_expression *const operands[] = {barrier->resource, barrier->quorum};
    for (int i = 0; i < 2; i++) {
        if (operands[i]) {
            text_add(text, ", ");
            print_operand(test, thread, operands[i], text);
        }
    }
}

static void print_jump(const struct litmus_test *test, const struct litmus_thread *thread,
                       const struct litmus_statement *statement, struct text *text)
{
    if (statement->value) {
        text_add(text, "%s ", ptx_operator_name(PTX_BRANCH, statement->value->op));
        print_binary(test, thread, statement->value, text);
        text_add(text, ", ");
    } else
        text_add(text, "goto ");
    text_add(text, "%s", thread->labels[statement->label]);
}

static void print_cell(const struct litmus_test *test, const struct litmus_thread *thread,
                       const struct litmus_statement *statement, struct text *text)
{
    switch (statement->kind) {
    case LITMUS_ASSIGN:
        print_assignment(test, thread, statement, text);
        break;
    case LITMUS_PERFORM:
        print_access(test, thread, statement, text);
        break;
    case LITMUS_FENCE:
        print_fence(&statement->fence, text);
        break;
    case LITMUS_BARRIER:
        print_barrier(test, thread, &statement->barrier, text);
        break;
    case LITMUS_LABEL:
        text_add(text, "%s:", thread->labels[statement->label]);
        break;
    case LITMUS_GOTO:
        print_jump(test, thread, statement, text);
        break;
    case LITMUS_UNSUPPORTED:
        text_add(text, "%s", statement->text);
        break;
    case LITMUS_IF:
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        break; /* no text of this dialect gives these */
    }
}

/* The cell of a row, row 0 being the thread's name; empty below the thread's last instruction. */
static void print_row_cell(const struct litmus_test *test, const struct litmus_thread *thread, size_t row,
                           struct text *text)
{
    if (row == 0)
        print_thread_name(test, thread, text);
    else if (row <= thread->body.count)
        print_cell(test, thread, &thread->body.statements[row - 1], text);
}

void print_ptx_threads(const struct litmus_test *test, struct text *text)
{
    size_t widths[LITMUS_MAXIMUM_BODIES] = {0};
    size_t rows = 0;
    struct text cell = {0};
    for (size_t i = 0; i < test->body_count; i++) {
        const struct litmus_thread *thread = &test->threads[i];
        rows = thread->body.count > rows ? thread->body.count : rows;
        for (size_t row = 0; row <= thread->body.count; row++) {
            text_clear(&cell);
            print_row_cell(test, thread, row, &cell);
            widths[i] = cell.size > widths[i] ? cell.size : widths[i];
        }
    }
    for (size_t row = 0; row <= rows; row++) {
        for (size_t i = 0; i < test->body_count; i++) {
            text_clear(&cell);
            print_row_cell(test, &test->threads[i], row, &cell);
            text_add(text, "%s%s%*s ", i > 0 ? "| " : " ", text_string(&cell), (int)(widths[i] - cell.size), "");
        }
        text_add(text, ";\n");
    }
    text_release(&cell);
}
