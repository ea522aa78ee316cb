// SPDX-License-Identifier: Apache-2.0
/* Removing one thing from a test: a copy is cut, printed and parsed again, so that the result is a valid test. */
#include "hunt/minimise/minimise_edit.h"

#include "litmus/language/walk.h"

static const char *const edit_words[EDIT_KIND_COUNT] = {
#define EDIT_WORDS(name, words) words,
    EDIT_LIST(EDIT_WORDS)};

static const char reduced_suffix[] = "-minimal";

/* Locations, or registers of a thread; the same maximum. */
enum { MAXIMUM_NAMES = LITMUS_MAXIMUM_LOCATIONS };

/* The things of one kind: which are named, and their new numbers. */
struct names {
    bool named[MAXIMUM_NAMES];
    int moved[MAXIMUM_NAMES];
};

/* A copy that is being cut. */
struct cut {
    struct litmus_test *copy;
    enum edit_kind kind;
    size_t left; /* things to skip before the one to remove */
    enum edit_end end;
    struct text *what;
    bool kept[LITMUS_MAXIMUM_VARIABLES];     /* of the copy's variables: still observed */
    bool filtered[LITMUS_MAXIMUM_VARIABLES]; /* used by the filter */
    struct names locations;
    struct names of_thread[LITMUS_MAXIMUM_BODIES]; /* the registers */
    struct names *registers;                       /* of the thread being walked */
};

static struct litmus_test *copy_test(const struct litmus_test *test)
{
    struct litmus_test *copy = NULL;
    struct error error;
    (void)litmus_reread(test, &copy, &error);
    return copy;
}

/* ---- statements ---- */

/* Replaces statement `at` by the statements of a block. */
static void minimise_edit_replace(struct cut *cut, struct litmus_block *block, size_t at, const struct litmus_block *by)
{
    const size_t count = block->count - 1 + by->count;
    struct litmus_statement *statements = arena_take(&cut->copy->arena, count + 1, sizeof *statements);
    for (size_t i = 0; i < at; i++)
        statements[i] = block->statements[i];
    for (size_t i = 0; i < by->count; i++)
        statements[at + i] = by->statements[i];
    for (size_t i = at + 1; i < block->count; i++)
        statements[i - 1 + by->count] = block->statements[i];
    *block = (struct litmus_block){statements, count};
}

static void cut_statement(struct cut *cut, struct litmus_block *block, size_t at)
{
    const struct litmus_statement statement = block->statements[at];
    const struct litmus_block nothing = {0};
    const bool branch = statement.kind == LITMUS_IF;
    const bool loop = statement.kind == LITMUS_WHILE || statement.kind == LITMUS_DO_WHILE;
    cut->end = EDIT_DONE;
    if (cut->kind == EDIT_STATEMENT)
        minimise_edit_replace(cut, block, at, &nothing);
    else if (cut->kind == EDIT_THEN && branch)
        minimise_edit_replace(cut, block, at, &statement.body);
    else if (cut->kind == EDIT_OTHERWISE && branch && statement.otherwise.count > 0)
        minimise_edit_replace(cut, block, at, &statement.otherwise);
    else if (cut->kind == EDIT_ONCE && loop)
        minimise_edit_replace(cut, block, at, &statement.body);
    else
        cut->end = EDIT_REFUSED;
}

static bool cut_block(struct cut *cut, unsigned thread, struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        struct litmus_statement *statement = &block->statements[i];
        if (cut->left-- == 0) {
            text_add(cut->what, "P%u's ", thread);
            if (!litmus_print_instruction(cut->copy, statement->place, cut->what))
                text_add(cut->what, "statement %zu", i + 1);
            cut_statement(cut, block, i);
            return true;
        }
        if (cut_block(cut, thread, &statement->body) || cut_block(cut, thread, &statement->otherwise))
            return true;
    }
    return false;
}

static void cut_statements(struct cut *cut)
{
    for (size_t i = 0; i < cut->copy->body_count; i++)
        if (cut_block(cut, cut->copy->threads[i].first, &cut->copy->threads[i].body))
            return;
    cut->end = EDIT_MISSING;
}

/* ---- threads ---- */

/* Removes the edges of a removed body. */
static void cut_edges(struct litmus_test *copy, unsigned body)
{
    size_t count = 0;
    for (size_t i = 0; i < copy->edge_count; i++) {
        struct litmus_edge edge = copy->edges[i];
        if (edge.later == body || edge.earlier == body)
            continue;
        edge.later -= edge.later > body;
        edge.earlier -= edge.earlier > body;
        copy->edges[count++] = edge;
    }
    copy->edge_count = count;
}

/* Removes a thread; later threads move up. */
static void cut_thread(struct cut *cut)
{
    struct litmus_test *copy = cut->copy;
    const size_t at = cut->left;
    cut->end = at >= copy->body_count ? EDIT_MISSING : copy->body_count == 1 ? EDIT_REFUSED : EDIT_DONE;
    if (cut->end == EDIT_MISSING)
        return;
    const unsigned first = copy->threads[at].first, count = copy->threads[at].count;
    text_add(cut->what, "P%u", first);
    if (cut->end == EDIT_REFUSED)
        return;
    for (size_t i = 0; i < copy->variable_count; i++) {
        struct litmus_variable *variable = &copy->variables[i];
        const bool of_thread = variable->thread != LITMUS_NONE;
        cut->kept[i] &= !of_thread || variable->body != (int)at;
        if (of_thread && variable->body > (int)at)
            variable->thread -= (int)count, variable->body--;
    }
    for (size_t i = at + 1; i < copy->body_count; i++) {
        copy->threads[i - 1] = copy->threads[i];
        copy->threads[i - 1].first -= count;
    }
    copy->body_count--;
    copy->thread_count -= count;
    cut_edges(copy, (unsigned)at);
}

/* ---- observed variables ---- */

static void cut_variable(struct cut *cut)
{
    const struct litmus_test *copy = cut->copy;
    cut->end = cut->left >= copy->variable_count ? EDIT_MISSING : EDIT_DONE;
    if (cut->end == EDIT_MISSING)
        return;
    const struct litmus_variable *variable = &copy->variables[cut->left];
    if (variable->thread == LITMUS_NONE)
        text_add(cut->what, "[%s]", copy->locations[variable->index].name);
    else
        text_add(cut->what, "%d:%s", variable->thread, copy->threads[variable->body].registers[variable->index].name);
    cut->kept[cut->left] = false;
}

/* Marks the variables of a proposition. */
static void mark_filter(struct cut *cut, const struct litmus_proposition *proposition)
{
    if (!proposition)
        return;
    for (unsigned side = 0; proposition->kind == LITMUS_ATOM && side < 2; side++)
        if (proposition->terms[side].variable != LITMUS_NONE)
            cut->filtered[proposition->terms[side].variable] = true;
    mark_filter(cut, proposition->left);
    mark_filter(cut, proposition->right);
}

/* ---- expressions: the locations and registers that they name, and their new numbers ---- */

static void walk_index(struct names *names, int *index, bool move)
{
    if (*index == LITMUS_NONE)
        return;
    if (move)
        *index = names->moved[*index];
    else
        names->named[*index] = true;
}

static void walk_expression(struct cut *cut, struct litmus_expression *expression, bool move)
{
    if (!expression)
        return;
    if (expression->kind == LITMUS_EXPRESSION_ADDRESS)
        walk_index(&cut->locations, &expression->index, move);
    if (expression->kind == LITMUS_EXPRESSION_REGISTER)
        walk_index(cut->registers, &expression->index, move);
    walk_expression(cut, expression->left, move);
    walk_expression(cut, expression->right, move);
    if (expression->access) {
        walk_expression(cut, expression->access->address, move);
        walk_expression(cut, expression->access->operand, move);
        walk_expression(cut, expression->access->expected, move);
        walk_expression(cut, expression->access->expected_address, move);
        walk_index(cut->registers, &expression->access->expected_register, move);
    }
}

static void walk_block(struct cut *cut, const struct litmus_block *block, bool move)
{
    FOR_EACH(struct litmus_statement, statement, block->statements, block->count) {
        if (statement->kind == LITMUS_ASSIGN)
            walk_index(cut->registers, &statement->target, move);
        for (unsigned lane = 0; statement->kind == LITMUS_VECTOR && lane < statement->vector.lanes; lane++)
            walk_index(cut->registers, &statement->vector.registers[lane], move);
        struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
        for (size_t k = litmus_statement_operands(statement, operands); k-- > 0;)
            walk_expression(cut, operands[k], move);
        walk_block(cut, &statement->body, move);
        walk_block(cut, &statement->otherwise, move);
    }
}

static void walk_test(struct cut *cut, bool move)
{
    for (size_t i = 0; i < cut->copy->body_count; i++) {
        cut->registers = &cut->of_thread[i];
        walk_block(cut, &cut->copy->threads[i].body, move);
    }
}

static bool expression_writes(const struct litmus_expression *expression, int target)
{
    if (!expression)
        return false;
    if (expression->access && expression->access->expected_register == target)
        return true;
    return expression_writes(expression->left, target) || expression_writes(expression->right, target) ||
           (expression->access && (expression_writes(expression->access->operand, target) ||
                                   expression_writes(expression->access->expected, target)));
}

static bool statement_writes(const struct litmus_statement *statement, int target)
{
    struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
    const int *registers;
    for (size_t i = litmus_statement_registers(statement, &registers); i-- > 0;)
        if (registers[i] == target)
            return true;
    for (size_t i = litmus_statement_operands(statement, operands); i-- > 0;)
        if (expression_writes(operands[i], target))
            return true;
    return false;
}

static bool block_writes(const struct litmus_block *block, int target)
{
    return ANY_OF(statement, block->statements, block->count,
                  statement_writes(statement, target) || block_writes(&statement->body, target) ||
                      block_writes(&statement->otherwise, target));
}

/* ---- unused names ---- */

/* Marks the location as named; whether it was not yet. */
static bool name_location(struct cut *cut, int index)
{
    const bool news = index != LITMUS_NONE && !cut->locations.named[index];
    if (news)
        cut->locations.named[index] = true;
    return news;
}

/* Marks also what named things point to, transitively. */
static void name_pointed(struct cut *cut)
{
    const struct litmus_test *copy = cut->copy;
    for (size_t i = 0; i < copy->body_count; i++)
        for (size_t j = 0; j < copy->threads[i].register_count; j++)
            if (cut->of_thread[i].named[j])
                (void)name_location(cut, copy->threads[i].registers[j].points_to);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < copy->location_count; i++)
            if (cut->locations.named[i]) {
                more |= name_location(cut, copy->locations[i].points_to);
                more |= name_location(cut, copy->locations[i].alias_of);
            }
    }
}

static void move_locations(struct cut *cut)
{
    struct litmus_test *copy = cut->copy;
    size_t count = 0;
    for (size_t i = 0; i < copy->location_count; i++) {
        cut->locations.moved[i] = (int)count;
        if (cut->locations.named[i])
            copy->locations[count++] = copy->locations[i];
    }
    copy->location_count = count;
    for (size_t i = 0; i < count; i++) {
        walk_index(&cut->locations, &copy->locations[i].points_to, true);
        walk_index(&cut->locations, &copy->locations[i].alias_of, true);
    }
}

/* Removes locations and registers that are not named, and closes the gaps. The filter may use one. */
static void drop_idle_names(struct cut *cut)
{
    struct litmus_test *copy = cut->copy;
    for (unsigned move = 0; move < 2; move++) {
        for (size_t i = 0; i < copy->variable_count; i++) {
            struct litmus_variable *variable = &copy->variables[i];
            if (cut->kept[i] || cut->filtered[i])
                walk_index(variable->thread == LITMUS_NONE ? &cut->locations : &cut->of_thread[variable->body],
                           &variable->index, move > 0);
        }
        if (move > 0)
            continue;
        move_locations(cut);
        for (size_t i = 0; i < copy->body_count; i++) {
            struct litmus_thread *thread = &cut->copy->threads[i];
            struct names *names = &cut->of_thread[i];
            size_t count = 0;
            for (size_t r = 0; r < thread->register_count; r++) {
                names->moved[r] = (int)count;
                if (names->named[r])
                    thread->registers[count++] = thread->registers[r];
            }
            thread->register_count = count;
            for (size_t r = 0; r < count; r++)
                walk_index(&cut->locations, &thread->registers[r].points_to, true);
        }
    }
    walk_test(cut, true);
}

static struct litmus_proposition *make_proposition(struct cut *cut, struct litmus_proposition proposition)
{
    struct litmus_proposition *made = arena_take(&cut->copy->arena, 1, sizeof *made);
    *made = proposition;
    return made;
}

/* Sets the condition to exists (the values of the observed variables). False if there are none, or if the filter needs
 * more. */
static bool set_condition(struct cut *cut, const int64_t *values)
{
    struct litmus_test *copy = cut->copy;
    struct litmus_proposition *condition = NULL;
    for (size_t i = 0; i < copy->variable_count; i++) {
        if (!cut->kept[i] && cut->filtered[i])
            return false;
        if (!cut->kept[i])
            continue;
        struct litmus_proposition *atom =
            make_proposition(cut, (struct litmus_proposition){.kind = LITMUS_ATOM,
                                                              .terms = {{.variable = (int)i}, {LITMUS_NONE, values[i]}},
                                                              .relation = LITMUS_IS});
        condition = !condition
                        ? atom
                        : make_proposition(cut, (struct litmus_proposition){
                                                    .kind = LITMUS_CONJUNCTION, .left = condition, .right = atom});
    }
    copy->quantifier = LITMUS_EXISTS;
    copy->condition = condition;
    copy->listed_count = 0;
    return condition != NULL;
}

/* ---- the whole ---- */

static bool is_same_variable(const struct litmus_test *a, const struct litmus_variable *of_a,
                             const struct litmus_test *b, const struct litmus_variable *of_b)
{
    if (of_a->thread != of_b->thread || of_a->element != of_b->element)
        return false;
    if (of_a->thread == LITMUS_NONE)
        return strcmp(a->locations[of_a->index].name, b->locations[of_b->index].name) == 0;
    return strcmp(a->threads[of_a->body].registers[of_a->index].name,
                  b->threads[of_b->body].registers[of_b->index].name) == 0;
}

/* The values of the edited test's variables, which are the copy's in another order; NULL if they are not. */
static int64_t *find_values(const struct cut *cut, const int64_t *values, const struct litmus_test *edited)
{
    int64_t *found = memory_take(edited->variable_count, sizeof *found);
    for (size_t i = 0; i < edited->variable_count; i++) {
        size_t at = 0;
        while (
            at < cut->copy->variable_count &&
            !(cut->kept[at] && is_same_variable(cut->copy, &cut->copy->variables[at], edited, &edited->variables[i])))
            at++;
        if (at == cut->copy->variable_count) {
            free(found);
            return NULL;
        }
        found[i] = values[at];
    }
    return found;
}

static bool tidy(struct cut *cut, const int64_t *values)
{
    walk_test(cut, false);
    name_pointed(cut);
    /* Stops observing variables that nothing writes or names. */
    struct litmus_test *copy = cut->copy;
    for (size_t i = 0; i < copy->variable_count; i++) {
        const struct litmus_variable *variable = &copy->variables[i];
        if (!cut->kept[i])
            continue;
        cut->kept[i] = variable->thread == LITMUS_NONE
                           ? cut->locations.named[variable->index]
                           : block_writes(&copy->threads[variable->body].body, variable->index);
    }
    if (!set_condition(cut, values))
        return false;
    drop_idle_names(cut);
    /* Renames the test, and keeps only the metadata that affects how it is played. */
    const size_t length = strlen(copy->name), suffix = strlen(reduced_suffix);
    size_t count = 0;
    if (length < suffix || strcmp(copy->name + length - suffix, reduced_suffix) != 0) {
        copy->doc = arena_print(&copy->arena, "What is left of %s.", copy->name);
        copy->name = arena_print(&copy->arena, "%s%s", copy->name, reduced_suffix);
    }
    for (size_t i = 0; i < copy->metadata_count; i++)
        if (strcmp(copy->metadata[i].key, "Progress") == 0)
            copy->metadata[count++] = copy->metadata[i];
    copy->metadata_count = count;
    return true;
}

static void read_again(struct cut *cut, const int64_t *values, struct litmus_test **edited, struct text *text,
                       int64_t **edited_values)
{
    struct error error;
    text_clear(text);
    litmus_print(cut->copy, text);
    if (litmus_parse(cut->copy->name, text_string(text), text->size, edited, &error) == STATUS_OK)
        *edited_values = find_values(cut, values, *edited);
    if (*edited_values)
        return;
    litmus_release(*edited);
    *edited = NULL;
    cut->end = EDIT_REFUSED;
}

enum edit_end edit_test(const struct litmus_test *test, const int64_t *values, enum edit_kind kind, size_t number,
                        struct text *what, struct litmus_test **edited, struct text *text, int64_t **edited_values)
{
    FREED struct cut *cut = memory_take(1, sizeof *cut);
    *cut = (struct cut){.copy = copy_test(test), .kind = kind, .left = number, .what = what};
    *edited = NULL;
    *edited_values = NULL;
    cut->end = EDIT_REFUSED;
    if (cut->copy) {
        for (size_t i = 0; i < cut->copy->variable_count; i++)
            cut->kept[i] = true;
        mark_filter(cut, cut->copy->filter);
        text_add(cut->what, "%s ", edit_words[cut->kind]);
        if (cut->kind == EDIT_THREAD)
            cut_thread(cut);
        else if (cut->kind == EDIT_VARIABLE)
            cut_variable(cut);
        else
            cut_statements(cut);
    }
    if (cut->end == EDIT_DONE && !tidy(cut, values))
        cut->end = EDIT_REFUSED;
    if (cut->end == EDIT_DONE)
        read_again(cut, values, edited, text, edited_values);
    const enum edit_end end = cut->end;
    litmus_release(cut->copy);
    return end;
}
