// SPDX-License-Identifier: Apache-2.0
/*
 * Numbers of a test, and whether they fit where they are used. A type of N bits takes every number
 * that N bits can hold with or without a sign, so that 0xffffffff and -1 are the same int.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "litmus/parse/parser.h"

static int by_place(const void *left, const void *right)
{
    const struct litmus_place *a = left, *b = right;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

/* A value from 2^63 on is negative as an int64_t; only its place tells it from a number with a minus. */
static bool is_large(const struct parser *parser, struct litmus_place place)
{
    return parser->large_count > 0 &&
           bsearch(&place, parser->large, parser->large_count, sizeof *parser->large, by_place);
}

/* In the order of the text; a number that is read again is known already. */
static void note_large(struct parser *parser, struct litmus_place place)
{
    if (parser->large_count == 0 || by_place(&parser->large[parser->large_count - 1], &place) < 0)
        ARENA_ADD(parser_arena(parser), parser->large, parser->large_count) = place;
}

enum status parser_number(struct parser *parser, const char *what, int64_t *value)
{
    const struct token token = parser->token;
    if (token.kind != TOKEN_NUMBER)
        return parser_expected(parser, what);
    *value = (int64_t)token.number;
    if (*value < 0)
        note_large(parser, token.place);
    return parser_advance(parser);
}

enum status parser_negate(struct parser *parser, struct litmus_place place, int64_t *value)
{
    if (is_large(parser, place) && *value != INT64_MIN)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected a number of 64 bits (at least %" PRId64 "), found -%" PRIu64, INT64_MIN,
                           (uint64_t)*value);
    *value = (int64_t)(0 - (uint64_t)*value);
    return STATUS_OK;
}

enum status parser_integer(struct parser *parser, const char *what, int64_t *value, struct litmus_place *place)
{
    bool negative;
    *place = parser->token.place;
    TRY(parser_take_if(parser, "-", &negative));
    const struct litmus_place digits = parser->token.place;
    TRY(parser_number(parser, what, value));
    return negative ? parser_negate(parser, digits, value) : STATUS_OK;
}

enum status parser_fits(struct parser *parser, enum litmus_type type, int64_t value, struct litmus_place place)
{
    const char *const name = type_word(parser->test->dialect, type);
    const unsigned bits = 8 * (unsigned)litmus_type_size(type);
    const int64_t beyond = bits < 64 ? INT64_C(1) << bits : 0;
    const bool large = is_large(parser, place);
    const bool is_float = litmus_type_is_float(type);
    char found[32];
    if (is_float ? !large && litmus_is_exact(type, value)
                 : bits == 64 || (!large && value >= -beyond / 2 && value < beyond))
        return STATUS_OK;
    (void)snprintf(found, sizeof found, large ? "%" PRIu64 : "%" PRId64, (uint64_t)value);
    if (is_float)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected a whole number that a %s holds exactly (at most 2^%d from 0), found %s", name,
                           type == LITMUS_FLOAT ? 24 : 53, found);
    return parser_fail(parser, place, STATUS_SYNTAX,
                       "expected a number that fits into the %u bits of type %s (%" PRId64 " to %" PRId64 "), found %s",
                       bits, name, -beyond / 2, beyond - 1, found);
}

static enum status fit_initial(struct parser *parser, enum litmus_type type, int64_t *value, struct litmus_place place)
{
    if (place.line > 0)
        TRY(parser_fits(parser, type, *value, place));
    *value = litmus_wrap(type, *value);
    return STATUS_OK;
}

enum status parse_fit_initial(struct parser *parser)
{
    struct litmus_test *test = parser->test;
    for (size_t i = 0; i < test->location_count; i++)
        for (unsigned k = 0; k < parser->notes[i].value_count; k++)
            TRY(fit_initial(parser, test->locations[i].type, &test->locations[i].initial[k],
                            parser->notes[i].values[k]));
    for (size_t i = 0; i < parser->draft_count; i++) {
        struct draft *draft = parser->drafts[i];
        for (size_t k = 0; k < draft->thread.register_count; k++)
            TRY(fit_initial(parser, draft->thread.registers[k].type, &draft->thread.registers[k].initial,
                            draft->registers[k].value));
    }
    return STATUS_OK;
}
