// SPDX-License-Identifier: Apache-2.0
/* From expressions and definitions to the operations of a model. */
#include "models/cat/cat_reader.h"

/* ---- definitions: binding names ---- */

static struct cat_binding *add_binding(struct cat_reading *reading, const struct cat_token *name,
                                       const struct cat_binding **scope)
{
    struct cat_binding *binding = arena_take(&reading->cat->arena, 1, sizeof *binding);
    *binding = (struct cat_binding){.name = name->bytes, .size = name->size, .next = *scope};
    *scope = binding;
    return binding;
}

void cat_bind(struct cat_reading *reading, const struct cat_token *name, struct cat_value_of value,
              const struct cat_binding **scope)
{
    add_binding(reading, name, scope)->value = value;
    if (value.type != CAT_T_RELATION || reading->cat->nodes[value.node].name)
        return;
    reading->cat->nodes[value.node].name = cat_copy(reading, name);
    reading->cat->nodes[value.node].whole = reading->in_prelude;
}

static struct cat_value_of function_value(const struct cat_definition *function, const struct cat_binding *known)
{
    return (struct cat_value_of){.type = CAT_T_FUNCTION, .function = function, .known = known};
}

/* Definitions joined by 'and' do not see each other. */
static enum status define_values(struct cat_reading *reading, const struct cat_definition *definition,
                                 const struct cat_binding **scope)
{
    const struct cat_binding *known = *scope;
    for (; definition; definition = definition->next) {
        struct cat_value_of value;
        if (definition->parameters) {
            add_binding(reading, &definition->name, scope)->value = function_value(definition, known);
            continue;
        }
        TRY(cat_translate(reading, definition->body, known, &value));
        cat_bind(reading, &definition->name, value, scope);
    }
    return STATUS_OK;
}

/* Whether a use of a variable of the group, below node, is under an odd number of complements. Then the recursion need
 * not have a least solution. seen[0 or 1][node]: visited with that parity. */
static bool falls_with(const struct cat *cat, int node, int group, bool odd, bool (*seen)[CAT_MAXIMUM_NODES])
{
    if (node < 0 || seen[odd][node])
        return false;
    seen[odd][node] = true;
    const struct cat_node *n = &cat->nodes[node];
    if (n->operation == CAT_VARIABLE)
        return n->group == group && odd;
    if (n->operation == CAT_BASE || n->group != group)
        return false;
    const bool left_odd = odd != (n->operation == CAT_COMPLEMENT), right_odd = odd != (n->operation == CAT_SUBTRACT);
    return falls_with(cat, n->left, group, left_odd, seen) || falls_with(cat, n->right, group, right_odd, seen);
}

static enum status check_recursion(struct cat_reading *reading, const struct cat_group *group, int number,
                                   const struct cat_definition *definition)
{
    bool seen[2][CAT_MAXIMUM_NODES] = {{false}};
    for (unsigned i = 0; i < group->count; i++, definition = definition->next)
        if (falls_with(reading->cat, group->bodies[i], number, false, seen))
            return cat_fail(
                reading, &definition->name.place, STATUS_SYNTAX,
                "expected '%.*s' not to use itself under '~' or to the right of '\\', because such a recursion has no "
                "least solution",
                (int)definition->name.size, definition->name.bytes);
    return STATUS_OK;
}

static struct cat_group *cat_expression_add_group(struct cat_reading *reading, const struct cat_place *place)
{
    struct cat *cat = reading->cat;
    if (cat->group_count == CAT_MAXIMUM_GROUPS) {
        (void)cat_fail(reading, place, STATUS_LIMIT, "expected at most %d recursions", CAT_MAXIMUM_GROUPS);
        return NULL;
    }
    for (int i = 0; i < cat->group_count; i++)
        if (cat->groups[i].end < 0) {
            (void)cat_fail(reading, place, STATUS_SYNTAX, "expected no 'let rec' in the body of another");
            return NULL;
        }
    struct cat_group *group = &cat->groups[cat->group_count++];
    *group = (struct cat_group){.first = cat->node_count, .end = -1};
    return group;
}

/* Functions that know themselves and each other. */
static enum status define_functions(struct cat_reading *reading, const struct cat_definition *definitions,
                                    const struct cat_binding **scope)
{
    struct cat_binding *added[CAT_MAXIMUM_VARIABLES];
    unsigned count = 0;
    for (const struct cat_definition *one = definitions; one; one = one->next) {
        if (!one->parameters)
            return cat_fail(reading, &one->name.place, STATUS_SYNTAX,
                            "expected a function, found '%.*s', which is not one", (int)one->name.size,
                            one->name.bytes);
        added[count++] = add_binding(reading, &one->name, scope);
    }
    for (unsigned i = 0; i < count; i++, definitions = definitions->next)
        added[i]->value = function_value(definitions, *scope);
    return STATUS_OK;
}

/* let rec r = e | r; r is let r = e+, which costs less and explains more. */
static enum status define_closure(struct cat_reading *reading, const struct cat_group *group,
                                  const struct cat_definition *definition, const struct cat_binding **scope)
{
    const struct cat_node *nodes = reading->cat->nodes, *body = &nodes[group->bodies[0]];
    const int variable = group->variables[0];
    if (group->count != 1 || body->operation != CAT_UNITE || nodes[body->left].group != CAT_NO_GROUP ||
        nodes[body->right].operation != CAT_COMPOSE || nodes[body->right].left != variable ||
        nodes[body->right].right != variable)
        return STATUS_OK;
    struct cat_value_of closure;
    TRY(cat_new_node(reading, &definition->name.place, CAT_PLUS, CAT_T_RELATION, body->left, -1, &closure));
    cat_bind(reading, &definition->name, closure, scope);
    return STATUS_OK;
}

/* A recursion defines relations. */
static enum status define_recursion(struct cat_reading *reading, const struct cat_definition *definitions,
                                    const struct cat_binding **scope)
{
    struct cat *cat = reading->cat;
    struct cat_group *group = cat_expression_add_group(reading, &definitions->name.place);
    if (!group)
        return reading->error->status;
    for (const struct cat_definition *one = definitions; one; one = one->next) {
        struct cat_value_of variable;
        if (one->parameters)
            return cat_fail(reading, &one->name.place, STATUS_SYNTAX,
                            "expected another set or relation, found a function");
        TRY(cat_new_node(reading, &one->name.place, CAT_VARIABLE, CAT_T_RELATION, -1, -1, &variable));
        cat->nodes[variable.node].group = (int)(group - cat->groups);
        group->variables[group->count++] = variable.node;
        cat_bind(reading, &one->name, variable, scope);
    }
    int *body = group->bodies;
    for (const struct cat_definition *one = definitions; one; one = one->next) {
        struct cat_value_of value;
        TRY(cat_translate(reading, one->body, *scope, &value));
        TRY(cat_need(reading, &one->body->place, value, CAT_T_RELATION, body++));
    }
    TRY(check_recursion(reading, group, (int)(group - cat->groups), definitions));
    group->end = cat->node_count;
    /* A recursion is known when the last of its parts is. */
    const int number = (int)(group - cat->groups);
    struct cat_node whole = {.group = number};
    for (unsigned i = 0; i < group->count; i++)
        cat_node_add_operand(cat, &whole, group->bodies[i]);
    for (int i = group->first; i < group->end; i++)
        if (cat->nodes[i].group == number)
            cat_node_add_operand(cat, &whole, i);
    for (int i = group->first; i < group->end; i++)
        if (cat->nodes[i].group == number) {
            cat->nodes[i].stage = whole.stage;
            cat->nodes[i].uses_dependencies = whole.uses_dependencies;
        }
    return define_closure(reading, group, definitions, scope);
}

enum status cat_define(struct cat_reading *reading, const struct cat_definition *definitions,
                       const struct cat_binding **scope)
{
    if (!definitions->recursive)
        return define_values(reading, definitions, scope);
    return (definitions->parameters ? define_functions : define_recursion)(reading, definitions, scope);
}

/* ---- expressions as operations: names are looked up, functions expanded, types checked ---- */

WORDS_OF(cat_type_name,
         enum cat_type, [CAT_T_SET] = "a set", [CAT_T_RELATION] = "a relation", [CAT_T_ZERO] = "the empty relation",
         [CAT_T_TAG] = "a tag", [CAT_T_LIST] = "a set of sets", [CAT_T_FUNCTION] = "a function")

enum status cat_new_node(struct cat_reading *reading, const struct cat_place *place, enum cat_operation operation,
                         enum cat_type type, int left, int right, struct cat_value_of *result)
{
    const int node = cat_node(reading->cat, operation, type == CAT_T_SET, left, right);
    *result = (struct cat_value_of){.type = type, .node = node};
    if (node < 0)
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
        return cat_fail(reading, place, STATUS_SYNTAX, "expected %s, found %s", cat_type_name(type),
                        cat_type_name(value.type));
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

struct cat_value_of cat_list_add(struct cat_reading *reading, struct cat_value_of first, const struct cat_list *rest)
{
    struct cat_list *list = arena_take(&reading->cat->arena, 1, sizeof *list);
    *list = (struct cat_list){first, rest};
    return (struct cat_value_of){.type = CAT_T_LIST, .list = list};
}

static enum status take_step(struct cat_reading *reading, const struct cat_place *place)
{
    if (reading->nesting > 20 * CAT_MAXIMUM_NESTING)
        return cat_fail(reading, place, STATUS_LIMIT, "expected functions and expressions to be nested at most %d deep",
                        20 * CAT_MAXIMUM_NESTING);
    if (++reading->steps > CAT_MAXIMUM_STEPS)
        return cat_fail(reading, place, STATUS_LIMIT, "expected functions that expand to fewer than %d expressions",
                        CAT_MAXIMUM_STEPS);
    return STATUS_OK;
}

/* e ++ list, and list | list */
static enum status join_lists(struct cat_reading *reading, const struct cat_expression *expression,
                              struct cat_value_of left, struct cat_value_of right, struct cat_value_of *result)
{
    *result = right;
    const bool left_is_wrong =
        expression->operation != CAT_MEMBER && left.type != CAT_T_LIST && left.type != CAT_T_ZERO;
    if (left_is_wrong || (right.type != CAT_T_LIST && right.type != CAT_T_ZERO))
        return cat_fail(reading, left_is_wrong ? &expression->left->place : &expression->right->place, STATUS_SYNTAX,
                        "expected a set of sets, found %s", cat_type_name(left_is_wrong ? left.type : right.type));
    if (expression->operation == CAT_MEMBER)
        *result = cat_list_add(reading, left, right.list);
    for (const struct cat_list *one = expression->operation == CAT_MEMBER ? NULL : left.list; one; one = one->rest) {
        TRY(take_step(reading, &expression->place));
        *result = cat_list_add(reading, one->value, result->list);
    }
    return STATUS_OK;
}

static enum status translate_list(struct cat_reading *reading, const struct cat_expression *expression,
                                  const struct cat_binding *known, struct cat_value_of *result)
{
    *result = (struct cat_value_of){.type = CAT_T_ZERO};
    for (const struct cat_expression *one = expression->left; one; one = one->next) {
        struct cat_value_of member;
        TRY(cat_translate(reading, one, known, &member));
        *result = cat_list_add(reading, member, result->list);
    }
    return STATUS_OK;
}

static enum status translate_binary(struct cat_reading *reading, const struct cat_expression *expression,
                                    const struct cat_binding *known, struct cat_value_of *result)
{
    struct cat_value_of left, right;
    int first = -1, second = -1;
    TRY(cat_translate(reading, expression->left, known, &left));
    TRY(cat_translate(reading, expression->right, known, &right));
    const bool lists = left.type == CAT_T_LIST || right.type == CAT_T_LIST;
    if (expression->operation == CAT_MEMBER || (expression->operation == CAT_UNITE && lists))
        return join_lists(reading, expression, left, right, result);
    const bool crosses = expression->operation == CAT_CROSS;
    const bool sets = (left.type == CAT_T_ZERO ? right.type : left.type) == CAT_T_SET;
    const enum cat_type operands =
        crosses || (sets && expression->operation != CAT_COMPOSE) ? CAT_T_SET : CAT_T_RELATION;
    TRY(cat_need(reading, &expression->left->place, left, operands, &first));
    TRY(cat_need(reading, &expression->right->place, right, operands, &second));
    return cat_new_node(reading, &expression->place, expression->operation, crosses ? CAT_T_RELATION : operands, first,
                        second, result);
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

/* The base that a tag function of herd gives: a scope's relation, or the set with the tag's name; or -1. */
static int base_of_tag(const struct cat_token *tag, bool scope)
{
    static const struct {
        const char *tag, *base;
    } tags[] = {{"cta", "scta"},   {"work_group", "swg"}, {"cluster", "scluster"}, {"gpu", "sgpu"},
                {"device", "sdv"}, {"sub_group", "ssg"},  {"wi", "int"},           {"work_item", "int"}};
    int base = scope ? -1 : base_find(tag->bytes, tag->size);
    for (size_t i = 0; scope && i < COUNT(tags); i++)
        if (cat_token_is(tag, tags[i].tag))
            base = base_find(tags[i].base, strlen(tags[i].base));
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
    struct cat_value_of value = {.type = CAT_T_ZERO};
    if (tag && !tag->next)
        TRY(cat_translate(reading, tag, known, &value));
    if (value.type != CAT_T_TAG)
        return cat_fail(reading, tag ? &tag->place : &call->place, STATUS_SYNTAX, "expected one tag, such as 'cta");
    const int base = base_of_tag(value.tag, scope);
    reading->unknown_name = base < 0;
    if (base < 0)
        return cat_fail(reading, &tag->place, STATUS_SYNTAX, "expected a tag that orchil knows, found '%.*s",
                        (int)value.tag->size, value.tag->bytes);
    return cat_new_node(reading, &tag->place, CAT_BASE, scope ? CAT_T_RELATION : CAT_T_SET, base, -1, result);
}

enum status cat_bind_arguments(struct cat_reading *reading, const struct cat_token *name,
                               const struct cat_parameters *parameters, const struct cat_expression *argument,
                               const struct cat_binding *known, const struct cat_binding **scope)
{
    for (unsigned i = 0; i < parameters->count; i++, argument = argument->next) {
        struct cat_value_of value;
        if (!argument)
            return cat_fail(reading, &name->place, STATUS_SYNTAX, "expected %u argument%s of '%.*s', found %u",
                            parameters->count, parameters->count == 1 ? "" : "s", (int)name->size, name->bytes, i);
        TRY(cat_translate(reading, argument, known, &value));
        add_binding(reading, &parameters->names[i], scope)->value = value;
    }
    if (argument)
        return cat_fail(reading, &argument->place, STATUS_SYNTAX, "expected no more arguments of '%.*s' than %u",
                        (int)name->size, name->bytes, parameters->count);
    return STATUS_OK;
}

static enum status translate_call(struct cat_reading *reading, const struct cat_expression *call,
                                  const struct cat_binding *known, struct cat_value_of *result)
{
    struct cat_value_of called;
    if (call->right->kind == CAT_E_NAME && !look_up(known, &call->word))
        return translate_builtin(reading, call, known, result);
    TRY(cat_translate(reading, call->right, known, &called));
    if (called.type != CAT_T_FUNCTION)
        return cat_fail(reading, &call->place, STATUS_SYNTAX,
                        "expected a function before an argument, found '%.*s', which is %s", (int)call->word.size,
                        call->word.bytes, cat_type_name(called.type));
    const struct cat_binding *inside = called.known;
    TRY(cat_bind_arguments(reading, &call->word, called.function->parameters, call->left, known, &inside));
    return cat_translate(reading, called.function->body, inside, result);
}

/* Is this the clause for a value that is a tag, a list, or empty? */
static bool is_clause_for(const struct cat_definition *clause, const struct cat_value_of *value)
{
    if (value->type == CAT_T_TAG)
        return clause->name.kind == CAT_TAG ? cat_token_equal(&clause->name, value->tag)
                                            : !clause->parameters && cat_token_is(&clause->name, "_");
    return value->type == CAT_T_LIST ? clause->parameters != NULL : cat_token_is(&clause->name, "{");
}

/* The clause is chosen here, so the value must not depend on an execution. */
static enum status translate_match(struct cat_reading *reading, const struct cat_expression *match,
                                   const struct cat_binding *known, struct cat_value_of *result)
{
    struct cat_value_of value;
    TRY(cat_translate(reading, match->left, known, &value));
    const bool has_node = value.type == CAT_T_SET || value.type == CAT_T_RELATION;
    if (value.type == CAT_T_FUNCTION || (has_node && reading->cat->nodes[value.node].operation != CAT_EMPTY))
        return cat_fail(reading, &match->left->place, STATUS_SYNTAX,
                        "expected a tag, or a set whose members the model writes out, after 'match', found %s",
                        cat_type_name(value.type));
    const struct cat_definition *clause = match->definitions;
    while (clause && !is_clause_for(clause, &value))
        clause = clause->next;
    if (!clause)
        return cat_fail(reading, &match->place, STATUS_SYNTAX, "expected a clause for %s%.*s in this 'match'",
                        value.type == CAT_T_TAG    ? "'"
                        : value.type == CAT_T_LIST ? "x ++ xs"
                                                   : "{}",
                        value.tag ? (int)value.tag->size : 0, value.tag ? value.tag->bytes : "");
    if (value.type == CAT_T_LIST) {
        const struct cat_list *rest = value.list->rest;
        add_binding(reading, &clause->parameters->names[0], &known)->value = value.list->value;
        add_binding(reading, &clause->parameters->names[1], &known)->value =
            (struct cat_value_of){.type = rest ? CAT_T_LIST : CAT_T_ZERO, .list = rest};
    }
    return cat_translate(reading, clause->body, known, result);
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

/* The translation of the left side is dropped if it contains an unknown name. */
enum status cat_translate_known(struct cat_reading *reading, const struct cat_expression *expression,
                                const struct cat_binding *known, struct cat_value_of *result, bool *unknown)
{
    struct cat *cat = reading->cat;
    const unsigned nesting = reading->nesting;
    const int nodes = cat->node_count, groups = cat->group_count;
    reading->unknown_name = false;
    const enum status status = cat_translate(reading, expression, known, result);
    *unknown = status != STATUS_OK && reading->unknown_name;
    reading->unknown_name = false;
    if (!*unknown)
        return status;
    reading->nesting = nesting;
    cat->node_count = nodes;
    cat->group_count = groups;
    return STATUS_OK;
}

static enum status translate_try(struct cat_reading *reading, const struct cat_expression *expression,
                                 const struct cat_binding *known, struct cat_value_of *result)
{
    bool unknown;
    TRY(cat_translate_known(reading, expression->left, known, result, &unknown));
    return unknown ? cat_translate(reading, expression->right, known, result) : STATUS_OK;
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
        *result = (struct cat_value_of){.type = CAT_T_TAG, .tag = &expression->word};
        return STATUS_OK;
    case CAT_E_ZERO:
    case CAT_E_LIST:
        return translate_list(reading, expression, known, result);
    case CAT_E_FUNCTION:
        *result = function_value(expression->definitions, known);
        return STATUS_OK;
    case CAT_E_MATCH:
        return translate_match(reading, expression, known, result);
    case CAT_E_SQUARE:
        return translate_square(reading, expression, known, result);
    case CAT_E_LET:
        TRY(cat_define(reading, expression->definitions, &known));
        return cat_translate(reading, expression->right, known, result);
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
    reading->nesting++;
    TRY(take_step(reading, &expression->place));
    TRY(translate_kind(reading, expression, known, result));
    reading->nesting--;
    return STATUS_OK;
}
