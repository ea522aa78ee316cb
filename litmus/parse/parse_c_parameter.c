// SPDX-License-Identifier: Apache-2.0
/* Parameters of threads in C: "volatile global atomic_int* x", "int x[2]", "read_write image1d_t i". */
#include "litmus/parse/c_body.h"

/* The words before a parameter's name, in any order. */
struct c_qualifiers {
    enum litmus_type type;
    bool typed, atomic, is_volatile, placed, constant, generic;
    bool array; /* "int a[]": the name is at hand, and no '*' came before it */
    enum litmus_region region;
};

/* The name in "int a[]". */
static bool is_array_name(const struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    const struct token next = scanner_next(&ahead);
    return parser->token.kind == TOKEN_WORD && token_is(&next, "[");
}

/* "generic" or "constant", which say more than a region; false if neither is at hand. */
static bool take_space(const struct parser *parser, const struct c_language *language, struct c_qualifiers *qualifiers)
{
    const bool generic = parser_at(parser, "generic") || parser_at(parser, "__generic");
    const bool constant = parser_at(parser, "constant") || parser_at(parser, "__constant");
    if (!language->generic_pointers || qualifiers->placed || (!generic && !constant))
        return false;
    qualifiers->placed = true;
    qualifiers->generic = generic;
    qualifiers->constant = constant;
    return true;
}

static enum status parse_qualifiers(struct parser *parser, const struct c_language *language,
                                    struct c_qualifiers *qualifiers)
{
    *qualifiers = (struct c_qualifiers){.type = LITMUS_INT, .region = LITMUS_GLOBAL};
    while (!parser_at(parser, "*")) {
        const struct token start = parser->token;
        qualifiers->array = qualifiers->typed && is_array_name(parser);
        if (qualifiers->array)
            return STATUS_OK;
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
        } else if (take_space(parser, language, qualifiers))
            ;
        else if (parser_at(parser, "volatile"))
            qualifiers->is_volatile = true;
        else if (!parser_at(parser, "const"))
            return parser_expected(parser, parser_at(parser, "cuda") ? "int* x (which cuda::atomic_ref makes atomic)"
                                                                     : language->a_parameter);
        TRY(parser_advance(parser));
    }
    if (!qualifiers->typed)
        return parser_expected(parser, language->atomic_types ? "a type such as int or atomic_int before '*'"
                                                              : "a type such as int before '*'");
    qualifiers->generic |= language->generic_pointers && !qualifiers->placed;
    return parser_advance(parser);
}

/* "[]" or "[2]" after a parameter's name, which C reads as a pointer. A number says how many elements there are, unless
 * the initial state did: then it must be the same. */
static enum status parse_parameter_elements(struct parser *parser, int index)
{
    struct litmus_location *location = &parser->test->locations[index];
    const bool declared = parser->notes[index].declared;
    const struct token name = parser->token;
    unsigned elements = location->elements;
    bool open;
    TRY(parser_take(parser, "["));
    TRY(parser_take_if(parser, "]", &open));
    if (open)
        return STATUS_OK;
    TRY(parser_count(parser, "a number of elements, or ']'", LITMUS_MAXIMUM_ELEMENTS, &elements));
    if (elements == 0)
        return parser_fail(parser, name.place, STATUS_SYNTAX, "expected at least one element, found 0");
    if ((declared || location->array) && elements != location->elements)
        return parser_fail(parser, name.place, STATUS_SYNTAX,
                           "expected '%s' to have as many elements as %s gives it (%u), found %u", location->name,
                           declared ? "the initial state" : "another thread", location->elements, elements);
    if (!location->array && !declared) {
        location->array = true;
        location->elements = elements;
        location->initial = arena_take(parser_arena(parser), elements, sizeof *location->initial);
    }
    return parser_take(parser, "]");
}

/* A parameter that is local in one thread and global in another counts as local here; parse_groups
 * checks whether it can be. */
static enum status place_parameter_region(struct parser *parser, int index, enum litmus_region region,
                                          struct litmus_place place)
{
    struct location_note *note = &parser->notes[index];
    struct litmus_location *location = &parser->test->locations[index];
    const bool local = location->region == LITMUS_LOCAL || region == LITMUS_LOCAL;
    const bool global = location->region == LITMUS_GLOBAL || region == LITMUS_GLOBAL;
    unsigned threads = 0;
    for (size_t i = 0; i < parser->draft_count; i++)
        threads += parser->drafts[i]->visible[index];
    if (!note->placed || !local || !global || threads < 2)
        return parser_place_location(parser, index, region, place);
    note->mixed = place;
    note->mixed_local = region == LITMUS_LOCAL;
    location->region = LITMUS_LOCAL;
    return STATUS_OK;
}

/* The region that the parameter gives the location. A pointer without an address space gives
 * none. */
static enum status place_parameter(struct parser *parser, struct draft *draft, int index,
                                   const struct c_qualifiers *qualifiers, struct litmus_place place)
{
    const struct litmus_location *location = &parser->test->locations[index];
    struct location_note *note = &parser->notes[index];
    if (note->pointed && note->constant != qualifiers->constant)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected the same region for '%s' everywhere, found constant and another", location->name);
    note->pointed = true;
    note->constant = qualifiers->constant;
    draft->points_to_generic[index] = qualifiers->generic;
    return qualifiers->generic ? STATUS_OK : place_parameter_region(parser, index, qualifiers->region, place);
}

/* A location has the type of its first declaration. In OPENCL and C, parameters may differ from it in sign and name. */
static enum status type_parameter(struct parser *parser, const struct c_language *language, struct draft *draft,
                                  int index, const struct c_qualifiers *qualifiers, struct litmus_place place)
{
    const enum litmus_type type = qualifiers->type;
    const enum litmus_type other = parser->test->locations[index].type;
    const bool whole =
        !litmus_type_is_float(type) && !litmus_type_is_float(other) && type != LITMUS_FLAG && other != LITMUS_FLAG;
    draft->points_to[index] = type;
    if (parser->notes[index].typed && language->atomic_types && whole && qualifiers->region != LITMUS_IMAGE &&
        litmus_type_size(type) == litmus_type_size(other))
        return STATUS_OK;
    return parser_type_location(parser, index, type, place);
}

/* "read_write image1d_t", or nothing. The functions that orchil reads are those of a channel of type int. */
static enum status parse_image(struct parser *parser, const struct c_language *language,
                               struct c_qualifiers *qualifiers, bool *found)
{
    *found = language->images && (parser_at(parser, "read_write") || parser_at(parser, "__read_write"));
    if (!*found)
        return STATUS_OK;
    *qualifiers = (struct c_qualifiers){.type = LITMUS_INT, .typed = true, .placed = true, .region = LITMUS_IMAGE};
    TRY(parser_advance(parser));
    if (!parser_at(parser, "image1d_t"))
        return parser_expected(parser, "image1d_t");
    return parser_advance(parser);
}

enum status parse_c_parameter(struct parser *parser, const struct c_language *language, struct draft *draft)
{
    struct c_qualifiers qualifiers;
    struct token name;
    int index;
    bool image;
    TRY(parse_image(parser, language, &qualifiers, &image));
    if (!image)
        TRY(parse_qualifiers(parser, language, &qualifiers));
    TRY(parser_take_word(parser, "the name of a parameter", &name));
    TRY(parser_location(parser, &name, &index));
    if (draft->visible[index] || draft_find_register(draft, &name) != LITMUS_NONE)
        return parser_expected_not(parser, &name, "a name not used in the thread");
    draft->visible[index] = true;
    if (qualifiers.array)
        TRY(parse_parameter_elements(parser, index));
    TRY(type_parameter(parser, language, draft, index, &qualifiers, name.place));
    TRY(place_parameter(parser, draft, index, &qualifiers, name.place));
    parser->test->locations[index].atomic |= qualifiers.atomic;
    draft->points_to_atomic[index] = qualifiers.atomic;
    if (language->volatile_accesses)
        draft->points_to_volatile[index] = qualifiers.is_volatile;
    else
        parser->test->locations[index].is_volatile |= qualifiers.is_volatile;
    return STATUS_OK;
}
