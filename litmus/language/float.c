// SPDX-License-Identifier: Apache-2.0
/*
 * Values of float and double as numbers of 64 bits. A whole number that the type holds exactly is
 * itself; every other pattern of bits is itself too, as a number outside the range of the first.
 */
#include <string.h>

#include "litmus/litmus.h"

enum {
    FLOAT_DIGITS = 24,
    DOUBLE_DIGITS = 53
}; /* up to 2 to this power, each whole number is
                                                 * exact */

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

/*
 * A double's patterns fill 64 bits, so those that are not whole numbers must be distinguished
 * within them: a pattern which, read as an integer, is an exact whole number w changes places with
 * the pattern of the double w. Doing it twice undoes it.
 */
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
