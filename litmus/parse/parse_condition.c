// SPDX-License-Identifier: Apache-2.0
/* The final condition, the filter and the list of locations, and the variables that they observe. */
#include "litmus/parse/parser.h"

static enum status add_variable(struct parser *parser, struct litmus_variable wanted, size_t *index)
{
    struct litmus_test *test = parser->test;
    for (size_t i = 0; i < test->variable_count; i++) {
        const struct litmus_variable *other = &test->variables[i];
        if (other->thread == wanted.thread && other->index == wanted.index && other->element == wanted.element) {
            *index = i;
            return STATUS_OK;
        }
    }
    if (test->variable_count == LITMUS_MAXIMUM_VARIABLES)
        return parser_limit(parser, LITMUS_MAXIMUM_VARIABLES, "observed registers and locations");
    *index = test->variable_count;
    ARENA_ADD(&test->arena, test->variables, test->variable_count) = wanted;
    return STATUS_OK;
}

/* A parameter of a thread that is written as its register, "0:x", is the location: the pointer itself never changes. */
static bool find_pointed(const struct parser *parser, const struct draft *draft, const struct token *name,
                         struct litmus_variable *variable)
{
    const int location = parser_find_location(parser, name);
    *variable = (struct litmus_variable){.thread = LITMUS_NONE, .body = LITMUS_NONE, .index = location};
    return location != LITMUS_NONE && draft->visible[location] && !parser->test->locations[location].array;
}

/* "0:r1" with the thread taken and the colon at hand. The body is filled in by parse_order_variables. */
static enum status parse_register_variable(struct parser *parser, const struct token *thread,
                                           struct litmus_variable *variable)
{
    unsigned number;
    if (!token_is_thread(thread, &number))
        return parser_expected_not(parser, thread, "a thread such as P0 before ':'");
    const struct draft *draft = parser_find_thread(parser, number);
    if (!draft)
        return parser_expected_not(parser, thread, "a thread of the test");
    TRY(parser_take(parser, ":"));
    struct token name;
    (void)parser_take_percent(parser);
    TRY(parser_take_word(parser, "the name of a register", &name));
    TRY(parse_c_component(parser, draft, &name));
    const int index = draft_find_register(draft, &name);
    if (index == LITMUS_NONE && find_pointed(parser, draft, &name, variable))
        return STATUS_OK;
    if (index == LITMUS_NONE)
        return parser_expected_not(parser, &name, "a register of that thread");
    *variable = (struct litmus_variable){.thread = (int)number, .body = LITMUS_NONE, .index = index};
    return STATUS_OK;
}

static enum status parse_variable(struct parser *parser, struct litmus_variable *variable, bool *whole)
{
    const bool bracket = parser_take_if(parser, "[");
    const struct token name = parser->token;
    if (name.kind != TOKEN_WORD && (bracket || name.kind != TOKEN_NUMBER))
        return parser_expected(parser, "a register such as 0:r1 or a location such as x");
    parser_advance(parser);
    if (!bracket && (parser_at(parser, ":") || name.kind == TOKEN_NUMBER))
        return parse_register_variable(parser, &name, variable);
    if (bracket)
        TRY(parser_take(parser, "]"));
    /* "x", "[x]" or "x[1]". With `whole`, "x" may be an array; *whole says whether it is. */
    const int index = parser_find_location(parser, &name);
    if (index == LITMUS_NONE)
        return parser_expected_not(parser, &name, "a location of the test");
    const struct litmus_location *location = &parser->test->locations[index];
    if (location->type == LITMUS_MBARRIER)
        return parser_expected_not(parser, &name,
                                   "a location that is not an mbarrier (no instruction reads its value)");
    if (location->type == LITMUS_TENSORMAP)
        return parser_expected_not(parser, &name,
                                   "a location that is not a tensor map (no instruction reads its value)");
    *variable = (struct litmus_variable){.thread = LITMUS_NONE, .body = LITMUS_NONE, .index = index};
    if (!bracket && parser_take_if(parser, "[")) {
        TRY(parser_count(parser, "the number of an element", location->elements - 1, &variable->element));
        TRY(parser_take(parser, "]"));
    } else if (location->array && whole)
        *whole = true;
    else if (location->array)
        return parser_expected_not(parser, &name, "an element of the array, such as x[0]");
    return STATUS_OK;
}

/* place: of a number. */
static enum status parse_term(struct parser *parser, struct litmus_term *term, struct litmus_place *place)
{
    *term = (struct litmus_term){.variable = LITMUS_NONE};
    if (parser_at(parser, "-") || (parser->token.kind == TOKEN_NUMBER && !parser_next_is(parser, ":")))
        return parser_integer(parser, "a number", &term->value, place);
    struct litmus_variable variable;
    size_t index;
    TRY(parse_variable(parser, &variable, NULL));
    TRY(add_variable(parser, variable, &index));
    term->variable = (int)index;
    return STATUS_OK;
}

static enum status add_proposition(struct parser *parser, enum litmus_proposition_kind kind,
                                   struct litmus_proposition **proposition)
{
    if (parser->relation_count == LITMUS_MAXIMUM_RELATIONS)
        return parser_limit(parser, LITMUS_MAXIMUM_RELATIONS, "relations and connectives");
    parser->relation_count++;
    *proposition = arena_take(parser_arena(parser), 1, sizeof **proposition);
    (*proposition)->kind = kind;
    (*proposition)->terms[0].variable = (*proposition)->terms[1].variable = LITMUS_NONE;
    return STATUS_OK;
}

/* A constant that is compared with a variable has its type: 0xffffffff compared with an int is -1. */
static enum status fit_constant(struct parser *parser, struct litmus_term *constant, struct litmus_place place,
                                const struct litmus_term *other)
{
    if (constant->variable != LITMUS_NONE || other->variable == LITMUS_NONE)
        return STATUS_OK;
    const struct litmus_variable *variable = &parser->test->variables[other->variable];
    enum litmus_type type;
    if (variable->thread == LITMUS_NONE)
        type = parser->test->locations[variable->index].type;
    else
        type = parser_find_thread(parser, (unsigned)variable->thread)->thread.registers[variable->index].type;
    TRY(parser_fits(parser, type, constant->value, place));
    constant->value = litmus_wrap(type, constant->value);
    return STATUS_OK;
}

static enum status parse_implication(struct parser *parser, struct litmus_proposition **result);

static enum status parse_unary(struct parser *parser, struct litmus_proposition **result)
{
    /* The parentheses that the printer puts around a whole proposition do not count as a level, or they could be one
     * too many. */
    const bool free = parser->outermost && parser_at(parser, "(");
    parser->outermost = false;
    if (!free)
        TRY(parser_enter(parser));
    if (parser_take_if(parser, "~") || parser_take_if(parser, "not")) {
        TRY(add_proposition(parser, LITMUS_NEGATION, result));
        TRY(parse_unary(parser, &(*result)->left));
    } else if (parser_take_if(parser, "(")) {
        TRY(parse_implication(parser, result));
        TRY(parser_take(parser, ")"));
    } else if (parser_at(parser, "true") || parser_at(parser, "false")) {
        TRY(add_proposition(parser, parser_at(parser, "true") ? LITMUS_TRUE : LITMUS_FALSE, result));
        parser_advance(parser);
    } else {
        TRY(add_proposition(parser, LITMUS_ATOM, result));
        struct litmus_proposition *atom = *result;
        struct litmus_place places[2];
        TRY(parse_term(parser, &atom->terms[0], &places[0]));
        const int relation = word_find(relation_words, &parser->token);
        if (relation == LITMUS_NONE)
            return parser_expected(parser, "a relation such as =, != or <");
        parser_advance(parser);
        atom->relation = (enum litmus_relation)relation;
        TRY(parse_term(parser, &atom->terms[1], &places[1]));
        TRY(fit_constant(parser, &atom->terms[0], places[0], &atom->terms[1]));
        TRY(fit_constant(parser, &atom->terms[1], places[1], &atom->terms[0]));
    }
    if (!free)
        parser_leave(parser);
    return STATUS_OK;
}

/* left /\ right /\ ..., read from the left. */
static enum status parse_chain(struct parser *parser, const char *connective, enum litmus_proposition_kind kind,
                               enum status (*parse_operand)(struct parser *, struct litmus_proposition **),
                               struct litmus_proposition **result)
{
    TRY(parse_operand(parser, result));
    while (parser_take_if(parser, connective)) {
        struct litmus_proposition *left = *result;
        TRY(add_proposition(parser, kind, result));
        (*result)->left = left;
        TRY(parse_operand(parser, &(*result)->right));
    }
    return STATUS_OK;
}

static enum status parse_conjunction(struct parser *parser, struct litmus_proposition **result)
{
    return parse_chain(parser, "/\\", LITMUS_CONJUNCTION, parse_unary, result);
}

/* a => b => c is a => (b => c). */
static enum status parse_implication(struct parser *parser, struct litmus_proposition **result)
{
    TRY(parse_chain(parser, "\\/", LITMUS_DISJUNCTION, parse_conjunction, result));
    if (parser_at(parser, "&&"))
        return parser_expected(parser, "'/\\' for 'and'");
    if (parser_at(parser, "||"))
        return parser_expected(parser, "'\\/' for 'or'");
    if (!parser_take_if(parser, "=>"))
        return STATUS_OK;
    TRY(parser_enter(parser));
    struct litmus_proposition *left = *result;
    TRY(add_proposition(parser, LITMUS_IMPLICATION, result));
    (*result)->left = left;
    TRY(parse_implication(parser, &(*result)->right));
    parser_leave(parser);
    return STATUS_OK;
}

static enum status parse_proposition(struct parser *parser, struct litmus_proposition **result)
{
    parser->outermost = true;
    return parse_implication(parser, result);
}

/* "locations [x; 0:r1; y[2]]"; an array without an index means all its elements. */
enum status parse_locations(struct parser *parser)
{
    parser_advance(parser);
    TRY(parser_take(parser, "["));
    while (!parser_at(parser, "]")) {
        const struct token name = parser->token;
        struct litmus_variable variable;
        bool whole = false;
        TRY(parse_variable(parser, &variable, &whole));
        const uint32_t elements = whole ? parser->test->locations[variable.index].elements : 1;
        for (uint32_t i = 0; i < elements; i++) {
            struct litmus_test *test = parser->test;
            size_t index;
            TRY(add_variable(parser, variable, &index));
            /* Refused rather than skipped, so that a list of one array's name cannot square the size of a file. */
            if (ANY_OF(one, test->listed, test->listed_count, *one == index))
                return parser_expected_not(parser, &name, "each location and register once");
            ARENA_ADD(&test->arena, test->listed, test->listed_count) = index;
            variable.element++;
        }
        if (!parser_at(parser, "]"))
            TRY(parser_take(parser, ";"));
    }
    return parser_take(parser, "]");
}

enum status parse_filter(struct parser *parser)
{
    if (parser->test->filter)
        return parser_expected(parser, "one filter");
    parser_advance(parser);
    return parse_proposition(parser, &parser->test->filter);
}

static enum status list_all_of(struct parser *parser, struct litmus_variable first, uint32_t elements)
{
    size_t index;
    for (; elements > 0; elements--) {
        TRY(add_variable(parser, first, &index));
        ARENA_ADD(parser_arena(parser), parser->test->listed, parser->test->listed_count) = index;
        first.element++;
    }
    return STATUS_OK;
}

/* Lists all that a test without a condition may show: all registers and locations except those that hold addresses and
 * mbarriers. */
static enum status list_everything(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct litmus_thread *thread = &parser->drafts[i]->thread;
        for (unsigned number = thread->first; number < thread->first + thread->count; number++)
            for (size_t k = 0; k < thread->register_count; k++)
                if (thread->registers[k].points_to == LITMUS_NONE)
                    TRY(list_all_of(parser, (struct litmus_variable){(int)number, LITMUS_NONE, (int)k, 0}, 1));
    }
    for (size_t i = 0; i < test->location_count; i++)
        if (test->locations[i].points_to == LITMUS_NONE && test->locations[i].type != LITMUS_MBARRIER)
            TRY(list_all_of(parser, (struct litmus_variable){LITMUS_NONE, LITMUS_NONE, (int)i, 0},
                            test->locations[i].elements));
    return STATUS_OK;
}

enum status parse_condition(struct parser *parser)
{
    struct litmus_test *test = parser->test;
    bool negated = parser_at(parser, "~") || parser_at(parser, "not");
    if (parser->token.kind == TOKEN_END) {
        test->quantifier = LITMUS_NO_CONDITION;
        return test->listed_count > 0 ? STATUS_OK : list_everything(parser);
    }
    if (negated)
        parser_advance(parser);
    if (parser_at(parser, "exists"))
        test->quantifier = negated ? LITMUS_NOT_EXISTS : LITMUS_EXISTS;
    else if (parser_at(parser, "forall") && !negated)
        test->quantifier = LITMUS_FORALL;
    else
        return parser_expected(parser, negated ? "'exists'" : "a final condition: exists, ~exists or forall");
    parser_advance(parser);
    return parse_proposition(parser, &test->condition);
}

/* A variable and its place before sorting. */
struct ordered {
    struct litmus_variable variable;
    size_t before;
};

ORDERED_BY(by_position, const struct ordered,
           ORDER(a->variable.thread == LITMUS_NONE, b->variable.thread == LITMUS_NONE)
               ?: ORDER(a->variable.thread, b->variable.thread) ?: ORDER(a->variable.index, b->variable.index)
               ?: ORDER(a->variable.element, b->variable.element))

ORDERED_BY(by_index, const size_t, ORDER(*a, *b))

static void renumber(struct litmus_proposition *proposition, const size_t *after)
{
    if (!proposition)
        return;
    for (int i = 0; i < 2; i++)
        if (proposition->terms[i].variable != LITMUS_NONE)
            proposition->terms[i].variable = (int)after[proposition->terms[i].variable];
    renumber(proposition->left, after);
    renumber(proposition->right, after);
}

void parse_order_variables(struct parser *parser)
{
    struct litmus_test *test = parser->test;
    const size_t count = test->variable_count;
    if (count == 0)
        return;
    struct ordered *ordered = arena_take(&test->arena, count, sizeof *ordered);
    size_t *after = arena_take(&test->arena, count, sizeof *after);
    for (size_t i = 0; i < count; i++)
        ordered[i] = (struct ordered){test->variables[i], i};
    SORT(ordered, count, by_position);
    for (size_t i = 0; i < count; i++) {
        test->variables[i] = ordered[i].variable;
        test->variables[i].body = VALUE_OF(int, thread, test->threads, test->body_count,
                                           (unsigned)test->variables[i].thread - thread->first < thread->count,
                                           (int)(thread - test->threads), LITMUS_NONE);
        after[ordered[i].before] = i;
    }
    renumber(test->condition, after);
    renumber(test->filter, after);
    for (size_t i = 0; i < test->listed_count; i++)
        test->listed[i] = after[test->listed[i]];
    SORT(test->listed, test->listed_count, by_index);
}
