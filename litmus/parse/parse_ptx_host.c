// SPDX-License-Identifier: Apache-2.0
/* Columns of host threads: calls of C11's atomic functions, of system scope, one to a cell. */
#include "litmus/language/visit.h"
#include "litmus/parse/c_language.h"
#include "litmus/parse/ptx_cell.h"

static const struct c_language language = {
    .page = "language-ptx.md",
    .functions = C_HOST,
    C11_WORDS,
    .a_parameter = "no parameter",
    .finds_locations = true,
    .notes_form = true,
};

static void count_access(const struct litmus_expression *expression, void *context)
{
    unsigned *count = context;
    *count += expression->access != NULL;
}

/* Whether the value contains an access, other than being one itself. */
static bool has_inner_access(const struct litmus_expression *value)
{
    unsigned count = 0;
    const struct visitor visitor = {.expression = count_access, .context = &count};
    litmus_visit_expression(value, &visitor);
    return count > (value->access != NULL);
}

/* A cell accesses memory once, as an instruction does. The location gives the access its type (parse_ptx_types). */
static enum status check_cell(struct parser *parser, struct litmus_statement *statement)
{
    const struct litmus_expression *value = statement->value;
    if (!value)
        return STATUS_OK;
    if (has_inner_access(value))
        return parser_fail(parser, statement->place, STATUS_SYNTAX, "expected at most one memory access in a cell");
    if (!value->access)
        return STATUS_OK;
    value->access->type = (enum litmus_type)PTX_NO_TYPE;
    if (value->access->order == LITMUS_SEQ_CST)
        return parser_fail(parser, statement->place, STATUS_SYNTAX,
                           "expected relaxed, acquire, release or acq_rel: in a PTX test only fences are seq_cst, as "
                           "atomic_thread_fence(memory_order_seq_cst)");
    if (value->access->expected_address)
        return parser_fail(parser, statement->place, STATUS_SYNTAX,
                           "expected a register such as &r0 that holds the expected value");
    return STATUS_OK;
}

enum status parse_host_cell(struct parser *parser, struct draft *draft)
{
    struct litmus_block *body = &draft->thread.body;
    const size_t before = body->count;
    TRY(parse_c_cell(parser, draft, &language));
    for (size_t i = before; i < body->count; i++)
        TRY(check_cell(parser, &body->statements[i]));
    return STATUS_OK;
}
