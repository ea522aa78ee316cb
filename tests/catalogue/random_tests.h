// SPDX-License-Identifier: Apache-2.0
/* Random tests of all dialects but VULKAN, large enough for the search to prune: two to four threads, two or three
 * locations, and many read-modify-writes, some of which commute. Some registers and locations are not observed. A test
 * is a function of its dialect and number. */
#pragma once

#include <stdint.h>

#include "base/text.h"
#include "litmus/litmus.h"

enum { RANDOM_DIALECTS = LITMUS_VULKAN }; /* the dialects before it */

/* Writes the test to *text, which starts empty, and parses it. Fails the present test if it cannot be parsed. The
 * caller releases both. */
struct litmus_test *random_small_test(enum litmus_dialect dialect, uint64_t number, struct text *text);
