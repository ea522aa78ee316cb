// SPDX-License-Identifier: Apache-2.0
/* What a path knows about values that depend on reads. A branch on such a value is taken both ways, each on a separate
 * path; if the same value decides again, the path already knows. So each unknown value has a term, equal values the
 * same term, and a decision determines something about its terms: that one is 0, or not, or equals a constant. */
#include "litmus/language/value.h"
#include "models/search/trace.h"

/* ---- addresses as values, and values that record the events that they come from ---- */

/* Larger than any number that a test is likely to compute, and within 32 bits. */
enum { ADDRESS_BASE = 0x40000000, ADDRESS_SPAN = 2 * LITMUS_MAXIMUM_ELEMENTS };

int64_t address_encode(int location, uint32_t element)
{
    return ADDRESS_BASE + (int64_t)location * ADDRESS_SPAN + element;
}

bool address_decode(const struct litmus_test *test, int64_t value, int *location, uint32_t *element)
{
    const int64_t offset = value - ADDRESS_BASE;
    if (offset < 0 || offset / ADDRESS_SPAN >= (int64_t)test->location_count)
        return false;
    *location = (int)(offset / ADDRESS_SPAN);
    *element = (uint32_t)(offset % ADDRESS_SPAN);
    return *element < test->locations[*location].elements;
}

uint32_t address_count(const struct litmus_test *test)
{
    return SUM_OF(uint32_t, location, test->locations, test->location_count, location->elements);
}

int64_t address_numbered(const struct litmus_test *test, uint32_t number)
{
    int location = 0;
    for (; number >= test->locations[location].elements; location++)
        number -= test->locations[location].elements;
    return address_encode(location, number);
}

static struct litmus_value trace_terms_value_of(struct datum datum)
{
    return (struct litmus_value){datum.value, datum.type};
}

static struct datum datum_unary(enum litmus_operator op, struct datum operand)
{
    const struct litmus_value result = litmus_value_unary(op, trace_terms_value_of(operand));
    return (struct datum){result.value, result.type, operand.from, operand.unknown, 0};
}

static struct datum datum_binary(enum litmus_operator op, struct datum left, struct datum right)
{
    const struct litmus_value result = litmus_value_binary(op, trace_terms_value_of(left), trace_terms_value_of(right));
    return (struct datum){result.value, result.type, left.from | right.from, left.unknown || right.unknown, 0};
}

bool datum_is_defined(enum litmus_operator op, struct datum left, struct datum right)
{
    return litmus_value_is_defined(op, trace_terms_value_of(left), trace_terms_value_of(right));
}

static bool is_comparison(int kind)
{
    return kind == LITMUS_NOT || kind == LITMUS_EQ || kind == LITMUS_NE || kind == LITMUS_LT || kind == LITMUS_LE ||
           kind == LITMUS_GT || kind == LITMUS_GE || kind == LITMUS_LOGICAL_AND || kind == LITMUS_LOGICAL_OR;
}

static bool is_same(const struct term *a, const struct term *b)
{
    return a->kind == b->kind && a->left == b->left && a->right == b->right && a->left_value == b->left_value &&
           a->right_value == b->right_value && a->type == b->type;
}

/* The number of a term; 0 if there is no room. */
static unsigned term_number(struct runner *runner, const struct term *term)
{
    for (unsigned i = 1; i <= runner->term_count; i++)
        if (is_same(&runner->terms[i], term))
            return i;
    if (runner->term_count + 1 == TERMS_MAXIMUM)
        return 0;
    runner->terms[++runner->term_count] = *term;
    return runner->term_count;
}

struct datum trace_recall(const struct runner *runner, struct datum value)
{
    const struct term *term = &runner->terms[value.term];
    if (!value.unknown || !value.term || !term->known)
        return value;
    value.value = term->value;
    value.unknown = false;
    return value;
}

static struct datum with_term(struct runner *runner, struct datum result, struct term term, struct datum left,
                              struct datum right)
{
    if (!result.unknown || (left.unknown && !left.term) || (right.unknown && !right.term))
        return result;
    term.type = result.type;
    term.left = left.unknown ? left.term : 0;
    term.right = right.unknown ? right.term : 0;
    term.left_value = left.unknown ? 0 : left.value;
    term.right_value = right.unknown ? 0 : right.value;
    result.term = term_number(runner, &term);
    return trace_recall(runner, result);
}

struct datum trace_read(struct runner *runner, int64_t value, enum litmus_type type, bool unknown)
{
    struct datum result = {value, type, set_of(runner->count - 1), unknown, 0};
    const struct term term = {.kind = TERM_READ, .left_value = runner->count - 1, .type = type};
    if (unknown)
        result.term = term_number(runner, &term);
    return result;
}

bool trace_adds_up(enum litmus_type type, size_t size)
{
    return !litmus_type_is_float(type) && type != LITMUS_FLAG && type != LITMUS_MBARRIER &&
           litmus_type_size(type) >= size;
}

bool trace_is_sum(const struct runner *runner, struct datum value, size_t size, int *read, int64_t *addend)
{
    uint64_t sum = 0;
    for (unsigned number = value.unknown ? value.term : 0; number;) {
        const struct term *term = &runner->terms[number];
        const bool adds = term->kind == LITMUS_ADD && !(term->left && term->right);
        if (!trace_adds_up(term->type, size))
            return false;
        if (term->kind == TERM_READ) {
            *read = (int)term->left_value;
            *addend = (int64_t)sum;
            return true;
        }
        if (!adds && (term->kind != LITMUS_SUB || term->right))
            return false;
        const uint64_t operand = (uint64_t)(term->left ? term->right_value : term->left_value);
        sum += adds ? operand : -operand;
        number = term->left ? term->left : term->right;
    }
    return false;
}

struct datum trace_unary(struct runner *runner, enum litmus_operator op, struct datum operand)
{
    operand = trace_recall(runner, operand);
    return with_term(runner, datum_unary(op, operand), (struct term){.kind = (int)op}, operand, (struct datum){0});
}

struct datum trace_binary(struct runner *runner, enum litmus_operator op, struct datum left, struct datum right)
{
    left = trace_recall(runner, left);
    right = trace_recall(runner, right);
    /* a != b, a == b and b == a are the same question. */
    if (op == LITMUS_NE && (left.unknown || right.unknown))
        return trace_unary(runner, LITMUS_NOT, trace_binary(runner, LITMUS_EQ, left, right));
    if (op == LITMUS_EQ && right.unknown && (!left.unknown || left.term > right.term)) {
        const struct datum first = left;
        left = right;
        right = first;
    }
    struct datum result = datum_binary(op, left, right);
    const bool same = left.unknown && right.unknown && left.term && left.term == right.term;
    if (same && (op == LITMUS_SUB || op == LITMUS_XOR || op == LITMUS_EQ)) {
        result.value = op == LITMUS_EQ;
        result.unknown = false;
    }
    return with_term(runner, result, (struct term){.kind = (int)op}, left, right);
}

struct datum trace_convert(const struct runner *runner, struct datum value, enum litmus_type type)
{
    value = trace_recall(runner, value);
    const struct term *term = &runner->terms[value.term];
    if (value.unknown && term->type != type && !is_comparison(term->kind))
        value.term = 0;
    value.type = type;
    value.value = litmus_wrap(type, value.value);
    return value;
}

void trace_enter_demands(struct runner *runner)
{
    for (unsigned i = 1; i <= runner->term_count; i++) {
        const struct term *term = &runner->terms[i];
        if (term->kind != TERM_READ || !term->known)
            continue;
        struct event *read = &runner->events[term->left_value].event;
        read->value = term->value;
        read->unknown = false;
    }
}

static void learn_value(struct runner *runner, unsigned number, int64_t value)
{
    struct term *term = &runner->terms[number];
    term->known = true;
    term->value = litmus_wrap(term->type, value);
}

void trace_learn(struct runner *runner, struct datum condition, bool holds)
{
    unsigned number = condition.unknown ? condition.term : 0;
    while (number) {
        struct term *term = &runner->terms[number];
        number = 0;
        if (!holds)
            learn_value(runner, (unsigned)(term - runner->terms), 0);
        else if (is_comparison(term->kind))
            learn_value(runner, (unsigned)(term - runner->terms), 1);
        else
            term->nonzero = true;
        const bool equals = term->kind == LITMUS_EQ && !term->right; /* the constant is on the right */
        if (term->kind == LITMUS_NOT) {
            number = term->left;
            holds = !holds;
        } else if (equals && holds) {
            learn_value(runner, term->left, term->right_value);
        } else if (equals && term->right_value == 0) {
            number = term->left;
            holds = true;
        }
    }
}
