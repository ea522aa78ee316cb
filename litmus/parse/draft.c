// SPDX-License-Identifier: Apache-2.0
/* Locations and threads of the test under construction. */
#include <string.h>

#include "litmus/parse/parser.h"

static bool is_named(const char *name, const struct token *token)
{
    return strlen(name) == token->size && memcmp(name, token->text, token->size) == 0;
}

int parser_find_location(const struct parser *parser, const struct token *name)
{
    for (size_t i = 0; i < parser->test->location_count; i++)
        if (is_named(parser->test->locations[i].name, name))
            return (int)i;
    return LITMUS_NONE;
}

enum status parser_location(struct parser *parser, const struct token *name, int *index)
{
    *index = parser_find_location(parser, name);
    if (*index != LITMUS_NONE)
        return STATUS_OK;
    struct litmus_test *test = parser->test;
    char *copy;
    TRY(parser_name(parser, name, &copy));
    if (test->location_count == LITMUS_MAXIMUM_LOCATIONS)
        return parser_limit(parser, LITMUS_MAXIMUM_LOCATIONS, "locations");
    *index = (int)test->location_count;
    ARENA_ADD(&test->arena, test->locations, test->location_count) = (struct litmus_location){
        .name = copy,
        .type = LITMUS_INT,
        .initial = arena_take(&test->arena, 1, sizeof *test->locations->initial),
        .elements = 1,
        .points_to = LITMUS_NONE,
        .alias_of = LITMUS_NONE,
        .home = LITMUS_NONE,
        .place = name->place,
    };
    return STATUS_OK;
}

enum status parser_type_location(struct parser *parser, int index, enum litmus_type type, struct litmus_place place)
{
    struct litmus_location *location = &parser->test->locations[index];
    if (parser->notes[index].typed && location->type != type)
        return parser_fail(parser, place, STATUS_SYNTAX, "expected type %s, as '%s' has elsewhere, found %s",
                           type_word(parser->test->dialect, location->type), location->name,
                           type_word(parser->test->dialect, type));
    parser->notes[index].typed = true;
    location->type = type;
    return STATUS_OK;
}

enum status parser_place_location(struct parser *parser, int index, enum litmus_region region,
                                  struct litmus_place place)
{
    struct litmus_location *location = &parser->test->locations[index];
    if (parser->notes[index].placed && location->region != region)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected the same region for '%s' everywhere, found %s and %s", location->name,
                           region_name(location->region), region_name(region));
    parser->notes[index].placed = true;
    location->region = region;
    return STATUS_OK;
}

struct draft *parser_find_thread(const struct parser *parser, unsigned number)
{
    for (size_t i = 0; i < parser->draft_count; i++)
        if (number >= parser->drafts[i]->thread.first &&
            number - parser->drafts[i]->thread.first < parser->drafts[i]->thread.count)
            return parser->drafts[i];
    return NULL;
}

int draft_find_register(const struct draft *draft, const struct token *name)
{
    for (size_t i = 0; i < draft->thread.register_count; i++)
        if (is_named(draft->thread.registers[i].name, name))
            return (int)i;
    return LITMUS_NONE;
}

static enum status add_register(struct parser *parser, struct draft *draft, struct litmus_register first, int *index)
{
    struct litmus_thread *thread = &draft->thread;
    if (thread->register_count == LITMUS_MAXIMUM_REGISTERS)
        return parser_limit(parser, LITMUS_MAXIMUM_REGISTERS, "registers of one thread");
    *index = (int)thread->register_count;
    draft->registers =
        arena_grow(parser_arena(parser), draft->registers, thread->register_count, sizeof *draft->registers);
    ARENA_ADD(parser_arena(parser), thread->registers, thread->register_count) = first;
    return STATUS_OK;
}

enum status draft_register(struct parser *parser, struct draft *draft, const struct token *name, int *index)
{
    *index = draft_find_register(draft, name);
    if (*index != LITMUS_NONE)
        return STATUS_OK;
    char *copy;
    TRY(parser_name(parser, name, &copy));
    return add_register(parser, draft,
                        (struct litmus_register){.name = copy, .type = LITMUS_INT, .points_to = LITMUS_NONE}, index);
}

enum status draft_label(struct parser *parser, struct draft *draft, const struct token *name, bool define, int *index)
{
    struct litmus_thread *thread = &draft->thread;
    size_t i = 0;
    while (i < thread->label_count && !is_named(thread->labels[i], name))
        i++;
    if (i == thread->label_count) {
        char *copy;
        TRY(parser_name(parser, name, &copy));
        draft->labels = arena_grow(parser_arena(parser), draft->labels, i, sizeof *draft->labels);
        draft->labels[i] = (struct label_note){.place = name->place};
        ARENA_ADD(parser_arena(parser), thread->labels, thread->label_count) = copy;
    }
    if (define && draft->labels[i].defined)
        return parser_expected_not(parser, name, "a label not used in the thread");
    draft->labels[i].defined |= define;
    *index = (int)i;
    return STATUS_OK;
}

enum status draft_close(struct parser *parser, struct draft *draft)
{
    for (size_t i = 0; i < draft->thread.label_count; i++)
        if (!draft->labels[i].defined)
            return parser_fail(parser, draft->labels[i].place, STATUS_SYNTAX,
                               "expected a label of thread P%u, found '%s'", draft->thread.first,
                               draft->thread.labels[i]);
    return STATUS_OK;
}

struct token register_start_name(const struct register_start *start)
{
    return (struct token){
        .kind = TOKEN_WORD, .place = start->place, .text = start->first.name, .size = strlen(start->first.name)};
}

/* Gives the thread the registers that the initial state declares for it, in that order. */
static enum status take_starts(struct parser *parser, struct draft *draft)
{
    const struct litmus_thread *thread = &draft->thread;
    for (size_t i = 0; i < parser->start_count; i++) {
        struct register_start *start = &parser->starts[i];
        if (start->thread < thread->first || start->thread - thread->first >= thread->count)
            continue;
        if (start->thread != thread->first)
            return parser_fail(parser, start->place, STATUS_SYNTAX,
                               "expected P%u, the first thread of its range, for a register of equal threads, "
                               "found P%u",
                               thread->first, start->thread);
        const struct token name = register_start_name(start);
        if (draft_find_register(draft, &name) != LITMUS_NONE)
            return parser_expected_not(parser, &name, "a register not yet in the initial state");
        int index;
        TRY(add_register(parser, draft, start->first, &index));
        draft->registers[index].typed = start->typed;
        draft->registers[index].value = start->value;
        start->taken = true;
    }
    return STATUS_OK;
}

static enum status parse_thread_number(struct parser *parser, const char *what, unsigned *number)
{
    if (parser->token.kind != TOKEN_WORD || !token_is_thread(&parser->token, number))
        return parser_expected(parser, what);
    if (*number >= LITMUS_MAXIMUM_THREADS)
        return parser_limit(parser, LITMUS_MAXIMUM_THREADS, "threads");
    return parser_advance(parser);
}

/* "kernel void f(...)", as in listings. */
static bool at_kernel(const struct parser *parser)
{
    return parser_at(parser, "kernel") || parser_at(parser, "__kernel") || parser_at(parser, "__global__") ||
           parser_at(parser, "void");
}

enum status parser_start_thread(struct parser *parser, struct draft **result)
{
    struct draft *draft = arena_take(parser_arena(parser), 1, sizeof *draft);
    const struct token name = parser->token;
    unsigned first, last;
    if (at_kernel(parser))
        return parser_expected(parser, "a thread such as P0 (instead of a kernel and its name)");
    TRY(parse_thread_number(parser, "a thread such as P0", &first));
    last = first;
    bool range;
    TRY(parser_take_if(parser, "..", &range));
    if (range) {
        const struct token end = parser->token;
        TRY(parse_thread_number(parser, "the last thread of the range", &last));
        if (last < first)
            return parser_expected_not(parser, &end, "a last thread that is not before the first");
    }
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct litmus_thread *other = &parser->drafts[i]->thread;
        if (first < other->first + other->count && other->first <= last)
            return parser_expected_not(parser, &name, "a thread not used in the test");
    }
    if (parser->draft_count == LITMUS_MAXIMUM_BODIES)
        return parser_limit(parser, LITMUS_MAXIMUM_BODIES, "threads with code of their own");
    draft->thread = (struct litmus_thread){
        .first = first,
        .count = last - first + 1,
        .placement = litmus_unplaced,
        .place = name.place,
    };
    TRY(parser_placement(parser, draft));
    TRY(take_starts(parser, draft));
    parser->drafts[parser->draft_count++] = draft;
    *result = draft;
    return STATUS_OK;
}
