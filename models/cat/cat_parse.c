// SPDX-License-Identifier: Apache-2.0
/* Reading a model's statements. */
#include "models/cat/cat_reader.h"

/* ---- statements that contain others, and those that choose an order ---- */

/* Statements, up to one of two words or the end of the file; `until` NULL: to the end. */
static enum status cat_read_statements(struct cat_reading *reading, const char *until, const char *or_until);

/* Adds a check. */
static enum status cat_add_check(struct cat_reading *reading, const struct cat_place *place, struct cat_check check)
{
    struct cat *cat = reading->cat;
    if (cat->rank_count == CAT_MAXIMUM_CHECKS)
        return cat_fail(reading, place, STATUS_LIMIT, "expected at most %d checks", CAT_MAXIMUM_CHECKS);
    check.stage = cat->nodes[check.node].stage;
    check.rank = cat->rank_count++;
    cat->checks[cat->check_count++] = check;
    return STATUS_OK;
}

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
static enum status cat_read_if(struct cat_reading *reading)
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
static enum status cat_read_procedure(struct cat_reading *reading)
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

/* Reads a procedure's statements again, with the names known at its definition and its parameters. */
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
static enum status cat_read_call(struct cat_reading *reading)
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
    while (procedure && !cat_token_equal(&procedure->name, &name))
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
    TRY(cat_bind_arguments(reading, &name, &procedure->parameters, arguments, reading->bindings, &scope));
    return expand_procedure(reading, procedure, scope, named ? &check_name : NULL);
}

/* enum NAME = 'a || 'b: the list of the tags. */
static enum status cat_read_enum(struct cat_reading *reading)
{
    struct cat_value_of tags = {.type = CAT_T_LIST};
    struct cat_token name;
    bool more;
    TRY(cat_advance(reading));
    TRY(cat_take_name(reading, "a name", &name));
    TRY(cat_take(reading, "="));
    TRY(cat_take_if(reading, "||", &more));
    do {
        if (reading->source->token.kind != CAT_TAG)
            return cat_expected(reading, "a tag, such as 'cta");
        struct cat_token *tag = arena_take(&reading->cat->arena, 1, sizeof *tag);
        *tag = reading->source->token;
        tags = cat_list_add(reading, (struct cat_value_of){.type = CAT_T_TAG, .tag = tag}, tags.list);
        TRY(cat_advance(reading));
        TRY(cat_take_if(reading, "||", &more));
    } while (more);
    if (!reading->dead)
        cat_bind(reading, &name, tags, &reading->bindings);
    return STATUS_OK;
}

static enum status require_acyclic(struct cat_reading *reading, const struct cat_token *name, int node)
{
    struct cat_check check = {.kind = CAT_ACYCLIC, .node = node, .contained = -1, .ordered = -1};
    check.name = cat_copy(reading, name);
    return cat_add_check(reading, &name->place, check);
}

/* linearisations(S, r): one of the total orders of S that contain all paths of r between its events. */
static enum status choose_linearisation(struct cat_reading *reading, const struct cat_token *name, int set,
                                        int relation, struct cat_value_of *result)
{
    struct cat *cat = reading->cat;
    if (cat->order_count == CAT_MAXIMUM_ORDERS)
        return cat_fail(reading, &name->place, STATUS_LIMIT, "expected at most %d linearisations", CAT_MAXIMUM_ORDERS);
    if (cat->nodes[relation].stage == STAGE_ORDERS)
        return cat_fail(reading, &name->place, STATUS_SYNTAX,
                        "expected a linearisation that does not depend on another");
    TRY(require_acyclic(reading, name, relation));
    TRY(cat_new_node(reading, &name->place, CAT_ORDER, CAT_T_RELATION, set, relation, result));
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

/* generate_orders(S, r): the orders of S, location by location, that contain all paths of r between its events.
 * Coherence is one of them; all are tried. */
static enum status choose_coherence(struct cat_reading *reading, const struct cat_token *name, int set, int relation,
                                    struct cat_value_of *result)
{
    const struct cat_place *place = &name->place;
    struct cat_value_of co, pairs, loc, local, both;
    reading->generated = *place;
    TRY(cat_new_node(reading, place, CAT_BASE, CAT_T_RELATION, base_find("co", 2), -1, &co));
    TRY(cat_new_node(reading, place, CAT_CROSS, CAT_T_RELATION, set, set, &pairs));
    TRY(cat_new_node(reading, place, CAT_INTERSECT, CAT_T_RELATION, co.node, pairs.node, result));
    TRY(cat_new_node(reading, place, CAT_BASE, CAT_T_RELATION, base_find("loc", 3), -1, &loc));
    TRY(cat_new_node(reading, place, CAT_INTERSECT, CAT_T_RELATION, relation, loc.node, &local));
    TRY(cat_new_node(reading, place, CAT_UNITE, CAT_T_RELATION, result->node, local.node, &both));
    return require_acyclic(reading, name, both.node);
}

/* The nodes of the arguments: a set, for generate_cos W, and a relation. The relation is closed, then restricted to
 * pairs of the set's events, as in herd: paths through other events order them. */
static enum status translate_choice(struct cat_reading *reading, const struct cat_expression *call, int *set_node,
                                    int *relation_node)
{
    const struct cat_expression *set = call->left, *relation = set ? set->next : NULL;
    const bool cos = cat_token_is(&call->word, "generate_cos");
    struct cat_value_of first = {.type = CAT_T_SET}, second, paths, pairs;
    if (cos)
        relation = set;
    if (!relation || relation->next)
        return cat_fail(reading, &call->place, STATUS_SYNTAX, "expected %s",
                        cos ? "one argument, a relation" : "two arguments, a set and a relation");
    const struct cat_place *place = &relation->place;
    if (cos)
        TRY(cat_new_node(reading, place, CAT_BASE, CAT_T_SET, base_find("W", 1), -1, &first));
    else
        TRY(cat_translate(reading, set, reading->bindings, &first));
    TRY(cat_need(reading, &call->place, first, CAT_T_SET, set_node));
    TRY(cat_translate(reading, relation, reading->bindings, &second));
    TRY(cat_need(reading, place, second, CAT_T_RELATION, relation_node));
    TRY(cat_new_node(reading, place, CAT_PLUS, CAT_T_RELATION, *relation_node, -1, &paths));
    TRY(cat_new_node(reading, place, CAT_CROSS, CAT_T_RELATION, *set_node, *set_node, &pairs));
    TRY(cat_new_node(reading, place, CAT_INTERSECT, CAT_T_RELATION, paths.node, pairs.node, &second));
    *relation_node = second.node;
    return STATUS_OK;
}

/* with NAME from linearisations(S, r) | generate_orders(S, r) | generate_cos(r) | e, which is a list of one member */
static enum status cat_read_with(struct cat_reading *reading)
{
    struct cat_token name;
    struct cat_expression *call;
    struct cat_value_of value;
    TRY(cat_advance(reading));
    TRY(cat_take_name(reading, "a name", &name));
    TRY(cat_take(reading, "from"));
    TRY(cat_read_expression(reading, &call));
    if (reading->dead)
        return STATUS_OK;
    const bool linear = cat_token_is(&call->word, "linearisations");
    if (call->kind != CAT_E_CALL ||
        !text_has_word("linearisations generate_orders generate_cos", call->word.bytes, call->word.size)) {
        TRY(cat_translate(reading, call, reading->bindings, &value));
        if (value.type != CAT_T_LIST || value.list->rest)
            return cat_fail(reading, &call->place, STATUS_SYNTAX,
                            "expected 'linearisations(S, r)', 'generate_orders(S, r)', 'generate_cos(r)' or a set of "
                            "one relation, found %s",
                            value.type == CAT_T_LIST ? "one of several" : cat_type_name(value.type));
        cat_bind(reading, &name, value.list->value, &reading->bindings);
        return STATUS_OK;
    }
    int set, relation;
    TRY(translate_choice(reading, call, &set, &relation));
    if (!linear && !is_of_writes(reading->cat, set))
        return cat_fail(reading, &call->place, STATUS_SYNTAX,
                        "expected a set of writes, such as W & S, because orchil itself generates coherence");
    TRY(linear ? choose_linearisation(reading, &name, set, relation, &value)
               : choose_coherence(reading, &name, set, relation, &value));
    cat_bind(reading, &name, value, &reading->bindings);
    return STATUS_OK;
}

/* ---- all statements ---- */

/* let NAME = e. As in herd, an `in` may follow it. */
static enum status read_let(struct cat_reading *reading)
{
    struct cat_definition *definitions;
    bool in;
    TRY(cat_advance(reading));
    TRY(cat_read_let(reading, &definitions));
    TRY(cat_take_if(reading, "in", &in));
    return reading->dead ? STATUS_OK : cat_define(reading, definitions, &reading->bindings);
}

static enum status add_flag(struct cat_reading *reading, const struct cat_place *place, struct cat_check flag)
{
    struct cat *cat = reading->cat;
    flag.stage = cat->nodes[flag.node].stage;
    if (flag.negated && flag.kind == CAT_IS_EMPTY && cat->nodes[flag.node].operation == CAT_EMPTY)
        return STATUS_OK; /* it is never raised */
    if (cat->flag_count == CAT_MAXIMUM_FLAGS)
        return cat_fail(reading, place, STATUS_LIMIT, "expected at most %d flags", CAT_MAXIMUM_FLAGS);
    if (flag.stage == STAGE_ORDERS)
        return cat_fail(reading, place, STATUS_SYNTAX,
                        "expected a flag that does not depend on an order chosen by 'with'");
    cat->flags[cat->flag_count++] = flag;
    return STATUS_OK;
}

/* The words before a check, and its kind. */
static enum status read_check_kind(struct cat_reading *reading, struct cat_check *check, bool *is_flag)
{
    static const char *const kinds[] = {
        [CAT_ACYCLIC] = "acyclic", [CAT_IRREFLEXIVE] = "irreflexive", [CAT_IS_EMPTY] = "empty"};
    bool flag = false, undefined = false, negated, old, found = false;
    TRY(cat_take_if(reading, "flag", &flag));
    if (!flag)
        TRY(cat_take_if(reading, "assert", &undefined));
    if (!flag && !undefined)
        TRY(cat_take_if(reading, "undefined_unless", &undefined));
    TRY(cat_take_if(reading, "~", &negated));
    TRY(cat_take_if(reading, "!", &old));
    for (int i = CAT_ACYCLIC; i <= CAT_IS_EMPTY && !found; i++) {
        TRY(cat_take_if(reading, kinds[i], &found));
        check->kind = (enum cat_check_kind)i;
    }
    if (!found)
        return cat_expected(reading, flag || undefined || negated || old ? "'acyclic', 'irreflexive' or 'empty'"
                                                                         : "'let', 'include', 'show' or a check");
    check->name = kinds[check->kind];
    check->negated = (negated || old) != undefined;
    *is_flag = flag || undefined;
    return STATUS_OK;
}

/* [flag | undefined_unless | assert] [~] acyclic | irreflexive | empty e [as NAME] */
static enum status read_check(struct cat_reading *reading)
{
    const struct cat_place place = reading->source->token.place;
    struct cat_check check = {.contained = -1, .ordered = -1};
    struct cat_expression *expression;
    struct cat_value_of value;
    struct cat_token name = {0};
    bool flag = false, named;
    TRY(read_check_kind(reading, &check, &flag));
    TRY(cat_read_expression(reading, &expression));
    TRY(cat_take_if(reading, "as", &named));
    if (named)
        TRY(cat_take_name(reading, "a name for the check", &name));
    if (reading->dead)
        return STATUS_OK;
    TRY(cat_translate(reading, expression, reading->bindings, &value));
    const bool set = check.kind == CAT_IS_EMPTY && value.type == CAT_T_SET;
    TRY(cat_need(reading, &expression->place, value, set ? CAT_T_SET : CAT_T_RELATION, &check.node));
    if (named || reading->call_name)
        check.name = cat_copy(reading, named ? &name : reading->call_name);
    return flag ? add_flag(reading, &place, check) : cat_add_check(reading, &place, check);
}

/* The expressions of `show` must be valid, except for unknown names: herd ignores them, and its models contain some. */
static enum status check_shown(struct cat_reading *reading, const struct cat_expression *expression)
{
    struct cat_value_of value;
    bool unknown;
    return cat_translate_known(reading, expression, reading->bindings, &value, &unknown);
}

/* It has no effect here. */
static enum status read_show(struct cat_reading *reading)
{
    TRY(cat_advance(reading));
    for (bool more = true; more;) {
        struct cat_expression *expression;
        struct cat_token name;
        bool named;
        TRY(cat_read_expression(reading, &expression));
        if (!reading->dead)
            TRY(check_shown(reading, expression));
        TRY(cat_take_if(reading, "as", &named));
        if (named)
            TRY(cat_take_name(reading, "a name", &name));
        TRY(cat_take_if(reading, ",", &more));
    }
    return STATUS_OK;
}

static enum status read_source(struct cat_reading *reading, const char *file, const char *text);

/* Includes are named relative to the model's folder. */
static const char *file_name(const struct cat_source *source)
{
    const char *slash = source->includer ? NULL : strrchr(source->file, '/');
    return slash ? slash + 1 : source->file;
}

static enum status read_include(struct cat_reading *reading)
{
    TRY(cat_advance(reading));
    const struct cat_token name = reading->source->token;
    if (name.kind != CAT_STRING)
        return cat_expected(reading, "the name of a file in quotes");
    if (reading->dead)
        return cat_advance(reading);
    char *file = cat_copy(reading, &name);
    for (const struct cat_source *source = reading->source; source; source = source->includer)
        if (strcmp(file_name(source), file) == 0)
            return cat_fail(reading, &name.place, STATUS_SYNTAX,
                            "expected a file that does not include itself, found \"%s\"", file);
    if (++reading->includes > CAT_MAXIMUM_INCLUDES)
        return cat_fail(reading, &name.place, STATUS_LIMIT, "expected at most %d included files", CAT_MAXIMUM_INCLUDES);
    LOCAL(text) folders = {0};
    FREED char *text = reading->read_include ? reading->read_include(file, reading->context, &folders) : NULL;
    if (!text)
        return cat_fail(reading, &name.place, STATUS_UNREADABLE,
                        "expected a file%s or a built-in one, found \"%s\"; set HERDLIB to the folder that `herd7 "
                        "-libdir` prints",
                        text_string(&folders), file);
    const enum status status = read_source(reading, file, text);
    TRY(status);
    return cat_advance(reading);
}

extern const char cat_text_prelude[], cat_text_herd_old_names[];

static enum status read_statement(struct cat_reading *reading)
{
    static const struct {
        const char *word;
        enum status (*read)(struct cat_reading *reading);
    } statements[] = {{"let", read_let},       {"include", read_include}, {"show", read_show},
                      {"unshow", read_show},   {"if", cat_read_if},       {"procedure", cat_read_procedure},
                      {"call", cat_read_call}, {"with", cat_read_with},   {"enum", cat_read_enum},
                      {"catdep", cat_advance}};
    for (size_t i = 0; i < COUNT(statements); i++)
        if (cat_at(reading, statements[i].word))
            return statements[i].read(reading);
    return read_check(reading);
}

static enum status cat_read_statements(struct cat_reading *reading, const char *until, const char *or_until)
{
    TRY(cat_enter_level(reading));
    while (reading->source->token.kind != CAT_END && !(until && cat_at(reading, until)) &&
           !(or_until && cat_at(reading, or_until)))
        TRY(read_statement(reading));
    reading->nesting--;
    return STATUS_OK;
}

static enum status cat_parse_read_text(struct cat_reading *reading)
{
    const bool old = reading->titled_old;
    TRY(cat_advance(reading));
    /* A title is any words and strings before the first statement. Three words in it were options of herd before
     * version 7. */
    while (reading->source->token.kind == CAT_NAME || reading->source->token.kind == CAT_STRING) {
        reading->titled_ptx |= cat_at(reading, "PTX");
        reading->titled_rcpc |= cat_at(reading, "rcpc");
        reading->titled_withsc |= cat_at(reading, "withsc");
        reading->titled_old |= reading->titled_withsc || cat_at(reading, "withoutsc") || cat_at(reading, "withinit");
        TRY(cat_advance(reading));
    }
    if (reading->titled_old && !old) {
        const bool in_prelude = reading->in_prelude;
        TRY(read_source(reading, "herd-old-names.cat", cat_text_herd_old_names));
        reading->in_prelude = in_prelude;
    }
    return cat_read_statements(reading, NULL, NULL);
}

static enum status read_source(struct cat_reading *reading, const char *file, const char *text)
{
    struct cat_source source = {.file = file, .line = 1, .column = 1, .includer = reading->source};
    if (strlen(text) > CAT_MAXIMUM_FILE)
        return error_set(reading->error, STATUS_LIMIT, "%s: expected at most %d bytes", file, CAT_MAXIMUM_FILE);
    source.text = arena_copy(&reading->cat->arena, text); /* names of definitions point into it */
    source.at = source.text;
    reading->source = &source;
    const enum status status = cat_parse_read_text(reading);
    reading->source = source.includer;
    return status;
}

enum status cat_parse(const char *file, const char *text, cat_reader *reader, const void *context, struct cat **result,
                      struct error *error)
{
    *result = NULL;
    struct cat *cat = memory_take(1, sizeof *cat);
    struct cat_reading reading = {
        .cat = cat, .read_include = reader, .context = context, .in_prelude = true, .error = error};
    enum status status = read_source(&reading, "prelude.cat", cat_text_prelude);
    reading.in_prelude = reading.partial_declared = reading.total_declared = reading.titled_ptx = false;
    THEN(status, read_source(&reading, arena_copy(&cat->arena, file), text));
    const bool generated = reading.generated.file != NULL;
    cat->single = reading.single_declared && !reading.split_declared;
    cat->total = !reading.partial_declared && (reading.total_declared || generated || !reading.titled_ptx);
    if (status == STATUS_OK && generated && !cat->total)
        status = cat_fail(&reading, &reading.generated, STATUS_SYNTAX,
                          "expected a model with total coherence, because the model generates co, found one that "
                          "declares partial coherence");
    if (status == STATUS_OK && cat->rank_count == 0)
        status = error_set(error, STATUS_SYNTAX, "%s:1:1: expected at least one check (acyclic, irreflexive or empty)",
                           file);
    if (status == STATUS_OK && !cat_finish(cat))
        status = error_set(error, STATUS_LIMIT, "%s:1:1: expected a model of at most %d operations", file,
                           CAT_MAXIMUM_NODES);
    if (status == STATUS_OK)
        *result = cat;
    else
        cat_release(cat);
    return status;
}
