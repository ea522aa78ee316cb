// SPDX-License-Identifier: Apache-2.0
/*
 * Kernel text as WGSL.
 *
 * One pass over the tokens prints each declaration, statement and expression in the other syntax. No types are
 * computed: the text says them wherever WGSL needs one. What differs besides syntax:
 *   - An expression has all its brackets, since WGSL forbids some mixtures of operators without them.
 *   - `c ? a : b` becomes select(b, a, c), which computes both; no such expression in a kernel has an effect.
 *   - The arrays of `atomic_arrays` have atomic words: what reads or assigns one becomes atomicLoad or atomicStore.
 *   - A parameter that the function assigns (`inout`) is a pointer.
 */
#include "backends/webgpu/wgsl.h"

#include "backends/webgpu/expand.h"

static const char *const atomic_arrays[] = {"memory", "counters", "local_memory", "scratch"};

struct wgsl_function {
    struct text_part name;
    unsigned pointers; /* bit k: parameter k is a pointer */
};

struct translator {
    struct arena *arena;
    const struct text_part *at, *end;
    struct text *out;
    unsigned depth; /* of indentation */
    struct wgsl_function *functions;
    size_t function_count;
    struct wgsl_tokens pointers; /* parameters of this function that are pointers */
    bool failed;
    struct text_part failed_at;
};

/* ---- tokens ---- */

static bool is(const struct translator *t, size_t ahead, const char *word)
{
    return (size_t)(t->end - t->at) > ahead && wgsl_token_is(t->at[ahead], word);
}

static bool is_name(const struct translator *t, size_t ahead)
{
    return (size_t)(t->end - t->at) > ahead && wgsl_token_is_name(t->at[ahead]);
}

/* Notes the first token that is not understood, and goes to the end. */
static void fail(struct translator *t)
{
    if (!t->failed && t->at < t->end)
        t->failed_at = *t->at;
    t->failed = true;
    t->at = t->end;
}

static bool take(struct translator *t, const char *word)
{
    const bool found = is(t, 0, word);
    t->at += found;
    return found;
}

static void expect(struct translator *t, const char *word)
{
    if (!take(t, word))
        fail(t);
}

static struct text_part take_name(struct translator *t)
{
    if (is_name(t, 0))
        return *t->at++;
    fail(t);
    return (struct text_part){"", 0};
}

static void add_token(struct text *text, struct text_part token)
{
    text_add_bytes(text, token.start, token.size);
}

static void new_line(struct translator *t)
{
    text_add(t->out, "\n%*s", (int)(4 * t->depth), "");
}

static bool is_pointer(const struct translator *t, struct text_part name)
{
    return ANY_OF(own, t->pointers.items, t->pointers.count, wgsl_token_same(*own, name));
}

/* ---- expressions ---- */

static void add_expression(struct translator *t, struct text *text);

static void add_arguments(struct translator *t, struct text_part name, struct text *text)
{
    const struct wgsl_function *function =
        FIRST_OF(own, t->functions, t->function_count, wgsl_token_same(own->name, name));
    for (unsigned k = 0; !take(t, ")") && !t->failed; k++) {
        if (k > 0)
            expect(t, ",");
        text_add(text, "%s", k > 0 ? ", " : "");
        if (function && function->pointers >> k & 1) {
            const struct text_part place = take_name(t);
            text_add(text, "%s", is_pointer(t, place) ? "" : "&");
            add_token(text, place);
        } else {
            add_expression(t, text);
        }
    }
}

/* A name with what follows it: members, elements, a call. *atomic: it is a word of an atomic array. */
static void add_place(struct translator *t, struct text *text, bool *atomic)
{
    const struct text_part name = take_name(t);
    const bool pointer = is_pointer(t, name);
    *atomic = false;
    text_add(text, "%s", pointer ? "(*" : "");
    add_token(text, name);
    text_add(text, "%s", pointer ? ")" : "");
    for (;;) {
        if (take(t, "(")) {
            text_add(text, "(");
            add_arguments(t, name, text);
            text_add(text, ")");
        } else if (take(t, "[")) {
            *atomic = ANY_OF(array, atomic_arrays, COUNT(atomic_arrays), wgsl_token_is(name, *array));
            text_add(text, "[");
            add_expression(t, text);
            text_add(text, "]");
            expect(t, "]");
        } else if (take(t, ".")) {
            text_add(text, ".");
            add_token(text, take_name(t));
        } else {
            return;
        }
    }
}

static void add_unary(struct translator *t, struct text *text)
{
    static const char *const operators[] = {"-", "!", "~"};
    LOCAL(text) place = {0};
    bool atomic;
    if (t->at == t->end)
        fail(t);
    else if (take(t, "(")) {
        add_expression(t, text);
        expect(t, ")");
    } else if (take(t, "&")) {
        text_add(text, "&");
        add_place(t, text, &atomic);
    } else if (ANY_OF(word, operators, COUNT(operators), is(t, 0, *word))) {
        text_add(text, "(");
        add_token(text, *t->at++);
        add_unary(t, text);
        text_add(text, ")");
    } else if (is_name(t, 0)) {
        add_place(t, &place, &atomic);
        text_add(text, atomic ? "atomicLoad(&%s)" : "%s", text_string(&place));
    } else {
        add_token(text, *t->at++); /* a number */
    }
}

/* How strongly an operator binds; 0: it is none. */
static unsigned binding(const struct translator *t)
{
    static const char *const by_strength[][4] = {
        {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="},
        {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
    for (unsigned strength = 0; strength < COUNT(by_strength); strength++)
        for (size_t i = 0; i < COUNT(by_strength[0]) && by_strength[strength][i]; i++)
            if (is(t, 0, by_strength[strength][i]))
                return strength + 1;
    return 0;
}

static void add_binary(struct translator *t, unsigned weakest, struct text *text)
{
    LOCAL(text) left = {0};
    add_unary(t, &left);
    for (unsigned strength; (strength = binding(t)) >= weakest && strength > 0;) {
        LOCAL(text) both = {0};
        text_add(&both, "(%s ", text_string(&left));
        add_token(&both, *t->at++);
        text_add(&both, " ");
        add_binary(t, strength + 1, &both);
        text_add(&both, ")");
        text_clear(&left);
        text_add(&left, "%s", text_string(&both));
    }
    text_add(text, "%s", text_string(&left));
}

static void add_expression(struct translator *t, struct text *text)
{
    LOCAL(text) condition = {0}, yes = {0};
    add_binary(t, 1, &condition);
    if (!take(t, "?")) {
        text_add(text, "%s", text_string(&condition));
        return;
    }
    add_expression(t, &yes);
    expect(t, ":");
    text_add(text, "select(");
    add_expression(t, text);
    text_add(text, ", %s, %s)", text_string(&yes), text_string(&condition));
}

/* ---- declarations ---- */

/* " : u32", or with the length in brackets that follows, " : array<u32, 2u>". */
static void add_type(struct translator *t, struct text_part type, struct text *text)
{
    const bool array = take(t, "[");
    text_add(text, array ? " : array<" : " : ");
    add_token(text, type);
    if (!array)
        return;
    text_add(text, ", ");
    add_expression(t, text);
    text_add(text, ">");
    expect(t, "]");
}

/* Whether a statement declares variables: it has a type and a name. */
static bool is_declaration(const struct translator *t)
{
    return is(t, 0, "const") || (is_name(t, 0) && is_name(t, 1) && !is(t, 0, "return"));
}

/* Variables of one type, up to the semicolon. In the head of a loop there is one. */
static void add_declaration(struct translator *t)
{
    const char *const word = take(t, "const") ? "let" : "var";
    const struct text_part type = take_name(t);
    do {
        if (t->at[-1].start[0] == ',')
            new_line(t);
        text_add(t->out, "%s ", word);
        add_token(t->out, take_name(t));
        add_type(t, type, t->out);
        if (take(t, "=")) {
            text_add(t->out, " = ");
            add_expression(t, t->out);
        }
        text_add(t->out, ";");
    } while (take(t, ","));
}

/* ---- statements ---- */

static void add_statement(struct translator *t);

/* An assignment, without the semicolon; or a call. */
static void add_effect(struct translator *t)
{
    static const char *const assignments[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
    LOCAL(text) place = {0}, value = {0};
    bool atomic;
    add_place(t, &place, &atomic);
    if (!ANY_OF(word, assignments, COUNT(assignments), is(t, 0, *word))) {
        text_add(t->out, "%s", text_string(&place));
        return;
    }
    const struct text_part operator= * t->at++;
    const bool steps = wgsl_token_is(operator, "++") || wgsl_token_is(operator, "--");
    if (steps)
        text_add(&value, "1u");
    else
        add_expression(t, &value);
    if (!atomic) {
        text_add(t->out, "%s%s", text_string(&place), steps ? "" : " ");
        add_token(t->out, operator);
        text_add(t->out, "%s%s", steps ? "" : " ", steps ? "" : text_string(&value));
        return;
    }
    text_add(t->out, "atomicStore(&%s, ", text_string(&place));
    if (operator.size == 1)
        text_add(t->out, "%s)", text_string(&value));
    else
        text_add(t->out, "atomicLoad(&%s) %.*s (%s))", text_string(&place),
                 steps ? 1 : (int)operator.size - 1, operator.start, text_string(&value));
}

/* A statement as a block; then what is in `more`, a statement that ends a loop's round. */
static void wgsl_add_block(struct translator *t, const char *more)
{
    text_add(t->out, "{");
    t->depth++;
    if (take(t, "{")) {
        while (!take(t, "}") && !t->failed)
            add_statement(t);
    } else {
        add_statement(t);
    }
    if (*more) {
        new_line(t);
        text_add(t->out, "%s;", more);
    }
    t->depth--;
    new_line(t);
    text_add(t->out, "}");
}

static void add_condition(struct translator *t)
{
    expect(t, "(");
    add_expression(t, t->out);
    expect(t, ")");
    text_add(t->out, " ");
}

/* A loop's head may have two steps in C and one in WGSL: the second ends the body. No such loop has a `continue`. */
static void add_for(struct translator *t)
{
    LOCAL(text) second = {0};
    struct text *const out = t->out;
    expect(t, "(");
    text_add(out, "for (");
    if (is_declaration(t))
        add_declaration(t);
    else
        text_add(out, ";");
    expect(t, ";");
    text_add(out, " ");
    if (!is(t, 0, ";"))
        add_expression(t, out);
    expect(t, ";");
    text_add(out, "; ");
    if (!is(t, 0, ")"))
        add_effect(t);
    t->out = &second;
    if (take(t, ","))
        add_effect(t);
    t->out = out;
    expect(t, ")");
    text_add(out, ") ");
    wgsl_add_block(t, text_string(&second));
}

static void add_do(struct translator *t)
{
    LOCAL(text) condition = {0};
    struct text *const out = t->out;
    text_add(out, "loop ");
    wgsl_add_block(t, "");
    out->size = out->size - strlen("}"); /* the condition goes before the end of the block */
    t->out = &condition;
    expect(t, "while");
    add_condition(t);
    expect(t, ";");
    t->out = out;
    text_add(out, "    continuing {\n%*sbreak if !(%s);\n%*s}\n%*s}", (int)(4 * t->depth + 8), "",
             text_string(&condition), (int)(4 * t->depth + 4), "", (int)(4 * t->depth), "");
}

static void add_statement(struct translator *t)
{
    if (take(t, ";"))
        return;
    new_line(t);
    if (is(t, 0, "{")) {
        wgsl_add_block(t, "");
    } else if (take(t, "if")) {
        text_add(t->out, "if ");
        add_condition(t);
        wgsl_add_block(t, "");
        if (take(t, "else")) {
            text_add(t->out, " else ");
            wgsl_add_block(t, "");
        }
    } else if (take(t, "while")) {
        text_add(t->out, "while ");
        add_condition(t);
        wgsl_add_block(t, "");
    } else if (take(t, "for")) {
        add_for(t);
    } else if (take(t, "do")) {
        add_do(t);
    } else if (is_declaration(t)) {
        add_declaration(t);
        expect(t, ";");
    } else if (take(t, "return") || is(t, 0, "break") || is(t, 0, "continue")) {
        const bool returns = wgsl_token_is(t->at[-1], "return");
        text_add(t->out, "%s", returns ? is(t, 0, ";") ? "return" : "return " : "");
        if (!is(t, 0, ";"))
            add_expression(t, t->out);
        text_add(t->out, ";");
        expect(t, ";");
    } else {
        add_effect(t);
        text_add(t->out, ";");
        expect(t, ";");
    }
}

/* ---- the module ---- */

static void add_struct(struct translator *t)
{
    text_add(t->out, "struct ");
    add_token(t->out, take_name(t));
    text_add(t->out, " {");
    expect(t, "{");
    while (!take(t, "}") && !t->failed) {
        const struct text_part type = take_name(t);
        do {
            text_add(t->out, "\n    ");
            add_token(t->out, take_name(t));
            add_type(t, type, t->out);
            text_add(t->out, ",");
        } while (take(t, ","));
        expect(t, ";");
    }
    expect(t, ";");
    text_add(t->out, "\n}\n\n");
}

/* The parameters, up to the bracket. Notes which are pointers. */
static void add_parameters(struct translator *t, struct wgsl_function *function, struct text *text)
{
    t->pointers.count = 0;
    for (unsigned k = 0; !take(t, ")") && !t->failed; k++) {
        if (k > 0)
            expect(t, ",");
        if (take(t, "void"))
            continue;
        const bool pointer = take(t, "inout");
        const struct text_part type = take_name(t), name = take_name(t);
        LOCAL(text) typed = {0};
        add_type(t, type, &typed);
        text_add(text, "%s", k > 0 ? ", " : "");
        add_token(text, name);
        text_add(text, pointer ? " : ptr<function, %s>" : "%s", text_string(&typed) + (pointer ? strlen(" : ") : 0));
        function->pointers |= (unsigned)pointer << k;
        if (pointer)
            ARENA_ADD(t->arena, t->pointers.items, t->pointers.count) = name;
    }
}

/* A function; of one that is only declared, nothing is printed. */
static void add_function(struct translator *t)
{
    LOCAL(text) head = {0};
    const struct text_part type = take_name(t), name = take_name(t);
    struct wgsl_function function = {.name = name};
    expect(t, "(");
    text_add(&head, "fn ");
    add_token(&head, name);
    text_add(&head, "(");
    add_parameters(t, &function, &head);
    text_add(&head, ")");
    ARENA_ADD(t->arena, t->functions, t->function_count) = function;
    if (take(t, ";"))
        return;
    if (wgsl_token_is(name, "main"))
        text_add(t->out, "@compute @workgroup_size(GROUP_SIZE)\nfn main(@builtin(workgroup_id) group_id : vec3<u32>, "
                         "@builtin(local_invocation_index) item : u32) {\n    lane_id = item;\n    ");
    else
        text_add(t->out, "%s ", text_string(&head));
    if (!wgsl_token_is(type, "void")) {
        text_add(t->out, "-> ");
        add_token(t->out, type);
        text_add(t->out, " ");
    }
    wgsl_add_block(t, "");
    text_add(t->out, "%s\n\n", wgsl_token_is(name, "main") ? "\n}" : "");
}

enum status wgsl_translate(const char *source, struct text *wgsl, struct error *error)
{
    LOCAL(arena) arena = {0};
    LOCAL(text) text = {0};
    struct wgsl_tokens tokens;
    struct translator translator = {.arena = &arena, .out = wgsl};
    text_add(&text, "%s%s", webgpu_prelude, source);
    TRY(wgsl_expand(text_string(&text), &arena, &tokens, wgsl, error));
    translator.at = tokens.items;
    translator.end = tokens.items + tokens.count;
    text_add(wgsl, "\n");
    while (translator.at < translator.end)
        if (take(&translator, "struct"))
            add_struct(&translator);
        else
            add_function(&translator);
    return translator.failed ? error_set(error, STATUS_SYNTAX, "kernel text: '%.*s' cannot be written in WGSL",
                                         (int)translator.failed_at.size, translator.failed_at.start)
                             : STATUS_OK;
}
