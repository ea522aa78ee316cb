// SPDX-License-Identifier: Apache-2.0
/* What is probably a mistake in a test that has a meaning: names that nothing uses, and registers without a value. */
#include "base/terminal/resemblance.h"
#include "litmus/language/order.h"
#include "litmus/language/walk.h"
#include "litmus/parse/parser.h"

/* Keys that orchil acts on, or that tests of the catalogue have for readers. */
static const char *const keys[] = {"Expect",      "Control",   "Mutants", "Planted", "Progress", "Unjudged",
                                   "Assumes",     "Relies",    "Instead", "Text",    "Promises", "Missing",
                                   "Instruction", "Direction", "Source",  "Claim",   "Cycle"};

static void warn(struct parser *parser, struct litmus_place place, struct text *text)
{
    struct litmus_test *test = parser->test;
    ARENA_ADD(&test->arena, test->warnings, test->warning_count) =
        (struct litmus_warning){place, arena_copy(&test->arena, text_string(text))};
    text_release(text);
}

void parse_warn_of_key(struct parser *parser, struct litmus_place place, const char *key)
{
    struct resemblance resemblance = {0};
    struct text text = {0};
    for (size_t i = 0; i < COUNT(keys); i++) {
        const size_t length = strlen(keys[i]);
        if (strncmp(key, keys[i], length) == 0 && (key[length] == '\0' || key[length] == '.'))
            return;
    }
    for (size_t i = 0; i < COUNT(keys); i++)
        if (resemblance_distance(key, keys[i]) <= 2)
            resemblance_offer(&resemblance, key, keys[i]);
    if (resemblance.count == 0)
        return;
    text_add(&text, "the key %s= has no meaning", key);
    resemblance_print(&resemblance, &text);
    warn(parser, place, &text);
}

/* ---- locations ---- */

/* A location is used if its name appears anywhere after the initial state, or another location or a register has its
 * address. False if the text has what only its own section can read, such as a comment with an apostrophe. */
static bool mark_used(struct parser *parser, const struct scanner *after)
{
    struct litmus_test *test = parser->test;
    struct scanner scanner = *after;
    scanner.mode = litmus_has_columns(test->dialect) ? SCAN_PTX : SCAN_C; /* "(*" is no comment in C */
    for (struct token token = scanner_next(&scanner); token.kind != TOKEN_END; token = scanner_next(&scanner)) {
        const int index = token.kind == TOKEN_WORD ? parser_find_location(parser, &token) : LITMUS_NONE;
        if (index != LITMUS_NONE)
            parser->notes[index].used = true;
        if (token.kind == TOKEN_FAULT)
            return false;
    }
    for (size_t i = 0; i < test->location_count; i++) {
        if (test->locations[i].points_to != LITMUS_NONE)
            parser->notes[test->locations[i].points_to].used = true;
        if (test->locations[i].alias_of != LITMUS_NONE)
            parser->notes[test->locations[i].alias_of].used = true;
    }
    for (size_t i = 0; i < parser->start_count; i++)
        if (parser->starts[i].first.points_to != LITMUS_NONE)
            parser->notes[parser->starts[i].first.points_to].used = true;
    return true;
}

/* Where each name that is used is declared, none can be meant by another one. */
static void warn_of_locations(struct parser *parser, const struct scanner *after)
{
    const struct litmus_test *test = parser->test;
    if (!mark_used(parser, after) || !ANY_OF(note, parser->notes, test->location_count, note->used && !note->declared))
        return;
    for (size_t i = 0; i < test->location_count; i++) {
        struct resemblance resemblance = {0};
        struct text text = {0};
        if (!parser->notes[i].declared || parser->notes[i].used)
            continue;
        for (size_t k = 0; k < test->location_count; k++)
            if (parser->notes[k].used && !parser->notes[k].declared)
                resemblance_offer(&resemblance, test->locations[i].name, test->locations[k].name);
        text_add(&text, "the location '%s' of the initial state is not used", test->locations[i].name);
        resemblance_print(&resemblance, &text);
        warn(parser, test->locations[i].place, &text);
    }
}

/* ---- registers ---- */

/* A search for a path through a thread on which nothing sets the register. */
struct path_search {
    int target;
    bool sets;                               /* some statement does */
    bool loops;                              /* the thread has a loop */
    bool visited[LITMUS_MAXIMUM_STATEMENTS]; /* labels that it has passed */
};

static bool statement_sets(struct path_search *search, const struct litmus_statement *statement)
{
    bool sets = false;
    const int *registers;
    for (size_t i = litmus_statement_registers(statement, &registers); i-- > 0;)
        sets |= registers[i] == search->target;
    for (struct litmus_walk walk = litmus_walk_expression(statement->value); litmus_walk_next(&walk);)
        sets |= walk.access && walk.access->expected_register == search->target;
    search->sets |= sets;
    return sets;
}

/* Whether a path through the block from a statement on sets nothing. Jumps are between the statements of a thread's
 * outermost block, as PTX has them. */
static bool check_warnings_passes(struct path_search *search, const struct litmus_block *block, size_t from)
{
    bool open = true, jumped = false;
    for (size_t i = from; i < block->count && open; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement_sets(search, statement))
            return jumped;
        if (statement->kind == LITMUS_IF) {
            const bool body = check_warnings_passes(search, &statement->body, 0),
                       otherwise = check_warnings_passes(search, &statement->otherwise, 0);
            open = body || otherwise;
        } else if (statement->kind == LITMUS_DO_WHILE || statement->kind == LITMUS_WHILE)
            search->loops = true;
        else if (statement->kind == LITMUS_GOTO) {
            const size_t label = litmus_find_label(block, statement->label);
            search->loops |= label < i;
            const bool again = search->visited[statement->label];
            search->visited[statement->label] = true;
            jumped |= !again && check_warnings_passes(search, block, label);
            open = statement->value != NULL;
        }
    }
    return open || jumped;
}

/* Do some ways set it, but not all? No if there are loops: one that takes a lock ends when it has set it. */
static bool is_set_at_times(const struct litmus_test *test, const struct litmus_variable *variable)
{
    const struct litmus_thread *thread = &test->threads[variable->body];
    FREED struct path_search *search = memory_take(1, sizeof *search);
    search->target = variable->index;
    return check_warnings_passes(search, &thread->body, 0) && search->sets && !search->loops;
}

/* Is the variable's initial value, 0, right for a relation of the condition that compares it with a number? */
static bool asks_for_nothing(const struct litmus_proposition *proposition, int variable)
{
    if (!proposition)
        return false;
    for (int i = 0; i < 2 && proposition->kind == LITMUS_ATOM; i++) {
        const struct litmus_term *other = &proposition->terms[1 - i];
        if (proposition->terms[i].variable == variable && other->variable == LITMUS_NONE &&
            proposition->relation == LITMUS_IS && other->value == 0)
            return true;
    }
    return asks_for_nothing(proposition->left, variable) || asks_for_nothing(proposition->right, variable);
}

/* A condition that also asks for a register that every path sets usually says by it which path was taken. */
static bool tells_path(const struct litmus_test *test, const bool *at_times, size_t variable)
{
    return ANY_NUMBER(size_t, i, 0, test->variable_count,
                      test->variables[i].thread == test->variables[variable].thread && !at_times[i]);
}

/* One warning for each body is enough. */
static void warn_of_registers(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    FREED bool *at_times = memory_take(test->variable_count + 1, sizeof *at_times);
    bool warned[LITMUS_MAXIMUM_BODIES] = {false};
    for (size_t i = 0; i < test->variable_count; i++)
        at_times[i] = test->variables[i].thread != LITMUS_NONE && is_set_at_times(test, &test->variables[i]);
    for (size_t i = 0; i < test->variable_count; i++) {
        const struct litmus_variable *variable = &test->variables[i];
        struct text text = {0};
        if (!at_times[i] || warned[variable->body] || !asks_for_nothing(test->condition, (int)i) ||
            tells_path(test, at_times, i))
            continue;
        const struct litmus_thread *thread = &test->threads[variable->body];
        const char *const name = thread->registers[variable->index].name;
        if (ANY_OF(start, parser->starts, parser->start_count,
                   start->thread == thread->first && strcmp(start->first.name, name) == 0))
            continue;
        text_add(&text,
                 "P%d sets %s only on some paths. On the others it is 0, which can make the condition true: set %s "
                 "to another value first",
                 variable->thread, name, name);
        warn(parser, thread->place, &text);
        warned[variable->body] = true;
    }
}

/* ---- storage classes ---- */

void parse_warn(struct parser *parser, const struct scanner *after)
{
    unsigned classes[LITMUS_MAXIMUM_LOCATIONS] = {0}; /* with which each location is accessed, as bits */
    for (struct litmus_walk walk = litmus_walk_test(parser->test); litmus_walk_next(&walk);) {
        const struct litmus_access *access = walk.access;
        if (!walk.expression || walk.expression->kind != LITMUS_EXPRESSION_ACCESS ||
            access->address->kind != LITMUS_EXPRESSION_ADDRESS)
            continue;
        const int location = access->address->index;
        const unsigned others = classes[location], own = ordering_storage(access->ordering);
        classes[location] |= own;
        if (others == 0 || others & own)
            continue;
        struct text text = {0};
        text_add(&text,
                 "'%s' is accessed with two storage classes, but a SPIR-V variable has only one (declare an alias "
                 "for the other)",
                 parser->test->locations[location].name);
        warn(parser, walk.expression->place, &text);
    }
    warn_of_locations(parser, after);
    warn_of_registers(parser);
}
