// SPDX-License-Identifier: Apache-2.0
/* Translates expressions to operations: names are looked up, functions expanded, types checked. */
#include <string.h>

#include "models/cat/cat_reader.h"

static const char *type_name(enum cat_type type)
{
    static const char *const names[] = {[CAT_T_SET] = "a set",
                                        [CAT_T_RELATION] = "a relation",
                                        [CAT_T_ZERO] = "the empty relation",
                                        [CAT_T_TAG] = "a tag"};
    return names[type];
}

enum status cat_new_node(struct cat_reading *reading, const struct cat_place *place, enum cat_operation operation,
                         enum cat_type type, int left, int right, struct cat_value_of *result)
{
    result->type = type;
    result->node = cat_node(reading->cat, operation, type == CAT_T_SET, left, right);
    if (result->node < 0)
        return cat_fail(reading, place, STATUS_LIMIT,
                        "expected a model of at most %d operations with its functions expanded", CAT_MAXIMUM_NODES);
    return STATUS_OK;
}

enum status cat_need(struct cat_reading *reading, const struct cat_place *place, struct cat_value_of value,
                     enum cat_type type, int *node)
{
    if (value.type == CAT_T_ZERO)
        TRY(cat_new_node(reading, place, CAT_EMPTY, type, -1, -1, &value));
    if (value.type != type)
        return cat_fail(reading, place, STATUS_SYNTAX, "expected %s, found %s", type_name(type), type_name(value.type));
    *node = value.node;
    return STATUS_OK;
}

static enum status translate_unary(struct cat_reading *reading, const struct cat_expression *expression,
                                   const struct cat_binding *known, struct cat_value_of *result)
{
    static const struct {
        enum cat_type from, to;
    } types[] = {
        [CAT_INVERT] = {CAT_T_RELATION, CAT_T_RELATION}, [CAT_OPTIONAL] = {CAT_T_RELATION, CAT_T_RELATION},
        [CAT_PLUS] = {CAT_T_RELATION, CAT_T_RELATION},   [CAT_STAR] = {CAT_T_RELATION, CAT_T_RELATION},
        [CAT_IDENTITY] = {CAT_T_SET, CAT_T_RELATION},    [CAT_DOMAIN] = {CAT_T_RELATION, CAT_T_SET},
        [CAT_RANGE] = {CAT_T_RELATION, CAT_T_SET},       [CAT_COMPLEMENT] = {CAT_T_RELATION, CAT_T_RELATION},
    };
    struct cat_value_of operand;
    int node = -1;
    TRY(cat_translate(reading, expression->left, known, &operand));
    enum cat_type from = types[expression->operation].from, to = types[expression->operation].to;
    if (expression->operation == CAT_COMPLEMENT && operand.type == CAT_T_SET)
        from = to = CAT_T_SET;
    TRY(cat_need(reading, &expression->left->place, operand, from, &node));
    return cat_new_node(reading, &expression->place, expression->operation, to, node, -1, result);
}

static enum status translate_binary(struct cat_reading *reading, const struct cat_expression *expression,
                                    const struct cat_binding *known, struct cat_value_of *result)
{
    struct cat_value_of left, right;
    int first = -1, second = -1;
    TRY(cat_translate(reading, expression->left, known, &left));
    TRY(cat_translate(reading, expression->right, known, &right));
    enum cat_type operands = CAT_T_RELATION, type = CAT_T_RELATION;
    if (expression->operation == CAT_CROSS)
        operands = CAT_T_SET;
    else if (expression->operation != CAT_COMPOSE && left.type == CAT_T_ZERO && right.type == CAT_T_ZERO)
        operands = type = CAT_T_RELATION;
    else if (expression->operation != CAT_COMPOSE && (left.type == CAT_T_SET || left.type == CAT_T_ZERO))
        operands = type = left.type == CAT_T_ZERO ? right.type : CAT_T_SET;
    if (operands == CAT_T_TAG)
        operands = type = CAT_T_RELATION;
    TRY(cat_need(reading, &expression->left->place, left, operands, &first));
    TRY(cat_need(reading, &expression->right->place, right, operands, &second));
    return cat_new_node(reading, &expression->place, expression->operation, type, first, second, result);
}

static const struct cat_binding *look_up(const struct cat_binding *known, const struct cat_token *name)
{
    while (known && (known->size != name->size || memcmp(known->name, name->bytes, name->size) != 0))
        known = known->next;
    return known;
}

static enum status translate_name(struct cat_reading *reading, const struct cat_expression *expression,
                                  const struct cat_binding *known, struct cat_value_of *result)
{
    const struct cat_token *name = &expression->word;
    const struct cat_binding *binding = look_up(known, name);
    if (binding && binding->function)
        return cat_fail(reading, &expression->place, STATUS_SYNTAX,
                        "expected '(' and arguments after the function '%.*s'", (int)name->size, name->bytes);
    if (binding) {
        *result = binding->value;
        return STATUS_OK;
    }
    const int base = base_find(name->bytes, name->size);
    reading->unknown_name = base < 0;
    if (base < 0)
        return cat_fail(
            reading, &expression->place, STATUS_SYNTAX,
            "expected a name that the model or orchil defines (docs/reference/models.md lists orchil's), found '%.*s'",
            (int)name->size, name->bytes);
    return cat_new_node(reading, &expression->place, CAT_BASE, bases[base].holds ? CAT_T_SET : CAT_T_RELATION, base, -1,
                        result);
}

static enum status translate_projection(struct cat_reading *reading, const struct cat_expression *call,
                                        enum cat_operation operation, const struct cat_binding *known,
                                        struct cat_value_of *result)
{
    struct cat_expression projection = *call;
    projection.kind = CAT_E_OPERATION;
    projection.operation = operation;
    if (!call->left || call->left->next)
        return cat_fail(reading, call->left ? &call->left->next->place : &call->place, STATUS_SYNTAX,
                        "expected one argument");
    return translate_unary(reading, &projection, known, result);
}

/* The base that a tag function of herd gives: a scope's relation, or the set with the tag's name;
 * or -1. */
static int base_of_tag(const struct cat_token *tag, bool scope)
{
    static const struct {
        const char *tag, *base;
    } levels[] = {{"cta", "scta"},   {"work_group", "swg"}, {"cluster", "scluster"}, {"gpu", "sgpu"},
                  {"device", "sdv"}, {"sub_group", "ssg"},  {"wi", "int"},           {"work_item", "int"}};
    int base = scope ? -1 : base_find(tag->bytes, tag->size);
    for (size_t i = 0; scope && i < sizeof levels / sizeof levels[0]; i++)
        if (cat_token_is(tag, levels[i].tag))
            base = base_find(levels[i].base, strlen(levels[i].base));
    return base >= 0 && (bool)bases[base].make == scope ? base : -1;
}

/* domain and range, and herd's tag functions. */
static enum status translate_builtin(struct cat_reading *reading, const struct cat_expression *call,
                                     const struct cat_binding *known, struct cat_value_of *result)
{
    if (cat_token_is(&call->word, "domain"))
        return translate_projection(reading, call, CAT_DOMAIN, known, result);
    if (cat_token_is(&call->word, "range"))
        return translate_projection(reading, call, CAT_RANGE, known, result);
    const bool scope = cat_token_is(&call->word, "tag2scope") || cat_token_is(&call->word, "tag2level");
    reading->unknown_name = !scope && !cat_token_is(&call->word, "tag2events");
    if (reading->unknown_name)
        return cat_fail(reading, &call->place, STATUS_SYNTAX,
                        "expected a function that the model or orchil defines, found '%.*s'", (int)call->word.size,
                        call->word.bytes);
    const struct cat_expression *tag = call->left;
    if (!tag || tag->kind != CAT_E_TAG || tag->next)
        return cat_fail(reading, tag ? &tag->place : &call->place, STATUS_SYNTAX, "expected one tag, such as 'cta");
    const int base = base_of_tag(&tag->word, scope);
    reading->unknown_name = base < 0;
    if (base < 0)
        return cat_fail(reading, &tag->place, STATUS_SYNTAX, "expected a tag that orchil knows, found '%.*s",
                        (int)tag->word.size, tag->word.bytes);
    return cat_new_node(reading, &tag->place, CAT_BASE, scope ? CAT_T_RELATION : CAT_T_SET, base, -1, result);
}

static enum status translate_call(struct cat_reading *reading, const struct cat_expression *call,
                                  const struct cat_binding *known, struct cat_value_of *result)
{
    const struct cat_binding *binding = look_up(known, &call->word);
    if (!binding)
        return translate_builtin(reading, call, known, result);
    const struct cat_function *function = binding->function;
    if (!function)
        return cat_fail(reading, &call->place, STATUS_SYNTAX,
                        "expected a function before an argument, found '%.*s', which is %s", (int)call->word.size,
                        call->word.bytes, type_name(binding->value.type));
    const struct cat_parameters *names = &function->parameters;
    struct cat_binding parameters[CAT_MAXIMUM_PARAMETERS];
    const struct cat_binding *inside = binding->known;
    const struct cat_expression *argument = call->left;
    for (unsigned i = 0; i < names->count; i++, argument = argument->next) {
        if (!argument)
            return cat_fail(reading, &call->place, STATUS_SYNTAX, "expected %u argument%s of '%.*s', found %u",
                            names->count, names->count == 1 ? "" : "s", (int)call->word.size, call->word.bytes, i);
        parameters[i] =
            (struct cat_binding){.name = names->names[i].bytes, .size = names->names[i].size, .next = inside};
        TRY(cat_translate(reading, argument, known, &parameters[i].value));
        inside = &parameters[i];
    }
    if (argument)
        return cat_fail(reading, &argument->place, STATUS_SYNTAX, "expected no more arguments of '%.*s' than %u",
                        (int)call->word.size, call->word.bytes, names->count);
    return cat_translate(reading, function->body, inside, result);
}

static enum status translate_square(struct cat_reading *reading, const struct cat_expression *expression,
                                    const struct cat_binding *known, struct cat_value_of *result)
{
    struct cat_value_of operand;
    int node = -1;
    TRY(cat_translate(reading, expression->left, known, &operand));
    const bool set = operand.type == CAT_T_SET;
    TRY(cat_need(reading, &expression->left->place, operand, set ? CAT_T_SET : CAT_T_RELATION, &node));
    return cat_new_node(reading, &expression->place, set ? CAT_CROSS : CAT_COMPOSE, CAT_T_RELATION, node, node, result);
}

static enum status translate_local(struct cat_reading *reading, const struct cat_expression *expression,
                                   const struct cat_binding *known, struct cat_value_of *result)
{
    TRY(cat_define(reading, &expression->let, &known));
    return cat_translate(reading, expression->right, known, result);
}

/* The translation of the left side is dropped if it contains an unknown name. */
static enum status translate_try(struct cat_reading *reading, const struct cat_expression *expression,
                                 const struct cat_binding *known, struct cat_value_of *result)
{
    struct cat *cat = reading->cat;
    const unsigned nesting = reading->nesting;
    const int nodes = cat->node_count, groups = cat->group_count;
    reading->unknown_name = false;
    const enum status status = cat_translate(reading, expression->left, known, result);
    if (status == STATUS_OK || !reading->unknown_name)
        return status;
    reading->unknown_name = false;
    reading->nesting = nesting;
    cat->node_count = nodes;
    cat->group_count = groups;
    return cat_translate(reading, expression->right, known, result);
}

static enum status translate_kind(struct cat_reading *reading, const struct cat_expression *expression,
                                  const struct cat_binding *known, struct cat_value_of *result)
{
    switch (expression->kind) {
    case CAT_E_NAME:
        return translate_name(reading, expression, known, result);
    case CAT_E_CALL:
        return translate_call(reading, expression, known, result);
    case CAT_E_TAG:
        *result = (struct cat_value_of){CAT_T_TAG, -1, &expression->word};
        return STATUS_OK;
    case CAT_E_ZERO:
        *result = (struct cat_value_of){CAT_T_ZERO, -1, NULL};
        return STATUS_OK;
    case CAT_E_SQUARE:
        return translate_square(reading, expression, known, result);
    case CAT_E_LET:
        return translate_local(reading, expression, known, result);
    case CAT_E_TRY:
        return translate_try(reading, expression, known, result);
    case CAT_E_OPERATION:
        break;
    }
    if (expression->operation == CAT_ALL)
        return cat_new_node(reading, &expression->place, CAT_ALL, CAT_T_SET, -1, -1, result);
    return expression->right ? translate_binary(reading, expression, known, result)
                             : translate_unary(reading, expression, known, result);
}

enum status cat_translate(struct cat_reading *reading, const struct cat_expression *expression,
                          const struct cat_binding *known, struct cat_value_of *result)
{
    if (++reading->steps > CAT_MAXIMUM_STEPS || ++reading->nesting > 20 * CAT_MAXIMUM_NESTING)
        return cat_fail(reading, &expression->place, STATUS_LIMIT,
                        "expected functions that expand to fewer than %d expressions", CAT_MAXIMUM_STEPS);
    TRY(translate_kind(reading, expression, known, result));
    reading->nesting--;
    return STATUS_OK;
}
