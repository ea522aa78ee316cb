// SPDX-License-Identifier: Apache-2.0
/* Known words that a mistyped word may have meant. */
#pragma once

#include "base/base.h"

enum { RESEMBLANCE_KEPT = 3, RESEMBLANCE_SIZE = 256 };

/* The closest words so far; starts as {0}. */
struct resemblance {
    struct {
        char word[RESEMBLANCE_SIZE];
        size_t distance;
    } best[RESEMBLANCE_KEPT];
    size_t count;
};

/* Keeps `known` if it is among the closest to `word` and resembles it: it contains `word`, or at most a third of the
 * letters differ. Case and wildcards do not count. */
void resemblance_offer(struct resemblance *resemblance, const char *word, const char *known);

/* Appends " (did you mean A, B or C?)", or nothing. */
void resemblance_print(const struct resemblance *resemblance, struct text *text);

/* The number of letters inserted, left out, changed or swapped with their neighbour; words longer than RESEMBLANCE_SIZE
 * - 1 are cut. Case does not count. */
size_t resemblance_distance(const char *left, const char *right);
