// SPDX-License-Identifier: Apache-2.0
/* Asynchronous copies of PTX and what waits for them. */
#include "litmus/parse/ptx_cell.h"

#include <stdio.h>

enum { MOST_BYTES = LITMUS_MAXIMUM_ELEMENTS * 8, MOST_MASK = 0xffff };

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

/* "[{d, e}]": the places that one address of a multicast names, one in each work-group of its mask. */
static enum status take_places(struct ptx_cell *cell, bool mbarriers, struct litmus_expression **first)
{
    bool more = true;
    TRY(parser_take(cell->parser, "["));
    TRY(parser_take(cell->parser, "{"));
    for (unsigned count = 0; more; count++) {
        const struct token start = cell->parser->token;
        if (count == LITMUS_MAXIMUM_DESTINATIONS)
            return parser_expected_not(cell->parser, &start, "at most 8 destinations");
        TRY(mbarriers ? ptx_take_mbarrier(cell, first) : take_place(cell, LITMUS_LOCAL, first));
        first = &(*first)->right;
        TRY(parser_take_if(cell->parser, ",", &more));
    }
    TRY(parser_take(cell->parser, "}"));
    return parser_take(cell->parser, "]");
}

static unsigned count_places(const struct litmus_expression *address)
{
    return address ? 1 + count_places(address->right) : 0;
}

/* PTX ISA: bit k of ctaMask is for the work-group of rank k in the cluster. Here it is the number of a destination's. */
static enum status take_mask(struct ptx_cell *cell, const struct litmus_copy *copy)
{
    struct parser *parser = cell->parser;
    const struct token number = parser->token;
    const int own = cell->draft->thread.placement.work_group;
    unsigned mask, wanted = 0;
    char what[96];
    for (const struct litmus_expression *to = copy->to; to; to = to->right) {
        const int home = parser->test->locations[to->index].home, group = home == LITMUS_NONE ? own : home;
        if (group < 0 || group > 15 || (wanted & 1U << group) != 0)
            return parser_fail(
                parser, to->place, STATUS_SYNTAX,
                "expected destinations in different work-groups, of numbers below 16, found '%s' in cta %d",
                parser->test->locations[to->index].name, group);
        wanted |= 1U << group;
    }
    (void)snprintf(what, sizeof what, "%u, with a bit for the cta of each destination", wanted);
    TRY(parser_count(parser, what, MOST_MASK, &mask));
    return mask == wanted ? STATUS_OK : parser_expected_not(parser, &number, what);
}

/* "[{d, e}], [x], 16, [{m, n}], 3". */
static enum status parse_multicast(struct ptx_cell *cell, const struct ptx_form *form, struct litmus_copy *copy)
{
    struct parser *parser = cell->parser;
    TRY(take_places(cell, false, &copy->to));
    TRY(parser_take(parser, ","));
    TRY(take_place(cell, form->from, &copy->from));
    TRY(parser_take(parser, ","));
    TRY(take_bytes(cell, form, &copy->bytes));
    TRY(parser_take(parser, ","));
    const struct token mbarriers = parser->token;
    TRY(take_places(cell, true, &copy->mbarrier));
    if (!copy->to->right)
        return parser_fail(parser, copy->to->place, STATUS_SYNTAX,
                           "expected several destinations of a multicast, found one");
    if (count_places(copy->to) != count_places(copy->mbarrier))
        return parser_fail(parser, mbarriers.place, STATUS_SYNTAX,
                           "expected %u mbarriers, one for each destination, found %u", count_places(copy->to),
                           count_places(copy->mbarrier));
    TRY(parser_take(parser, ","));
    return take_mask(cell, copy);
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

/* A side of a copy: a place, or a tensor map instead of a place in global memory. */
static enum status take_side(struct ptx_cell *cell, const struct ptx_form *form, enum litmus_region region,
                             struct litmus_expression **result)
{
    const bool map = (form->flags & PTX_TENSOR) != 0 && region == LITMUS_GLOBAL;
    return map ? ptx_take_box(cell, result) : take_place(cell, region, result);
}

enum status ptx_parse_copy(struct ptx_cell *cell, const struct ptx_form *form)
{
    struct litmus_copy copy = {.bulk = (form->flags & PTX_BULK) != 0,
                               .through_l2 = (form->flags & PTX_THROUGH_L2) != 0,
                               .cluster = cell->cluster};
    set_operation(cell, &copy);
    if (form->order == LITMUS_RELAXED) {
        copy.order = LITMUS_RELAXED;
        copy.scope = (enum litmus_scope)cell->modifiers.scope;
    }
    if ((form->flags & PTX_MULTICAST) != 0) {
        TRY(parse_multicast(cell, form, &copy));
        return add_copy(cell, &copy);
    }
    TRY(take_side(cell, form, form->to, &copy.to));
    TRY(parser_take(cell->parser, ","));
    TRY(take_side(cell, form, form->from, &copy.from));
    copy.bytes = PTX_BOX_BYTES;
    if ((form->flags & PTX_TENSOR) == 0) {
        TRY(parser_take(cell->parser, ","));
        TRY(take_bytes(cell, form, &copy.bytes));
    }
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
