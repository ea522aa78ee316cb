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
                planted_poisson(&noise, cell->mean * planted_factor(&of_a, cell->variation)), batch_size};
        for (size_t i = 0; i < cell->batches; i++)
            b[i] = (struct statistics_batch){planted_poisson(&noise, (double)cell->larger * cell->mean * cell->ratio *
                                                                         planted_factor(&of_b, cell->variation)),
                                             cell->larger * batch_size};
        struct statistics_test test;
        if (cell->paired)
            assert_true(statistics_compare_pairs(a, b, cell->batches, seed, &test));
        else
            assert_true(statistics_compare(a, cell->a_batches, b, cell->batches, seed, &test));
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

/* ---- whole comparisons ---- */

enum { SUITE = 10 };

static void plant_suite(struct side *side, const char *driver, uint64_t draws, uint64_t noise, double variation,
                        double ratio)
{
    static const char *const names[SUITE] = {"t00", "t01", "t02", "t03", "t04", "t05", "t06", "t07", "t08", "t09"};
    *side = planted_side(driver);
    for (unsigned i = 0; i < SUITE; i++) {
        const struct planted_test test = {.name = names[i],
                                          .batches = 100,
                                          .instances = batch_size,
                                          .rate = (i == 6 ? ratio : 1) * (i % 4 == 3 ? 3e-8 : 1e-6 * (i + 1)),
                                          .variation = variation,
                                          .seconds = 2,
                                          .draws = draws * 100 + i,
                                          .noise = noise * 100 + i};
        planted_add(side, driver, &test);
    }
}

struct tally {
    unsigned alarmed, found; /* comparisons with any finding but a rare new outcome; with the planted one */
};

static struct tally compare_suites(unsigned seeds, double variation, double ratio, bool equal_draws)
{
    const struct compare_options options = compare_usual_options();
    struct tally tally = {0, 0};
    for (unsigned seed = 1; seed <= seeds; seed++) {
        struct side a, b;
        struct comparison comparison;
        struct error error;
        plant_suite(&a, "1", 2 * seed, 2 * seed, variation, 1);
        plant_suite(&b, "2", equal_draws ? 2 * seed : 2 * seed + 1, 2 * seed + 1, variation, ratio);
        assert_int_equal(compare_sides(&a, &b, &options, &comparison, &error), STATUS_OK);
        bool alarmed = false, found = false;
        for (size_t i = 0; i < comparison.finding_count; i++) {
            const struct finding *finding = &comparison.findings[i];
            const bool planted = ratio != 1 && strcmp(finding->sample[SIDE_A]->test, "t06") == 0;
            alarmed |= finding->sure && !planted;
            found |= finding->sure && planted;
        }
        tally.alarmed += alarmed;
        tally.found += found;
        comparison_release(&comparison);
        side_release(&a);
        side_release(&b);
    }
    return tally;
}

static void test_suites(void **state)
{
    (void)state;
    enum { SEEDS = 100 };
    static const struct {
        double variation, ratio;
        bool equal;
        unsigned found; /* at least */
    } rows[] = {
        {0, 1, false, 0},      {0.5, 1, false, 0}, {1, 1, false, 0},   {2, 1, false, 0},
        {0, 1, true, 0},       {0.5, 1, true, 0},  {1, 1, true, 0},    {2, 1, true, 0},
        {0.5, 1.5, false, 90}, {2, 1.5, true, 95}, {1, 0, false, 100}, {2, 0, true, 100},
    };
    printf("\nSuites of 10 tests, 20 outcomes, 100 seeds each; the rate of one test changes by the ratio\n");
    printf("%10s %7s %7s %14s %14s\n", "variation", "draws", "ratio", "false alarms", "change found");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tally tally = compare_suites(SEEDS, rows[i].variation, rows[i].ratio, rows[i].equal);
        printf("%10.1f %7s %7.1f %13u%% %13u%%\n", rows[i].variation, rows[i].equal ? "equal" : "other", rows[i].ratio,
               tally.alarmed, tally.found);
        assert_true(tally.alarmed <= SEEDS * largest_share(0.05, SEEDS));
        assert_true(tally.found >= rows[i].found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_sides_give_no_more_alarms_than_allowed),
        cmocka_unit_test(test_changes_are_found),
        cmocka_unit_test(test_suites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
