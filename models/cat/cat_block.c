// SPDX-License-Identifier: Apache-2.0
/* Statements that contain others, and those that choose an order. */
#include <string.h>

#include "models/cat/cat_reader.h"

/* Reads statements without effect. */
static enum status read_dead(struct cat_reading *reading, bool dead, const char *until, const char *or_until)
{
    const bool outside = reading->dead;
    reading->dead |= dead;
    TRY(cat_read_statements(reading, until, or_until));
    reading->dead = outside;
    return STATUS_OK;
}

/* if "VARIANT" statements [else statements] end */
enum status cat_read_if(struct cat_reading *reading)
{
    bool on, otherwise;
    TRY(cat_advance(reading));
    TRY(cat_read_variant(reading, &on));
    TRY(read_dead(reading, !on, "else", "end"));
    TRY(cat_take_if(reading, "else", &otherwise));
    if (otherwise)
        TRY(read_dead(reading, on, "end", NULL));
    return cat_take(reading, "end");
}

/* procedure NAME(a, b) = statements end */
enum status cat_read_procedure(struct cat_reading *reading)
{
    struct cat_procedure *procedure = arena_take(&reading->cat->arena, 1, sizeof *procedure);
    TRY(cat_advance(reading));
    TRY(cat_take_name(reading, "a name", &procedure->name));
    TRY(cat_read_parameters(reading, &procedure->parameters));
    TRY(cat_take(reading, "="));
    procedure->body = *reading->source;
    procedure->known = reading->bindings;
    procedure->next = reading->procedures;
    TRY(read_dead(reading, true, "end", NULL));
    procedure->size = (size_t)(reading->source->at - procedure->body.at);
    if (!reading->dead)
        reading->procedures = procedure;
    return cat_take(reading, "end");
}

static enum status bind_arguments(struct cat_reading *reading, const struct cat_token *name,
                                  const struct cat_parameters *parameters, const struct cat_expression *argument,
                                  const struct cat_binding **scope)
{
    for (unsigned i = 0; i < parameters->count; i++, argument = argument->next) {
        struct cat_value_of value;
        if (!argument)
            return cat_fail(reading, &name->place, STATUS_SYNTAX, "expected %u argument%s of '%.*s', found %u",
                            parameters->count, parameters->count == 1 ? "" : "s", (int)name->size, name->bytes, i);
        TRY(cat_translate(reading, argument, reading->bindings, &value));
        cat_bind(reading, &parameters->names[i], value, scope);
    }
    if (argument)
        return cat_fail(reading, &argument->place, STATUS_SYNTAX, "expected no more arguments of '%.*s' than %u",
                        (int)name->size, name->bytes, parameters->count);
    return STATUS_OK;
}

/* Reads a procedure's statements again, with the names known at its definition and its
 * parameters. */
static enum status expand_procedure(struct cat_reading *reading, const struct cat_procedure *procedure,
                                    const struct cat_binding *scope, const struct cat_token *name)
{
    const struct cat_binding *bindings = reading->bindings;
    const struct cat_procedure *procedures = reading->procedures;
    const struct cat_token *call_name = reading->call_name;
    struct cat_source *source = reading->source, body = procedure->body;
    reading->bindings = scope;
    reading->procedures = procedure->next;
    reading->source = &body;
    reading->call_name = name ? name : call_name;
    TRY(cat_enter_level(reading));
    TRY(cat_read_statements(reading, "end", NULL));
    reading->nesting--;
    reading->bindings = bindings;
    reading->procedures = procedures;
    reading->source = source;
    reading->call_name = call_name;
    return STATUS_OK;
}

/* call NAME(e, e) [as NAME] */
enum status cat_read_call(struct cat_reading *reading)
{
    struct cat_token name, check_name;
    struct cat_expression *arguments;
    bool named;
    TRY(cat_advance(reading));
    TRY(cat_take_name(reading, "the name of a procedure", &name));
    TRY(cat_read_arguments(reading, &arguments));
    TRY(cat_take_if(reading, "as", &named));
    if (named)
        TRY(cat_take_name(reading, "a name for the check", &check_name));
    if (reading->dead)
        return STATUS_OK;
    const struct cat_procedure *procedure = reading->procedures;
    while (procedure &&
           (procedure->name.size != name.size || memcmp(procedure->name.bytes, name.bytes, name.size) != 0))
        procedure = procedure->next;
    if (!procedure)
        return cat_fail(reading, &name.place, STATUS_SYNTAX,
                        "expected a procedure that the model or orchil defines, found '%.*s'", (int)name.size,
                        name.bytes);
    reading->called += procedure->size;
    if (reading->called > CAT_MAXIMUM_CALLED)
        return cat_fail(reading, &name.place, STATUS_LIMIT, "expected calls of procedures of at most %d bytes in all",
                        CAT_MAXIMUM_CALLED);
    const struct cat_binding *scope = procedure->known;
    TRY(bind_arguments(reading, &name, &procedure->parameters, arguments, &scope));
    return expand_procedure(reading, procedure, scope, named ? &check_name : NULL);
}

/* enum NAME = 'a || 'b. Tags matter only to tag2scope and tag2events, which know them. */
enum status cat_read_enum(struct cat_reading *reading)
{
    struct cat_token name;
    bool more;
    TRY(cat_advance(reading));
    TRY(cat_take_name(reading, "a name", &name));
    TRY(cat_take(reading, "="));
    TRY(cat_take_if(reading, "||", &more));
    do {
        if (reading->source->token.kind != CAT_TAG)
            return cat_expected(reading, "a tag, such as 'cta");
        TRY(cat_advance(reading));
        TRY(cat_take_if(reading, "||", &more));
    } while (more);
    return STATUS_OK;
}

/* ---- with ---- */

struct cat_with_order {
    const struct cat_token *name;
    const struct cat_expression *call;
    int set, relation; /* the arguments' nodes; the relation is closed, then restricted to pairs of the
                        * set's events, as in herd: paths through other events order them */
};

static enum status require_acyclic(struct cat_reading *reading, const struct cat_with_order *choice, int node)
{
    struct cat_check check = {.kind = CAT_ACYCLIC, .node = node, .contained = -1, .ordered = -1};
    check.name = cat_copy(reading, choice->name);
    return cat_add_check(reading, &choice->name->place, check);
}

/* linearisations(S, r): one of the total orders of S that contain all paths of r between its events. */
static enum status choose_linearisation(struct cat_reading *reading, const struct cat_with_order *choice,
                                        struct cat_value_of *result)
{
    struct cat *cat = reading->cat;
    if (cat->order_count == CAT_MAXIMUM_ORDERS)
        return cat_fail(reading, &choice->name->place, STATUS_LIMIT, "expected at most %d linearisations",
                        CAT_MAXIMUM_ORDERS);
    if (cat->nodes[choice->relation].stage == STAGE_ORDERS)
        return cat_fail(reading, &choice->name->place, STATUS_SYNTAX,
                        "expected a linearisation that does not depend on another");
    TRY(require_acyclic(reading, choice, choice->relation));
    TRY(cat_new_node(reading, &choice->name->place, CAT_ORDER, CAT_T_RELATION, choice->set, choice->relation, result));
    cat->orders[cat->order_count++] = result->node;
    return STATUS_OK;
}

/* Can the set contain only writes? */
static bool is_of_writes(const struct cat *cat, int index)
{
    const struct cat_node *node = &cat->nodes[index];
    switch (node->operation) {
    case CAT_BASE:
        return base_is_of_writes(&bases[node->left]);
    case CAT_INTERSECT:
        return is_of_writes(cat, node->left) || is_of_writes(cat, node->right);
    case CAT_SUBTRACT:
        return is_of_writes(cat, node->left);
    case CAT_UNITE:
        return is_of_writes(cat, node->left) && is_of_writes(cat, node->right);
    default:
        return node->operation == CAT_EMPTY;
    }
}

/* generate_orders(S, r): the orders of S, location by location, that contain all paths of r between
 * its events. Coherence is one of them; all are tried. */
static enum status choose_coherence(struct cat_reading *reading, const struct cat_with_order *choice,
                                    struct cat_value_of *result)
{
    const struct cat_place *place = &choice->name->place;
    struct cat_value_of co, pairs, loc, local, both;
    if (!is_of_writes(reading->cat, choice->set))
        return cat_fail(reading, &choice->call->place, STATUS_SYNTAX,
                        "expected a set of writes, such as W & S: orchil itself generates coherence");
    reading->generated = *place;
    TRY(cat_new_node(reading, place, CAT_BASE, CAT_T_RELATION, base_find("co", 2), -1, &co));
    TRY(cat_new_node(reading, place, CAT_CROSS, CAT_T_RELATION, choice->set, choice->set, &pairs));
    TRY(cat_new_node(reading, place, CAT_INTERSECT, CAT_T_RELATION, co.node, pairs.node, result));
    TRY(cat_new_node(reading, place, CAT_BASE, CAT_T_RELATION, base_find("loc", 3), -1, &loc));
    TRY(cat_new_node(reading, place, CAT_INTERSECT, CAT_T_RELATION, choice->relation, loc.node, &local));
    TRY(cat_new_node(reading, place, CAT_UNITE, CAT_T_RELATION, result->node, local.node, &both));
    return require_acyclic(reading, choice, both.node);
}

/* The arguments of a choice: a set, for generate_cos W, and a relation. */
static enum status translate_choice(struct cat_reading *reading, struct cat_with_order *choice)
{
    const struct cat_expression *set = choice->call->left, *relation = set ? set->next : NULL;
    const bool cos = cat_token_is(&choice->call->word, "generate_cos");
    struct cat_value_of first = {.type = CAT_T_SET}, second, paths, pairs;
    if (cos)
        relation = set;
    if (!relation || relation->next)
        return cat_fail(reading, &choice->call->place, STATUS_SYNTAX, "expected %s",
                        cos ? "one argument, a relation" : "two arguments, a set and a relation");
    const struct cat_place *place = &relation->place;
    if (cos)
        TRY(cat_new_node(reading, place, CAT_BASE, CAT_T_SET, base_find("W", 1), -1, &first));
    else
        TRY(cat_translate(reading, set, reading->bindings, &first));
    TRY(cat_need(reading, &choice->call->place, first, CAT_T_SET, &choice->set));
    TRY(cat_translate(reading, relation, reading->bindings, &second));
    TRY(cat_need(reading, place, second, CAT_T_RELATION, &choice->relation));
    TRY(cat_new_node(reading, place, CAT_PLUS, CAT_T_RELATION, choice->relation, -1, &paths));
    TRY(cat_new_node(reading, place, CAT_CROSS, CAT_T_RELATION, choice->set, choice->set, &pairs));
    TRY(cat_new_node(reading, place, CAT_INTERSECT, CAT_T_RELATION, paths.node, pairs.node, &second));
    choice->relation = second.node;
    return STATUS_OK;
}

/* with NAME from linearisations(S, r) | generate_orders(S, r) | generate_cos(r) */
enum status cat_read_with(struct cat_reading *reading)
{
    struct cat_token name;
    struct cat_expression *call;
    struct cat_value_of value;
    TRY(cat_advance(reading));
    TRY(cat_take_name(reading, "a name", &name));
    TRY(cat_take(reading, "from"));
    TRY(cat_read_expression(reading, &call));
    const bool linear = cat_token_is(&call->word, "linearisations");
    if (call->kind != CAT_E_CALL ||
        (!linear && !cat_token_is(&call->word, "generate_orders") && !cat_token_is(&call->word, "generate_cos")))
        return cat_fail(reading, &call->place, STATUS_SYNTAX,
                        "expected 'linearisations(S, r)', 'generate_orders(S, r)' or 'generate_cos(r)'");
    if (reading->dead)
        return STATUS_OK;
    struct cat_with_order choice = {&name, call, -1, -1};
    TRY(translate_choice(reading, &choice));
    TRY(linear ? choose_linearisation(reading, &choice, &value) : choose_coherence(reading, &choice, &value));
    cat_bind(reading, &name, value, &reading->bindings);
    return STATUS_OK;
}
