// SPDX-License-Identifier: Apache-2.0
/* What the parts of a draw compute with: streams of random numbers, words of the draw buffer, reciprocals. */
#include <string.h>

#include "runner/environment/drawing.h"

enum {
    MAXIMUM_MEETING_POINTS = 1 << 23, /* per launch: words */
    /* With a lock, the threads of an instance run one after the other: a batch of 1000 rounds took 18 s with
     * 512 threads on an H200. So tests of many threads have fewer rounds. */
    MANY_THREADS = 32,
    MANY_THREADS_ROUNDS = 1 << 14, /* times threads */
    /* Of a progress test, because each may take as long as a thread is given before it is considered stuck, and finished
     * groups wait for the others. */
    PROGRESS_ROUNDS = 1
};

struct random drawing_stream(const struct unfinished_draw *drawing, enum purpose purpose)
{
    return random_start(drawing->seed, drawing->key, drawing->batch, purpose);
}

uint32_t drawing_minimum(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

uint32_t drawing_maximum(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

uint32_t drawing_cluster_of(const struct kernel *kernel)
{
    return kernel->cluster_groups > 1 ? kernel->cluster_groups : 1;
}

uint32_t drawing_common_multiple(uint32_t a, uint32_t b)
{
    uint32_t multiple = a;
    while (multiple % b != 0)
        multiple += a;
    return multiple;
}

uint32_t drawing_limit_rounds(const struct unfinished_draw *drawing, uint32_t testing)
{
    const uint64_t of_round = (uint64_t)testing * drawing->instances * drawing->repeats;
    const uint64_t wanted = drawing->limits->batch_instances, remaining = drawing->limits->remaining_instances;
    const uint32_t points = testing / (drawing->kernel->agents > 1 ? 1 : drawing->kernel->slots);
    const uint32_t threads = drawing->kernel->width * drawing->kernel->slots;
    uint32_t rounds = drawing_minimum(drawing->values.rounds, MAXIMUM_MEETING_POINTS / 2 / points);
    rounds = drawing_minimum(rounds, INT32_MAX / of_round);
    if (threads > MANY_THREADS)
        rounds = drawing_minimum(rounds, drawing_maximum(MANY_THREADS_ROUNDS / threads, 1));
    if (drawing->kernel->progress)
        rounds = drawing_minimum(rounds, PROGRESS_ROUNDS);
    if (wanted > 0)
        rounds = drawing_minimum(rounds, wanted / of_round);
    return remaining > 0 ? drawing_minimum(rounds, (remaining + of_round - 1) / of_round) : rounds;
}

uint32_t drawing_reserve(struct unfinished_draw *drawing, size_t words)
{
    const size_t position = drawing->used;
    drawing->used += words;
    return (uint32_t)position;
}

/* Returns the greatest common divisor; if it is 1, *inverse is a's inverse modulo n (extended
 * Euclid). */
static uint32_t divisor(uint32_t a, uint32_t n, uint32_t *inverse)
{
    int64_t r0 = n, r1 = a % n, t0 = 0, t1 = 1;
    while (r1 != 0) {
        const int64_t quotient = r0 / r1;
        const int64_t r2 = r0 - quotient * r1, t2 = t0 - quotient * t1;
        r0 = r1, r1 = r2;
        t0 = t1, t1 = t2;
    }
    *inverse = (uint32_t)(t0 < 0 ? t0 + n : t0);
    return (uint32_t)r0;
}

uint32_t drawing_coprime(struct random *random, uint32_t n, uint32_t *inverse)
{
    uint32_t multiplier;
    do
        multiplier = n == 1 ? 0 : random_below(random, n);
    while (divisor(multiplier, n, inverse) != 1 && n > 1);
    if (n == 1)
        *inverse = 0;
    return multiplier;
}

uint32_t drawing_reciprocal(uint32_t n)
{
    return UINT32_MAX / n;
}

/* The size of clusters: the test's own, else as drawn, cut to the device and until whole teams of
 * `testing` groups fill them. */
void drawing_size_clusters(struct unfinished_draw *drawing, uint32_t testing)
{
    const uint32_t slots = drawing->kernel->slots, own = drawing_cluster_of(drawing->kernel);
    const bool meets = drawing->kernel->cluster_barriers; /* a barrier of the test is for its own groups */
    const bool drawn = own == 1 && !meets && drawing->kernel->agents < 2 && !kernel_has_launches(drawing->kernel) &&
                       drawing->values.cluster_chance;
    uint32_t size =
        drawn ? drawing_minimum(drawing->values.cluster_groups, drawing_maximum(drawing->limits->max_cluster_groups, 1))
              : own;
    const bool together = drawn && drawing->values.cluster_partners_chance && slots > 1 && size >= slots;
    if (together)
        size = size / slots * slots;
    while (drawn && size > 1 && drawing_common_multiple(slots, size) > testing)
        size = together ? size - slots : size - 1;
    drawing->draw->cluster_groups = drawing_maximum(size, 1);
    drawing->draw->neighbours = together || own > 1 ? drawing->draw->cluster_groups : 1;
    drawing->values.cluster_chance = drawn && size > 1;
    if (drawing->values.cluster_chance)
        drawing->values.cluster_groups = size;
    drawing->values.cluster_partners_chance = together && size > 1;
}

/* The Fisher-Yates shuffle, of whole runs of neighbours. */
void drawing_shuffle(const struct unfinished_draw *drawing, struct random *random, uint32_t *table, uint32_t groups)
{
    for (uint32_t i = 0; i < groups; i++)
        table[i] = i;
    const uint32_t size = drawing->draw->neighbours;
    for (uint32_t i = groups / size; drawing->values.shuffle_chance && i > 1; i--) {
        const uint32_t k = random_below(random, i);
        for (uint32_t member = 0; member < size; member++) {
            const uint32_t swapped = table[(i - 1) * size + member];
            table[(i - 1) * size + member] = table[k * size + member];
            table[k * size + member] = swapped;
        }
    }
}
