// SPDX-License-Identifier: Apache-2.0
/* Tokens, errors and parts of the structure for all parsers. */
#include "litmus/parse/parser.h"

int word_find(const struct word *table, const struct token *token)
{
    return word_value(table, token->text, token->size);
}

enum { FOUND_SIZE = 200, FOUND_SHOWN = 40, MESSAGE_SIZE = 640 };

enum status parser_fail(struct parser *parser, struct litmus_place place, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    TRY(parser_finish(parser));
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set(parser->error, STATUS_SYNTAX, "%s:%u:%u: %s", parser->file, place.line, place.column, message);
}

/* The token as messages show it: quoted, cut, and without bytes that control a terminal. */
static const char *show_token(const struct token *token, char buffer[FOUND_SIZE])
{
    if (token->kind == TOKEN_END || (token->kind == TOKEN_FAULT && token->size == 0))
        return "the end of the file";
    if (token->kind == TOKEN_TEXT)
        return "a quoted text";
    size_t used = 0;
    buffer[used++] = '\'';
    for (size_t i = 0; i < token->size && i < FOUND_SHOWN; i++) {
        const unsigned char c = (unsigned char)token->text[i];
        if (c >= ' ' && c < 0x7f)
            buffer[used++] = (char)c;
        else
            used += (size_t)snprintf(buffer + used, FOUND_SIZE - used, "\\x%02x", c);
    }
    (void)snprintf(buffer + used, FOUND_SIZE - used, "%s'", token->size > FOUND_SHOWN ? "..." : "");
    return buffer;
}

enum status parser_expected_not(struct parser *parser, const struct token *found, const char *what)
{
    char buffer[FOUND_SIZE];
    return parser_fail(parser, found->place, "expected %s, found %s", what, show_token(found, buffer));
}

enum status parser_expected(struct parser *parser, const char *what)
{
    return parser_expected_not(parser, &parser->token, what);
}

/* Characters from editors and Chinese keyboards in place of the ASCII characters that a test needs. */
static const struct {
    uint32_t code;
    const char *name, *ascii;
} lookalikes[] = {
    {0xa0, "no-break space", "a space"},
    {0x2013, "en dash", "'-'"},
    {0x2014, "em dash", "'-'"},
    {0x2018, "left single quotation mark", "nothing, or '\"'"},
    {0x2019, "right single quotation mark", "nothing, or '\"'"},
    {0x201c, "left double quotation mark", "'\"'"},
    {0x201d, "right double quotation mark", "'\"'"},
    {0x2212, "minus sign", "'-'"},
    {0x2227, "logical and", "'/\\'"},
    {0x2228, "logical or", "'\\/'"},
    {0x3000, "ideographic space", "a space"},
    {0x3001, "ideographic comma", "','"},
    {0x3002, "ideographic full stop", "'.'"},
    {0xff08, "full-width left parenthesis", "'('"},
    {0xff09, "full-width right parenthesis", "')'"},
    {0xff0a, "full-width asterisk", "'*'"},
    {0xff0c, "full-width comma", "','"},
    {0xff1a, "full-width colon", "':'"},
    {0xff1b, "full-width semicolon", "';'"},
    {0xff1d, "full-width equals sign", "'='"},
    {0xff5b, "full-width left brace", "'{'"},
    {0xff5d, "full-width right brace", "'}'"},
};

enum status parser_limit(struct parser *parser, unsigned limit, const char *things)
{
    TRY(parser_finish(parser));
    return error_set(parser->error, STATUS_LIMIT, "%s:%u:%u: expected at most %u %s, found more", parser->file,
                     parser->token.place.line, parser->token.place.column, limit, things);
}

enum status parser_finish(struct parser *parser)
{
    const struct token fault = parser->fault, *const token = &fault;
    uint32_t code;
    if (token->kind != TOKEN_FAULT)
        return STATUS_OK;
    parser->fault.kind = TOKEN_END; /* once it is reported */
    if (token->size > 1 && text_character(token->text, token->size, &code) == token->size) {
        /* Names a character that is not ASCII, found where a token should be. */
        enum { WIDE_FIRST = 0xff01, WIDE_LAST = 0xff5e, WIDE_AWAY = 0xfee0 }; /* the full-width forms of '!' to '~' */
        const unsigned number = (unsigned)code;
        const int size = (int)token->size;
        for (size_t i = 0; i < COUNT(lookalikes); i++)
            if (lookalikes[i].code == code)
                return parser_fail(parser, token->place, "expected %s, found the %s U+%04X '%.*s'", lookalikes[i].ascii,
                                   lookalikes[i].name, number, size, token->text);
        if (code >= WIDE_FIRST && code <= WIDE_LAST)
            return parser_fail(parser, token->place, "expected '%c', found its full-width form U+%04X '%.*s'",
                               (char)(code - WIDE_AWAY), number, size, token->text);
        return parser_fail(
            parser, token->place,
            "expected %s in ASCII (only comments, quoted texts and the test's name may contain other characters), "
            "found the character U+%04X",
            token->expected, number);
    }
    return parser_expected_not(parser, token, token->expected);
}

void parser_advance(struct parser *parser)
{
    parser->token = scanner_next(&parser->scanner);
    if (parser->token.kind != TOKEN_FAULT)
        return;
    parser->fault = parser->token;
    parser->token.kind = TOKEN_END;
    parser->scanner.at = parser->scanner.size;
}

struct position parser_position(const struct parser *parser)
{
    return (struct position){parser->scanner, parser->token};
}

void parser_return(struct parser *parser, const struct position *position)
{
    parser->scanner = position->scanner;
    parser->token = position->token;
}

struct token parser_next(const struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    return scanner_next(&ahead);
}

bool parser_next_is(const struct parser *parser, const char *text)
{
    const struct token next = parser_next(parser);
    return token_is(&next, text);
}

bool parser_at(const struct parser *parser, const char *text)
{
    return token_is(&parser->token, text);
}

enum status parser_take(struct parser *parser, const char *text)
{
    if (!parser_at(parser, text)) {
        return parser_expected(parser, PRINTED(FOUND_SIZE, "'%s'", text));
    }
    parser_advance(parser);
    return STATUS_OK;
}

bool parser_take_if(struct parser *parser, const char *text)
{
    const bool taken = parser_at(parser, text);
    if (taken)
        parser_advance(parser);
    return taken;
}

bool parser_take_percent(struct parser *parser)
{
    const struct token next = parser_next(parser);
    return parser->test->dialect == LITMUS_PTX && next.kind == TOKEN_WORD &&
           next.text == parser->token.text + parser->token.size && parser_take_if(parser, "%");
}

enum status parser_take_word(struct parser *parser, const char *what, struct token *word)
{
    if (parser->token.kind != TOKEN_WORD)
        return parser_expected(parser, what);
    *word = parser->token;
    parser_advance(parser);
    return STATUS_OK;
}

enum status parser_count(struct parser *parser, const char *what, unsigned limit, unsigned *value)
{
    if (parser->token.kind != TOKEN_NUMBER)
        return parser_expected(parser, what);
    if (parser->token.number > limit) {
        return parser_expected(parser, PRINTED(FOUND_SIZE, "%s, at most %u", what, limit));
    }
    *value = (unsigned)parser->token.number;
    parser_advance(parser);
    return STATUS_OK;
}

bool token_is_thread(const struct token *token, unsigned *number)
{
    if (token->kind == TOKEN_NUMBER) {
        *number = token->number > UINT32_MAX ? UINT32_MAX : (unsigned)token->number;
        return true;
    }
    if (token->kind != TOKEN_WORD || token->size < 2 || token->size > 9 || !strchr("PT", token->text[0]))
        return false;
    if (token->size > 2 && token->text[1] == '0')
        return false;
    *number = 0;
    for (size_t i = 1; i < token->size; i++) {
        if (token->text[i] < '0' || token->text[i] > '9')
            return false;
        *number = *number * 10 + (unsigned)(token->text[i] - '0');
    }
    return true;
}

static const struct word atomic_type_words[] = {
    {"atomic_char", LITMUS_CHAR},       {"atomic_uchar", LITMUS_UCHAR},
    {"atomic_short", LITMUS_SHORT},     {"atomic_ushort", LITMUS_USHORT},
    {"atomic_int", LITMUS_INT},         {"atomic_uint", LITMUS_UINT},
    {"atomic_long", LITMUS_LONG},       {"atomic_ulong", LITMUS_ULONG},
    {"atomic_size_t", LITMUS_SIZE},     {"atomic_ptrdiff_t", LITMUS_PTRDIFF},
    {"atomic_intptr_t", LITMUS_INTPTR}, {"atomic_uintptr_t", LITMUS_UINTPTR},
    {"atomic_float", LITMUS_FLOAT},     {"atomic_double", LITMUS_DOUBLE},
    {"atomic_flag", LITMUS_FLAG},       {NULL, 0},
};

/* "unsigned", "signed char", "unsigned long long int", with the first word taken. */
static enum litmus_type take_signed_type(struct parser *parser, bool is_unsigned)
{
    static const struct {
        const char *word;
        enum litmus_type types[2]; /* signed, unsigned */
        bool is_whole;             /* no "int" follows */
    } sizes[] = {
        {"char", {LITMUS_CHAR, LITMUS_UCHAR}, true},
        {"short", {LITMUS_SHORT, LITMUS_USHORT}, false},
        {"long", {LITMUS_LONG, LITMUS_ULONG}, false},
    };
    const __typeof__(*sizes) *const size = FIRST_OF(row, sizes, COUNT(sizes), parser_take_if(parser, row->word));
    if (!size || !size->is_whole) {
        (void)(size == &sizes[2] && parser_take_if(parser, "long")); /* long long */
        (void)parser_take_if(parser, "int");
    }
    return size ? size->types[is_unsigned] : is_unsigned ? LITMUS_UINT : LITMUS_INT;
}

static bool take_plain_type(struct parser *parser, enum litmus_type *type)
{
    const int value = word_find(type_words, &parser->token);
    const bool is_long = parser_at(parser, "long"), is_unsigned = parser_take_if(parser, "unsigned");
    if (is_unsigned || parser_take_if(parser, "signed")) {
        *type = take_signed_type(parser, is_unsigned);
        return true;
    }
    if (value == LITMUS_NONE)
        return false;
    *type = (enum litmus_type)value;
    parser_advance(parser);
    (void)(is_long && parser_take_if(parser, "long")); /* long long */
    return true;
}

enum status parser_type(struct parser *parser, enum litmus_type *type, bool *atomic, bool *found)
{
    const struct token name = parser->token;
    const int value = word_find(atomic_type_words, &name);
    *atomic = parser_take_if(parser, "_Atomic") || value != LITMUS_NONE;
    *found = value != LITMUS_NONE || take_plain_type(parser, type);
    if (value != LITMUS_NONE) {
        *type = (enum litmus_type)value;
        parser_advance(parser);
    }
    if (*atomic && !*found)
        return parser_expected(parser, "a type after _Atomic");
    if (*atomic && litmus_type_size(*type) < 4) /* OpenCL C 3.0, 6.15.12.6; C tests are run as OpenCL C */
        return parser_expected_not(parser, &name, "an atomic type of 32 or 64 bits (OpenCL C has none of 8 or 16)");
    return STATUS_OK;
}

enum status parser_enter(struct parser *parser)
{
    if (parser->nesting == LITMUS_MAXIMUM_NESTING)
        return parser_limit(parser, LITMUS_MAXIMUM_NESTING, "levels of nesting");
    parser->nesting++;
    return STATUS_OK;
}

void parser_leave(struct parser *parser)
{
    parser->nesting--;
}

struct arena *parser_arena(const struct parser *parser)
{
    return &parser->test->arena;
}

char *parser_copy(const struct parser *parser, const struct token *token)
{
    return arena_copy_part(parser_arena(parser), token->text, token->size);
}

/* Words that cannot be names, because some section or dialect uses them as keywords. */
static const char reserved_words[] =
    "if else while do for return break continue goto switch case int uint long ulong unsigned _Atomic atomic_int "
    "const volatile global __global local __local atomic_uint atomic_long atomic_ulong true false not exists forall "
    "float double atomic_float atomic_double filter locations regions scopes scopeTree int32_t uint32_t int64_t "
    "uint64_t char uchar short ushort signed size_t ptrdiff_t intptr_t uintptr_t int8_t uint8_t int16_t uint16_t "
    "atomic_flag atomic_size_t atomic_ptrdiff_t atomic_intptr_t atomic_uintptr_t bool _Bool";

enum status parser_name(struct parser *parser, const struct token *name, char **copy)
{
    if (text_has_word(reserved_words, name->text, name->size))
        return parser_expected_not(parser, name, "a name that is not a keyword");
    *copy = parser_copy(parser, name);
    return STATUS_OK;
}

enum status parser_statement(struct parser *parser, struct litmus_block *block, enum litmus_statement_kind kind,
                             struct litmus_place place, struct litmus_statement **statement)
{
    if (parser->statement_count == LITMUS_MAXIMUM_STATEMENTS)
        return parser_limit(parser, LITMUS_MAXIMUM_STATEMENTS, "statements");
    parser->statement_count++;
    *statement = &ARENA_ADD(parser_arena(parser), block->statements, block->count);
    **statement = (struct litmus_statement){.kind = kind, .place = place, .target = LITMUS_NONE, .label = LITMUS_NONE};
    return STATUS_OK;
}

struct litmus_expression *parser_expression(const struct parser *parser, enum litmus_expression_kind kind,
                                            struct litmus_place place)
{
    struct litmus_expression *expression = arena_take(parser_arena(parser), 1, sizeof *expression);
    *expression = (struct litmus_expression){.kind = kind, .place = place, .index = LITMUS_NONE};
    return expression;
}

struct litmus_access *parser_access(const struct parser *parser)
{
    struct litmus_access *access = arena_take(parser_arena(parser), 1, sizeof *access);
    *access = (struct litmus_access){.operation = LITMUS_LOAD, .type = LITMUS_INT, .expected_register = LITMUS_NONE};
    return access;
}

/* ---- numbers of a test, and whether they fit where they are used ---- */

/* A type of N bits takes every number
 * that N bits can hold with or without a sign, so that 0xffffffff and -1 are the same int. */

ORDERED_BY(by_place, const struct litmus_place, ORDER(a->line, b->line) ?: ORDER(a->column, b->column))

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
    parser_advance(parser);
    return STATUS_OK;
}

enum status parser_negate(struct parser *parser, struct litmus_place place, int64_t *value)
{
    if (is_large(parser, place) && *value != INT64_MIN)
        return parser_fail(parser, place, "expected a number of 64 bits (at least %" PRId64 "), found -%" PRIu64,
                           INT64_MIN, (uint64_t)*value);
    *value = (int64_t)(0 - (uint64_t)*value);
    return STATUS_OK;
}

enum status parser_integer(struct parser *parser, const char *what, int64_t *value, struct litmus_place *place)
{
    *place = parser->token.place;
    const bool negative = parser_take_if(parser, "-");
    const struct litmus_place digits = parser->token.place;
    TRY(parser_number(parser, what, value));
    return negative ? parser_negate(parser, digits, value) : STATUS_OK;
}

enum status parser_fits(struct parser *parser, enum litmus_type type, int64_t value, struct litmus_place place)
{
    const char *const name = litmus_type_word(parser->test->dialect, type);
    const unsigned bits = 8 * (unsigned)litmus_type_size(type);
    const int64_t beyond = bits < 64 ? INT64_C(1) << bits : 0;
    const bool large = is_large(parser, place);
    const bool is_float = litmus_type_is_float(type);
    if (is_float ? !large && litmus_is_exact(type, value)
                 : bits == 64 || (!large && value >= -beyond / 2 && value < beyond))
        return STATUS_OK;
    const char *const found = PRINTED(32, large ? "%" PRIu64 : "%" PRId64, (uint64_t)value);
    if (is_float)
        return parser_fail(parser, place,
                           "expected a whole number that a %s can hold exactly (up to 2^%d in size), found %s", name,
                           type == LITMUS_FLOAT ? 24 : 53, found);
    return parser_fail(parser, place,
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
