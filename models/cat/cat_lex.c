// SPDX-License-Identifier: Apache-2.0
/* Words of cat. */
#include "models/cat/cat_reader.h"

enum status cat_fail(struct cat_reading *reading, const struct cat_place *place, enum status status, const char *format,
                     ...)
{
    char message[600];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set(reading->error, status, "%s:%u:%u: %s", place->file, place->line, place->column, message);
}

char *cat_copy(struct cat_reading *reading, const struct cat_token *token)
{
    return arena_copy_part(&reading->cat->arena, token->bytes, token->size);
}

static const char keywords[] =
    "let rec and as in acyclic irreflexive empty undefined_unless flag include show unshow try with from if then "
    "else begin end procedure call enum match fun assert catdep";

/* Words of herd's cat outside orchil's subset. */
static const char refused[] = "when instructions default forall do debug";

bool cat_token_is(const struct cat_token *token, const char *word)
{
    return strlen(word) == token->size && memcmp(word, token->bytes, token->size) == 0;
}

bool cat_token_equal(const struct cat_token *a, const struct cat_token *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static void step_over(struct cat_source *source)
{
    if (*source->at == '\n') {
        source->line++;
        source->column = 1;
    } else {
        source->column++;
    }
    source->at++;
}

static enum status skip_block_comment(struct cat_reading *reading, struct cat_source *source)
{
    const struct cat_place place = {source->file, source->line, source->column};
    const char *const start = source->at + 2;
    unsigned depth = 0;
    do {
        if (!*source->at)
            return cat_fail(reading, &place, STATUS_SYNTAX, "expected '*)' at the end of this comment");
        const bool opens = source->at[0] == '(' && source->at[1] == '*';
        const bool closes = source->at[0] == '*' && source->at[1] == ')';
        depth += opens ? 1u : 0u;
        depth -= closes ? 1u : 0u;
        step_over(source);
        if (opens || closes)
            step_over(source);
    } while (depth > 0);
    /* A comment may declare the kind of coherence, and whether read-modify-writes are single events. */
    const struct {
        const char *words;
        bool *declared;
    } declarations[] = {{" orchil: coherence total ", &reading->total_declared},
                        {" orchil: coherence partial ", &reading->partial_declared},
                        {" orchil: single read-modify-writes ", &reading->single_declared},
                        {" orchil: split read-modify-writes ", &reading->split_declared}};
    const size_t size = (size_t)(source->at - 2 - start);
    for (size_t i = 0; i < COUNT(declarations); i++)
        *declarations[i].declared |=
            strlen(declarations[i].words) == size && memcmp(start, declarations[i].words, size) == 0;
    return STATUS_OK;
}

static enum status cat_lex_skip_blanks(struct cat_reading *reading, struct cat_source *source)
{
    for (;;) {
        if (isspace((unsigned char)*source->at))
            step_over(source);
        else if (source->at[0] == '(' && source->at[1] == '*')
            TRY(skip_block_comment(reading, source));
        else if ((source->at[0] == '/' && source->at[1] == '/') || *source->at == '#')
            while (*source->at && *source->at != '\n')
                step_over(source);
        else
            return STATUS_OK;
    }
}

static size_t symbol_size(const char *at)
{
    static const char *const symbols[] = {"^-1", "^2", "^+", "^*", "++", "||", "&&", "->"};
    for (size_t i = 0; i < COUNT(symbols); i++)
        if (strncmp(at, symbols[i], strlen(symbols[i])) == 0)
            return strlen(symbols[i]);
    return strchr("=*+?~!&|;\\()[],{}", *at) ? 1 : 0;
}

static enum status lex_quoted(struct cat_reading *reading, struct cat_source *source, struct cat_token *token)
{
    step_over(source);
    token->kind = CAT_STRING;
    token->bytes = source->at;
    while (*source->at && *source->at != '"')
        step_over(source);
    token->size = (size_t)(source->at - token->bytes);
    if (!*source->at)
        return cat_fail(reading, &token->place, STATUS_SYNTAX, "expected '\"' at the end of this string");
    step_over(source);
    return STATUS_OK;
}

static void lex_word(struct cat_source *source, struct cat_token *token)
{
    const bool tag = *source->at == '\'';
    if (tag)
        step_over(source);
    token->bytes = source->at;
    while (isalnum((unsigned char)*source->at) || (*source->at && strchr("_.-", *source->at)))
        step_over(source);
    if (!tag && *source->at == '\'') /* a prime */
        step_over(source);
    token->size = (size_t)(source->at - token->bytes);
    token->kind = tag                                                  ? CAT_TAG
                  : text_has_word(keywords, token->bytes, token->size) ? CAT_KEYWORD
                  : text_has_word(refused, token->bytes, token->size)  ? CAT_REFUSED
                                                                       : CAT_NAME;
}

static enum status lex_symbol(struct cat_reading *reading, struct cat_source *source, struct cat_token *token)
{
    const unsigned char c = (unsigned char)*source->at;
    token->size = symbol_size(source->at);
    if (token->size == 0)
        return isprint(c) ? cat_fail(reading, &token->place, STATUS_SYNTAX, "expected a word of cat, found '%c'", c)
                          : cat_fail(reading, &token->place, STATUS_SYNTAX,
                                     "expected a word of cat, found a byte of value %u", c);
    for (size_t i = 0; i < token->size; i++)
        step_over(source);
    return STATUS_OK;
}

enum status cat_advance(struct cat_reading *reading)
{
    struct cat_source *source = reading->source;
    TRY(cat_lex_skip_blanks(reading, source));
    struct cat_token token = {CAT_SYMBOL, {source->file, source->line, source->column}, source->at, 0};
    if (!*source->at)
        token.kind = CAT_END;
    else if (*source->at == '"')
        TRY(lex_quoted(reading, source, &token));
    else if (isalnum((unsigned char)*source->at) || *source->at == '_' || *source->at == '\'')
        lex_word(source, &token);
    else
        TRY(lex_symbol(reading, source, &token));
    source->token = token;
    return STATUS_OK;
}

bool cat_at(const struct cat_reading *reading, const char *word)
{
    const struct cat_token *token = &reading->source->token;
    return (token->kind == CAT_SYMBOL || token->kind == CAT_KEYWORD || token->kind == CAT_NAME) &&
           cat_token_is(token, word);
}

enum status cat_expected(struct cat_reading *reading, const char *what)
{
    const struct cat_token *token = &reading->source->token;
    if (token->kind == CAT_END)
        return cat_fail(reading, &token->place, STATUS_SYNTAX, "expected %s, found the end of the file", what);
    if (token->kind == CAT_REFUSED)
        return cat_fail(reading, &token->place, STATUS_SYNTAX,
                        "expected %s, found '%.*s', which is not in orchil's part of cat", what, (int)token->size,
                        token->bytes);
    const char *quote = token->kind == CAT_STRING ? "\"" : "'";
    return cat_fail(reading, &token->place, STATUS_SYNTAX, "expected %s, found %s%.*s%s", what, quote,
                    (int)(token->size < 40 ? token->size : 40), token->bytes, quote);
}

enum status cat_take(struct cat_reading *reading, const char *word)
{
    if (cat_at(reading, word))
        return cat_advance(reading);
    const char *const what = PRINTED(32, "'%s'", word);
    return cat_expected(reading, what);
}

enum status cat_take_if(struct cat_reading *reading, const char *word, bool *taken)
{
    *taken = cat_at(reading, word);
    return *taken ? cat_advance(reading) : STATUS_OK;
}

enum status cat_take_name(struct cat_reading *reading, const char *what, struct cat_token *name)
{
    *name = reading->source->token;
    return name->kind == CAT_NAME ? cat_advance(reading) : cat_expected(reading, what);
}
