// SPDX-License-Identifier: Apache-2.0
/* Threads of tests that are written in C: "P0@wg 0, dev 0 (global atomic_int* x) { ... }". */
#include "litmus/language/c_language.h"

/* What stands before the name of a parameter, in any order. */
struct qualifiers {
    enum litmus_type type;
    bool typed, atomic, is_volatile, placed;
    enum litmus_region region;
};

static enum status parse_qualifiers(struct parser *parser, const struct c_language *language,
                                    struct qualifiers *qualifiers)
{
    *qualifiers = (struct qualifiers){.region = LITMUS_GLOBAL};
    while (!parser_at(parser, "*")) {
        const struct token start = parser->token;
        if (!qualifiers->typed) {
            TRY(parser_type(parser, &qualifiers->type, &qualifiers->atomic, &qualifiers->typed));
            if (qualifiers->atomic && !language->atomic_types)
                return parser_expected_not(parser, &start, language->a_parameter);
            if (qualifiers->typed)
                continue;
        }
        const int region = word_find(language->regions, &parser->token);
        if (region != LITMUS_NONE && !qualifiers->placed) {
            qualifiers->placed = true;
            qualifiers->region = (enum litmus_region)region;
        } else if (parser_at(parser, "volatile"))
            qualifiers->is_volatile = true;
        else if (!parser_at(parser, "const"))
            return parser_expected(parser, language->a_parameter);
        TRY(parser_advance(parser));
    }
    if (!qualifiers->typed)
        return parser_expected(parser, language->atomic_types ? "a type such as int or atomic_int before '*'"
                                                              : "a type such as int before '*'");
    return parser_advance(parser);
}

/* "read_write image1d_t", or nothing. The functions that orchil reads are those of a channel of type int. */
static enum status parse_image(struct parser *parser, const struct c_language *language, struct qualifiers *qualifiers,
                               bool *found)
{
    *found = language->images && (parser_at(parser, "read_write") || parser_at(parser, "__read_write"));
    if (!*found)
        return STATUS_OK;
    *qualifiers = (struct qualifiers){.type = LITMUS_INT, .typed = true, .placed = true, .region = LITMUS_IMAGE};
    TRY(parser_advance(parser));
    if (!parser_at(parser, "image1d_t"))
        return parser_expected(parser, "image1d_t");
    return parser_advance(parser);
}

static enum status parse_parameter(struct parser *parser, const struct c_language *language, struct draft *draft)
{
    struct qualifiers qualifiers;
    struct token name;
    int index;
    bool image;
    TRY(parse_image(parser, language, &qualifiers, &image));
    if (!image)
        TRY(parse_qualifiers(parser, language, &qualifiers));
    TRY(parser_take_word(parser, "the name of a parameter", &name));
    TRY(parser_location(parser, &name, &index));
    if (draft->visible[index] || draft_find_register(draft, &name) != LITMUS_NONE)
        return parser_expected_not(parser, &name, "a name that the thread does not have yet");
    draft->visible[index] = true;
    TRY(parser_type_location(parser, index, qualifiers.type, name.place));
    TRY(parser_place_location(parser, index, qualifiers.region, name.place));
    parser->test->locations[index].atomic |= qualifiers.atomic;
    if (language->volatile_accesses)
        draft->points_to_volatile[index] = qualifiers.is_volatile;
    else
        parser->test->locations[index].is_volatile |= qualifiers.is_volatile;
    return STATUS_OK;
}

static enum status parse_thread(struct parser *parser, const struct c_language *language)
{
    struct scanner ahead = parser->scanner;
    const struct token next = scanner_next(&ahead);
    struct draft *draft;
    if (language->fixed_places && (token_is(&next, "@") || token_is(&next, "..")))
        return parser_expected_not(parser, &next, "'(' (a C test has one thread to a work-group, all on one device)");
    TRY(parser_start_thread(parser, &draft));
    if (language->fixed_places) {
        draft->thread.placement.work_group = (int)draft->thread.first;
        draft->thread.placement.device = 0;
    }
    TRY(parser_take(parser, "("));
    for (bool more = !parser_at(parser, ")"); more;) {
        TRY(parse_parameter(parser, language, draft));
        TRY(parser_take_if(parser, ",", &more));
    }
    TRY(parser_take(parser, ")"));
    return parse_c_body(parser, draft, language);
}

enum status parse_c_threads(struct parser *parser, const struct c_language *language)
{
    unsigned number;
    do
        TRY(parse_thread(parser, language));
    while (parser->token.kind == TOKEN_WORD && token_is_thread(&parser->token, &number));
    return STATUS_OK;
}
