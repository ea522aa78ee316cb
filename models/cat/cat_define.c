// SPDX-License-Identifier: Apache-2.0
/* Definitions: reading the text after `let`, and binding names. */
#include <string.h>

#include "models/cat/cat_reader.h"

/* ---- reading ---- */

static enum status add_parameter(struct cat_reading *reading, struct cat_parameters *parameters)
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
        return add_parameter(reading, parameters);
    TRY(cat_take_if(reading, ")", &ended));
    while (!ended) {
        bool more;
        TRY(add_parameter(reading, parameters));
        TRY(cat_take_if(reading, ",", &more));
        if (!more)
            TRY(cat_take(reading, ")"));
        ended = !more;
    }
    return STATUS_OK;
}

/* NAME = e, NAME(a, b) = e or NAME a = e */
static enum status read_definition(struct cat_reading *reading, struct cat_definition *definition)
{
    TRY(cat_take_name(reading, "a name", &definition->name));
    if (cat_at(reading, "(") || reading->source->token.kind == CAT_NAME) {
        definition->function = arena_take(&reading->cat->arena, 1, sizeof *definition->function);
        TRY(cat_read_parameters(reading, &definition->function->parameters));
    }
    TRY(cat_take(reading, "="));
    TRY(cat_read_expression(reading, &definition->body));
    if (definition->function)
        definition->function->body = definition->body;
    return STATUS_OK;
}

enum status cat_read_let(struct cat_reading *reading, struct cat_let *let)
{
    struct cat_definition **at = &let->definitions;
    unsigned count = 0;
    TRY(cat_take_if(reading, "rec", &let->recursive));
    for (bool more = true; more; at = &(*at)->next) {
        if (count++ == CAT_MAXIMUM_VARIABLES)
            return cat_fail(reading, &reading->source->token.place, STATUS_LIMIT,
                            "expected at most %d definitions joined by 'and'", CAT_MAXIMUM_VARIABLES);
        *at = arena_take(&reading->cat->arena, 1, sizeof **at);
        TRY(read_definition(reading, *at));
        TRY(cat_take_if(reading, "and", &more));
    }
    return STATUS_OK;
}

/* ---- binding ---- */

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

/* Definitions joined by 'and' do not see each other. */
static enum status define_values(struct cat_reading *reading, const struct cat_definition *definition,
                                 const struct cat_binding **scope)
{
    const struct cat_binding *known = *scope;
    for (; definition; definition = definition->next) {
        struct cat_value_of value;
        if (definition->function) {
            struct cat_binding *binding = add_binding(reading, &definition->name, scope);
            binding->function = definition->function;
            binding->known = known;
            continue;
        }
        TRY(cat_translate(reading, definition->body, known, &value));
        cat_bind(reading, &definition->name, value, scope);
    }
    return STATUS_OK;
}

/* Whether a use of a variable of the group, below node, is under an odd number of complements. Then
 * the recursion need not have a least solution. seen[0 or 1][node]: visited with that parity. */
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

static struct cat_group *add_group(struct cat_reading *reading, const struct cat_place *place)
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

static enum status add_variable(struct cat_reading *reading, struct cat_group *group,
                                const struct cat_definition *definition, const struct cat_binding **scope)
{
    struct cat *cat = reading->cat;
    struct cat_value_of variable;
    if (definition->function)
        return cat_fail(reading, &definition->name.place, STATUS_SYNTAX,
                        "expected a set or a relation after 'let rec', found a function");
    TRY(cat_new_node(reading, &definition->name.place, CAT_VARIABLE, CAT_T_RELATION, -1, -1, &variable));
    cat->nodes[variable.node].group = (int)(group - cat->groups);
    group->variables[group->count++] = variable.node;
    cat_bind(reading, &definition->name, variable, scope);
    return STATUS_OK;
}

/* A recursion is known when the last of its parts is. */
static void set_group_stage(struct cat *cat, struct cat_group *group)
{
    const int number = (int)(group - cat->groups);
    for (unsigned i = 0; i < group->count; i++)
        if (cat->nodes[group->bodies[i]].stage > group->stage)
            group->stage = cat->nodes[group->bodies[i]].stage;
    for (int i = group->first; i < group->end; i++)
        if (cat->nodes[i].group == number && cat->nodes[i].stage > group->stage)
            group->stage = cat->nodes[i].stage;
    for (int i = group->first; i < group->end; i++)
        if (cat->nodes[i].group == number)
            cat->nodes[i].stage = group->stage;
}

/* A recursion defines relations. */
static enum status define_recursion(struct cat_reading *reading, const struct cat_definition *definitions,
                                    const struct cat_binding **scope)
{
    struct cat *cat = reading->cat;
    struct cat_group *group = add_group(reading, &definitions->name.place);
    if (!group)
        return reading->error->status;
    for (const struct cat_definition *one = definitions; one; one = one->next)
        TRY(add_variable(reading, group, one, scope));
    int *body = group->bodies;
    for (const struct cat_definition *one = definitions; one; one = one->next) {
        struct cat_value_of value;
        TRY(cat_translate(reading, one->body, *scope, &value));
        TRY(cat_need(reading, &one->body->place, value, CAT_T_RELATION, body++));
    }
    TRY(check_recursion(reading, group, (int)(group - cat->groups), definitions));
    group->end = cat->node_count;
    set_group_stage(cat, group);
    return STATUS_OK;
}

enum status cat_define(struct cat_reading *reading, const struct cat_let *let, const struct cat_binding **scope)
{
    return let->recursive ? define_recursion(reading, let->definitions, scope)
                          : define_values(reading, let->definitions, scope);
}
