// SPDX-License-Identifier: Apache-2.0
/*
 * assert_between(VALUE, LOW, HIGH): no negative numbers; both ends belong to it. cmocka 2 has given its own another name.
 * Included after cmocka.h.
 */
#ifndef ORCHIL_TESTS_BETWEEN_H
#define ORCHIL_TESTS_BETWEEN_H

#ifdef assert_uint_in_range
#define assert_between(value, low, high) assert_uint_in_range(value, low, high)
#else
#define assert_between(value, low, high) assert_in_range(value, low, high)
#endif

#endif
