// SPDX-License-Identifier: Apache-2.0
/* Protects: a gate that decides by runs calls equal drivers changed no more often than allowed, whatever distribution
 * the batches have and however much runs differ, and finds changes planted into a suite. The bounds are quantiles of
 * the binomial distribution.
 *
 * Plays what `orchil gate` does: K runs of a baseline, a first run of the candidate, and L reruns of the tests that it
 * suspects. Rows of "stored" sides have K runs against L, and no reruns. Prints its figures as tables in Markdown.
 * ORCHIL_PLANTED_SEEDS=300 takes this many seeds and all rows instead of the few that always run: scripts/planted uses
 * it to make the tables of docs/internals/statistics.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/analysis/planted/planted.h"

/* ---- a suite, of which the first test is planted, with 4 outcomes each ---- */

enum { MAXIMUM_SUITE = 42, USUAL_SEEDS = 40, USUAL_BATCHES = 60 };
static const char planted_name[] = "planted";
static const uint64_t usual_size = 1000000; /* instances of a batch */

enum situation { EQUAL, RATE, LOST, NEW, FORBIDDEN, HANG };
enum draws { OTHER_DRAWS, EQUAL_DRAWS };
enum when { ALWAYS, IF_ASKED }; /* IF_ASKED: where the number of seeds is given */

struct row {
    enum situation situation;
    const char *what; /* of the distribution, in words */
    enum planted_law law;
    double variation;
    enum draws draws;
    double lag, wander;
    double effect, shift; /* of a run: log standard deviations, for each test by itself and for all together */
    unsigned baseline, again, tests;
    bool stored;
    double least, most; /* witnesses of a test in a run: from the first to the last of the suite */
    double mean;        /* of the planted test, in a run of the side that has most */
    double ratio;       /* of RATE */
    double power;       /* promised power, 0 for none */
    size_t batches[2];  /* of a run of A, and of B; 0: the usual number */
    enum when when;
};

/* A number of the standard normal distribution that is a function of its arguments. */
static double normal_of(uint64_t seed, uint64_t run, uint64_t what)
{
    struct random random = random_start(seed, run, what, 77);
    return planted_normal(&random);
}

static double rate_of(const struct row *row, unsigned test, bool is_b)
{
    const double step = row->tests > 1 ? (double)test / (row->tests - 1) : 0;
    if (test > 0 || row->situation == EQUAL)
        return row->least * pow(row->most / row->least, step);
    if (row->situation == RATE)
        return row->mean * (is_b ? row->ratio : 1);
    if (row->situation == HANG)
        return row->mean;
    return is_b == (row->situation != LOST) ? row->mean : 0;
}

static void plant_test(struct side *side, const struct row *row, uint64_t seed, unsigned test, bool is_b, unsigned run)
{
    static const char *const names[MAXIMUM_SUITE] = {
        planted_name, "t01", "t02", "t03", "t04", "t05", "t06", "t07", "t08", "t09", "t10", "t11", "t12", "t13",
        "t14",        "t15", "t16", "t17", "t18", "t19", "t20", "t21", "t22", "t23", "t24", "t25", "t26", "t27",
        "t28",        "t29", "t30", "t31", "t32", "t33", "t34", "t35", "t36", "t37", "t38", "t39", "t40", "t41"};
    const uint64_t number = is_b ? 100 + run : run, own = (seed * 1000 + number) * 100 + test;
    const uint64_t draws = row->draws == EQUAL_DRAWS ? (seed * 1000 + 999) * 100 + test : own;
    const double off = row->effect * normal_of(seed, number, test) + row->shift * normal_of(seed, number, 9999);
    const size_t batches = row->batches[is_b] ? row->batches[is_b] : USUAL_BATCHES;
    const bool hangs = row->situation == HANG && is_b && test == 0;
    const struct planted_test planted = {.name = names[test],
                                         .batches = hangs ? 3 : batches,
                                         .instances = usual_size,
                                         .rate =
                                             rate_of(row, test, is_b) / USUAL_BATCHES / (double)usual_size * exp(off),
                                         .variation = row->variation,
                                         .law = row->law,
                                         .lag = row->lag,
                                         .wander = row->wander,
                                         .spread = true,
                                         .verdict = row->situation == FORBIDDEN && test == 0 ? "forbidden" : NULL,
                                         .seconds = 2,
                                         .state = hangs ? JOB_HANG : JOB_COMPLETED,
                                         .draws = draws,
                                         .noise = own,
                                         .run = (int64_t)number + 1};
    planted_add(side, is_b ? "2" : "1", &planted);
}

static bool is_suspect(const struct sample_pair *pair)
{
    for (size_t r = 0; r < pair->question_count; r++)
        if (pair->rates[r].suspect)
            return true;
    return false;
}

/* The runs from `first` of a side, of all tests or of those that a comparison suspects. */
static struct side plant(const struct row *row, uint64_t seed, bool is_b, unsigned first, unsigned runs,
                         const struct comparison *chosen)
{
    struct side side = planted_side(is_b ? "2" : "1");
    for (unsigned test = 0; test < row->tests; test++) {
        if (chosen && !is_suspect(&chosen->pairs[test]))
            continue;
        for (unsigned run = first; run < first + runs; run++)
            plant_test(&side, row, seed, test, is_b, run); /* pairs are in order of the names, and so are the tests */
    }
    return side;
}

/* ---- playing a row ---- */

struct tally {
    uint64_t seeds;
    uint64_t seen;    /* comparisons where one side alone has seen the planted test's witness */
    uint64_t listed;  /* that list it then */
    uint64_t found;   /* that are sure of the planted change */
    uint64_t alarmed; /* that are sure of anything else */
    uint64_t reruns;  /* tests that were run again, over all seeds */
};

static bool says_what_was_planted(const struct row *row, const struct finding *finding)
{
    static const enum finding_kind kinds[] = {[RATE] = FINDING_RATE,
                                              [LOST] = FINDING_LOST,
                                              [NEW] = FINDING_NEW,
                                              [FORBIDDEN] = FINDING_FORBIDDEN,
                                              [HANG] = FINDING_STATE};
    return finding->kind == kinds[row->situation] &&
           (row->situation != RATE || (finding->rate->ratio.ratio > 1) == (row->ratio > 1));
}

static bool sees_on_one_side(const struct comparison *comparison)
{
    const struct sample_pair *pair = &comparison->pairs[0];
    for (size_t i = 0; i < pair->rate_count; i++)
        if (pair->rates[i].outcome->witness)
            return pair->rates[i].count[SIDE_A] == 0 || pair->rates[i].count[SIDE_B] == 0;
    return false;
}

static void take(const struct row *row, const struct comparison *comparison, bool decides, struct tally *tally)
{
    bool found = false, alarmed = false, listed = false;
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        const bool is_planted = row->situation != EQUAL && finding->kind != FINDING_SHIFT &&
                                strcmp(finding->sample[SIDE_B]->row.test, planted_name) == 0;
        const bool counts = finding->kind <= FINDING_STATE || decides; /* these count whenever they are seen */
        listed |= is_planted && finding->outcome && finding->outcome->witness;
        found |= counts && is_planted && finding->standing == STANDING_SURE && says_what_was_planted(row, finding);
        alarmed |= counts && !is_planted && finding->standing == STANDING_SURE;
    }
    tally->seen += sees_on_one_side(comparison);
    tally->listed += listed && sees_on_one_side(comparison);
    tally->found += found;
    tally->alarmed += alarmed;
}

static void play_seed(const struct row *row, uint64_t seed, struct tally *tally)
{
    struct compare_options options = {COMPARE_USUAL};
    struct side a = plant(row, seed, false, 0, row->baseline, NULL);
    struct side b = plant(row, seed, true, 0, row->stored ? row->again : 1, NULL);
    struct comparison first, second;
    compare_sides(&a, &b, &options, &first);
    const uint64_t found = tally->found;
    take(row, &first, row->stored, tally);
    struct side again = plant(row, seed, true, 1, row->stored ? 0 : row->again, &first);
    if (again.job_count > 0) {
        struct side baseline = plant(row, seed, false, 0, row->baseline, NULL);
        struct tally of_reruns = {0};
        options.first = &first;
        compare_sides(&baseline, &again, &options, &second);
        take(row, &second, true, &of_reruns);
        tally->found += tally->found == found ? of_reruns.found : 0;
        tally->alarmed += of_reruns.alarmed;
        tally->reruns += again.job_count / row->again;
        comparison_release(&second);
        side_release(&baseline);
    }
    side_release(&again);
    comparison_release(&first);
    side_release(&b);
    side_release(&a);
}

static struct tally play(const struct row *row, uint64_t seeds)
{
    struct tally tally = {.seeds = seeds};
    for (uint64_t seed = 1; seed <= seeds; seed++)
        play_seed(row, seed, &tally);
    return tally;
}

/* ---- bounds of chance ---- */

/* The probability of at most `most` of n. */
static double binomial_below(uint64_t most, uint64_t n, double p)
{
    double sum = 0;
    for (uint64_t k = 0; k <= most; k++) {
        int ignored_sign;
        sum += exp(lgamma_r((double)n + 1, &ignored_sign) - lgamma_r((double)k + 1, &ignored_sign) -
                   lgamma_r((double)(n - k) + 1, &ignored_sign) + (double)k * log(p) + (double)(n - k) * log1p(-p));
    }
    return sum;
}

/* The counts that a true probability of p exceeds, or falls below, only once in a thousand times. */
static uint64_t most_of(uint64_t n, double p)
{
    uint64_t count = 0;
    while (count < n && binomial_below(count, n, p) < 0.999)
        count++;
    return count;
}

static uint64_t least_of(uint64_t n, double p)
{
    return n - most_of(n, 1 - p);
}

static void test_quantiles(void **state)
{
    (void)state;
    assert_int_equal(most_of(100, 0.05), 13); /* R: qbinom(0.999, 100, 0.05) */
    assert_int_equal(most_of(1000, 0.05), 73);
    assert_int_equal(least_of(100, 0.95), 87); /* R: qbinom(0.001, 100, 0.95) */
}

/* ---- tables ---- */

static uint64_t asked_seeds(void)
{
    const char *text = getenv("ORCHIL_PLANTED_SEEDS");
    const unsigned long long asked = text ? strtoull(text, NULL, 10) : 0;
    return asked > 0 && asked <= 1000000 ? asked : 0;
}

/* "12 of 1,000: 1.2 % (0.62 to 2.1)". */
static void print_share(uint64_t count, uint64_t seeds)
{
    const struct interval interval = statistics_binomial(count, seeds, 0.95);
    printf(" %.1f %% (%.1f to %.1f) |", 100 * (double)count / (double)seeds, 100 * interval.low, 100 * interval.high);
}

static void print_circumstances(const struct row *row)
{
    printf("| %s | %s | %u | %u%s | %u |", row->what, row->draws == EQUAL_DRAWS ? "equal" : "other", row->baseline,
           row->again, row->stored ? ", stored" : "", row->tests);
}

static bool is_left_out(const struct row *row)
{
    return row->when == IF_ASKED && asked_seeds() == 0;
}

static uint64_t seeds_to_play(void)
{
    return asked_seeds() > 0 ? asked_seeds() : USUAL_SEEDS;
}

#define LAW(words, law, variation, draws) EQUAL, words, law, variation, draws
#define RUNS(baseline, again, tests) baseline, again, tests
#define USUAL_RANGE 3, 60000 /* witnesses of a test in a run, over the suite */
#define NOTHING_PLANTED 0, 1, 0

static const struct row equal_rows[] = {
#include "tests/gate/planted_equal.inc"
};

static const struct row changed_rows[] = {
#include "tests/gate/planted_changed.inc"
};

static void test_equal_sides(void **state)
{
    (void)state;
    const uint64_t seeds = seeds_to_play();
    printf("\nEqual sides, %u seeds:\n\n"
           "| what varies | draws | K | L | tests | FAILED or CHANGED | tests run again |\n"
           "| --- | --- | --- | --- | --- | --- | --- |\n",
           (unsigned)seeds);
    for (size_t i = 0; i < sizeof equal_rows / sizeof *equal_rows; i++) {
        if (is_left_out(&equal_rows[i]))
            continue;
        const struct tally tally = play(&equal_rows[i], seeds);
        print_circumstances(&equal_rows[i]);
        print_share(tally.alarmed, seeds);
        printf(" %.1f |\n", (double)tally.reruns / (double)seeds);
        assert_true(tally.alarmed <= most_of(seeds, 0.05));
    }
}

static void print_situation(const struct row *row)
{
    switch (row->situation) {
    case RATE:
        printf("| rate times %.3g, %g sightings a run ", row->ratio, row->mean);
        break;
    case LOST:
        printf("| lost outcome, %g sightings a run before ", row->mean);
        break;
    case NEW:
        printf("| new outcome, %g sightings a run ", row->mean);
        break;
    case FORBIDDEN:
        printf("| forbidden outcome, %g sightings a run ", row->mean);
        break;
    case HANG:
        printf("| hang ");
        break;
    case EQUAL:
        break;
    }
}

static void test_planted_changes(void **state)
{
    (void)state;
    const uint64_t seeds = seeds_to_play();
    printf(
        "\nPlanted into one test, %u seeds:\n\n"
        "| planted | what varies | draws | K | L | tests | listed, of those seen on one side | FAILED or CHANGED for it | for another test |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        (unsigned)seeds);
    for (size_t i = 0; i < sizeof changed_rows / sizeof *changed_rows; i++) {
        const struct row *row = &changed_rows[i];
        if (is_left_out(row))
            continue;
        const struct tally tally = play(row, seeds);
        print_situation(row);
        print_circumstances(row);
        printf(" %u of %u |", (unsigned)tally.listed, (unsigned)tally.seen);
        print_share(tally.found, seeds);
        print_share(tally.alarmed, seeds);
        printf("\n");
        assert_true(row->power <= 0 || tally.found >= least_of(seeds, row->power));
        assert_true(tally.alarmed <= most_of(seeds, 0.05));
        assert_int_equal(tally.listed, tally.seen);
    }
}

int main(void)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* the rows take their time */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_equal_sides),
        cmocka_unit_test(test_planted_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
