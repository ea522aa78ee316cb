// SPDX-License-Identifier: Apache-2.0
/* Reading a model's statements. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "models/cat/cat_reader.h"

static void bind_name(struct cat_reading *reading, const struct cat_token *name, const struct cat_function *function,
                      struct cat_value_of value)
{
    struct cat_binding *binding = arena_take(&reading->cat->arena, 1, sizeof *binding);
    *binding = (struct cat_binding){name->bytes, name->size, function, value, reading->bindings};
    reading->bindings = binding;
    if (function || value.type != CAT_T_RELATION || reading->cat->nodes[value.node].name)
        return;
    reading->cat->nodes[value.node].name = cat_copy(reading, name);
    reading->cat->nodes[value.node].whole = reading->in_prelude;
}

struct definition {
    struct cat_token name;
    struct cat_function *function; /* or NULL: a value */
    struct cat_expression *body;
};

/* NAME = e, NAME(a, b) = e or NAME a = e */
static enum status read_definition(struct cat_reading *reading, struct definition *definition)
{
    *definition = (struct definition){0};
    TRY(cat_take_name(reading, "a name", &definition->name));
    bool list;
    TRY(cat_take_if(reading, "(", &list));
    if (list || reading->source->token.kind == CAT_NAME) {
        struct cat_function *function = arena_take(&reading->cat->arena, 1, sizeof *function);
        definition->function = function;
        for (bool more = true; more;) {
            if (function->count == CAT_MAXIMUM_PARAMETERS)
                return cat_fail(reading, &reading->source->token.place, STATUS_LIMIT, "expected at most %d parameters",
                                CAT_MAXIMUM_PARAMETERS);
            TRY(cat_take_name(reading, "a parameter", &function->parameters[function->count++]));
            more = false;
            if (list)
                TRY(cat_take_if(reading, ",", &more));
        }
        if (list)
            TRY(cat_take(reading, ")"));
    }
    TRY(cat_take(reading, "="));
    TRY(cat_read_expression(reading, &definition->body));
    if (definition->function)
        definition->function->body = definition->body;
    return STATUS_OK;
}

static enum status read_definitions(struct cat_reading *reading, struct definition definitions[CAT_MAXIMUM_VARIABLES],
                                    unsigned *count)
{
    *count = 0;
    for (bool more = true; more;) {
        if (*count == CAT_MAXIMUM_VARIABLES)
            return cat_fail(reading, &reading->source->token.place, STATUS_LIMIT,
                            "expected at most %d definitions joined by 'and'", CAT_MAXIMUM_VARIABLES);
        TRY(read_definition(reading, &definitions[(*count)++]));
        TRY(cat_take_if(reading, "and", &more));
    }
    return STATUS_OK;
}

/* Definitions joined by 'and' do not see each other. */
static enum status define_values(struct cat_reading *reading, const struct definition *definitions, unsigned count)
{
    const struct cat_binding *known = reading->bindings;
    for (unsigned i = 0; i < count; i++) {
        struct cat_value_of value = {0};
        if (definitions[i].function)
            definitions[i].function->known = known;
        else
            TRY(cat_translate(reading, definitions[i].body, known, &value));
        bind_name(reading, &definitions[i].name, definitions[i].function, value);
    }
    return STATUS_OK;
}

/* Does a use of a variable of the group, on the way down from node, stand under an odd number of complements? Then the
 * recursion need not have a least solution. seen[0 or 1][node]: walked with that oddness. */
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
                                   const struct definition *definitions)
{
    bool seen[2][CAT_MAXIMUM_NODES] = {{false}};
    for (unsigned i = 0; i < group->count; i++)
        if (falls_with(reading->cat, group->bodies[i], number, false, seen))
            return cat_fail(reading, &definitions[i].name.place, STATUS_SYNTAX,
                            "expected '%.*s' to use what it defines neither under '~' nor right of '\\': such a "
                            "recursion has no least solution",
                            (int)definitions[i].name.size, definitions[i].name.bytes);
    return STATUS_OK;
}

/* A recursion defines relations. */
static enum status define_recursion(struct cat_reading *reading, const struct definition *definitions, unsigned count)
{
    struct cat *cat = reading->cat;
    if (cat->group_count == CAT_MAXIMUM_GROUPS)
        return cat_fail(reading, &definitions[0].name.place, STATUS_LIMIT, "expected at most %d recursions",
                        CAT_MAXIMUM_GROUPS);
    const int number = cat->group_count++;
    struct cat_group *group = &cat->groups[number];
    *group = (struct cat_group){.count = count, .first = cat->node_count, .end = -1};
    for (unsigned i = 0; i < count; i++) {
        if (definitions[i].function)
            return cat_fail(reading, &definitions[i].name.place, STATUS_SYNTAX,
                            "expected a set or a relation after 'let rec', found a function");
        group->variables[i] = cat_node(cat, CAT_VARIABLE, false, -1, -1);
        if (group->variables[i] < 0)
            return cat_fail(reading, &definitions[i].name.place, STATUS_LIMIT, "expected at most %d operations",
                            CAT_MAXIMUM_NODES);
        cat->nodes[group->variables[i]].group = number;
        bind_name(reading, &definitions[i].name, NULL,
                  (struct cat_value_of){CAT_T_RELATION, group->variables[i], NULL});
    }
    for (unsigned i = 0; i < count; i++) {
        struct cat_value_of body;
        TRY(cat_translate(reading, definitions[i].body, reading->bindings, &body));
        TRY(cat_need(reading, &definitions[i].body->place, body, CAT_T_RELATION, &group->bodies[i]));
        group->stage =
            cat->nodes[group->bodies[i]].stage > group->stage ? cat->nodes[group->bodies[i]].stage : group->stage;
    }
    TRY(check_recursion(reading, group, number, definitions));
    group->end = cat->node_count;
    for (int i = group->first; i < group->end; i++)
        if (cat->nodes[i].group == number)
            group->stage = cat->nodes[i].stage > group->stage ? cat->nodes[i].stage : group->stage;
    for (int i = group->first; i < group->end; i++)
        if (cat->nodes[i].group == number)
            cat->nodes[i].stage = group->stage;
    return STATUS_OK;
}

static enum status read_let(struct cat_reading *reading)
{
    struct definition definitions[CAT_MAXIMUM_VARIABLES];
    unsigned count;
    bool recursive;
    TRY(cat_advance(reading));
    TRY(cat_take_if(reading, "rec", &recursive));
    TRY(read_definitions(reading, definitions, &count));
    return recursive ? define_recursion(reading, definitions, count) : define_values(reading, definitions, count);
}

/* [flag | undefined_unless] [~] acyclic | irreflexive | empty e [as NAME] */
static enum status read_check(struct cat_reading *reading)
{
    static const char *const kinds[] = {
        [CAT_ACYCLIC] = "acyclic", [CAT_IRREFLEXIVE] = "irreflexive", [CAT_IS_EMPTY] = "empty"};
    struct cat *cat = reading->cat;
    const struct cat_place place = reading->source->token.place;
    struct cat_check check = {.kind = CAT_ACYCLIC};
    bool flag, undefined, negated, named, found = false;
    TRY(cat_take_if(reading, "flag", &flag));
    TRY(cat_take_if(reading, "undefined_unless", &undefined));
    TRY(cat_take_if(reading, "~", &negated));
    for (int i = CAT_ACYCLIC; i <= CAT_IS_EMPTY && !found; i++) {
        TRY(cat_take_if(reading, kinds[i], &found));
        check.kind = (enum cat_check_kind)i;
    }
    if (!found)
        return cat_expected(reading, flag || undefined || negated ? "'acyclic', 'irreflexive' or 'empty'"
                                                                  : "'let', 'include', 'show' or a check");
    struct cat_expression *expression;
    struct cat_value_of value;
    struct cat_token name = {0};
    TRY(cat_read_expression(reading, &expression));
    TRY(cat_translate(reading, expression, reading->bindings, &value));
    const bool set = check.kind == CAT_IS_EMPTY && value.type == CAT_T_SET;
    TRY(cat_need(reading, &expression->place, value, set ? CAT_T_SET : CAT_T_RELATION, &check.node));
    TRY(cat_take_if(reading, "as", &named));
    if (named)
        TRY(cat_take_name(reading, "a name for the check", &name));
    check.name = named ? cat_copy(reading, &name) : kinds[check.kind];
    check.negated = negated != undefined;
    check.stage = cat->nodes[check.node].stage;
    check.rank = cat->rank_count;
    if (flag || undefined) {
        if (cat->flag_count == CAT_MAXIMUM_FLAGS)
            return cat_fail(reading, &place, STATUS_LIMIT, "expected at most %d flags", CAT_MAXIMUM_FLAGS);
        cat->flags[cat->flag_count++] = check;
        return STATUS_OK;
    }
    if (cat->rank_count == CAT_MAXIMUM_CHECKS)
        return cat_fail(reading, &place, STATUS_LIMIT, "expected at most %d checks", CAT_MAXIMUM_CHECKS);
    cat->rank_count++;
    cat->checks[cat->check_count++] = check;
    return STATUS_OK;
}

/* What is to be drawn means nothing here, but has to make sense. */
static enum status read_show(struct cat_reading *reading)
{
    TRY(cat_advance(reading));
    for (bool more = true; more;) {
        struct cat_expression *expression;
        struct cat_value_of value;
        struct cat_token name;
        bool named;
        TRY(cat_read_expression(reading, &expression));
        TRY(cat_translate(reading, expression, reading->bindings, &value));
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
    char *file = cat_copy(reading, &name);
    for (const struct cat_source *source = reading->source; source; source = source->includer)
        if (strcmp(file_name(source), file) == 0)
            return cat_fail(reading, &name.place, STATUS_SYNTAX,
                            "expected a file that does not include itself, found \"%s\"", file);
    if (++reading->includes > CAT_MAXIMUM_INCLUDES)
        return cat_fail(reading, &name.place, STATUS_LIMIT, "expected at most %d included files", CAT_MAXIMUM_INCLUDES);
    char *text = reading->read_include ? reading->read_include(file, reading->context) : NULL;
    if (!text)
        return cat_fail(reading, &name.place, STATUS_UNREADABLE,
                        "expected a file beside the model or a built-in one, found \"%s\", which is neither", file);
    const enum status status = read_source(reading, file, text);
    free(text);
    TRY(status);
    return cat_advance(reading);
}

/* A title is any words and strings before the first statement. */
static enum status read_title(struct cat_reading *reading)
{
    while (reading->source->token.kind == CAT_NAME || reading->source->token.kind == CAT_STRING) {
        reading->titled_ptx |= cat_at(reading, "PTX");
        TRY(cat_advance(reading));
    }
    return STATUS_OK;
}

static enum status read_statements(struct cat_reading *reading)
{
    TRY(cat_advance(reading));
    TRY(read_title(reading));
    while (reading->source->token.kind != CAT_END) {
        if (cat_at(reading, "let"))
            TRY(read_let(reading));
        else if (cat_at(reading, "include"))
            TRY(read_include(reading));
        else if (cat_at(reading, "show") || cat_at(reading, "unshow"))
            TRY(read_show(reading));
        else
            TRY(read_check(reading));
    }
    return STATUS_OK;
}

static enum status read_source(struct cat_reading *reading, const char *file, const char *text)
{
    struct cat_source source = {.file = file, .line = 1, .column = 1, .includer = reading->source};
    if (strlen(text) > CAT_MAXIMUM_FILE)
        return error_set(reading->error, STATUS_LIMIT, "%s: expected at most %d bytes", file, CAT_MAXIMUM_FILE);
    source.text = arena_copy(&reading->cat->arena, text); /* names of definitions point into it */
    source.at = source.text;
    reading->source = &source;
    const enum status status = read_statements(reading);
    reading->source = source.includer;
    return status;
}

extern const char cat_text_prelude[];

enum status cat_parse(const char *file, const char *text, cat_reader *reader, const void *context, struct cat **result,
                      struct error *error)
{
    *result = NULL;
    struct cat *cat = memory_take(1, sizeof *cat);
    struct cat_reading reading = {
        .cat = cat, .read_include = reader, .context = context, .in_prelude = true, .error = error};
    enum status status = read_source(&reading, "prelude.cat", cat_text_prelude);
    reading.in_prelude = reading.partial_declared = reading.total_declared = reading.titled_ptx = false;
    if (status == STATUS_OK)
        status = read_source(&reading, arena_copy(&cat->arena, file), text);
    cat->total = !reading.partial_declared && (reading.total_declared || !reading.titled_ptx);
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
