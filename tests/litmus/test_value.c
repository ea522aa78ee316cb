// SPDX-License-Identifier: Apache-2.0
/* Protects the arithmetic of the tests' language: types, wrapping, and what C leaves undefined. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "litmus/language/value.h"

#define INT(value)                                                                                                     \
    {                                                                                                                  \
        value, LITMUS_INT                                                                                              \
    }
#define UINT(value)                                                                                                    \
    {                                                                                                                  \
        value, LITMUS_UINT                                                                                             \
    }
#define LONG(value)                                                                                                    \
    {                                                                                                                  \
        value, LITMUS_LONG                                                                                             \
    }
#define ULONG(value)                                                                                                   \
    {                                                                                                                  \
        value, LITMUS_ULONG                                                                                            \
    }

static void operators_give_a_value_and_a_type(void **state)
{
    static const struct {
        enum litmus_operator op;
        struct litmus_value left, right, result;
        bool defined;
    } rows[] = {
        {LITMUS_ADD, INT(INT32_MAX), INT(1), INT(INT32_MIN), false},
        {LITMUS_ADD, UINT(UINT32_MAX), INT(1), UINT(0), true},
        {LITMUS_ADD, INT(INT32_MAX), LONG(1), LONG((int64_t)INT32_MAX + 1), true},
        {LITMUS_SUB, LONG(INT64_MIN), INT(1), LONG(INT64_MAX), false},
        {LITMUS_SUB, UINT(0), UINT(1), UINT(UINT32_MAX), true},
        {LITMUS_MUL, INT(-3), INT(5), INT(-15), true},
        {LITMUS_MUL, INT(1 << 16), INT(1 << 16), INT(0), false},
        {LITMUS_DIV, INT(-7), INT(2), INT(-3), true},
        {LITMUS_DIV, INT(7), INT(0), INT(0), false},
        {LITMUS_DIV, LONG(INT64_MIN), LONG(-1), LONG(INT64_MIN), false},
        {LITMUS_DIV, ULONG(-1), ULONG(2), ULONG(INT64_MAX), true},
        {LITMUS_REM, INT(-7), INT(2), INT(-1), true},
        {LITMUS_REM, INT(7), INT(0), INT(0), false},
        {LITMUS_AND, INT(12), INT(10), INT(8), true},
        {LITMUS_OR, INT(12), INT(10), INT(14), true},
        {LITMUS_XOR, INT(12), INT(10), INT(6), true},
        {LITMUS_SHL, INT(1), INT(31), INT(INT32_MIN), false},
        {LITMUS_SHL, LONG(1), INT(33), LONG((int64_t)1 << 33), true},
        {LITMUS_SHL, UINT(1), INT(33), UINT(2), false},
        {LITMUS_SHR, INT(-8), INT(1), INT(-4), true},
        {LITMUS_SHR, ULONG(-1), INT(63), ULONG(1), true},
        {LITMUS_EQ, LONG(2), INT(2), INT(1), true},
        {LITMUS_NE, LONG(2), INT(2), INT(0), true},
        {LITMUS_LT, INT(-1), INT(0), INT(1), true},
        {LITMUS_LT, INT(-1), UINT(0), INT(0), true},
        {LITMUS_LE, INT(2), INT(2), INT(1), true},
        {LITMUS_GT, ULONG(-1), LONG(0), INT(1), true},
        {LITMUS_GE, LONG(1), LONG(2), INT(0), true},
        {LITMUS_LOGICAL_AND, LONG(4), INT(2), INT(1), true},
        {LITMUS_LOGICAL_OR, INT(0), INT(0), INT(0), true},
        {LITMUS_MINIMUM, INT(-1), INT(1), INT(-1), true},
        {LITMUS_MINIMUM, ULONG(-1), ULONG(1), ULONG(1), true},
        {LITMUS_MAXIMUM, LONG(-1), LONG(1), LONG(1), true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct litmus_value result = litmus_value_binary(rows[i].op, rows[i].left, rows[i].right);
        if (result.value != rows[i].result.value || result.type != rows[i].result.type ||
            litmus_value_is_defined(rows[i].op, rows[i].left, rows[i].right) != rows[i].defined)
            fail_msg("row %zu: %s gives %lld, a %s", i, litmus_operator_name(rows[i].op), (long long)result.value,
                     litmus_type_name(result.type));
    }
}

static void one_operand_keeps_its_type(void **state)
{
    static const struct {
        enum litmus_operator op;
        struct litmus_value operand, result;
    } rows[] = {
        {LITMUS_NEGATE, UINT(1), UINT(UINT32_MAX)},
        {LITMUS_NEGATE, LONG(INT64_MIN), LONG(INT64_MIN)},
        {LITMUS_COMPLEMENT, INT(0), INT(-1)},
        {LITMUS_COMPLEMENT, UINT(0), UINT(UINT32_MAX)},
        {LITMUS_NOT, LONG(0), INT(1)},
        {LITMUS_NOT, LONG(5), INT(0)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct litmus_value result = litmus_value_unary(rows[i].op, rows[i].operand);
        assert_int_equal(result.value, rows[i].result.value);
        assert_int_equal(result.type, rows[i].result.type);
    }
}

static void what_is_written_over_an_old_value(void **state)
{
    static const struct {
        enum litmus_operation operation;
        enum litmus_type type;
        int64_t old, operand, result;
    } rows[] = {
        {LITMUS_STORE, LITMUS_INT, 5, (int64_t)1 << 32, 0},
        {LITMUS_EXCHANGE, LITMUS_LONG, 5, 7, 7},
        {LITMUS_CAS, LITMUS_INT, 5, 7, 7},
        {LITMUS_FETCH_ADD, LITMUS_UINT, UINT32_MAX, 1, 0},
        {LITMUS_FETCH_SUB, LITMUS_INT, 5, 7, -2},
        {LITMUS_FETCH_MUL, LITMUS_INT, 5, 7, 35},
        {LITMUS_FETCH_DIV, LITMUS_INT, 7, 2, 3},
        {LITMUS_FETCH_AND, LITMUS_INT, 12, 10, 8},
        {LITMUS_FETCH_OR, LITMUS_INT, 12, 10, 14},
        {LITMUS_FETCH_XOR, LITMUS_INT, 12, 10, 6},
        {LITMUS_FETCH_MIN, LITMUS_UINT, 1, -1, 1},
        {LITMUS_FETCH_MAX, LITMUS_INT, 1, -1, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(litmus_value_modify(rows[i].operation, rows[i].type, rows[i].old, rows[i].operand),
                         rows[i].result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_give_a_value_and_a_type),
        cmocka_unit_test(one_operand_keeps_its_type),
        cmocka_unit_test(what_is_written_over_an_old_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
