// SPDX-License-Identifier: Apache-2.0
/* Operands of PTX's asynchronous copies. */
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

/* A side of a copy: a place, or a tensor map instead of a place in global memory. */
static enum status take_side(struct ptx_cell *cell, enum litmus_region region, struct litmus_expression **result)
{
    const bool map = (cell->instruction->means.flags & PTX_TENSOR) != 0 && region == LITMUS_GLOBAL;
    return map ? ptx_take_box(cell, result) : take_place(cell, region, result);
}

enum status ptx_take_to(struct ptx_cell *cell, struct litmus_statement *statement)
{
    return take_side(cell, cell->instruction->means.to, &statement->copy.to);
}

enum status ptx_take_from(struct ptx_cell *cell, struct litmus_statement *statement)
{
    return take_side(cell, cell->instruction->means.from, &statement->copy.from);
}

enum status ptx_take_copied(struct ptx_cell *cell, struct litmus_statement *statement)
{
    return ptx_take_value(cell, &statement->copy.value);
}

/* PTX ISA: cp.async moves 4, 8 or 16 bytes, .cg only 16; a bulk copy moves whole units of 16 bytes. */
enum status ptx_take_bytes(struct ptx_cell *cell, struct litmus_statement *statement)
{
    struct parser *parser = cell->parser;
    const struct token number = parser->token;
    const bool bulk = statement->copy.bulk, cg = statement->copy.through_l2;
    uint32_t *const bytes = &statement->copy.bytes;
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

enum status ptx_take_all_to(struct ptx_cell *cell, struct litmus_statement *statement)
{
    return take_places(cell, false, &statement->copy.to);
}

enum status ptx_take_all_notified(struct ptx_cell *cell, struct litmus_statement *statement)
{
    struct litmus_copy *copy = &statement->copy;
    const struct token mbarriers = cell->parser->token;
    TRY(take_places(cell, true, &copy->mbarrier));
    if (!copy->to->right)
        return parser_fail(cell->parser, copy->to->place, STATUS_SYNTAX,
                           "expected several destinations of a multicast, found one");
    if (count_places(copy->to) == count_places(copy->mbarrier))
        return STATUS_OK;
    return parser_fail(cell->parser, mbarriers.place, STATUS_SYNTAX,
                       "expected %u mbarriers, one for each destination, found %u", count_places(copy->to),
                       count_places(copy->mbarrier));
}

/* PTX ISA: bit k of ctaMask is for the work-group of rank k in the cluster. Here it is the number of a destination's. */
enum status ptx_take_mask(struct ptx_cell *cell, struct litmus_statement *statement)
{
    const struct litmus_copy *copy = &statement->copy;
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
