// SPDX-License-Identifier: Apache-2.0
/* Asynchronous copies of PTX and what waits for them. */
#include "litmus/parse/ptx_cell.h"

enum { MOST_BYTES = LITMUS_MAXIMUM_ELEMENTS * 8 };

/* "[x]" or "[x[4]]" in that region: the start of a copy is known before the run. */
static enum status take_place(struct ptx_cell *cell, enum litmus_region region, struct litmus_expression **result)
{
    cell->modifiers.space = (int)region;
    TRY(ptx_take_fixed_address(cell, result));
    cell->modifiers.space = LITMUS_NONE;
    return STATUS_OK;
}

/* PTX ISA: cp.async moves 4, 8 or 16 bytes, .cg only 16; a bulk copy moves whole units of 16 bytes. */
static enum status take_bytes(struct ptx_cell *cell, const struct ptx_form *form, uint32_t *bytes)
{
    struct parser *parser = cell->parser;
    const struct token number = parser->token;
    const bool bulk = (form->flags & PTX_BULK) != 0, cg = (form->flags & PTX_THROUGH_L2) != 0;
    const char *const what = bulk ? "a number of bytes that is a multiple of 16" : cg ? "16 bytes" : "4, 8 or 16 bytes";
    TRY(parser_count(parser, what, MOST_BYTES, bytes));
    const bool right = bulk ? *bytes > 0 && *bytes % 16 == 0 : *bytes == 16 || (!cg && (*bytes == 4 || *bytes == 8));
    return right ? STATUS_OK : parser_expected_not(parser, &number, what);
}

static enum litmus_type type_of(const struct ptx_cell *cell)
{
    return cell->modifiers.type == LITMUS_NONE ? (enum litmus_type)PTX_NO_TYPE : (enum litmus_type)cell->modifiers.type;
}

/* PTX ISA: cp.reduce.async.bulk changes each element by a relaxed operation of gpu scope. */
static void set_operation(struct ptx_cell *cell, struct litmus_copy *copy)
{
    copy->operation = LITMUS_STORE;
    copy->type = type_of(cell);
    if (cell->modifiers.operation == LITMUS_NONE)
        return;
    copy->operation = (enum litmus_operation)cell->modifiers.operation;
    copy->order = LITMUS_RELAXED;
    copy->scope = LITMUS_DEVICE;
}

static enum status add_copy(struct ptx_cell *cell, const struct litmus_copy *copy)
{
    struct litmus_statement *statement;
    TRY(ptx_add_statement(cell, LITMUS_COPY, &statement));
    statement->copy = *copy;
    return STATUS_OK;
}

enum status ptx_parse_copy(struct ptx_cell *cell, const struct ptx_form *form)
{
    struct litmus_copy copy = {.bulk = (form->flags & PTX_BULK) != 0,
                               .through_l2 = (form->flags & PTX_THROUGH_L2) != 0,
                               .cluster = cell->cluster};
    set_operation(cell, &copy);
    TRY(take_place(cell, form->to, &copy.to));
    TRY(parser_take(cell->parser, ","));
    TRY(take_place(cell, form->from, &copy.from));
    TRY(parser_take(cell->parser, ","));
    TRY(take_bytes(cell, form, &copy.bytes));
    if ((form->flags & PTX_NOTIFIES) != 0) {
        TRY(parser_take(cell->parser, ","));
        TRY(ptx_take_mbarrier(cell, &copy.mbarrier));
    }
    return add_copy(cell, &copy);
}

/* PTX ISA: st.async is weak, red.async relaxed at cluster scope; to global memory both are release at gpu or sys, and
 * red.async adds. */
static enum status check_order(struct ptx_cell *cell, const struct ptx_form *form)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const bool weak = form->order == LITMUS_PLAIN, releases = form->order == LITMUS_RELEASE;
    const bool wide = modifiers->scope == LITMUS_DEVICE || modifiers->scope == LITMUS_ALL_DEVICES;
    const bool adds = modifiers->operation == LITMUS_NONE || modifiers->operation == LITMUS_FETCH_ADD;
    const bool right = (modifiers->order == LITMUS_NONE || modifiers->order == (int)form->order) &&
                       (weak || (releases ? wide && adds : modifiers->scope == LITMUS_CLUSTER));
    const struct token whole = ptx_whole_name(cell);
    return right ? STATUS_OK
                 : parser_expected_not(cell->parser, &whole,
                                       weak       ? "st.async.weak, or st.async.release.gpu or .sys to global memory"
                                       : releases ? "st.async.release or red.async.release.add, at scope gpu or sys"
                                                  : "red.async.relaxed.cluster, or red.async.release.gpu or .sys to "
                                                    "global memory");
}

enum status ptx_parse_value_copy(struct ptx_cell *cell, const struct ptx_form *form)
{
    struct litmus_copy copy = {.cluster = form->to == LITMUS_LOCAL};
    TRY(check_order(cell, form));
    set_operation(cell, &copy);
    copy.order = form->order;
    copy.scope = form->order == LITMUS_PLAIN ? LITMUS_SCOPE_NONE : (enum litmus_scope)cell->modifiers.scope;
    TRY(take_place(cell, form->to, &copy.to));
    TRY(parser_take(cell->parser, ","));
    TRY(ptx_take_value(cell, &copy.value));
    if ((form->flags & PTX_NOTIFIES) != 0) {
        TRY(parser_take(cell->parser, ","));
        TRY(ptx_take_mbarrier(cell, &copy.mbarrier));
    }
    return add_copy(cell, &copy);
}

enum status ptx_parse_group(struct ptx_cell *cell, const struct ptx_form *form)
{
    struct litmus_group group = {.action = form->action,
                                 .bulk = (form->flags & PTX_BULK) != 0,
                                 .read = (form->flags & PTX_READ) != 0,
                                 .no_increment = (form->flags & PTX_NO_INCREMENT) != 0};
    if (group.action == LITMUS_GROUP_WAIT)
        TRY(parser_count(cell->parser, "the number of groups that may be pending", LITMUS_MAXIMUM_STATEMENTS,
                         &group.pending));
    if (group.action == LITMUS_GROUP_ARRIVE)
        TRY(ptx_take_mbarrier(cell, &group.mbarrier));
    struct litmus_statement *statement;
    TRY(ptx_add_statement(cell, LITMUS_GROUP, &statement));
    statement->group = group;
    return STATUS_OK;
}
