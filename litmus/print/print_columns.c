// SPDX-License-Identifier: Apache-2.0
/* Threads as columns of equal width, and what the instructions of PTX and VULKAN share. */
#include <inttypes.h>

#include "litmus/language/ptx_instructions.h"
#include "litmus/print/print_ptx.h"
#include "litmus/print/printer.h"

void print_ptx_operand(const struct ptx_printer *printer, const struct litmus_expression *operand)
{
    switch (operand->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        text_add(printer->text, "%" PRId64, operand->value);
        break;
    case LITMUS_EXPRESSION_REGISTER:
        text_add(printer->text, "%s", printer->thread->registers[operand->index].name);
        break;
    case LITMUS_EXPRESSION_ADDRESS:
        text_add(printer->text, "%s", printer->test->locations[operand->index].name);
        if (operand->left) {
            text_add(printer->text, "[");
            print_ptx_operand(printer, operand->left);
            text_add(printer->text, "]");
        }
        break;
    case LITMUS_EXPRESSION_UNARY:
    case LITMUS_EXPRESSION_BINARY:
    case LITMUS_EXPRESSION_ACCESS:
        break; /* operands of instructions are none of these */
    }
}

void print_ptx_further(const struct ptx_printer *printer, const struct litmus_expression *operand)
{
    if (!operand)
        return;
    text_add(printer->text, ", ");
    print_ptx_operand(printer, operand);
}

/* A register that holds an address is in brackets, so that "ld r1, [r2]" differs from the move
 * "mov r1, r2". */
static void print_address(const struct ptx_printer *printer, const struct litmus_expression *address)
{
    const bool brackets = address->kind == LITMUS_EXPRESSION_REGISTER;
    text_add(printer->text, "%s", brackets ? "[" : "");
    print_ptx_operand(printer, address);
    text_add(printer->text, "%s", brackets ? "]" : "");
}

static void print_binary(const struct ptx_printer *printer, const struct litmus_expression *value)
{
    print_ptx_operand(printer, value->left);
    print_ptx_further(printer, value->right);
}

static void print_jump(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    if (statement->value) {
        text_add(printer->text, "%s ", ptx_operator_name(PTX_BRANCH, statement->value->op));
        print_binary(printer, statement->value);
        text_add(printer->text, ", ");
    } else
        text_add(printer->text, "goto ");
    text_add(printer->text, "%s", printer->thread->labels[statement->label]);
}

void print_ptx_operands(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_access *access = statement->value->access;
    text_add(printer->text, " ");
    if (statement->kind == LITMUS_ASSIGN)
        text_add(printer->text, "%s, ", printer->thread->registers[statement->target].name);
    print_address(printer, access->address);
    print_ptx_further(printer, access->expected);
    print_ptx_further(printer, access->operand);
}

/* "mov r0, 1", "add r0, r1, 1", "setp.eq r0, r1, 1". */
static void print_computed(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_expression *value = statement->value;
    const char *const target = printer->thread->registers[statement->target].name;
    if (value->kind == LITMUS_EXPRESSION_BINARY) {
        const char *const comparison = ptx_comparison_name(value->op);
        text_add(printer->text, "%s%s %s, ", comparison ? "setp." : "",
                 comparison ? comparison : ptx_operator_name(PTX_COMPUTE, value->op), target);
        print_binary(printer, value);
    } else {
        text_add(printer->text, "mov %s, ", target);
        print_ptx_operand(printer, value);
    }
}

void print_ptx_statement(const struct ptx_printer *printer, const struct litmus_statement *statement,
                         print_cell_function *print_memory)
{
    switch (statement->kind) {
    case LITMUS_LABEL:
        text_add(printer->text, "%s:", printer->thread->labels[statement->label]);
        break;
    case LITMUS_GOTO:
        print_jump(printer, statement);
        break;
    case LITMUS_UNSUPPORTED:
        text_add(printer->text, "%s", statement->text);
        break;
    case LITMUS_IF:
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        break; /* no text of these dialects gives these */
    case LITMUS_ASSIGN:
        if (statement->value->kind != LITMUS_EXPRESSION_ACCESS) {
            print_computed(printer, statement);
            break;
        } /* fall through */
    default:
        print_memory(printer, statement);
        break;
    }
}

/* The cell of a row, row 0 being the thread's name; empty below the thread's last instruction. */
static void print_row_cell(const struct ptx_printer *printer, size_t row, print_cell_function *print_cell)
{
    if (row == 0)
        print_thread_name(printer->test, printer->thread, printer->text);
    else if (row <= printer->thread->body.count)
        print_cell(printer, &printer->thread->body.statements[row - 1]);
}

void print_columns(const struct litmus_test *test, struct text *text, print_cell_function *print_cell)
{
    size_t widths[LITMUS_MAXIMUM_BODIES] = {0};
    size_t rows = 0;
    struct text cell = {0};
    for (size_t i = 0; i < test->body_count; i++) {
        const struct litmus_thread *thread = &test->threads[i];
        rows = thread->body.count > rows ? thread->body.count : rows;
        for (size_t row = 0; row <= thread->body.count; row++) {
            text_clear(&cell);
            print_row_cell(&(struct ptx_printer){test, thread, &cell}, row, print_cell);
            widths[i] = cell.size > widths[i] ? cell.size : widths[i];
        }
    }
    for (size_t row = 0; row <= rows; row++) {
        for (size_t i = 0; i < test->body_count; i++) {
            text_clear(&cell);
            print_row_cell(&(struct ptx_printer){test, &test->threads[i], &cell}, row, print_cell);
            text_add(text, "%s%s%*s ", i > 0 ? "| " : " ", text_string(&cell), (int)(widths[i] - cell.size), "");
        }
        text_add(text, ";\n");
    }
    text_release(&cell);
}
