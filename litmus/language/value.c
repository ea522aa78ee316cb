// SPDX-License-Identifier: Apache-2.0
/* Values of the tests' types, computed as C and PTX do. */
#include "litmus/language/value.h"

#include <string.h>

#include "litmus/language/mbarrier.h"
#include "litmus/language/order.h"

static int64_t divide(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static bool less(enum litmus_type type, int64_t a, int64_t b)
{
    return litmus_type_is_unsigned(type) ? (uint64_t)a < (uint64_t)b : a < b;
}

static int64_t quotient(enum litmus_type type, int64_t a, int64_t b)
{
    if (litmus_type_is_unsigned(type))
        return b == 0 ? 0 : (int64_t)((uint64_t)a / (uint64_t)b);
    return divide(a, b);
}

struct litmus_value litmus_value_unary(enum litmus_operator op, struct litmus_value operand)
{
    const uint64_t x = (uint64_t)operand.value;
    if (op == LITMUS_NOT)
        return (struct litmus_value){operand.value == 0, LITMUS_INT};
    const uint64_t result = op == LITMUS_NEGATE ? 0 - x : ~x;
    const enum litmus_type type = litmus_type_promoted(operand.type);
    return (struct litmus_value){litmus_wrap(type, (int64_t)result), type};
}

static int64_t shift_value(enum litmus_operator op, enum litmus_type type, int64_t a, int64_t b)
{
    const unsigned width = (unsigned)litmus_type_size(type) * 8;
    const unsigned by = (unsigned)b & (width - 1);
    if (op == LITMUS_SHL)
        return (int64_t)((uint64_t)a << by);
    return litmus_type_is_unsigned(type) ? (int64_t)((uint64_t)a >> by) : a >> by;
}

static int64_t compute_value(enum litmus_operator op, enum litmus_type type, int64_t a, int64_t b)
{
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case LITMUS_ADD:
        return (int64_t)(x + y);
    case LITMUS_SUB:
        return (int64_t)(x - y);
    case LITMUS_MUL:
        return (int64_t)(x * y);
    case LITMUS_DIV:
        return quotient(type, a, b);
    case LITMUS_REM:
        return b == 0 ? 0 : (int64_t)(x - (uint64_t)quotient(type, a, b) * y);
    case LITMUS_AND:
        return a & b;
    case LITMUS_OR:
        return a | b;
    case LITMUS_XOR:
        return a ^ b;
    case LITMUS_MINIMUM:
        return less(type, a, b) ? a : b;
    case LITMUS_MAXIMUM:
        return less(type, a, b) ? b : a;
    default:
        return 0;
    }
}

/* Comparisons and connectives, which give an int; false for any other operator. */
static bool compare_values(enum litmus_operator op, enum litmus_type type, int64_t a, int64_t b, int64_t *result)
{
    switch (op) {
    case LITMUS_EQ:
        *result = a == b;
        return true;
    case LITMUS_NE:
        *result = a != b;
        return true;
    case LITMUS_LT:
        *result = less(type, a, b);
        return true;
    case LITMUS_LE:
        *result = !less(type, b, a);
        return true;
    case LITMUS_GT:
        *result = less(type, b, a);
        return true;
    case LITMUS_GE:
        *result = !less(type, a, b);
        return true;
    case LITMUS_LOGICAL_AND:
        *result = a && b;
        return true;
    case LITMUS_LOGICAL_OR:
        *result = a || b;
        return true;
    default:
        return false;
    }
}

/* Two values in the type in which C computes with them. */
struct operands {
    enum litmus_type type;
    int64_t a, b;
};

static struct operands convert(struct litmus_value left, struct litmus_value right)
{
    const enum litmus_type type = litmus_type_common(left.type, right.type);
    return (struct operands){type, litmus_wrap(type, left.value), litmus_wrap(type, right.value)};
}

struct litmus_value litmus_value_binary(enum litmus_operator op, struct litmus_value left, struct litmus_value right)
{
    struct litmus_value result = {0, LITMUS_INT};
    if (op == LITMUS_SHL || op == LITMUS_SHR) {
        result.type = litmus_type_promoted(left.type);
        result.value = litmus_wrap(result.type, shift_value(op, result.type, left.value, right.value));
        return result;
    }
    const struct operands both = convert(left, right);
    if (compare_values(op, both.type, both.a, both.b, &result.value))
        return result;
    result.type = both.type;
    result.value = litmus_wrap(both.type, compute_value(op, both.type, both.a, both.b));
    return result;
}

static bool shift_is_defined(enum litmus_operator op, struct litmus_value left, struct litmus_value right)
{
    const enum litmus_type type = litmus_type_promoted(left.type);
    if (right.value < 0 || right.value >= (int64_t)litmus_type_size(type) * 8)
        return false;
    const int64_t shifted = litmus_wrap(type, shift_value(op, type, left.value, right.value));
    return op == LITMUS_SHR || litmus_type_is_unsigned(type) ||
           (left.value >= 0 && shifted >> right.value == left.value);
}

bool litmus_value_is_defined(enum litmus_operator op, struct litmus_value left, struct litmus_value right)
{
    const struct operands both = convert(left, right);
    const int64_t least = litmus_type_size(both.type) == 4 ? INT32_MIN : INT64_MIN;
    int64_t result;
    bool overflows;
    if (op == LITMUS_SHL || op == LITMUS_SHR)
        return shift_is_defined(op, left, right);
    if (op == LITMUS_DIV || op == LITMUS_REM)
        return both.b != 0 && (litmus_type_is_unsigned(both.type) || both.b != -1 || both.a != least);
    if (op == LITMUS_ADD)
        overflows = __builtin_add_overflow(both.a, both.b, &result);
    else if (op == LITMUS_SUB)
        overflows = __builtin_sub_overflow(both.a, both.b, &result);
    else if (op == LITMUS_MUL)
        overflows = __builtin_mul_overflow(both.a, both.b, &result);
    else
        return true;
    return litmus_type_is_unsigned(both.type) || (!overflows && result == litmus_wrap(both.type, result));
}

/* The sum of whole numbers is exact, or rounded as on the device. */
static int64_t add_floats(enum litmus_type type, int64_t a, int64_t b)
{
    uint64_t bits[2] = {litmus_value_bits(type, a), litmus_value_bits(type, b)};
    float single[2];
    double twice[2];
    for (int i = 0; i < 2; i++) {
        const uint32_t word = (uint32_t)bits[i];
        memcpy(&single[i], &word, sizeof word);
        memcpy(&twice[i], &bits[i], sizeof bits[i]);
    }
    single[0] += single[1];
    twice[0] += twice[1];
    uint32_t word;
    memcpy(&word, single, sizeof word);
    memcpy(bits, twice, sizeof *bits);
    return litmus_value_of_bits(type, type == LITMUS_FLOAT ? word : bits[0]);
}

/* PTX's inc and dec, whose operand is the largest value. */
static int64_t step_value(enum litmus_operation operation, uint32_t old, uint32_t most)
{
    if (operation == LITMUS_FETCH_INC)
        return old >= most ? 0 : old + 1;
    return old == 0 || old > most ? most : old - 1;
}

int64_t litmus_value_modify(enum litmus_operation operation, enum litmus_type type, int64_t old, int64_t operand)
{
    static const enum litmus_operator operators[LITMUS_OPERATION_COUNT] = {
        [LITMUS_FETCH_ADD] = LITMUS_ADD, [LITMUS_FETCH_SUB] = LITMUS_SUB,     [LITMUS_FETCH_MUL] = LITMUS_MUL,
        [LITMUS_FETCH_DIV] = LITMUS_DIV, [LITMUS_FETCH_AND] = LITMUS_AND,     [LITMUS_FETCH_OR] = LITMUS_OR,
        [LITMUS_FETCH_XOR] = LITMUS_XOR, [LITMUS_FETCH_MIN] = LITMUS_MINIMUM, [LITMUS_FETCH_MAX] = LITMUS_MAXIMUM,
    };
    if (operation < LITMUS_FETCH_ADD)
        return litmus_wrap(type, operand); /* exchange, and a compare-and-swap that succeeds */
    if (operation_is_mbarrier(operation))
        return mbarrier_modify(operation, old, operand);
    if (litmus_type_is_float(type))
        return add_floats(type, old, operand);
    if (operation >= LITMUS_FETCH_INC)
        return litmus_wrap(type, step_value(operation, (uint32_t)old, (uint32_t)operand));
    return litmus_wrap(type,
                       compute_value(operators[operation], type, litmus_wrap(type, old), litmus_wrap(type, operand)));
}
