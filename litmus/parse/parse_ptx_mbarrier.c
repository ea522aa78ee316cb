// SPDX-License-Identifier: Apache-2.0
/* Operations of mbarriers, the barrier of a cluster, and fences that order only some operations. */
#include "litmus/language/mbarrier.h"
#include "litmus/parse/ptx_cell.h"

enum status ptx_take_mbarrier(struct ptx_cell *cell, struct litmus_expression **result)
{
    cell->modifiers.space = LITMUS_NONE;
    TRY(ptx_take_address(cell, result));
    const struct token name = ptx_address_name(cell, *result);
    if ((*result)->kind != LITMUS_EXPRESSION_ADDRESS ||
        cell->parser->test->locations[(*result)->index].type != LITMUS_MBARRIER)
        return parser_expected_not(cell->parser, &name,
                                   "an mbarrier, which the initial state declares: { mbarrier m=1; }");
    return STATUS_OK;
}

/* PTX ISA: an arrival is release or relaxed, a wait acquire or relaxed, and a change of the bytes alone relaxed. */
static enum status set_order(struct ptx_cell *cell, const struct ptx_form *form, struct litmus_access *access)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const struct token whole = ptx_whole_name(cell);
    const int order = modifiers->order, scope = modifiers->scope;
    if (order != LITMUS_NONE && order != LITMUS_RELAXED && order != (int)form->order)
        return parser_expected_not(cell->parser, &whole,
                                   form->order == LITMUS_RELEASE   ? "an arrival that is release or relaxed"
                                   : form->order == LITMUS_ACQUIRE ? "a wait that is acquire or relaxed"
                                                                   : "a relaxed change of the bytes");
    if ((order == LITMUS_NONE) != (scope == LITMUS_NONE) ||
        (scope != LITMUS_NONE && scope != LITMUS_WORK_GROUP && scope != LITMUS_CLUSTER))
        return parser_expected_not(cell->parser, &whole, "an order with the scope cta or cluster, or neither");
    access->order = access->failure = order == LITMUS_NONE ? form->order : (enum litmus_order)order;
    access->scope = access->order == LITMUS_PLAIN ? LITMUS_SCOPE_NONE
                    : scope == LITMUS_NONE        ? LITMUS_WORK_GROUP
                                                  : (enum litmus_scope)scope;
    return STATUS_OK;
}

static struct litmus_expression *constant(const struct ptx_cell *cell, int64_t value)
{
    struct litmus_expression *result =
        parser_expression(cell->parser, LITMUS_EXPRESSION_CONSTANT, cell->parser->token.place);
    result->value = value;
    return result;
}

static enum status take_count(struct ptx_cell *cell, const char *what, unsigned least, unsigned most,
                              struct litmus_expression **result)
{
    const struct token number = cell->parser->token;
    unsigned count;
    *result = constant(cell, 0);
    TRY(parser_count(cell->parser, what, most, &count));
    (*result)->value = count;
    return count >= least ? STATUS_OK : parser_expected_not(cell->parser, &number, what);
}

/* The access, and the statement that assigns its result or drops it. */
static enum status add_access(struct ptx_cell *cell, struct litmus_access *access, int target)
{
    struct litmus_expression *value = parser_expression(cell->parser, LITMUS_EXPRESSION_ACCESS, cell->name.place);
    struct litmus_statement *statement;
    value->access = access;
    TRY(parser_statement(cell->parser, &cell->draft->thread.body,
                         target == LITMUS_NONE ? LITMUS_PERFORM : LITMUS_ASSIGN, cell->name.place, &statement));
    statement->target = target;
    statement->value = value;
    return STATUS_OK;
}

static enum status start_access(struct ptx_cell *cell, const struct ptx_form *form, struct litmus_access **access)
{
    *access = parser_access(cell->parser);
    (*access)->operation = form->operation;
    (*access)->type = LITMUS_MBARRIER;
    cell->modifiers.type = LITMUS_NONE;
    return set_order(cell, form, *access);
}

/* "_, [m]", "_, [m], 2", "[m], 16"; of mbarrier.init "[m], 2". */
enum status ptx_parse_arrival(struct ptx_cell *cell, const struct ptx_form *form)
{
    struct parser *parser = cell->parser;
    const bool arrives = form->operation == LITMUS_ARRIVE, starts = form->operation == LITMUS_MBARRIER_INIT;
    struct litmus_access *access;
    bool more = true;
    TRY(start_access(cell, form, &access));
    access->no_result = true;
    if ((form->flags & PTX_SINK) != 0) {
        TRY(parser_take(parser, "_"));
        TRY(parser_take(parser, ","));
    }
    TRY(ptx_take_mbarrier(cell, &access->address));
    access->operand = constant(cell, 1);
    TRY(arrives ? parser_take_if(parser, ",", &more) : parser_take(parser, ","));
    if (more && (arrives || starts))
        TRY(take_count(cell, "the number of arrivals, from 1 on", 1, MBARRIER_MOST, &access->operand));
    else if (more)
        TRY(take_count(cell, "a number of bytes", 0, MBARRIER_MOST, &access->operand));
    return add_access(cell, access, LITMUS_NONE);
}

/* "r0, [m], 0". */
enum status ptx_parse_test(struct ptx_cell *cell, const struct ptx_form *form)
{
    struct litmus_access *access;
    struct token name;
    int target;
    TRY(start_access(cell, form, &access));
    TRY(ptx_take_target(cell, &name));
    TRY(ptx_take_mbarrier(cell, &access->address));
    TRY(parser_take(cell->parser, ","));
    TRY(take_count(cell, "the parity of a phase", 0, 1, &access->operand));
    TRY(ptx_make_target(cell, &name, &target));
    return add_access(cell, access, target);
}

/* barrier.cluster.arrive is release unless it says relaxed; barrier.cluster.wait is acquire (PTX ISA). */
enum status ptx_parse_cluster(struct ptx_cell *cell, const struct ptx_form *form)
{
    const bool arrives = (form->flags & PTX_ARRIVES) != 0;
    const int order = cell->modifiers.order;
    const struct token whole = ptx_whole_name(cell);
    if (order != LITMUS_NONE && order != LITMUS_RELEASE && order != LITMUS_RELAXED)
        return parser_expected_not(cell->parser, &whole, "an arrival that is release or relaxed");
    struct litmus_statement *statement;
    TRY(parser_statement(cell->parser, &cell->draft->thread.body, LITMUS_BARRIER, cell->name.place, &statement));
    statement->barrier = (struct litmus_barrier){
        .arrive = arrives, .wait = !arrives, .relaxed = order == LITMUS_RELAXED, .scope = LITMUS_CLUSTER};
    return STATUS_OK;
}

/* A fence of one direction, all of which is in its words: of cluster scope, for some operations only (PTX ISA, fence). */
enum status ptx_parse_fence(struct ptx_cell *cell, const struct ptx_form *form)
{
    struct litmus_statement *statement;
    TRY(ptx_add_statement(cell, LITMUS_FENCE, &statement));
    statement->fence = (struct litmus_fence){.order = form->order,
                                             .scope = LITMUS_CLUSTER,
                                             .proxy = form->proxy,
                                             .flag_local = form->restriction == LITMUS_SYNC_RESTRICT,
                                             .cluster = (form->flags & PTX_CLUSTER) != 0,
                                             .restriction = form->restriction};
    return STATUS_OK;
}
