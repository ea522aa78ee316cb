// SPDX-License-Identifier: Apache-2.0
/* Checks that need all threads and their placements: locations of two regions, barriers that
 * count. */
#include <string.h>

#include "litmus/parse/parser.h"

static bool same_group(const struct draft *a, const struct draft *b)
{
    const struct litmus_placement *p = &a->thread.placement, *q = &b->thread.placement;
    return p->work_group == q->work_group && p->cluster == q->cluster && p->device == q->device;
}

/* ---- locations that are global in some threads and local in others ---- */

/* A name means one memory, and a pointer to global memory cannot have an address of local memory.
 * So one of the words is wrong: "global", which is written by habit, if all threads with the
 * location are in one work-group. */
static enum status settle_region(struct parser *parser, size_t index)
{
    const struct draft *first = NULL;
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct draft *draft = parser->drafts[i];
        if (!draft->visible[index])
            continue;
        first = first ? first : draft;
        if (first->thread.placement.work_group == LITMUS_NONE || !same_group(first, draft))
            return parser_fail(parser, parser->notes[index].mixed, STATUS_SYNTAX,
                               "expected the same region for '%s' everywhere, found %s",
                               parser->test->locations[index].name,
                               parser->notes[index].mixed_local ? "global and local" : "local and global");
    }
    return STATUS_OK;
}

/* ---- barriers that count ---- */

/* How a barrier counts; LITMUS_OPERATION_COUNT: it does not. */
static enum litmus_operation reduction_of(const struct draft *draft, size_t statement)
{
    for (size_t i = 0; i < draft->reduction_count; i++)
        if (draft->reductions[i].statement == statement)
            return draft->reductions[i].operation;
    return LITMUS_OPERATION_COUNT;
}

static bool meets_group(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_BARRIER && statement->barrier.scope == LITMUS_WORK_GROUP;
}

static bool meets_inside(const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (meets_group(statement) || meets_inside(&statement->body) || meets_inside(&statement->otherwise))
            return true;
    }
    return false;
}

/* The number of the barrier at a statement among the work-group's, from 0 on. */
static size_t meeting_number(const struct draft *draft, size_t statement)
{
    size_t number = 0;
    for (size_t i = 0; i < statement; i++)
        number += meets_group(&draft->thread.body.statements[i]);
    return number;
}

/* The statement of the number'th such barrier, or the number of statements if there are fewer. */
static size_t meeting_statement(const struct draft *draft, size_t number)
{
    const struct litmus_block *block = &draft->thread.body;
    size_t at = 0;
    while (at < block->count && (!meets_group(&block->statements[at]) || number-- > 0))
        at++;
    return at;
}

/* Checks that all threads of the block reach the same barrier, outside branches and loops. */
static enum status check_meeting(struct parser *parser, const struct draft *draft, const struct reduction_note *note)
{
    const size_t number = meeting_number(draft, note->statement);
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct draft *other = parser->drafts[i];
        if (!same_group(draft, other))
            continue;
        bool fits = reduction_of(other, meeting_statement(other, number)) == note->operation;
        for (size_t s = 0; s < other->thread.body.count && fits; s++)
            fits = !meets_inside(&other->thread.body.statements[s].body) &&
                   !meets_inside(&other->thread.body.statements[s].otherwise);
        if (!fits)
            return parser_fail(
                parser, note->place, STATUS_SYNTAX,
                "expected the same function as barrier %zu of every thread of the block, outside branches "
                "and loops, found P%u without it",
                number + 1, other->thread.first);
    }
    return STATUS_OK;
}

/* A new location of the block, in which its threads count. */
static enum status add_meeting_location(struct parser *parser, const struct reduction_note *note, int *index)
{
    struct token name = {.kind = TOKEN_WORD, .place = note->place};
    for (unsigned number = 0; name.size == 0 || parser_find_location(parser, &name) != LITMUS_NONE; number++) {
        name.text = arena_print(parser_arena(parser), "meeting%u", number);
        name.size = strlen(name.text);
    }
    TRY(parser_location(parser, &name, index));
    struct litmus_location *location = &parser->test->locations[*index];
    location->region = LITMUS_LOCAL;
    location->initial[0] = note->operation == LITMUS_FETCH_AND;
    return STATUS_OK;
}

/* Sets the location of the thread's barrier, and of barriers of its block that have none yet. */
static enum status settle_reduction(struct parser *parser, const struct draft *draft, const struct reduction_note *note)
{
    const size_t number = meeting_number(draft, note->statement);
    int index;
    if (note->addresses[0]->index != LITMUS_NONE)
        return STATUS_OK;
    TRY(check_meeting(parser, draft, note));
    TRY(add_meeting_location(parser, note, &index));
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct draft *other = parser->drafts[i];
        const size_t statement = meeting_statement(other, number);
        for (size_t k = 0; k < other->reduction_count && same_group(draft, other); k++)
            if (other->reductions[k].statement == statement)
                other->reductions[k].addresses[0]->index = other->reductions[k].addresses[1]->index = index;
    }
    return STATUS_OK;
}

enum status parse_groups(struct parser *parser)
{
    for (size_t i = 0; i < parser->test->location_count; i++)
        if (parser->notes[i].mixed.line > 0)
            TRY(settle_region(parser, i));
    for (size_t i = 0; i < parser->draft_count; i++)
        for (size_t k = 0; k < parser->drafts[i]->reduction_count; k++)
            TRY(settle_reduction(parser, parser->drafts[i], &parser->drafts[i]->reductions[k]));
    return STATUS_OK;
}
