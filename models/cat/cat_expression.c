// SPDX-License-Identifier: Apache-2.0
/* Reading expressions. Precedence is herd's: from loose to tight | ; \ & * ~ and postfix
 * operators. */
#include <string.h>

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

enum status cat_read_arguments(struct cat_reading *reading, struct cat_expression **first)
{
    struct cat_expression **at = first;
    bool list, none;
    *first = NULL;
    TRY(cat_take_if(reading, "(", &list));
    if (!list)
        return read_primary(reading, first);
    TRY(cat_take_if(reading, ")", &none));
    if (none)
        return STATUS_OK;
    for (bool more = true; more;) {
        TRY(cat_read_expression(reading, at));
        at = &(*at)->next;
        TRY(cat_take_if(reading, ",", &more));
    }
    return cat_take(reading, ")");
}

/* A name, or a function with its argument: f(a, b), f a. */
static enum status read_named(struct cat_reading *reading, struct cat_expression **result)
{
    const struct cat_token word = reading->source->token;
    TRY(cat_advance(reading));
    if (cat_token_is(&word, "_"))
        *result = make_operation(reading, CAT_ALL, word.place, NULL, NULL);
    else
        *result = make_expression(reading, cat_token_is(&word, "0") ? CAT_E_ZERO : CAT_E_NAME, word.place);
    if ((*result)->kind != CAT_E_NAME)
        return STATUS_OK;
    (*result)->word = word;
    if (!at_operand(reading) || at_complement(reading))
        return STATUS_OK;
    (*result)->kind = CAT_E_CALL;
    return cat_read_arguments(reading, &(*result)->left);
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
        *result = make_expression(reading, CAT_E_ZERO, token.place);
        TRY(cat_take(reading, "}"));
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
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
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

/* Binary operators from loose to tight. All associate to the left: only for '\' does it matter. */
static const struct {
    const char *symbol;
    enum cat_operation operation;
} levels[] = {{"|", CAT_UNITE}, {";", CAT_COMPOSE}, {"\\", CAT_SUBTRACT}, {"&", CAT_INTERSECT}, {"*", CAT_CROSS}};
enum { LEVELS = sizeof levels / sizeof levels[0] };

static enum status read_level(struct cat_reading *reading, size_t level, struct cat_expression **result)
{
    if (level == LEVELS)
        return read_complement(reading, result);
    TRY(read_level(reading, level + 1, result));
    while (cat_at(reading, levels[level].symbol)) {
        struct cat_expression *right;
        TRY(cat_advance(reading));
        TRY(read_level(reading, level + 1, &right));
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
        *on = reading->titled_withsc && cat_token_is(&reading->source->token, "withsc");
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

/* let NAME = e in e */
static enum status read_local(struct cat_reading *reading, struct cat_expression **result)
{
    *result = make_expression(reading, CAT_E_LET, reading->source->token.place);
    TRY(cat_advance(reading));
    TRY(cat_read_let(reading, &(*result)->let));
    TRY(cat_take(reading, "in"));
    return cat_read_expression(reading, &(*result)->right);
}

/* try e with e */
static enum status read_try(struct cat_reading *reading, struct cat_expression **result)
{
    *result = make_expression(reading, CAT_E_TRY, reading->source->token.place);
    TRY(cat_advance(reading));
    TRY(cat_read_expression(reading, &(*result)->left));
    TRY(cat_take(reading, "with"));
    return cat_read_expression(reading, &(*result)->right);
}

/* if "VARIANT" then e else e: the branch that the variant selects. */
static enum status read_choice(struct cat_reading *reading, struct cat_expression **result)
{
    struct cat_expression *other;
    bool on;
    TRY(cat_advance(reading));
    TRY(cat_read_variant(reading, &on));
    TRY(cat_take(reading, "then"));
    TRY(cat_read_expression(reading, on ? result : &other));
    TRY(cat_take(reading, "else"));
    return cat_read_expression(reading, on ? &other : result);
}

enum status cat_read_expression(struct cat_reading *reading, struct cat_expression **result)
{
    TRY(cat_enter_level(reading));
    if (cat_at(reading, "let"))
        TRY(read_local(reading, result));
    else if (cat_at(reading, "try"))
        TRY(read_try(reading, result));
    else if (cat_at(reading, "if"))
        TRY(read_choice(reading, result));
    else
        TRY(read_level(reading, 0, result));
    reading->nesting--;
    return STATUS_OK;
}
