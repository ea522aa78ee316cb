// SPDX-License-Identifier: Apache-2.0
/* Reading expressions and definitions. Precedence is herd's: from loose to tight | ++ ; \ & * ~ and postfix marks. */
#include "models/cat/cat_reader.h"

static struct cat_expression *make_expression(struct cat_reading *reading, enum cat_expression_kind kind,
                                              struct cat_place place)
{
    struct cat_expression *expression = arena_take(&reading->cat->arena, 1, sizeof *expression);
    expression->kind = kind;
    expression->place = place;
    return expression;
}

static struct cat_expression *make_operation(struct cat_reading *reading, enum cat_operation operation,
                                             struct cat_place place, struct cat_expression *left,
                                             struct cat_expression *right)
{
    struct cat_expression *expression = make_expression(reading, CAT_E_OPERATION, place);
    expression->operation = operation;
    expression->left = left;
    expression->right = right;
    return expression;
}

enum status cat_enter_level(struct cat_reading *reading)
{
    if (++reading->nesting > CAT_MAXIMUM_NESTING)
        return cat_fail(reading, &reading->source->token.place, STATUS_LIMIT, "expected at most %d levels of nesting",
                        CAT_MAXIMUM_NESTING);
    return STATUS_OK;
}

static bool at_complement(const struct cat_reading *reading)
{
    return cat_at(reading, "~") || cat_at(reading, "!");
}

/* Can the next token begin an operand? */
static bool at_operand(const struct cat_reading *reading)
{
    const struct cat_token *token = &reading->source->token;
    return token->kind == CAT_NAME || token->kind == CAT_TAG || cat_at(reading, "(") || cat_at(reading, "[") ||
           cat_at(reading, "{") || cat_at(reading, "begin") || at_complement(reading);
}

static enum status read_primary(struct cat_reading *reading, struct cat_expression **result);

/* A name, _ or 0. */
static enum status read_name(struct cat_reading *reading, struct cat_expression **result)
{
    const struct cat_token word = reading->source->token;
    if (cat_token_is(&word, "_"))
        *result = make_operation(reading, CAT_ALL, word.place, NULL, NULL);
    else
        *result = make_expression(reading, cat_token_is(&word, "0") ? CAT_E_ZERO : CAT_E_NAME, word.place);
    (*result)->word = word;
    return cat_advance(reading);
}

/* Expressions up to a mark, with commas between them. */
static enum status cat_expression_read_members(struct cat_reading *reading, const char *end, struct cat_expression **at)
{
    for (bool more = !cat_at(reading, end); more; at = &(*at)->next) {
        TRY(cat_read_expression(reading, at));
        TRY(cat_take_if(reading, ",", &more));
    }
    return cat_take(reading, end);
}

enum status cat_read_arguments(struct cat_reading *reading, struct cat_expression **first)
{
    bool list;
    *first = NULL;
    TRY(cat_take_if(reading, "(", &list));
    if (!list)
        return (reading->source->token.kind == CAT_NAME ? read_name : read_primary)(reading, first);
    return cat_expression_read_members(reading, ")", first);
}

/* A name, or a function with its argument: f(a, b), f a; or what it gives with the next one: f a b. */
static enum status read_named(struct cat_reading *reading, struct cat_expression **result)
{
    TRY(read_name(reading, result));
    while (((*result)->kind == CAT_E_NAME || (*result)->kind == CAT_E_CALL) && at_operand(reading) &&
           !at_complement(reading)) {
        struct cat_expression *function = *result;
        *result = make_expression(reading, CAT_E_CALL, function->place);
        (*result)->word = function->word;
        (*result)->right = function;
        TRY(cat_read_arguments(reading, &(*result)->left));
    }
    return STATUS_OK;
}

static enum status read_primary(struct cat_reading *reading, struct cat_expression **result)
{
    const struct cat_token token = reading->source->token;
    TRY(cat_enter_level(reading));
    if (token.kind == CAT_NAME) {
        TRY(read_named(reading, result));
    } else if (token.kind == CAT_TAG) {
        *result = make_expression(reading, CAT_E_TAG, token.place);
        (*result)->word = token;
        TRY(cat_advance(reading));
    } else if (cat_at(reading, "(") || cat_at(reading, "begin")) {
        const bool begins = cat_at(reading, "begin");
        TRY(cat_advance(reading));
        TRY(cat_read_expression(reading, result));
        TRY(cat_take(reading, begins ? "end" : ")"));
    } else if (cat_at(reading, "{")) {
        TRY(cat_advance(reading));
        *result = make_expression(reading, CAT_E_LIST, token.place);
        TRY(cat_expression_read_members(reading, "}", &(*result)->left));
    } else if (cat_at(reading, "[")) {
        struct cat_expression *set;
        TRY(cat_advance(reading));
        TRY(cat_read_expression(reading, &set));
        TRY(cat_take(reading, "]"));
        *result = make_operation(reading, CAT_IDENTITY, token.place, set, NULL);
    } else {
        return cat_expected(reading, "a set or a relation");
    }
    reading->nesting--;
    return STATUS_OK;
}

/* Postfix operators of an operand. A '*' before another operand is a product, else a closure. */
static enum status read_postfix(struct cat_reading *reading, struct cat_expression **result)
{
    static const struct {
        const char *symbol;
        enum cat_operation operation;
    } marks[] = {{"^-1", CAT_INVERT}, {"^+", CAT_PLUS}, {"+", CAT_PLUS},
                 {"?", CAT_OPTIONAL}, {"^*", CAT_STAR}, {"*", CAT_STAR}};
    bool square;
    TRY(read_primary(reading, result));
    for (size_t i = 0; i < COUNT(marks); i++) {
        if (!cat_at(reading, marks[i].symbol))
            continue;
        const struct cat_source before = *reading->source;
        TRY(cat_advance(reading));
        if (strcmp(marks[i].symbol, "*") == 0 && at_operand(reading)) {
            *reading->source = before;
            return STATUS_OK;
        }
        *result = make_operation(reading, marks[i].operation, (*result)->place, *result, NULL);
        i = (size_t)-1; /* more marks may follow, in any order */
    }
    TRY(cat_take_if(reading, "^2", &square));
    if (square) {
        struct cat_expression *operand = *result;
        *result = make_expression(reading, CAT_E_SQUARE, operand->place);
        (*result)->left = operand;
    }
    return STATUS_OK;
}

static enum status read_complement(struct cat_reading *reading, struct cat_expression **result)
{
    if (!at_complement(reading))
        return read_postfix(reading, result);
    const struct cat_place place = reading->source->token.place;
    struct cat_expression *operand;
    TRY(cat_enter_level(reading));
    TRY(cat_advance(reading));
    TRY(read_complement(reading, &operand));
    reading->nesting--;
    *result = make_operation(reading, CAT_COMPLEMENT, place, operand, NULL);
    return STATUS_OK;
}

/* Binary operators from loose to tight. All associate to the left, which matters for '\', but '++' to the right. */
static const struct {
    const char *symbol;
    enum cat_operation operation;
} levels[] = {{"|", CAT_UNITE},     {"++", CAT_MEMBER},   {";", CAT_COMPOSE},
              {"\\", CAT_SUBTRACT}, {"&", CAT_INTERSECT}, {"*", CAT_CROSS}};
static enum status read_level(struct cat_reading *reading, size_t level, struct cat_expression **result)
{
    if (level == COUNT(levels))
        return read_complement(reading, result);
    TRY(read_level(reading, level + 1, result));
    while (cat_at(reading, levels[level].symbol)) {
        struct cat_expression *right;
        TRY(cat_enter_level(reading));
        TRY(cat_advance(reading));
        TRY(read_level(reading, levels[level].operation == CAT_MEMBER ? level : level + 1, &right));
        reading->nesting--;
        *result = make_operation(reading, levels[level].operation, right->place, *result, right);
    }
    return STATUS_OK;
}

/* "NAME", variant "NAME", not v, (v): all variants are off. */
static enum status read_variant_operand(struct cat_reading *reading, bool *on)
{
    bool taken;
    TRY(cat_enter_level(reading));
    TRY(cat_take_if(reading, "not", &taken));
    if (taken) {
        TRY(read_variant_operand(reading, on));
        *on = !*on;
    } else if (cat_at(reading, "(")) {
        TRY(cat_advance(reading));
        TRY(cat_read_variant(reading, on));
        TRY(cat_take(reading, ")"));
    } else {
        TRY(cat_take_if(reading, "variant", &taken));
        if (reading->source->token.kind != CAT_STRING)
            return cat_expected(reading, "the name of a variant in quotes");
        *on = (reading->titled_withsc && cat_token_is(&reading->source->token, "withsc")) ||
              (reading->titled_rcpc && cat_token_is(&reading->source->token, "rcpc"));
        TRY(cat_advance(reading));
    }
    reading->nesting--;
    return STATUS_OK;
}

static enum status read_variant_conjunction(struct cat_reading *reading, bool *on)
{
    TRY(read_variant_operand(reading, on));
    while (cat_at(reading, "&&")) {
        bool other;
        TRY(cat_advance(reading));
        TRY(read_variant_operand(reading, &other));
        *on = *on && other;
    }
    return STATUS_OK;
}

enum status cat_read_variant(struct cat_reading *reading, bool *on)
{
    TRY(read_variant_conjunction(reading, on));
    while (cat_at(reading, "||")) {
        bool other;
        TRY(cat_advance(reading));
        TRY(read_variant_conjunction(reading, &other));
        *on = *on || other;
    }
    return STATUS_OK;
}

static enum status read_clause(struct cat_reading *reading, struct cat_definition *clause)
{
    clause->name = reading->source->token;
    const bool empty = cat_at(reading, "{");
    if (clause->name.kind != CAT_NAME && clause->name.kind != CAT_TAG && !empty)
        return cat_expected(reading, "a tag, '_', '{}' or 'x ++ xs'");
    TRY(cat_advance(reading));
    if (empty)
        TRY(cat_take(reading, "}"));
    if (clause->name.kind == CAT_NAME && !(cat_token_is(&clause->name, "_") && cat_at(reading, "->"))) {
        clause->parameters = arena_take(&reading->cat->arena, 1, sizeof *clause->parameters);
        clause->parameters->count = 2;
        clause->parameters->names[0] = clause->name;
        TRY(cat_take(reading, "++"));
        TRY(cat_take_name(reading, "a name for the rest", &clause->parameters->names[1]));
    }
    TRY(cat_take(reading, "->"));
    return cat_read_expression(reading, &clause->body);
}

/* match e with [||] PATTERN -> e || ... end */
static enum status read_match(struct cat_reading *reading, struct cat_expression **result)
{
    *result = make_expression(reading, CAT_E_MATCH, reading->source->token.place);
    bool more;
    TRY(cat_advance(reading));
    TRY(cat_read_expression(reading, &(*result)->left));
    TRY(cat_take(reading, "with"));
    TRY(cat_take_if(reading, "||", &more));
    more = true;
    for (struct cat_definition **at = &(*result)->definitions; more; at = &(*at)->next) {
        *at = arena_take(&reading->cat->arena, 1, sizeof **at);
        TRY(read_clause(reading, *at));
        TRY(cat_take_if(reading, "||", &more));
    }
    return cat_take(reading, "end");
}

/* fun a -> e, fun (a, b) -> e */
static enum status read_function(struct cat_reading *reading, struct cat_expression **result)
{
    *result = make_expression(reading, CAT_E_FUNCTION, reading->source->token.place);
    struct cat_definition *definition = arena_take(&reading->cat->arena, 1, sizeof *definition);
    (*result)->definitions = definition;
    definition->parameters = arena_take(&reading->cat->arena, 1, sizeof *definition->parameters);
    TRY(cat_advance(reading));
    TRY(cat_read_parameters(reading, definition->parameters));
    TRY(cat_take(reading, "->"));
    return cat_read_expression(reading, &definition->body);
}

enum status cat_read_expression(struct cat_reading *reading, struct cat_expression **result)
{
    TRY(cat_enter_level(reading));
    if (cat_at(reading, "let")) {
        /* let NAME = e in e */
        *result = make_expression(reading, CAT_E_LET, reading->source->token.place);
        TRY(cat_advance(reading));
        TRY(cat_read_let(reading, &(*result)->definitions));
        TRY(cat_take(reading, "in"));
        TRY(cat_read_expression(reading, &(*result)->right));
    } else if (cat_at(reading, "try")) {
        /* try e with e */
        *result = make_expression(reading, CAT_E_TRY, reading->source->token.place);
        TRY(cat_advance(reading));
        TRY(cat_read_expression(reading, &(*result)->left));
        TRY(cat_take(reading, "with"));
        TRY(cat_read_expression(reading, &(*result)->right));
    } else if (cat_at(reading, "if")) {
        /* if "VARIANT" then e else e: the branch that the variant selects. */
        struct cat_expression *other;
        bool on;
        TRY(cat_advance(reading));
        TRY(cat_read_variant(reading, &on));
        TRY(cat_take(reading, "then"));
        TRY(cat_read_expression(reading, on ? result : &other));
        TRY(cat_take(reading, "else"));
        TRY(cat_read_expression(reading, on ? &other : result));
    } else if (cat_at(reading, "match")) {
        TRY(read_match(reading, result));
    } else if (cat_at(reading, "fun")) {
        TRY(read_function(reading, result));
    } else
        TRY(read_level(reading, 0, result));
    reading->nesting--;
    return STATUS_OK;
}

/* ---- definitions: the text after `let` ---- */

static enum status cat_expression_add_parameter(struct cat_reading *reading, struct cat_parameters *parameters)
{
    if (parameters->count == CAT_MAXIMUM_PARAMETERS)
        return cat_fail(reading, &reading->source->token.place, STATUS_LIMIT, "expected at most %d parameters",
                        CAT_MAXIMUM_PARAMETERS);
    return cat_take_name(reading, "a parameter", &parameters->names[parameters->count++]);
}

enum status cat_read_parameters(struct cat_reading *reading, struct cat_parameters *parameters)
{
    bool list;
    TRY(cat_take_if(reading, "(", &list));
    if (!list)
        return cat_expression_add_parameter(reading, parameters);
    for (bool more = !cat_at(reading, ")"); more;) {
        TRY(cat_expression_add_parameter(reading, parameters));
        TRY(cat_take_if(reading, ",", &more));
    }
    return cat_take(reading, ")");
}

enum status cat_read_let(struct cat_reading *reading, struct cat_definition **definitions)
{
    struct cat_definition **at = definitions;
    unsigned count = 0;
    bool recursive;
    TRY(cat_take_if(reading, "rec", &recursive));
    for (bool more = true; more; at = &(*at)->next) {
        if (count++ == CAT_MAXIMUM_VARIABLES)
            return cat_fail(reading, &reading->source->token.place, STATUS_LIMIT,
                            "expected at most %d definitions joined by 'and'", CAT_MAXIMUM_VARIABLES);
        *at = arena_take(&reading->cat->arena, 1, sizeof **at);
        (*at)->recursive = recursive;
        /* NAME = e, NAME(a, b) = e or NAME a = e */
        struct cat_definition *definition = *at;
        TRY(cat_take_name(reading, "a name", &definition->name));
        if (cat_at(reading, "(") || reading->source->token.kind == CAT_NAME) {
            definition->parameters = arena_take(&reading->cat->arena, 1, sizeof *definition->parameters);
            TRY(cat_read_parameters(reading, definition->parameters));
        }
        TRY(cat_take(reading, "="));
        TRY(cat_read_expression(reading, &definition->body));
        TRY(cat_take_if(reading, "and", &more));
    }
    return STATUS_OK;
}
