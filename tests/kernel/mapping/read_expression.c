// SPDX-License-Identifier: Apache-2.0
/* Expressions as C and GLSL write them, without the conversions, and calls with what the helper does. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernel/mapping/reader.h"

static struct litmus_expression *new_expression(struct reader *reader, enum litmus_expression_kind kind)
{
    struct litmus_expression *expression = arena_take(reader->arena, 1, sizeof *expression);
    expression->kind = kind;
    expression->index = LITMUS_NONE;
    return expression;
}

static struct litmus_expression *binary(struct reader *reader, enum litmus_operator op, struct litmus_expression *left,
                                        struct litmus_expression *right)
{
    struct litmus_expression *expression = new_expression(reader, LITMUS_EXPRESSION_BINARY);
    expression->op = op;
    expression->left = left;
    expression->right = right;
    return expression;
}

static const char *const type_words[] = {"int", "u32", "s8", "u8", "s16", "u16", "LONG", "u64"};

static bool is_type(const char *word)
{
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
        if (strcmp(word, type_words[i]) == 0)
            return true;
    return false;
}

/* "(u32)", of C. */
static bool takes_cast(struct reader *reader)
{
    const char *const before = reader->at;
    char word[160];
    if (reader_takes(reader, "(")) {
        reader_word(reader, word);
        if (is_type(word) && reader_takes(reader, ")"))
            return true;
    }
    reader->at = before;
    return false;
}

struct litmus_expression *read_as(const struct reader *reader, struct litmus_expression *expression,
                                  enum litmus_type type)
{
    (void)reader;
    if (litmus_type_is_float(type) && expression && expression->kind == LITMUS_EXPRESSION_CONSTANT)
        expression->value = litmus_value_of_bits(type, (uint64_t)expression->value);
    return expression;
}

struct litmus_expression *read_truth(const struct reader *reader, struct litmus_expression *expression)
{
    const bool compares = reader->target == LITMUS_VULKAN && expression &&
                          expression->kind == LITMUS_EXPRESSION_BINARY && expression->op == LITMUS_NE &&
                          expression->right && expression->right->kind == LITMUS_EXPRESSION_CONSTANT &&
                          expression->right->value == 0;
    return compares ? expression->left : expression;
}

/* ---- calls ---- */

/* "p0_x3" or "p0_x3 + element(p0_r1, 4) * draw[DRAW_STRIDE]", up to the comma or the parenthesis. */
static struct litmus_expression *read_address(struct reader *reader)
{
    struct litmus_expression *address = new_expression(reader, LITMUS_EXPRESSION_ADDRESS);
    address->index = reader_name(reader, 'x');
    if (address->index == LITMUS_NONE) {
        reader_fail(reader, "a place that is no location");
        return address;
    }
    if (reader_takes(reader, "+")) {
        reader_expects(reader, "element(");
        address->left = read_expression(reader);
        reader_expects(reader, ",");
        reader_skip_group(reader);
        while (!reader->why && *reader->at != ',' && *reader->at != ')')
            reader->at++;
    }
    return address;
}

/* Past the next parameter of the helper: its last word, and whether it is a place of a register. */
static void next_parameter(const char **parameters, char word[16], bool *refers)
{
    const size_t size = strcspn(*parameters, ",");
    const char *end = *parameters + size, *start = end;
    while (start > *parameters && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
        start--;
    size_t count = 0;
    for (; start < end && count < 15; start++)
        word[count++] = *start;
    word[count] = '\0';
    *refers = memchr(*parameters, '*', size) || strncmp(*parameters + strspn(*parameters, " "), "inout", 5) == 0;
    *parameters = end + (*end == ',');
}

/* "&p0_r1", "(int *)&p0_r1", or in GLSL "p0_r1" */
static int read_reference(struct reader *reader)
{
    char word[160];
    if (reader_takes(reader, "(")) {
        reader_word(reader, word);
        reader_expects(reader, "*)");
    }
    (void)reader_takes(reader, "&");
    const int number = reader_name(reader, 'r');
    if (number == LITMUS_NONE)
        reader_fail(reader, "an expected value in something else than a register");
    return number;
}

/* A lane of a vector: "&word2", which the register named after the call gets, or a value. */
static void read_lane(struct reader *reader, struct litmus_vector *vector, const char *name, bool refers)
{
    const unsigned lane = (unsigned)strtoul(name + 1, NULL, 10);
    const struct litmus_location *location = &reader->test->locations[vector->access.address->index];
    if (refers) {
        char word[160];
        reader_expects(reader, "&");
        reader_word(reader, word);
    } else if (lane < LITMUS_MAXIMUM_LANES) {
        (name[0] == 'e' ? vector->expected : vector->values)[lane] =
            read_as(reader, read_expression(reader), location->type);
    }
}

static void read_arguments(struct reader *reader, const struct read_helper *helper, struct litmus_access *access,
                           struct litmus_vector *vector)
{
    const char *parameters = helper->parameters;
    while (*parameters && !reader->why) {
        char name[16];
        bool refers;
        next_parameter(&parameters, name, &refers);
        if (strcmp(name, "p") == 0) {
            access->address = vector->access.address = read_address(reader);
            if (reader->why)
                return;
        } else if (strcmp(name, "value") == 0 && access->address)
            access->operand =
                read_as(reader, read_expression(reader), reader->test->locations[access->address->index].type);
        else if (strcmp(name, "expected") == 0 && refers && strstr(helper->name, "_through_"))
            access->expected_address = read_address(reader);
        else if (strcmp(name, "expected") == 0 && refers)
            access->expected_register = read_reference(reader);
        else if (strcmp(name, "expected") == 0 && access->address)
            access->expected =
                read_as(reader, read_expression(reader), reader->test->locations[access->address->index].type);
        else if (strchr("rev", name[0]) && isdigit((unsigned char)name[1]) && access->address)
            read_lane(reader, vector, name, refers);
        else
            reader_fail(reader, "a parameter that the reader does not know");
        if (*parameters)
            reader_expects(reader, ",");
    }
    reader_expects(reader, ")");
}

/* What the instruction says of the memory against what the location is. */
static const char *check_memory(const struct litmus_test *test, const struct instructions *found,
                                const struct litmus_access *access)
{
    const struct litmus_location *location = &test->locations[access->address->index];
    const enum litmus_operation operation = found->access.operation;
    if (!found->generic && found->local != (location->region == LITMUS_LOCAL))
        return "another state space than the location's";
    if (found->bytes != litmus_type_size(location->type))
        return "another size than the location's";
    if ((operation == LITMUS_FETCH_ADD || operation == LITMUS_FETCH_SUB) &&
        found->is_float != litmus_type_is_float(location->type))
        return "an addition of another type than the location's";
    if ((operation == LITMUS_FETCH_MIN || operation == LITMUS_FETCH_MAX) &&
        found->is_signed == litmus_type_is_unsigned(location->type))
        return "a minimum of another sign than the location's";
    return NULL;
}

static void note_fences(struct reader *reader, const struct instructions *found)
{
    if (reader->before_count + found->before_count > MOST_FENCES ||
        reader->after_count + found->after_count > MOST_FENCES) {
        reader_fail(reader, "too many fences");
        return;
    }
    for (unsigned i = 0; i < found->before_count; i++)
        reader->before[reader->before_count++] = found->before[i];
    for (unsigned i = 0; i < found->after_count; i++)
        reader->after[reader->after_count++] = found->after[i];
    reader->fence_of_choice |= reader->conditional > 0 && found->before_count + found->after_count > 0;
}

/* A helper that loads the expected value, calls the compare-and-swap, and stores the old value if that fails; both
 * plainly. */
static const struct read_helper *through(struct reader *reader, const struct read_helper *helper)
{
    const struct read_helper *swap = NULL;
    for (size_t i = 0; i < reader->helper_count; i++) {
        const struct read_helper *called = &reader->helpers[i];
        struct instructions found;
        const size_t size = strlen(called->name);
        const char *at = strstr(helper->body, called->name);
        while (at && (at[size] != '(' || at[-1] != ' '))
            at = strstr(at + size, called->name);
        if (!at)
            continue;
        const char *why = read_instructions(reader->target, called->body, &found);
        if (why)
            reader_fail(reader, why);
        else if (found.access.operation == LITMUS_CAS)
            swap = called;
        else if (found.access.order != LITMUS_PLAIN || found.before_count + found.after_count > 0)
            reader_fail(reader, "an expected value in a volatile location");
    }
    if (!swap)
        reader_fail(reader, "a compare-and-swap through a location without a compare-and-swap");
    return swap;
}

struct litmus_expression *read_call(struct reader *reader, const struct read_helper *helper)
{
    struct instructions found = {0};
    struct litmus_access *access = arena_take(reader->arena, 1, sizeof *access);
    struct litmus_vector *vector = arena_take(reader->arena, 1, sizeof *vector);
    const struct read_helper *worker = strstr(helper->name, "_through_") ? through(reader, helper) : helper;
    const char *why = worker ? read_instructions(reader->target, worker->body, &found) : NULL;
    if (why)
        reader_fail(reader, why);
    if (reader->why)
        return NULL;
    note_fences(reader, &found);
    if (found.accesses == 0) {
        reader_expects(reader, ")");
        return NULL;
    }
    *access = found.access;
    access->expected_register = LITMUS_NONE;
    reader->accesses += found.accesses + (worker != helper);
    read_arguments(reader, helper, access, vector);
    if (reader->why)
        return NULL;
    why = check_memory(reader->test, &found, access);
    if (!why && access->operation == LITMUS_CAS && found.lanes == 0 &&
        found.keeps_expected == (access->expected != NULL))
        why = "a compare-and-swap that gives something else than it should";
    if (why)
        reader_fail(reader, why);
    access->type = reader->test->locations[access->address->index].type;
    vector->access = *access;
    if (found.accesses > 1 || found.lanes > 0) {
        vector->lanes = found.lanes > 0 ? found.lanes : found.accesses;
        vector->unaligned = found.lanes == 0;
        vector->whole = found.whole;
        for (unsigned lane = 0; lane < LITMUS_MAXIMUM_LANES; lane++)
            vector->registers[lane] = LITMUS_NONE;
        reader->vector = vector;
        return NULL;
    }
    struct litmus_expression *expression = new_expression(reader, LITMUS_EXPRESSION_ACCESS);
    expression->access = access;
    return expression;
}

/* ---- operators ---- */

static const struct {
    const char *word;
    enum litmus_operator op;
    unsigned strength;
} operators[] = {
    {"||", LITMUS_LOGICAL_OR, 1}, {"&&", LITMUS_LOGICAL_AND, 2}, {"==", LITMUS_EQ, 6}, {"!=", LITMUS_NE, 6},
    {"<<", LITMUS_SHL, 8},        {">>", LITMUS_SHR, 8},         {"<=", LITMUS_LE, 7}, {">=", LITMUS_GE, 7},
    {"|", LITMUS_OR, 3},          {"^", LITMUS_XOR, 4},          {"&", LITMUS_AND, 5}, {"<", LITMUS_LT, 7},
    {">", LITMUS_GT, 7},          {"+", LITMUS_ADD, 9},          {"-", LITMUS_SUB, 9}, {"*", LITMUS_MUL, 10}};

static struct litmus_expression *read_operand(struct reader *reader);

static struct litmus_expression *read_number(struct reader *reader)
{
    struct litmus_expression *number = new_expression(reader, LITMUS_EXPRESSION_CONSTANT);
    char *end;
    number->value = (int64_t)strtoull(reader->at, &end, 0);
    while (*end == 'u' || *end == 'l')
        end++;
    reader->at = end;
    return number;
}

static struct litmus_expression *read_unary(struct reader *reader, enum litmus_operator op)
{
    struct litmus_expression *operand = read_operand(reader);
    if (op == LITMUS_NEGATE && operand && operand->kind == LITMUS_EXPRESSION_CONSTANT) {
        operand->value = -operand->value;
        return operand;
    }
    struct litmus_expression *expression = new_expression(reader, LITMUS_EXPRESSION_UNARY);
    expression->op = op;
    expression->left = op == LITMUS_NOT ? read_truth(reader, operand) : operand;
    return expression;
}

/* "divide(a, b)", a function of the skeleton, or a call of a helper. */
static struct litmus_expression *read_function(struct reader *reader, const char *word)
{
    const bool divides = strncmp(word, "divide", 6) == 0, remains = strncmp(word, "remainder", 9) == 0;
    if (divides || remains) {
        struct litmus_expression *left = read_expression(reader);
        reader_expects(reader, ",");
        struct litmus_expression *right = read_expression(reader);
        reader_expects(reader, ")");
        return binary(reader, divides ? LITMUS_DIV : LITMUS_REM, left, right);
    }
    const struct read_helper *helper = reader_helper(reader, word);
    if (!helper) {
        reader_fail(reader, "a function that the reader does not know");
        return NULL;
    }
    struct litmus_expression *value = read_call(reader, helper);
    if (!value)
        reader_fail(reader, "a call without a value in an expression");
    return value;
}

static struct litmus_expression *read_operand(struct reader *reader)
{
    char word[160];
    while (takes_cast(reader))
        continue;
    if (reader_takes(reader, "-"))
        return read_unary(reader, LITMUS_NEGATE);
    if (reader_takes(reader, "!"))
        return read_unary(reader, LITMUS_NOT);
    if (reader_takes(reader, "~"))
        return read_unary(reader, LITMUS_COMPLEMENT);
    const bool opens = reader_takes(reader, "(");
    if (!opens && isdigit((unsigned char)*reader->at))
        return read_number(reader);
    const int number = opens ? LITMUS_NONE : reader_name(reader, 'r');
    if (number != LITMUS_NONE) {
        struct litmus_expression *expression = new_expression(reader, LITMUS_EXPRESSION_REGISTER);
        expression->index = number;
        return expression;
    }
    if (!opens) {
        reader_word(reader, word);
        reader_expects(reader, "(");
        if (!is_type(word))
            return reader->why ? NULL : read_function(reader, word);
    }
    struct litmus_expression *inner = read_expression(reader);
    reader_expects(reader, ")");
    return inner;
}

static enum litmus_type float_type(const struct reader *reader, const struct litmus_expression *expression)
{
    if (expression && expression->kind == LITMUS_EXPRESSION_REGISTER)
        return reader->test->threads[reader->body].registers[expression->index].type;
    return expression && expression->kind == LITMUS_EXPRESSION_ACCESS ? expression->access->type : LITMUS_INT;
}

static struct litmus_expression *read_binary(struct reader *reader, unsigned least)
{
    struct litmus_expression *left = read_operand(reader);
    for (;;) {
        size_t i = 0;
        while (i < sizeof operators / sizeof *operators && !reader_sees(reader, operators[i].word))
            i++;
        if (reader->why || i == sizeof operators / sizeof *operators || operators[i].strength < least)
            return left;
        const enum litmus_operator op = operators[i].op;
        const bool chooses = op == LITMUS_LOGICAL_AND || op == LITMUS_LOGICAL_OR;
        reader_expects(reader, operators[i].word);
        reader->conditional += chooses;
        struct litmus_expression *right = read_binary(reader, operators[i].strength + 1);
        reader->conditional -= chooses;
        if (chooses)
            left = binary(reader, op, read_truth(reader, left), read_truth(reader, right));
        else
            left = binary(reader, op, read_as(reader, left, float_type(reader, right)),
                          read_as(reader, right, float_type(reader, left)));
    }
}

struct litmus_expression *read_expression(struct reader *reader)
{
    return read_binary(reader, 1);
}
