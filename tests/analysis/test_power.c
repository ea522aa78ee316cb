// SPDX-License-Identifier: Apache-2.0
/* Protects: a comparison finds what was planted, with the power that is promised, and calls equal sides different no more
 * often than it may, however much batches vary. Prints the figures. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/analysis/planted.h"

static const double variations[] = {0, 0.5, 1, 2};
enum { VARIATIONS = sizeof variations / sizeof *variations, MAXIMUM_BATCHES = 100 };
static const uint64_t batch_size = 1000000;

/* The largest share of a level that `seeds` trials may show by chance (one in a thousand times). */
static double largest_share(double level, unsigned seeds)
{
    return level + 3.1 * sqrt(level * (1 - level) / seeds);
}

struct cell {
    double mean, ratio, variation; /* witnesses of a batch of A; B's rate over A's; of batches */
    size_t a_batches, batches;     /* of A and of B */
    uint64_t larger;               /* how many times as large B's batches are */
    bool paired;
};

struct share {
    double significant, changed, covered;
};

/* How often one outcome is called different, and how often the interval holds the true ratio. */
static struct share play(const struct cell *cell, unsigned seeds)
{
    const struct compare_options options = compare_usual_options();
    struct statistics_batch a[MAXIMUM_BATCHES], b[MAXIMUM_BATCHES];
    struct share share = {0, 0, 0};
    for (unsigned seed = 0; seed < seeds; seed++) {
        struct random of_a = random_start(seed, 1, 0, 0), of_b = random_start(seed, 2, 0, 0);
        struct random noise = random_start(seed, 3, 0, 0);
        if (cell->paired)
            of_b = of_a;
        for (size_t i = 0; i < cell->a_batches; i++)
            a[i] = (struct statistics_batch){
                planted_poisson(&noise, cell->mean * planted_factor(&of_a, PLANTED_LOG_NORMAL, cell->variation)),
                batch_size};
        for (size_t i = 0; i < cell->batches; i++)
            b[i] = (struct statistics_batch){
                planted_poisson(&noise, (double)cell->larger * cell->mean * cell->ratio *
                                            planted_factor(&of_b, PLANTED_LOG_NORMAL, cell->variation)),
                cell->larger * batch_size};
        const struct statistics_test test = cell->paired
                                                ? statistics_compare_pairs(a, b, cell->batches, seed)
                                                : statistics_compare(a, cell->a_batches, b, cell->batches, seed);
        const struct statistics_ratio ratio =
            statistics_rate_ratio(a, cell->a_batches, b, cell->batches, cell->paired, options.confidence);
        const bool significant = test.p <= options.alpha;
        share.significant += significant;
        share.changed +=
            significant && (ratio.interval.low > options.tolerance || ratio.interval.high < 1 / options.tolerance);
        share.covered += ratio.interval.low <= cell->ratio && cell->ratio <= ratio.interval.high;
    }
    share.significant /= seeds;
    share.changed /= seeds;
    share.covered /= seeds;
    return share;
}

static void print_head(const char *title)
{
    printf("\n%s\n%10s %9s %6s %8s %8s %7s %12s %9s %9s\n", title, "variation", "witnesses", "ratio", "batches",
           "larger", "draws", "significant", "changed", "covered");
}

static void print_row(const struct cell *cell, struct share share)
{
    printf("%10.1f %9.1f %6.2f %3zu, %3zu %8u %7s %11.1f%% %8.1f%% %8.1f%%\n", cell->variation, cell->mean, cell->ratio,
           cell->a_batches, cell->batches, (unsigned)cell->larger, cell->paired ? "equal" : "other",
           100 * share.significant, 100 * share.changed, 100 * share.covered);
}

static void test_equal_sides_give_no_more_alarms_than_allowed(void **state)
{
    (void)state;
    enum { SEEDS = 1000 };
    static const struct cell shapes[] = {
        {0.3, 1, 0, 20, 20, 1, false},  {30, 1, 0, 20, 20, 1, false},    {0.3, 1, 0, 100, 100, 1, false},
        {30, 1, 0, 100, 100, 1, false}, {0.3, 1, 0, 100, 100, 1, true},  {30, 1, 0, 100, 100, 1, true},
        {30, 1, 0, 30, 100, 1, false},  {0.3, 1, 0, 100, 100, 5, false}, {30, 1, 0, 30, 30, 5, true},
    };
    print_head("Equal sides: 1,000 seeds each, level 5 %");
    for (size_t v = 0; v < VARIATIONS; v++) {
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            struct cell cell = shapes[i];
            cell.variation = variations[v];
            const struct share share = play(&cell, SEEDS);
            print_row(&cell, share);
            assert_true(share.significant <= largest_share(0.05, SEEDS));
            assert_true(share.changed <= share.significant);
        }
    }
}

static void test_changes_are_found(void **state)
{
    (void)state;
    enum { SEEDS = 400 };
    static const struct {
        struct cell cell;
        double power;
    } rows[] = {
        {{30, 1.5, 0.5, 100, 100, 1, false}, 0.95}, {{30, 1 / 1.5, 0.5, 100, 100, 1, false}, 0.95},
        {{10, 1.5, 0.5, 100, 100, 1, false}, 0.95}, {{10, 1.5, 0.5, 100, 100, 1, true}, 0.95},
        {{30, 1.5, 0, 30, 30, 1, false}, 0.95},     {{30, 1.5, 2, 100, 100, 1, true}, 0.95},
        {{30, 3, 1, 100, 100, 1, false}, 0.95},     {{30, 1.5, 2, 100, 100, 1, false}, 0},
    };
    print_head("Planted changes: 400 seeds each");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct share share = play(&rows[i].cell, SEEDS);
        print_row(&rows[i].cell, share);
        assert_true(share.changed >= rows[i].power);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_sides_give_no_more_alarms_than_allowed),
        cmocka_unit_test(test_changes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
