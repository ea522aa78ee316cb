// SPDX-License-Identifier: Apache-2.0
/* assert_between(VALUE, LOW, HIGH): VALUE is at least LOW and at most HIGH; none is negative. cmocka 2 deprecates
 * cmocka 1's name for it. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef assert_int_in_range
#define assert_between(value, low, high) assert_int_in_range((int64_t)(value), (int64_t)(low), (int64_t)(high))
#else
#define assert_between(value, low, high) assert_in_range((uint64_t)(value), (uint64_t)(low), (uint64_t)(high))
#endif
