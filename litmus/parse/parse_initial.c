// SPDX-License-Identifier: Apache-2.0
/* The initial state: "{ x=0; int y[2]={0,1}; 0:r2=x; t @ texture aliases x; }". */
#include "litmus/parse/parser.h"

/* What a declaration says before its name. */
struct declared_type {
    enum litmus_type type;
    bool typed, atomic, is_volatile, pointer;
};

static enum status parse_declared_type(struct parser *parser, struct declared_type *declared)
{
    *declared = (struct declared_type){.type = LITMUS_INT};
    bool more = true;
    while (more) {
        if (!declared->typed) {
            TRY(parser_type(parser, &declared->type, &declared->atomic, &declared->typed));
            if (declared->typed)
                continue;
        }
        TRY(parser_take_if(parser, "volatile", &more));
        declared->is_volatile |= more;
    }
    bool star;
    TRY(parser_take_if(parser, "*", &star));
    declared->pointer = star && declared->typed; /* "*x=1" without a type is herd's way to write "[x]=1" */
    return STATUS_OK;
}

/* "x" or "&x", the address of a location, which may be declared further on. */
static enum status parse_address(struct parser *parser, int *points_to)
{
    bool ampersand;
    struct token name;
    TRY(parser_take_if(parser, "&", &ampersand));
    TRY(parser_take_word(parser, "the name of a location", &name));
    return parser_location(parser, &name, points_to);
}

static enum status parse_value(struct parser *parser, const struct declared_type *declared, int64_t *value,
                               int *points_to)
{
    bool cleared;
    TRY(parser_take_if(parser, "ATOMIC_FLAG_INIT", &cleared));
    if (cleared)
        return STATUS_OK;
    if (parser->token.kind == TOKEN_WORD || parser_at(parser, "&"))
        return parse_address(parser, points_to);
    if (declared->pointer)
        return parser_expected(parser, "the address of a location for a pointer");
    return parser_integer(parser, "a number or the address of a location", value);
}

/* ".reg .b64" of old PTX, in front of a register's name. */
static enum status parse_reg_declaration(struct parser *parser, struct declared_type *declared)
{
    if (!parser_at(parser, "."))
        return STATUS_OK;
    TRY(parser_advance(parser));
    TRY(parser_take(parser, "reg"));
    TRY(parser_take(parser, "."));
    const int type = word_find(ptx_type_words, &parser->token);
    if (type == LITMUS_NONE)
        return parser_expected(parser, "a type such as s32 or b64");
    declared->type = (enum litmus_type)type;
    declared->typed = true;
    return parser_advance(parser);
}

/* "0:r1" with the thread taken and the colon at hand. */
static enum status parse_register(struct parser *parser, struct declared_type *declared, const struct token *thread)
{
    struct register_start start = {.place = thread->place, .first = {.points_to = LITMUS_NONE}};
    if (!token_is_thread(thread, &start.thread))
        return parser_expected_not(parser, thread, "a thread such as P0 before ':'");
    TRY(parser_take(parser, ":"));
    if (declared->type == LITMUS_FLAG)
        return parser_expected_not(parser, thread, "a location for an atomic_flag");
    TRY(parse_reg_declaration(parser, declared));
    struct token name;
    TRY(parser_take_word(parser, "the name of a register", &name));
    TRY(parser_name(parser, &name, &start.first.name));
    bool more;
    TRY(parser_take_if(parser, "=", &more));
    if (more)
        TRY(parse_value(parser, declared, &start.first.initial, &start.first.points_to));
    const bool address = declared->pointer || start.first.points_to != LITMUS_NONE;
    start.typed = declared->typed || address;
    start.first.type = address && !(declared->typed && !declared->pointer) ? LITMUS_ULONG : declared->type;
    start.first.initial = litmus_wrap(start.first.type, start.first.initial);
    ARENA_ADD(parser_arena(parser), parser->starts, parser->start_count) = start;
    return STATUS_OK;
}

/* "= {0, 1}", or nothing, behind "x[2]". Values that are not given are 0. */
static enum status parse_elements(struct parser *parser, int index)
{
    unsigned elements;
    TRY(parser_count(parser, "a number of elements", LITMUS_MAXIMUM_ELEMENTS, &elements));
    if (elements == 0)
        return parser_fail(parser, parser->token.place, STATUS_SYNTAX, "expected at least one element, found 0");
    TRY(parser_take(parser, "]"));
    int64_t *initial = arena_take(parser_arena(parser), elements, sizeof *initial);
    parser->test->locations[index].array = true;
    parser->test->locations[index].elements = elements;
    parser->test->locations[index].initial = initial;
    bool more;
    TRY(parser_take_if(parser, "=", &more));
    if (!more)
        return STATUS_OK;
    TRY(parser_take(parser, "{"));
    for (unsigned i = 0; more; i++) {
        if (i == elements)
            return parser_expected(parser, "no more values than the array has elements");
        TRY(parser_integer(parser, "a number", &initial[i]));
        TRY(parser_take_if(parser, ",", &more));
    }
    return parser_take(parser, "}");
}

/* "@ texture aliases x" with the '@' taken. */
static enum status parse_alias(struct parser *parser, int index)
{
    const int proxy = word_find(proxy_words, &parser->token);
    if (proxy == LITMUS_NONE || proxy == LITMUS_ALIAS)
        return parser_expected(parser, "a proxy: generic, texture, surface or constant");
    TRY(parser_advance(parser));
    TRY(parser_take(parser, "aliases"));
    struct token name;
    int other;
    TRY(parser_take_word(parser, "the name of a location", &name));
    TRY(parser_location(parser, &name, &other));
    for (int i = other; i != LITMUS_NONE; i = parser->test->locations[i].alias_of)
        if (i == index)
            return parser_expected_not(parser, &name, "a location that is not an alias of this one");
    parser->test->locations[index].alias_of = other;
    parser->test->locations[index].proxy = (enum litmus_proxy)proxy;
    return STATUS_OK;
}

static enum status parse_location_item(struct parser *parser, const struct declared_type *declared,
                                       const struct token *name)
{
    int index;
    bool more;
    TRY(parser_location(parser, name, &index));
    if (parser->notes[index].declared)
        return parser_expected_not(parser, name, "a location that the initial state does not have yet");
    parser->notes[index].declared = true;
    parser->test->locations[index].place = name->place;
    /* PTX and CUDA say with each access what these say of a location. */
    const bool qualified = parser->test->dialect == LITMUS_OPENCL || parser->test->dialect == LITMUS_C;
    parser->test->locations[index].atomic = qualified && declared->atomic;
    parser->test->locations[index].is_volatile = qualified && declared->is_volatile;
    if (declared->type == LITMUS_FLAG && !qualified)
        return parser_expected_not(parser, name, "a location that is no atomic_flag: only OPENCL and C have them");
    if (declared->typed)
        TRY(parser_type_location(parser, index, declared->pointer ? LITMUS_ULONG : declared->type, name->place));
    if (parser_at(parser, "@")) {
        if (parser->test->dialect != LITMUS_PTX || declared->typed)
            return parser_expected(parser,
                                   declared->typed ? "an alias without a type" : "no alias: only PTX has proxies");
        TRY(parser_advance(parser));
        return parse_alias(parser, index);
    }
    TRY(parser_take_if(parser, "[", &more));
    if (more)
        return parse_elements(parser, index);
    TRY(parser_take_if(parser, "=", &more));
    if (!more)
        return STATUS_OK;
    int64_t value = 0;
    int points_to = LITMUS_NONE;
    TRY(parse_value(parser, declared, &value, &points_to));
    struct litmus_location *location = &parser->test->locations[index];
    location->initial[0] = value;
    location->points_to = points_to;
    if (points_to != LITMUS_NONE && !parser->notes[index].typed)
        TRY(parser_type_location(parser, index, LITMUS_ULONG, name->place));
    return STATUS_OK;
}

static enum status parse_item(struct parser *parser)
{
    struct declared_type declared;
    struct token name;
    bool bracket;
    TRY(parse_declared_type(parser, &declared));
    TRY(parser_take_if(parser, "[", &bracket));
    if (bracket) {
        TRY(parser_take_word(parser, "the name of a location", &name));
        TRY(parser_take(parser, "]"));
        return parse_location_item(parser, &declared, &name);
    }
    name = parser->token;
    if (name.kind != TOKEN_WORD && name.kind != TOKEN_NUMBER)
        return parser_expected(parser, "an initial value such as x=0 or 0:r1=0");
    TRY(parser_advance(parser));
    if (parser_at(parser, ":"))
        return parse_register(parser, &declared, &name);
    if (name.kind == TOKEN_NUMBER)
        return parser_expected(parser, "':' behind the number of a thread");
    return parse_location_item(parser, &declared, &name);
}

enum status parse_initial_state(struct parser *parser)
{
    TRY(parser_take(parser, "{"));
    while (!parser_at(parser, "}")) {
        if (!parser_at(parser, ";"))
            TRY(parse_item(parser));
        if (!parser_at(parser, "}"))
            TRY(parser_take(parser, ";"));
    }
    return parser_advance(parser);
}
