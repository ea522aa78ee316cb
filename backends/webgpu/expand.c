// SPDX-License-Identifier: Apache-2.0
/* Reads kernel text as tokens and replaces its macros, because WGSL has no preprocessor. */
#include "backends/webgpu/expand.h"

enum { MAXIMUM_PARAMETERS = 16, MAXIMUM_CONDITIONS = 16 };

struct macro {
    struct text_part name;
    bool called; /* it has brackets, and these parameters */
    struct text_part parameters[MAXIMUM_PARAMETERS];
    size_t parameter_count;
    struct wgsl_tokens body;
    bool busy; /* it is being replaced, and is not replaced in its own text */
};

struct expander {
    struct arena *arena;
    struct macro *macros;
    size_t macro_count;
    bool skips[MAXIMUM_CONDITIONS]; /* by depth: text here is left out */
    size_t depth;
};

bool wgsl_token_is(struct text_part token, const char *word)
{
    return strlen(word) == token.size && memcmp(token.start, word, token.size) == 0;
}

bool wgsl_token_same(struct text_part a, struct text_part b)
{
    return a.size == b.size && memcmp(a.start, b.start, a.size) == 0;
}

static bool continues_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool wgsl_token_is_name(struct text_part token)
{
    return token.size > 0 && continues_name(token.start[0]) && !isdigit((unsigned char)token.start[0]);
}

/* ---- tokens ---- */

static size_t operator_size(const char *at)
{
    static const char *const longer[] = {"<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                         "++",  "--",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    return VALUE_OF(size_t, one, longer, COUNT(longer), strncmp(at, *one, strlen(*one)) == 0, strlen(*one), 1);
}

/* Takes the next token of a line; false at its end, or at a comment that ends it. */
static bool take_token(const char **at, struct text_part *token)
{
    const char *start = *at + strspn(*at, " \t\\");
    while (start[0] == '/' && start[1] == '*') {
        const char *closed = strstr(start, "*/");
        start = closed ? closed + 2 + strspn(closed + 2, " \t\\") : start + strlen(start);
    }
    if (*start == '\0' || *start == '\n' || (start[0] == '/' && start[1] == '/'))
        return false;
    size_t size = 0;
    while (continues_name(start[size]))
        size++;
    *token = (struct text_part){start, size > 0 ? size : operator_size(start)};
    *at = start + token->size;
    return true;
}

/* Adds all of a line, and of those that it continues with a backslash. Returns the start of the next. */
static const char *expand_take_line(const char *at, struct arena *arena, struct wgsl_tokens *tokens)
{
    for (bool goes_on = true; goes_on && *at;) {
        const size_t size = strcspn(at, "\n");
        struct text_part token;
        for (const char *rest = at; take_token(&rest, &token);)
            ARENA_ADD(arena, tokens->items, tokens->count) = token;
        goes_on = size > 0 && at[size - 1] == '\\';
        at += size + (at[size] == '\n');
    }
    return at;
}

/* ---- macros ---- */

static struct macro *find_macro(const struct expander *expander, struct text_part name)
{
    return FIRST_OF(macro, expander->macros, expander->macro_count, wgsl_token_same(macro->name, name));
}

static void define(struct expander *expander, const struct wgsl_tokens *line)
{
    struct macro *macro = find_macro(expander, line->items[2]);
    if (!macro)
        macro = &ARENA_ADD(expander->arena, expander->macros, expander->macro_count);
    *macro = (struct macro){.name = line->items[2]};
    size_t at = 3;
    /* A bracket belongs to the name only if nothing stands between them. */
    if (at < line->count && wgsl_token_is(line->items[at], "(") &&
        macro->name.start + macro->name.size == line->items[at].start) {
        macro->called = true;
        while (++at < line->count && !wgsl_token_is(line->items[at], ")"))
            if (wgsl_token_is_name(line->items[at]) && macro->parameter_count < MAXIMUM_PARAMETERS)
                macro->parameters[macro->parameter_count++] = line->items[at];
        at++;
    }
    while (at < line->count)
        ARENA_ADD(expander->arena, macro->body.items, macro->body.count) = line->items[at++];
}

static void expand(struct expander *expander, const struct wgsl_tokens *tokens, struct wgsl_tokens *out);

/* Reads the arguments of a call from the bracket at `at`, with their own macros replaced. Returns the place after the
 * last bracket. */
static size_t read_arguments(struct expander *expander, const struct wgsl_tokens *tokens, size_t at,
                             struct wgsl_tokens arguments[MAXIMUM_PARAMETERS])
{
    struct wgsl_tokens written[MAXIMUM_PARAMETERS] = {0};
    size_t argument = 0;
    int depth = 0;
    for (; at < tokens->count; at++) {
        const struct text_part token = tokens->items[at];
        const bool opens = wgsl_token_is(token, "("), closes = wgsl_token_is(token, ")");
        depth += opens - closes;
        if (depth == 0)
            break;
        if (depth == 1 && wgsl_token_is(token, ",") && argument < MAXIMUM_PARAMETERS - 1)
            argument++;
        else if (depth > 1 || !opens)
            ARENA_ADD(expander->arena, written[argument].items, written[argument].count) = token;
    }
    for (size_t i = 0; i <= argument; i++)
        expand(expander, &written[i], &arguments[i]);
    return at + 1;
}

/* Puts the arguments in their places in a macro's text, and replaces the macros in it. */
static void replace(struct expander *expander, struct macro *macro, const struct wgsl_tokens *arguments,
                    struct wgsl_tokens *out)
{
    struct wgsl_tokens filled = {0};
    FOR_EACH(struct text_part, token, macro->body.items, macro->body.count) {
        const struct text_part *parameter =
            FIRST_OF(own, macro->parameters, macro->parameter_count, wgsl_token_same(*own, *token));
        const struct wgsl_tokens itself = {token, 1};
        const struct wgsl_tokens *given = parameter ? &arguments[parameter - macro->parameters] : &itself;
        FOR_EACH(const struct text_part, part, given->items, given->count)
            ARENA_ADD(expander->arena, filled.items, filled.count) = *part;
    }
    macro->busy = true;
    expand(expander, &filled, out);
    macro->busy = false;
}

static void expand(struct expander *expander, const struct wgsl_tokens *tokens, struct wgsl_tokens *out)
{
    for (size_t at = 0; at < tokens->count;) {
        struct text_part token = tokens->items[at++];
        struct macro *macro = find_macro(expander, token);
        while (macro && !macro->called && macro->body.count == 1) { /* another name, perhaps of a macro with brackets */
            token = macro->body.items[0];
            macro = find_macro(expander, token);
        }
        const bool call = at < tokens->count && wgsl_token_is(tokens->items[at], "(");
        if (!macro || macro->busy || (macro->called && !call)) {
            ARENA_ADD(expander->arena, out->items, out->count) = token;
            continue;
        }
        struct wgsl_tokens arguments[MAXIMUM_PARAMETERS] = {0};
        if (macro->called)
            at = read_arguments(expander, tokens, at, arguments);
        replace(expander, macro, arguments, out);
    }
}

/* ---- lines ---- */

/* Follows a condition; false if the line is none. */
static bool take_condition(struct expander *expander, const struct wgsl_tokens *line)
{
    const bool positive = wgsl_token_is(line->items[1], "ifdef"), negative = wgsl_token_is(line->items[1], "ifndef");
    bool *skips = expander->skips;
    if ((positive || negative) && line->count > 2 && expander->depth + 1 < MAXIMUM_CONDITIONS) {
        const bool defined = find_macro(expander, line->items[2]) != NULL;
        skips[expander->depth + 1] = skips[expander->depth] || defined != positive;
        expander->depth++;
    } else if (wgsl_token_is(line->items[1], "else") && expander->depth > 0) {
        skips[expander->depth] = skips[expander->depth - 1] || !skips[expander->depth];
    } else if (wgsl_token_is(line->items[1], "endif") && expander->depth > 0) {
        expander->depth--;
    } else {
        return false;
    }
    return true;
}

/* Follows a directive. False if it is unknown. */
static bool take_directive(struct expander *expander, const struct wgsl_tokens *line)
{
    if (line->count < 2)
        return false;
    if (take_condition(expander, line) || expander->skips[expander->depth] || wgsl_token_is(line->items[1], "line"))
        return true;
    if (line->count > 2 && wgsl_token_is(line->items[1], "define")) {
        define(expander, line);
        return true;
    }
    if (line->count < 3 || !wgsl_token_is(line->items[1], "undef"))
        return false;
    struct macro *macro = find_macro(expander, line->items[2]);
    if (macro)
        *macro = expander->macros[--expander->macro_count];
    return true;
}

enum status wgsl_expand(const char *text, struct arena *arena, struct wgsl_tokens *tokens, struct text *verbatim,
                        struct error *error)
{
    static const char start[] = "#verbatim\n", end[] = "\n#end\n";
    struct expander expander = {.arena = arena};
    struct wgsl_tokens pending = {0}; /* since the last directive; macros are replaced by what they are there */
    *tokens = (struct wgsl_tokens){0};
    for (const char *at = text; *at;) {
        struct wgsl_tokens line = {0};
        const char *last = strncmp(at, start, strlen(start)) == 0 ? strstr(at, end) : NULL;
        if (last) {
            at += strlen(start);
            text_add_bytes(verbatim, at, (size_t)(last - at) + 1);
            at = last + strlen(end);
        } else if (*at != '#') {
            at = expand_take_line(at, arena, expander.skips[expander.depth] ? &line : &pending);
        } else {
            expand(&expander, &pending, tokens);
            pending.count = 0;
            const char *next = expand_take_line(at, arena, &line);
            if (!take_directive(&expander, &line))
                return error_set(error, STATUS_SYNTAX, "kernel text: '%.*s' is unknown", (int)strcspn(at, "\n"), at);
            at = next;
        }
    }
    expand(&expander, &pending, tokens);
    return expander.depth == 0 ? STATUS_OK : error_set(error, STATUS_SYNTAX, "kernel text: an #endif is missing");
}
