// SPDX-License-Identifier: Apache-2.0
/* The arithmetic of the tests' language: the results of operators and read-modify-writes on
 * values of the tests' types. */
#ifndef ORCHIL_LITMUS_VALUE_H
#define ORCHIL_LITMUS_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/litmus.h"

struct litmus_value {
    int64_t value; /* as litmus_wrap gives it */
    enum litmus_type type;
};

/* Every operation has a result: a division by 0 gives 0, shifts take their width's low bits, the rest wraps. */
struct litmus_value litmus_value_unary(enum litmus_operator op, struct litmus_value operand);
struct litmus_value litmus_value_binary(enum litmus_operator op, struct litmus_value left, struct litmus_value right);

/* Whether C defines the operation: not if a signed result overflows, a divisor is 0 or a shift
 * is too wide. */
bool litmus_value_is_defined(enum litmus_operator op, struct litmus_value left, struct litmus_value right);

/* The value that a store, an exchange or another read-modify-write of that type writes over the
 * old value; for a compare-and-swap, if it succeeds. */
int64_t litmus_value_modify(enum litmus_operation operation, enum litmus_type type, int64_t old, int64_t operand);

#endif
