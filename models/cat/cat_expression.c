// SPDX-License-Identifier: Apache-2.0
/* Expressions and the names that they define, from their text to the operations of a model. Precedence is herd's: from
 * loose to tight | ; \ & * ~ and postfix operators. */
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

enum status cat_read_arguments(struct cat_reading *reading, struct cat_expression **first)
{
    struct cat_expression **at = first;
    bool list, none;
    *first = NULL;
    TRY(cat_take_if(reading, "(", &list));
    if (!list)
        return (reading->source->token.kind == CAT_NAME ? read_name : read_primary)(reading, first);
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

/* {a, b}, or {} */
static enum status read_list(struct cat_reading *reading, struct cat_expression **result)
{
    bool more = !cat_at(reading, "}");
    *result = make_expression(reading, more ? CAT_E_LIST : CAT_E_ZERO, reading->source->token.place);
    for (struct cat_expression **at = &(*result)->left; more; at = &(*at)->next) {
        TRY(cat_read_expression(reading, at));
        TRY(cat_take_if(reading, ",", &more));
    }
    return cat_take(reading, "}");
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
        TRY(read_list(reading, result));
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
        TRY(cat_advance(reading));
        TRY(read_level(reading, levels[level].operation == CAT_MEMBER ? level : level + 1, &right));
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

/* ---- definitions: reading the text after `let`, and binding names ---- */

static enum status cat_expression_add_parameter(struct cat_reading *reading, struct cat_parameters *parameters)
{
    if (parameters->count == CAT_MAXIMUM_PARAMETERS)
        return cat_fail(reading, &reading->source->token.place, STATUS_LIMIT, "expected at most %d parameters",
                        CAT_MAXIMUM_PARAMETERS);
    return cat_take_name(reading, "a parameter", &parameters->names[parameters->count++]);
}

enum status cat_read_parameters(struct cat_reading *reading, struct cat_parameters *parameters)
{
    bool list, ended;
    TRY(cat_take_if(reading, "(", &list));
    if (!list)
        return cat_expression_add_parameter(reading, parameters);
    TRY(cat_take_if(reading, ")", &ended));
    while (!ended) {
        bool more;
        TRY(cat_expression_add_parameter(reading, parameters));
        TRY(cat_take_if(reading, ",", &more));
        if (!more)
            TRY(cat_take(reading, ")"));
        ended = !more;
    }
    return STATUS_OK;
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
                "expected '%.*s' not to use itself under '~' or to the right of '\\': such a recursion has no "
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
                            "expected another function, found '%.*s', which is none", (int)one->name.size,
                            one->name.bytes);
        added[count++] = add_binding(reading, &one->name, scope);
    }
    for (unsigned i = 0; i < count; i++, definitions = definitions->next)
        added[i]->value = function_value(definitions, *scope);
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
    return STATUS_OK;
}

enum status cat_define(struct cat_reading *reading, const struct cat_definition *definitions,
                       const struct cat_binding **scope)
{
    if (!definitions->recursive)
        return define_values(reading, definitions, scope);
    return (definitions->parameters ? define_functions : define_recursion)(reading, definitions, scope);
}

/* ---- expressions as operations: names are looked up, functions expanded, types checked ---- */

WORDS_OF(cat_type_name, enum cat_type, [CAT_T_SET] = "a set", [CAT_T_RELATION] = "a relation",
         [CAT_T_ZERO] = "the empty relation", [CAT_T_TAG] = "a tag", [CAT_T_LIST] = "a set of sets",
         [CAT_T_FUNCTION] = "a function")

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

/* e ++ list, and list | list */
static enum status join_lists(struct cat_reading *reading, const struct cat_expression *expression,
                              struct cat_value_of left, struct cat_value_of right, struct cat_value_of *result)
{
    *result = right;
    if (right.type != CAT_T_LIST && right.type != CAT_T_ZERO)
        return cat_fail(reading, &expression->right->place, STATUS_SYNTAX, "expected a set of sets, found %s",
                        cat_type_name(right.type));
    if (expression->operation == CAT_MEMBER)
        *result = cat_list_add(reading, left, right.list);
    else if (left.type == CAT_T_LIST)
        for (const struct cat_list *one = left.list; one; one = one->rest)
            *result = cat_list_add(reading, one->value, result->list);
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
    enum cat_type operands = CAT_T_RELATION, type = CAT_T_RELATION;
    if (expression->operation == CAT_CROSS)
        operands = CAT_T_SET;
    else if (expression->operation != CAT_COMPOSE && left.type == CAT_T_ZERO && right.type == CAT_T_ZERO)
        operands = type = CAT_T_RELATION;
    else if (expression->operation != CAT_COMPOSE && (left.type == CAT_T_SET || left.type == CAT_T_ZERO))
        operands = type = left.type == CAT_T_ZERO ? right.type : CAT_T_SET;
    if (operands >= CAT_T_TAG)
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
                        value.type == CAT_T_TAG ? "'" : value.type == CAT_T_LIST ? "x ++ xs" : "{}",
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
    if (++reading->steps > CAT_MAXIMUM_STEPS || ++reading->nesting > 20 * CAT_MAXIMUM_NESTING)
        return cat_fail(reading, &expression->place, STATUS_LIMIT,
                        "expected functions that expand to fewer than %d expressions", CAT_MAXIMUM_STEPS);
    TRY(translate_kind(reading, expression, known, result));
    reading->nesting--;
    return STATUS_OK;
}
