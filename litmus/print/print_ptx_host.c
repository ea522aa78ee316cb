// SPDX-License-Identifier: Apache-2.0
/* Cells of host threads: C11's calls, whose scope is always the system's. */
#include "litmus/language/words.h"
#include "litmus/print/print_c.h"
#include "litmus/print/print_ptx.h"

/* A value outside parentheses: | would end the cell. */
static void print_value_of(const struct c_printer *printer, const struct litmus_expression *value)
{
    print_c_expression(printer, value, operator_level(LITMUS_OR) + 1);
}

static void print_access(const struct c_printer *printer, const struct litmus_access *access)
{
    if (access->order != LITMUS_PLAIN) {
        print_c_call(printer, access, true);
        text_add(printer->text, ")");
        return;
    }
    print_c_pointee(printer, access->address);
    if (!access->operand)
        return;
    text_add(printer->text, " = ");
    print_value_of(printer, access->operand);
}

static const struct c_style style = {.words = LITMUS_C, .access = print_access};

void print_host_cell(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct c_printer c = {
        .style = &style, .test = printer->test, .thread = printer->thread, .text = printer->text};
    if (statement->kind == LITMUS_FENCE) {
        text_add(c.text, "atomic_thread_fence(%s)", litmus_order_name(LITMUS_C, statement->fence.order));
        return;
    }
    if (statement->kind == LITMUS_ASSIGN)
        text_add(c.text, "%s = ", c_register_name(&c, statement->target));
    print_value_of(&c, statement->value);
}
