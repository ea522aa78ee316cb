// SPDX-License-Identifier: Apache-2.0
/* The types of the tests' language and their values, computed as C and PTX do. */
#include "litmus/language/value.h"

#include "litmus/language/order.h"
#include "litmus/language/words.h"

/* ---- types: their sizes, and C's conversions ---- */

static const struct {
    const char *name;
    unsigned char size; /* bytes */
    bool is_unsigned, is_float;
    enum litmus_type promoted;
} types[LITMUS_TYPE_COUNT] = {
    [LITMUS_CHAR] = {"char", 1, false, false, LITMUS_INT},
    [LITMUS_UCHAR] = {"uchar", 1, true, false, LITMUS_INT},
    [LITMUS_SHORT] = {"short", 2, false, false, LITMUS_INT},
    [LITMUS_USHORT] = {"ushort", 2, true, false, LITMUS_INT},
    [LITMUS_INT] = {"int", 4, false, false, LITMUS_INT},
    [LITMUS_UINT] = {"uint", 4, true, false, LITMUS_UINT},
    [LITMUS_LONG] = {"long", 8, false, false, LITMUS_LONG},
    [LITMUS_ULONG] = {"ulong", 8, true, false, LITMUS_ULONG},
    [LITMUS_SIZE] = {"size_t", 8, true, false, LITMUS_ULONG},
    [LITMUS_PTRDIFF] = {"ptrdiff_t", 8, false, false, LITMUS_LONG},
    [LITMUS_INTPTR] = {"intptr_t", 8, false, false, LITMUS_LONG},
    [LITMUS_UINTPTR] = {"uintptr_t", 8, true, false, LITMUS_ULONG},
    [LITMUS_FLOAT] = {"float", 4, false, true, LITMUS_FLOAT},
    [LITMUS_DOUBLE] = {"double", 8, false, true, LITMUS_DOUBLE},
    [LITMUS_FLAG] = {"atomic_flag", 4, false, false, LITMUS_INT},
    [LITMUS_MBARRIER] = {"mbarrier", 8, true, false, LITMUS_ULONG},
    [LITMUS_TENSORMAP] = {"tensormap", 8, true, false, LITMUS_ULONG},
};

const char *litmus_type_name(enum litmus_type type)
{
    return (unsigned)type < LITMUS_TYPE_COUNT ? types[type].name : "?";
}

size_t litmus_type_size(enum litmus_type type)
{
    return types[type].size;
}

bool litmus_type_is_float(enum litmus_type type)
{
    return types[type].is_float;
}

bool litmus_type_is_unsigned(enum litmus_type type)
{
    return types[type].is_unsigned;
}

enum litmus_type litmus_type_promoted(enum litmus_type type)
{
    return types[type].promoted;
}

enum litmus_type litmus_type_of_constant(const struct litmus_expression *constant)
{
    const int64_t value = constant->value;
    if (constant->suffix == LITMUS_LONG || constant->suffix == LITMUS_ULONG)
        return constant->suffix;
    if (constant->suffix == LITMUS_UINT)
        return value == (uint32_t)value ? LITMUS_UINT : LITMUS_ULONG;
    return value == (int32_t)value ? LITMUS_INT : LITMUS_LONG;
}

enum litmus_type litmus_type_common(enum litmus_type left, enum litmus_type right)
{
    const enum litmus_type a = types[left].promoted, b = types[right].promoted;
    return a > b ? a : b; /* the enumeration is in order of rank */
}

int64_t litmus_wrap(enum litmus_type type, int64_t value)
{
    const unsigned unused = 64 - 8 * (unsigned)types[type].size;
    if (types[type].is_float || unused == 0)
        return value;
    const uint64_t high = (uint64_t)value << unused;
    return types[type].is_unsigned ? (int64_t)(high >> unused) : (int64_t)high >> unused;
}

/* ---- values of float and double as numbers of 64 bits ---- */

/* A whole number that the type holds exactly is itself; every other pattern of bits is itself too, as a number outside
 * the range of the first. */

enum { FLOAT_DIGITS = 24, DOUBLE_DIGITS = 53 }; /* up to 2 to this power, each whole number is exact */

static const int64_t float_patterns = INT64_C(1) << 32; /* patterns of a float that are not whole numbers: above this */

bool litmus_is_exact(enum litmus_type type, int64_t value)
{
    const int64_t most = INT64_C(1) << (type == LITMUS_FLOAT ? FLOAT_DIGITS : DOUBLE_DIGITS);
    return value >= -most && value <= most;
}

static uint64_t pattern_of(enum litmus_type type, int64_t whole)
{
    const float single = (float)whole;
    const double twice = (double)whole;
    uint32_t word;
    uint64_t words;
    memcpy(&word, &single, sizeof word);
    memcpy(&words, &twice, sizeof words);
    return type == LITMUS_FLOAT ? word : words;
}

/* The whole number that has this pattern; false if there is none that is exact. */
static bool whole_of(enum litmus_type type, uint64_t bits, int64_t *whole)
{
    const uint32_t word = (uint32_t)bits;
    float single;
    double twice;
    memcpy(&single, &word, sizeof single);
    memcpy(&twice, &bits, sizeof twice);
    const double number = type == LITMUS_FLOAT ? (double)single : twice;
    if (!(number >= -0x1p53 && number <= 0x1p53)) /* also a NaN */
        return false;
    *whole = (int64_t)number;
    return litmus_is_exact(type, *whole) && pattern_of(type, *whole) == bits; /* -0.0 is not 0 */
}

/* A double's patterns fill 64 bits, so those that are not whole numbers must be distinguished within them: a pattern
 * which, read as an integer, is an exact whole number w changes places with the pattern of the double w. Doing it twice
 * undoes it. */
static uint64_t swap_double(uint64_t bits)
{
    int64_t whole;
    if (litmus_is_exact(LITMUS_DOUBLE, (int64_t)bits))
        return pattern_of(LITMUS_DOUBLE, (int64_t)bits);
    return whole_of(LITMUS_DOUBLE, bits, &whole) ? (uint64_t)whole : bits;
}

uint64_t litmus_value_bits(enum litmus_type type, int64_t value)
{
    if (type == LITMUS_DOUBLE)
        return swap_double((uint64_t)value);
    if (type == LITMUS_FLOAT && litmus_is_exact(type, value))
        return pattern_of(type, value);
    return (uint64_t)value & UINT64_MAX >> (64 - 8 * litmus_type_size(type));
}

int64_t litmus_value_of_bits(enum litmus_type type, uint64_t bits)
{
    int64_t whole;
    if (type == LITMUS_DOUBLE)
        return (int64_t)swap_double(bits);
    if (type != LITMUS_FLOAT)
        return litmus_wrap(type, (int64_t)bits);
    bits = (uint32_t)bits;
    return whole_of(type, bits, &whole) ? whole : float_patterns + (int64_t)bits;
}

/* ---- operators and read-modify-writes ---- */

static bool less(enum litmus_type type, int64_t a, int64_t b)
{
    return litmus_type_is_unsigned(type) ? (uint64_t)a < (uint64_t)b : a < b;
}

static int64_t quotient(enum litmus_type type, int64_t a, int64_t b)
{
    if (litmus_type_is_unsigned(type))
        return b == 0 ? 0 : (int64_t)((uint64_t)a / (uint64_t)b);
    return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
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

bool litmus_value_is_defined(enum litmus_operator op, struct litmus_value left, struct litmus_value right)
{
    const struct operands both = convert(left, right);
    const int64_t least = litmus_type_size(both.type) == 4 ? INT32_MIN : INT64_MIN;
    int64_t result;
    bool overflows;
    if (op == LITMUS_SHL || op == LITMUS_SHR) {
        const enum litmus_type type = litmus_type_promoted(left.type);
        if (right.value < 0 || right.value >= (int64_t)litmus_type_size(type) * 8)
            return false;
        const int64_t shifted = litmus_wrap(type, shift_value(op, type, left.value, right.value));
        return op == LITMUS_SHR || litmus_type_is_unsigned(type) ||
               (left.value >= 0 && shifted >> right.value == left.value);
    }
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
    if (litmus_type_is_float(type)) {
        /* The sum of whole numbers is exact, or rounded as on the device. */
        uint64_t bits[2] = {litmus_value_bits(type, old), litmus_value_bits(type, operand)};
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
    if (operation >= LITMUS_FETCH_INC)
        return litmus_wrap(type, step_value(operation, (uint32_t)old, (uint32_t)operand));
    return litmus_wrap(type,
                       compute_value(operators[operation], type, litmus_wrap(type, old), litmus_wrap(type, operand)));
}

/* ---- mbarrier objects ---- */

/* Where each field lies: 20 bits each of arrivals, 21 of bytes with their sign, 2 of the phase. The sign bit stays
 * 0. */
enum { PENDING_SHIFT = 20, BYTES_SHIFT = 40, PHASE_SHIFT = 61, PHASES = 4 };

#define COUNT_MASK UINT64_C(0xfffff)
#define BYTES_MASK UINT64_C(0x1fffff)

int64_t mbarrier_pack(struct mbarrier mbarrier)
{
    return (int64_t)((mbarrier.expected & COUNT_MASK) | (mbarrier.pending & COUNT_MASK) << PENDING_SHIFT |
                     ((uint64_t)(int64_t)mbarrier.bytes & BYTES_MASK) << BYTES_SHIFT |
                     (uint64_t)(mbarrier.phase % PHASES) << PHASE_SHIFT);
}

struct mbarrier mbarrier_unpack(int64_t value)
{
    const uint64_t bits = (uint64_t)value;
    const int32_t bytes = (int32_t)(bits >> BYTES_SHIFT & BYTES_MASK);
    return (struct mbarrier){
        .expected = (uint32_t)(bits & COUNT_MASK),
        .pending = (uint32_t)(bits >> PENDING_SHIFT & COUNT_MASK),
        .bytes = bytes > MBARRIER_MOST ? bytes - (int32_t)(BYTES_MASK + 1) : bytes,
        .phase = (unsigned)(bits >> PHASE_SHIFT) % PHASES,
    };
}

int64_t mbarrier_start(int64_t arrivals)
{
    return mbarrier_pack((struct mbarrier){.expected = (uint32_t)arrivals, .pending = (uint32_t)arrivals});
}

/* The changes of the two counts by an operation. */
struct change {
    int64_t pending, bytes;
};

static struct change change_of(enum litmus_operation operation, int64_t operand)
{
    switch (operation) {
    case LITMUS_ARRIVE:
        return (struct change){.pending = -operand};
    case LITMUS_EXPECT_TX:
        return (struct change){.bytes = operand};
    case LITMUS_ARRIVE_EXPECT_TX:
        return (struct change){.pending = -1, .bytes = operand};
    case LITMUS_COMPLETE_TX:
        return (struct change){.bytes = -operand};
    case LITMUS_EXPECT_ARRIVE:
        return (struct change){.pending = operand};
    default:
        return (struct change){0};
    }
}

static int64_t limited(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

int64_t mbarrier_modify(enum litmus_operation operation, int64_t value, int64_t operand)
{
    if (operation == LITMUS_MBARRIER_INIT)
        return mbarrier_start(operand);
    struct mbarrier mbarrier = mbarrier_unpack(value);
    const struct change change = change_of(operation, operand);
    mbarrier.pending = (uint32_t)limited(mbarrier.pending + change.pending, 0, MBARRIER_MOST);
    mbarrier.bytes = (int32_t)limited(mbarrier.bytes + change.bytes, -MBARRIER_MOST, MBARRIER_MOST);
    /* Arrivals and complete-tx end a phase; expect-tx does not check whether nothing is pending (PTX ISA, "expect-tx
     * operation"). */
    if ((operation == LITMUS_ARRIVE || operation == LITMUS_ARRIVE_EXPECT_TX || operation == LITMUS_COMPLETE_TX) &&
        mbarrier.pending == 0 && mbarrier.bytes == 0) {
        mbarrier.pending = mbarrier.expected;
        mbarrier.phase++;
    }
    return mbarrier_pack(mbarrier);
}

/* The phases are counted from 0, so the phase of parity 0 has ended when an odd one is current. */
int64_t mbarrier_test(int64_t value, int64_t parity)
{
    return (mbarrier_unpack(value).phase & 1) != ((uint64_t)parity & 1);
}

int64_t litmus_initial(const struct litmus_location *location, uint32_t element)
{
    const int64_t first = location->initial[element];
    return location->type == LITMUS_MBARRIER ? mbarrier_start(first) : first;
}
