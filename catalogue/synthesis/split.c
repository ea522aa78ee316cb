// SPDX-License-Identifier: Apache-2.0
/* Which test to run next. */
#include "catalogue/synthesis/synthesis.h"

static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

size_t synthesis_split(const uint64_t *verdicts, size_t tests, uint64_t left)
{
    const unsigned models = count_bits(left);
    size_t best = SIZE_MAX;
    unsigned smaller = 0; /* of the two sides of the best test */
    for (size_t i = 0; i < tests; i++) {
        const unsigned allow = count_bits(verdicts[i] & left), side = allow < models - allow ? allow : models - allow;
        if (side > smaller) {
            best = i;
            smaller = side;
        }
    }
    return best;
}
