// SPDX-License-Identifier: Apache-2.0
/* The number of draws in which an outcome was seen. Runs of equal seed have equal draws, which
 * count once. */
#include "analysis/compare/compare_parts.h"

static bool same_draws(const struct sample_run *a, const struct sample_run *b)
{
    return a->key == b->key && a->row->seed == b->row->seed;
}

static const uint64_t *counts_of(const struct sample_outcome *outcome, size_t run)
{
    return outcome ? outcome->counts[run] : NULL;
}

/* The smallest batch number that is next in any run; false at the end. */
static bool next_number(const struct sample_run *runs, const size_t *next, size_t count, uint32_t *number)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (next[i] < runs[i].batch_count && (!found || runs[i].numbers[next[i]] < *number)) {
            *number = runs[i].numbers[next[i]];
            found = true;
        }
    }
    return found;
}

/* Adds the draws of runs with equal draws, of which run `start` is the first. */
static void count_group(const struct sample *sample, const struct sample_outcome *outcome, size_t start, size_t count,
                        struct arena *arena, struct sample_draws *draws)
{
    const struct sample_run *runs = &sample->runs[start];
    size_t *next = arena_take(arena, count, sizeof *next);
    for (uint32_t number = 0; next_number(runs, next, count, &number);) {
        bool counted = false, seen = false;
        for (size_t i = 0; i < count; i++) {
            if (next[i] == runs[i].batch_count || runs[i].numbers[next[i]] != number)
                continue;
            const uint64_t *counts = counts_of(outcome, start + i);
            counted |= runs[i].counted[next[i]] > 0;
            seen |= counts && counts[next[i]] > 0;
            next[i]++;
        }
        draws->count += counted;
        draws->seen_in += seen;
    }
}

struct sample_draws compare_count_draws(const struct sample *sample, const char *label)
{
    const struct sample_outcome *outcome = sample_outcome(sample, label);
    struct sample_draws draws = {0};
    struct arena arena = {0};
    for (size_t start = 0, end; start < sample->run_count; start = end) {
        for (end = start + 1; end < sample->run_count && same_draws(&sample->runs[start], &sample->runs[end]); end++)
            ;
        count_group(sample, outcome, start, end - start, &arena, &draws);
    }
    arena_release(&arena);
    return draws;
}
