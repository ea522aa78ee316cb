// SPDX-License-Identifier: Apache-2.0
/* Conditions, filters and lists of locations. */

#include "litmus/language/words.h"
#include "litmus/print/printer.h"

static void print_term(const struct litmus_test *test, const struct litmus_term *term, const struct litmus_term *beside,
                       struct text *text)
{
    if (term->variable != LITMUS_NONE) {
        print_variable(test, &test->variables[term->variable], text);
        return;
    }
    const enum litmus_type type =
        beside->variable == LITMUS_NONE ? LITMUS_LONG : litmus_variable_type(test, &test->variables[beside->variable]);
    print_value(type, term->value, text);
}

/* How tightly a proposition binds; an operand that binds less needs parentheses. */
static int level_of(const struct litmus_proposition *proposition)
{
    switch (proposition->kind) {
    case LITMUS_IMPLICATION:
        return 1;
    case LITMUS_DISJUNCTION:
        return 2;
    case LITMUS_CONJUNCTION:
        return 3;
    case LITMUS_NEGATION:
    case LITMUS_ATOM:
    case LITMUS_TRUE:
    case LITMUS_FALSE:
        break;
    }
    return 4;
}

static void print_proposition(const struct litmus_test *test, const struct litmus_proposition *proposition, int level,
                              struct text *text);

/* left CONNECTIVE right, with parentheses at an equal level on the side away from the parser's
 * associativity. */
static void print_connective(const struct litmus_test *test, const struct litmus_proposition *proposition,
                             const char *connective, struct text *text)
{
    const int level = level_of(proposition);
    const bool leans_right = proposition->kind == LITMUS_IMPLICATION;
    print_proposition(test, proposition->left, leans_right ? level + 1 : level, text);
    text_add(text, " %s ", connective);
    print_proposition(test, proposition->right, leans_right ? level : level + 1, text);
}

static void print_proposition(const struct litmus_test *test, const struct litmus_proposition *proposition, int level,
                              struct text *text)
{
    const bool parentheses = level_of(proposition) < level;
    text_add(text, "%s", parentheses ? "(" : "");
    switch (proposition->kind) {
    case LITMUS_TRUE:
        text_add(text, "true");
        break;
    case LITMUS_FALSE:
        text_add(text, "false");
        break;
    case LITMUS_ATOM:
        print_term(test, &proposition->terms[0], &proposition->terms[1], text);
        text_add(text, "%s", word_name(relation_words, (int)proposition->relation));
        print_term(test, &proposition->terms[1], &proposition->terms[0], text);
        break;
    case LITMUS_NEGATION:
        text_add(text, "~");
        print_proposition(test, proposition->left, 4, text);
        break;
    case LITMUS_CONJUNCTION:
        print_connective(test, proposition, "/\\", text);
        break;
    case LITMUS_DISJUNCTION:
        print_connective(test, proposition, "\\/", text);
        break;
    case LITMUS_IMPLICATION:
        print_connective(test, proposition, "=>", text);
        break;
    }
    text_add(text, "%s", parentheses ? ")" : "");
}

void litmus_print_condition(const struct litmus_test *test, struct text *text)
{
    static const char *const quantifiers[] = {
        [LITMUS_EXISTS] = "exists", [LITMUS_NOT_EXISTS] = "~exists", [LITMUS_FORALL] = "forall"};
    if (test->quantifier == LITMUS_NO_CONDITION)
        return;
    text_add(text, "%s (", quantifiers[test->quantifier]);
    print_proposition(test, test->condition, 0, text);
    text_add(text, ")");
}

/* herd has no brackets here, though it has them in conditions. */
static void print_listed(const struct litmus_test *test, const struct litmus_variable *variable, struct text *text)
{
    const bool bare =
        test->dialect == LITMUS_C && variable->thread == LITMUS_NONE && !test->locations[variable->index].array;
    if (bare)
        text_add(text, "%s", test->locations[variable->index].name);
    else
        print_variable(test, variable, text);
}

void print_observations(const struct litmus_test *test, struct text *text)
{
    if (test->listed_count > 0) {
        text_add(text, "locations [");
        for (size_t i = 0; i < test->listed_count; i++) {
            text_add(text, "%s", i > 0 ? "; " : "");
            print_listed(test, &test->variables[test->listed[i]], text);
        }
        text_add(text, "]\n");
    }
    if (test->filter) {
        text_add(text, "filter (");
        print_proposition(test, test->filter, 0, text);
        text_add(text, ")\n");
    }
    if (test->quantifier != LITMUS_NO_CONDITION) {
        litmus_print_condition(test, text);
        text_add(text, "\n");
    }
}
