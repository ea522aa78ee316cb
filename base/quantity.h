// SPDX-License-Identifier: Apache-2.0
/* Numbers as people write and read them: 100M, 1,234,567, 2.4e+07, 3.2 s. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Reads a whole positive count: digits, with an optional suffix k, M, G or T (powers of 1000), or a form like 1e9 or
 * 2.5M whose value is whole. False for anything else, for zero, and above 2^63 - 1. */
bool quantity_parse_count(const char *text, uint64_t *count);

/* Reads a positive, finite decimal number of seconds, with an optional suffix s, m or h (default: seconds). */
bool quantity_parse_seconds(const char *text, double *seconds);

enum { QUANTITY_SIZE = 48 }; /* room that each of the following needs */

/* 1234567 as "1,234,567". Returns buffer. */
const char *quantity_count(uint64_t count, char buffer[QUANTITY_SIZE]);

/* For use as an argument: the buffer belongs to the enclosing block. */
#define QUANTITY_COUNT(count) quantity_count((count), (char[QUANTITY_SIZE]){""})
#define QUANTITY_SECONDS(seconds) quantity_seconds((seconds), (char[QUANTITY_SIZE]){""})
#define QUANTITY_ABOUT(seconds) quantity_about((seconds), (char[QUANTITY_SIZE]){""})
#define QUANTITY_SHORT(value) quantity_short((value), (char[QUANTITY_SIZE]){""})

/* 0.532 as "532 ms", 75.2 as "1 min 15 s". Returns buffer. */
const char *quantity_seconds(double seconds, char buffer[QUANTITY_SIZE]);

/* The same for a time that is only estimated: "8 s", "1 min 50 s", "11 min", "6 h 40 min", "52 h"; at least "1 s".
 * Returns buffer. */
const char *quantity_about(double seconds, char buffer[QUANTITY_SIZE]);

/* 2.43e7 as "24.3 M" (three significant digits, powers of 1000 up to T). Returns buffer. */
const char *quantity_short(double value, char buffer[QUANTITY_SIZE]);
