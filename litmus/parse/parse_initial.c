// SPDX-License-Identifier: Apache-2.0
/* The initial state: "{ x=0; int y[2]={0,1}; global atomic_int a = ATOMIC_VAR_INIT(1); 0:r2=x; t @ texture aliases x;
 * shared s=0; mbarrier m@cta 1=2; tensormap t=x; }". */
#include "litmus/dialects.h"
#include "litmus/parse/parser.h"

/* The words of a declaration before its name. */
struct declared_type {
    enum litmus_type type;
    bool typed, atomic, is_volatile, pointer;
    int region; /* an enum litmus_region, or LITMUS_NONE if none is written */
};

/* The region that is written before a type or a name, as in "global int x", or LITMUS_NONE. C has none. */
static int region_at(const struct parser *parser)
{
    const enum litmus_dialect dialect = parser->test->dialect;
    if (dialect == LITMUS_C || dialect == LITMUS_VULKAN || parser_next(parser).kind != TOKEN_WORD)
        return LITMUS_NONE;
    return dialect == LITMUS_CUDA && parser_at(parser, "__device__") ? (int)LITMUS_GLOBAL
                                                                     : word_find(region_words, &parser->token);
}

/* "mbarrier m", PTX's object in shared memory, or "tensormap t", the one in any. */
static enum status parse_object(struct parser *parser, struct declared_type *declared)
{
    const bool mbarrier = parser_at(parser, "mbarrier");
    if (parser->test->dialect != LITMUS_PTX || (!mbarrier && !parser_at(parser, "tensormap")) ||
        parser_next(parser).kind != TOKEN_WORD)
        return STATUS_OK;
    if (mbarrier && declared->region == LITMUS_GLOBAL)
        return parser_expected(parser, "an mbarrier in shared memory");
    declared->type = mbarrier ? LITMUS_MBARRIER : LITMUS_TENSORMAP;
    declared->region = mbarrier ? (int)LITMUS_LOCAL : declared->region;
    declared->typed = true;
    parser_advance(parser);
    return STATUS_OK;
}

/* "u64", as in PTX instructions, if a name follows: a location may be called that. */
static enum status parse_ptx_type(struct parser *parser, struct declared_type *declared)
{
    const int type = word_find(ptx_type_words, &parser->token);
    const enum token_kind next = parser_next(parser).kind;
    if (parser->test->dialect != LITMUS_PTX || type == LITMUS_NONE || (next != TOKEN_WORD && next != TOKEN_NUMBER))
        return STATUS_OK;
    declared->type = (enum litmus_type)type;
    declared->typed = true;
    parser_advance(parser);
    return STATUS_OK;
}

static enum status parse_declared_type(struct parser *parser, struct declared_type *declared)
{
    *declared = (struct declared_type){.type = LITMUS_INT, .region = LITMUS_NONE};
    bool more = true;
    while (more) {
        if (declared->region == LITMUS_NONE) {
            declared->region = region_at(parser);
            if (declared->region != LITMUS_NONE) {
                parser_advance(parser);
                continue;
            }
        }
        if (!declared->typed) {
            TRY(parse_object(parser, declared));
            TRY(parse_ptx_type(parser, declared));
            if (declared->typed)
                continue;
            TRY(parser_type(parser, &declared->type, &declared->atomic, &declared->typed));
            if (declared->typed)
                continue;
        }
        more = parser_take_if(parser, "volatile");
        declared->is_volatile |= more;
    }
    /* "*x=1" without a type is herd's way to write "[x]=1". */
    declared->pointer = parser_take_if(parser, "*") && declared->typed;
    return STATUS_OK;
}

static enum status parse_value(struct parser *parser, const struct declared_type *declared, int64_t *value,
                               int *points_to, struct litmus_place *place)
{
    if (parser_at(parser, "ATOMIC_VAR_INIT") || parser_at(parser, "ATOMIC_INIT")) {
        /* "ATOMIC_VAR_INIT(10)", and the same as some texts write it. */
        const enum litmus_dialect dialect = parser->test->dialect;
        if (!dialects[dialect].has_atomic_types || (declared->typed && !declared->atomic))
            return parser_expected(parser, "a number (ATOMIC_VAR_INIT is for the atomic types of OPENCL and C)");
        parser_advance(parser);
        TRY(parser_take(parser, "("));
        TRY(parser_integer(parser, "a number", value, place));
        return parser_take(parser, ")");
    }

    if (parser_take_if(parser, "ATOMIC_FLAG_INIT"))
        return STATUS_OK;
    if (parser->token.kind == TOKEN_WORD || parser_at(parser, "&")) {
        /* "x" or "&x", the address of a location, which may be declared later. */
        struct token name;
        (void)parser_take_if(parser, "&");
        TRY(parser_take_word(parser, "the name of a location", &name));
        return parser_location(parser, &name, points_to);
    }
    if (declared->pointer)
        return parser_expected(parser, "the address of a location for a pointer");
    return parser_integer(parser, "a number or the address of a location", value, place);
}

/* ".reg .b64" of old PTX, in front of a register's name. */
static enum status parse_reg_declaration(struct parser *parser, struct declared_type *declared)
{
    if (!parser_take_if(parser, "."))
        return STATUS_OK;
    TRY(parser_take(parser, "reg"));
    TRY(parser_take(parser, "."));
    const int type = word_find(ptx_type_words, &parser->token);
    if (type == LITMUS_NONE)
        return parser_expected(parser, "a type such as s32 or b64");
    declared->type = (enum litmus_type)type;
    declared->typed = true;
    parser_advance(parser);
    return STATUS_OK;
}

/* "%tid". */
static enum status parse_number_in_range(struct parser *parser, const struct declared_type *declared,
                                         struct litmus_register *first)
{
    const struct token start = parser->token;
    parser_advance(parser);
    if (!parser_at(parser, "tid"))
        return parser_expected(parser, "%tid, the thread's number in its range");
    if (declared->pointer || litmus_type_is_float(declared->type))
        return parser_expected_not(parser, &start, "%tid in a register of an integer type");
    first->numbered = true;
    parser_advance(parser);
    return STATUS_OK;
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
    (void)parser_take_percent(parser);
    TRY(parser_take_word(parser, "the name of a register", &name));
    TRY(parser_name(parser, &name, &start.first.name));
    const bool more = parser_take_if(parser, "=");
    if (more && parser->test->dialect != LITMUS_VULKAN && parser_at(parser, "%"))
        TRY(parse_number_in_range(parser, declared, &start.first));
    else if (more)
        TRY(parse_value(parser, declared, &start.first.initial, &start.first.points_to, &start.value));
    const bool address = declared->pointer || start.first.points_to != LITMUS_NONE;
    start.typed = declared->typed || address;
    start.first.type = address && !(declared->typed && !declared->pointer) ? LITMUS_ULONG : declared->type;
    ARENA_ADD(parser_arena(parser), parser->starts, parser->start_count) = start;
    return STATUS_OK;
}

/* "2] = {0, 1}", "2]" or "] = {0, 1}" after "x[". Values that are not given are 0. */
static enum status parse_elements(struct parser *parser, int index)
{
    unsigned elements = LITMUS_MAXIMUM_ELEMENTS, count = 0;
    int64_t *values = NULL;
    const bool open = parser_take_if(parser, "]");
    if (!open) {
        TRY(parser_count(parser, "a number of elements", LITMUS_MAXIMUM_ELEMENTS, &elements));
        if (elements == 0)
            return parser_fail(parser, parser->token.place, "expected at least one element, found 0");
        TRY(parser_take(parser, "]"));
    }
    if (open && !parser_at(parser, "="))
        return parser_expected(parser, "'=' and the values of an array without a size");
    if (parser_take_if(parser, "=")) {
        /* "{0, 1}", with the number of values and their places. */
        unsigned place_count = 0;
        TRY(parser_take(parser, "{"));
        do {
            if (count == elements)
                return parser_expected(parser, "no more values than the array has elements");
            int64_t *value = &ARENA_ADD(parser_arena(parser), values, count);
            TRY(parser_integer(parser, "a number", value,
                               &ARENA_ADD(parser_arena(parser), parser->notes[index].values, place_count)));
        } while (parser_take_if(parser, ","));
        TRY(parser_take(parser, "}"));
        parser->notes[index].value_count = count;
    }
    struct litmus_location *location = &parser->test->locations[index];
    location->array = true;
    location->elements = open ? count : elements;
    location->initial = arena_take(parser_arena(parser), location->elements, sizeof *location->initial);
    for (unsigned i = 0; i < count; i++)
        location->initial[i] = values[i];
    return STATUS_OK;
}

/* "aliases x" */
static enum status parse_alias_of(struct parser *parser, int index, enum litmus_proxy proxy)
{
    TRY(parser_take(parser, "aliases"));
    struct token name;
    int other;
    TRY(parser_take_word(parser, "the name of a location", &name));
    TRY(parser_location(parser, &name, &other));
    for (int i = other; i != LITMUS_NONE; i = parser->test->locations[i].alias_of)
        if (i == index)
            return parser_expected_not(parser, &name, "a location that is not an alias of this location");
    parser->test->locations[index].alias_of = other;
    parser->test->locations[index].proxy = proxy;
    return STATUS_OK;
}

/* The text after '@' in PTX; *done: the item ends with it. */
static enum status parse_at(struct parser *parser, const struct declared_type *declared, int index, bool *done)
{
    if (parser->test->dialect != LITMUS_PTX)
        return parser_expected(parser, "no alias (only PTX has proxies)");
    parser_advance(parser);
    *done = word_find(level_words, &parser->token) != LEVEL_WORK_GROUP;
    if (!*done) {
        /* "@cta 1" with the '@' taken: it lies in the memory of that work-group. */
        const struct token level = parser->token;
        unsigned home;
        parser_advance(parser);
        TRY(parser_count(parser, "the number of a work-group", LITMUS_MAXIMUM_THREADS - 1, &home));
        TRY(parser_place_location(parser, index, LITMUS_LOCAL, level.place));
        parser->test->locations[index].home = (int)home;
        return STATUS_OK;
    }
    if (declared->typed)
        return parser_expected(parser, "an alias without a type");
    /* "@ texture aliases x" with the '@' taken. */
    const int proxy = word_find(proxy_words, &parser->token);
    if (proxy == LITMUS_NONE || proxy >= LITMUS_ALIAS)
        return parser_expected(parser, "a proxy: generic, texture, surface or constant");
    parser_advance(parser);
    return parse_alias_of(parser, index, (enum litmus_proxy)proxy);
}

static enum status parse_location_item(struct parser *parser, const struct declared_type *declared,
                                       const struct token *name)
{
    int index;
    TRY(parser_location(parser, name, &index));
    if (parser->notes[index].declared)
        return parser_expected_not(parser, name, "a location not yet in the initial state");
    parser->notes[index].declared = true;
    parser->test->locations[index].place = name->place;
    /* In PTX and CUDA each access has the properties that these give a location. */
    const bool qualified = dialects[parser->test->dialect].has_atomic_types;
    parser->test->locations[index].atomic = qualified && declared->atomic;
    parser->test->locations[index].is_volatile = qualified && declared->is_volatile;
    if (declared->type == LITMUS_FLAG && !qualified)
        return parser_expected_not(parser, name, "a location that is not an atomic_flag (only OPENCL and C have them)");
    if (declared->typed)
        TRY(parser_type_location(parser, index, declared->pointer ? LITMUS_ULONG : declared->type, name->place));
    if (declared->region != LITMUS_NONE)
        TRY(parser_place_location(parser, index, (enum litmus_region)declared->region, name->place));
    if (dialects[parser->test->dialect].is_dat3m && !declared->typed && parser_at(parser, "aliases"))
        return parse_alias_of(parser, index, LITMUS_GENERIC);
    if (parser_at(parser, "@")) {
        bool done = false;
        TRY(parse_at(parser, declared, index, &done));
        if (done)
            return STATUS_OK;
    }
    if (parser_take_if(parser, "["))
        return parse_elements(parser, index);
    if (!parser_take_if(parser, "="))
        return STATUS_OK;
    int64_t value = 0;
    int points_to = LITMUS_NONE;
    struct litmus_place *place = arena_take(parser_arena(parser), 1, sizeof *place);
    TRY(parse_value(parser, declared, &value, &points_to, place));
    parser->notes[index].values = place;
    parser->notes[index].value_count = 1;
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
    TRY(parse_declared_type(parser, &declared));
    if (parser_take_if(parser, "[")) {
        TRY(parser_take_word(parser, "the name of a location", &name));
        TRY(parser_take(parser, "]"));
        return parse_location_item(parser, &declared, &name);
    }
    name = parser->token;
    if (name.kind != TOKEN_WORD && name.kind != TOKEN_NUMBER)
        return parser_expected(parser, "an initial value such as x=0 or 0:r1=0");
    parser_advance(parser);
    if (parser_at(parser, ":"))
        return parse_register(parser, &declared, &name);
    if (name.kind == TOKEN_NUMBER)
        return parser_expected(parser, "':' after the number of a thread");
    const bool alias = dialects[parser->test->dialect].is_dat3m && parser_at(parser, "aliases");
    if (parser->token.kind == TOKEN_WORD && !declared.typed && !alias)
        return parser_expected_not(parser, &name,
                                   "a type such as int or atomic_int (of 64 bits at most, and not the Linux kernel's)");
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
    return parser_take(parser, "}");
}
