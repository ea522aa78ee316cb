// SPDX-License-Identifier: Apache-2.0
/* Candidates for an environment: drawn from all choices, or near another. */
#include "runner/environment/search.h"

#include <stddef.h>
#include <string.h>

#include "base/random.h"

/* How a value changes in a candidate near another. */
enum step {
    STEP_DOUBLE, /* sizes and counts: doubled or halved */
    STEP_SHIFT,  /* percentages and offsets: by 1 to 8 up or down */
    STEP_ANY     /* numbers without an order: to any value */
};

struct choice {
    uint32_t low, high, weight; /* weight 0 ends a list */
};

enum { MAXIMUM_CHOICES = 10, ANYWHERE = 0 };

/* Parameters without a row are not searched. */
struct dimension {
    enum parameter parameter;
    enum parameter needs; /* no effect if that parameter is 0; itself: always has an effect */
    enum step step;
    unsigned needed; /* no effect without these: bits of enum search_has */
    struct choice gpu[MAXIMUM_CHOICES], cpu[MAXIMUM_CHOICES];
};

/* clang-format off */
#define ONE(value) {value, value, 1}
#define OFTEN(value) {value, value, 4}
#define RANGE(low, high) {low, high, 1}
/* Any, `ld`, `st`, `st ld`, `ld st`, and the best of PLDI 2016: `st2 ld2`, `ld st2 ld`, `ld3 st ld`, `ld4 st`. */
#define PATTERNS {RANGE(0, 61), ONE(0), ONE(1), ONE(3), ONE(4), ONE(17), ONE(20), ONE(38), ONE(46)}

static const struct dimension dimensions[] = {
    {PARAMETER_group_size, PARAMETER_group_size, STEP_DOUBLE, ANYWHERE,
     {ONE(32), ONE(64), ONE(128), OFTEN(256), ONE(384), ONE(512), ONE(1024)},
     {OFTEN(4096), ONE(2048), ONE(1024), ONE(512), ONE(256), ONE(64), ONE(16)}},
    {PARAMETER_testing_percent, PARAMETER_testing_percent, STEP_SHIFT, ANYWHERE,
     {ONE(50), ONE(75), ONE(85), ONE(90), OFTEN(95), ONE(98), ONE(100)},
     {ONE(100)}},
    {PARAMETER_stress_percent, PARAMETER_stress_percent, STEP_SHIFT, ANYWHERE,
     {{0, 0, 8}, ONE(1), ONE(2), ONE(5), ONE(15)},
     {ONE(0)}},
    {PARAMETER_rounds, PARAMETER_rounds, STEP_DOUBLE, ANYWHERE,
     {ONE(50), ONE(100), ONE(250), OFTEN(500), ONE(1000), ONE(2000)},
     {ONE(10), ONE(30), OFTEN(100), ONE(300), ONE(1000)}},
    {PARAMETER_teams, PARAMETER_teams, STEP_DOUBLE, ANYWHERE,
     {ONE(1), ONE(2), ONE(4), ONE(8), OFTEN(16), ONE(64), ONE(256)},
     {ONE(1), ONE(2), ONE(4), RANGE(1, 4)}},
    {PARAMETER_shuffle_chance, PARAMETER_shuffle_chance, STEP_SHIFT, ANYWHERE,
     {ONE(0), ONE(50), ONE(100)},
     {ONE(0), ONE(50), ONE(100)}},
    {PARAMETER_lane_chance, PARAMETER_lane_chance, STEP_SHIFT, ANYWHERE,
     {{0, 0, 6}, ONE(10), ONE(50), ONE(100)},
     {OFTEN(0), ONE(5), ONE(50), ONE(100)}},
    {PARAMETER_lane_offset, PARAMETER_lane_offset, STEP_SHIFT, ANYWHERE,
     {OFTEN(0), ONE(1), ONE(8), ONE(16), ONE(32), ONE(64), RANGE(0, 31), RANGE(0, 255)},
     {OFTEN(0), ONE(1), ONE(2), ONE(4), ONE(8), ONE(16), ONE(64), RANGE(0, 2), RANGE(0, 16)}},
    {PARAMETER_cell_chance, PARAMETER_cell_chance, STEP_SHIFT, ANYWHERE,
     {OFTEN(0), ONE(50), OFTEN(100)},
     {OFTEN(0), ONE(20), OFTEN(100)}},
    {PARAMETER_stride, PARAMETER_stride, STEP_DOUBLE, ANYWHERE,
     {OFTEN(1), ONE(2), ONE(3), ONE(4), ONE(8), ONE(16), ONE(32), RANGE(1, 2), RANGE(1, 8)},
     {OFTEN(1), ONE(2), ONE(4), ONE(8), ONE(16), ONE(32), RANGE(1, 4), RANGE(1, 16)}},
    {PARAMETER_local_stride, PARAMETER_local_stride, STEP_DOUBLE, SEARCH_LOCAL,
     {OFTEN(1), ONE(2), ONE(4), ONE(8), ONE(32), ONE(33), RANGE(1, 4)},
     {OFTEN(1), ONE(2), ONE(4), RANGE(1, 2)}},
    {PARAMETER_pre_stress_chance, PARAMETER_pre_stress_chance, STEP_SHIFT, ANYWHERE,
     {{0, 0, 8}, ONE(5), ONE(20), ONE(50), ONE(100)},
     {{0, 0, 6}, ONE(10), ONE(50), ONE(100)}},
    {PARAMETER_pre_stress_rounds, PARAMETER_pre_stress_chance, STEP_DOUBLE, ANYWHERE,
     {OFTEN(1), ONE(2), ONE(4), ONE(8), ONE(32), RANGE(1, 4)},
     {OFTEN(1), ONE(2), ONE(4), RANGE(1, 4)}},
    {PARAMETER_pre_stress_pattern, PARAMETER_pre_stress_chance, STEP_ANY, ANYWHERE, PATTERNS, PATTERNS},
    {PARAMETER_stress_pattern, PARAMETER_stress_percent, STEP_ANY, ANYWHERE, PATTERNS, PATTERNS},
    {PARAMETER_stress_lines, PARAMETER_stress_percent, STEP_DOUBLE, ANYWHERE,
     {ONE(1), OFTEN(2), ONE(4), ONE(16), ONE(64), RANGE(1, 16)},
     {ONE(1), OFTEN(2), ONE(4), ONE(16), RANGE(1, 4)}},
    {PARAMETER_stress_line_words, PARAMETER_stress_percent, STEP_DOUBLE, ANYWHERE,
     {ONE(16), OFTEN(32), ONE(64), ONE(128), RANGE(32, 64)},
     {ONE(16), ONE(32), ONE(64), RANGE(16, 64)}},
    {PARAMETER_stress_chunked_chance, PARAMETER_stress_percent, STEP_SHIFT, ANYWHERE,
     {ONE(0), ONE(50), ONE(100)},
     {ONE(0), ONE(50), ONE(100)}},
    {PARAMETER_stress_cached_chance, PARAMETER_stress_percent, STEP_SHIFT, ANYWHERE,
     {OFTEN(0), ONE(50), ONE(100)},
     {ONE(0)}},
    {PARAMETER_meet_all_chance, PARAMETER_meet_all_chance, STEP_SHIFT, ANYWHERE,
     {{0, 0, 8}, ONE(50), ONE(100)},
     {{0, 0, 8}, ONE(50), ONE(100)}},
    {PARAMETER_warm_chance, PARAMETER_warm_chance, STEP_SHIFT, SEARCH_PATHS,
     {ONE(0), ONE(50), ONE(100)},
     {ONE(0)}},
    {PARAMETER_jitter_chance, PARAMETER_jitter_chance, STEP_SHIFT, ANYWHERE,
     {{0, 0, 8}, ONE(20), ONE(50), ONE(100)},
     {{0, 0, 8}, ONE(50), ONE(100)}},
    {PARAMETER_jitter_steps, PARAMETER_jitter_chance, STEP_DOUBLE, ANYWHERE,
     {ONE(4), ONE(16), OFTEN(64), ONE(256), ONE(1024)},
     {ONE(4), ONE(16), ONE(64), ONE(256)}},
    {PARAMETER_cluster_chance, PARAMETER_cluster_chance, STEP_SHIFT, SEARCH_CLUSTERS,
     {{0, 0, 8}, ONE(20), ONE(50), ONE(100)},
     {ONE(0)}},
    {PARAMETER_cluster_groups, PARAMETER_cluster_chance, STEP_DOUBLE, SEARCH_CLUSTERS,
     {OFTEN(2), ONE(4), ONE(8), RANGE(2, 8)},
     {ONE(2)}},
    {PARAMETER_cluster_partners_chance, PARAMETER_cluster_chance, STEP_SHIFT, SEARCH_CLUSTERS,
     {ONE(0), ONE(50), ONE(100)},
     {ONE(0)}},
    {PARAMETER_stress_copy_chance, PARAMETER_stress_percent, STEP_SHIFT, SEARCH_COPIES,
     {OFTEN(0), ONE(20), ONE(50), ONE(100)},
     {ONE(0)}},
    {PARAMETER_stress_copy_bytes, PARAMETER_stress_copy_chance, STEP_DOUBLE, SEARCH_COPIES,
     {ONE(16), ONE(128), OFTEN(1024), ONE(4096), RANGE(16, 4096)},
     {ONE(16)}},
    {PARAMETER_delay_chance, PARAMETER_delay_chance, STEP_SHIFT, ANYWHERE,
     {{0, 0, 8}, ONE(20), ONE(50), ONE(100)},
     {{0, 0, 8}, ONE(50), ONE(100)}},
    {PARAMETER_delay_sites, PARAMETER_delay_chance, STEP_DOUBLE, ANYWHERE,
     {OFTEN(1), ONE(2), ONE(4), RANGE(1, 4)},
     {OFTEN(1), ONE(2), ONE(4), RANGE(1, 4)}},
    {PARAMETER_delay_nanoseconds, PARAMETER_delay_chance, STEP_DOUBLE, ANYWHERE,
     {ONE(20), ONE(100), OFTEN(500), ONE(2000), RANGE(20, 2000)},
     {ONE(20), ONE(100), ONE(500), RANGE(20, 2000)}},
};
/* clang-format on */

enum {
    DIMENSIONS = sizeof dimensions / sizeof *dimensions,
    MAXIMUM_CHANGES = 3,  /* in one step */
    MAXIMUM_ATTEMPTS = 64 /* to change something; the parameters that always matter can always change */
};

/* Purposes of random numbers; the key below separates them from the purposes of draws. */
enum purpose { PURPOSE_NEAR = 1024 };

static const uint64_t search_key = 0x736561726368; /* "search": a job has this key only by chance */

static const struct choice *choices_of(const struct search *search, const struct dimension *dimension)
{
    return search->gpu ? dimension->gpu : dimension->cpu;
}

static void choose(const struct search *search, const struct dimension *dimension, struct random *random,
                   struct environment *candidate)
{
    const struct choice *choices = choices_of(search, dimension);
    uint32_t sum = 0, i = 0;
    for (size_t k = 0; k < MAXIMUM_CHOICES; k++)
        sum += choices[k].weight;
    for (uint32_t at = random_below(random, sum); at >= choices[i].weight; i++)
        at -= choices[i].weight;
    *environment_range_of(candidate, dimension->parameter) =
        (struct environment_range){choices[i].low, choices[i].high};
}

/* A parameter without effect keeps the start's value, so that equivalent environments are equal. */
static bool matters(const struct search *search, const struct dimension *dimension, struct environment *candidate)
{
    return (dimension->needed & ~search->has) == 0 &&
           (dimension->needs == dimension->parameter || environment_range_of(candidate, dimension->needs)->high > 0);
}

static void silence(const struct search *search, struct environment *candidate)
{
    for (size_t i = 0; i < DIMENSIONS; i++)
        if (!matters(search, &dimensions[i], candidate))
            *environment_range_of(candidate, dimensions[i].parameter) =
                environment_range_in(search->start, dimensions[i].parameter);
}

void search_draw(const struct search *search, uint64_t number, struct environment *candidate)
{
    *candidate = *search->start;
    environment_drop_others(candidate);
    for (size_t i = 0; i < DIMENSIONS;
         i++) { /* a stream for each, so that a new parameter does not change the others */
        struct random random = random_start(search->seed, search_key, number, dimensions[i].parameter);
        choose(search, &dimensions[i], &random, candidate);
    }
    silence(search, candidate);
}

static uint32_t step_value(const struct environment_parameter *bound, enum step step, uint32_t value,
                           struct random *random)
{
    const bool up = random_below(random, 2) == 1;
    uint64_t stepped;
    if (step == STEP_ANY)
        return random_between(random, bound->lowest, bound->highest);
    const uint32_t by = step == STEP_SHIFT ? 1 + random_below(random, 8) : up ? value : (value + 1) / 2;
    if (up)
        stepped = (uint64_t)value + by;
    else
        stepped = value > by ? value - by : 0;
    if (stepped < bound->lowest)
        return bound->lowest;
    return stepped > bound->highest ? bound->highest : (uint32_t)stepped;
}

static void change(const struct search *search, const struct dimension *dimension, struct random *random,
                   struct environment *candidate)
{
    struct environment_range *range = environment_range_of(candidate, dimension->parameter);
    if (random_below(random, 2) == 0) {
        choose(search, dimension, random, candidate);
        return;
    }
    if (range->low == range->high)
        range->low = step_value(&environment_parameters[dimension->parameter], dimension->step, range->low, random);
    else
        range->low = random_between(random, range->low, range->high);
    range->high = range->low;
}

static bool has_alternatives(const struct search *search, const struct dimension *dimension)
{
    return choices_of(search, dimension)[1].weight > 0;
}

static bool differ(const struct environment *a, const struct environment *b)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range x = environment_range_in(a, i), y = environment_range_in(b, i);
        if (x.low != y.low || x.high != y.high)
            return true;
    }
    return false;
}

void search_near(const struct search *search, uint64_t number, const struct environment *parent,
                 struct environment *candidate)
{
    struct random random = random_start(search->seed, search_key, number, PURPOSE_NEAR);
    *candidate = *parent;
    environment_drop_others(candidate);
    for (uint32_t left = 1 + random_below(&random, MAXIMUM_CHANGES), attempt = 0;
         attempt < MAXIMUM_ATTEMPTS && (left > 0 || !differ(candidate, parent)); attempt++) {
        const struct dimension *dimension = &dimensions[random_below(&random, DIMENSIONS)];
        if (!has_alternatives(search, dimension) || !matters(search, dimension, candidate))
            continue;
        change(search, dimension, &random, candidate);
        silence(search, candidate);
        left -= left > 0;
    }
}
