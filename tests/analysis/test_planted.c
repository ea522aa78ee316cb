// SPDX-License-Identifier: Apache-2.0
/* Protects: a whole comparison, and the gate that decides on it, find what was planted into a suite, and call equal drivers
 * different no more often than they may. The bounds are quantiles of the binomial distribution.
 *
 * Prints its figures as tables in Markdown. ORCHIL_PLANTED_SEEDS=1000 takes so many seeds and all rows instead of 100 seeds and
 * the rows that are marked for it: so scripts/planted makes the tables of docs/statistics.md. */
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

/* ---- a suite of 30 tests, of which the first is planted, with 4 outcomes each ---- */

enum { SUITE = 30, USUAL_SEEDS = 100 };
static const char planted_name[] = "planted";
static const uint64_t usual_size = 1000000; /* instances of a batch */

enum situation { EQUAL, RATE, LOST, NEW, FORBIDDEN, HANG, SCARCE };

enum draws { OTHER_DRAWS, EQUAL_DRAWS, EQUAL_IN_NAME }; /* EQUAL_IN_NAME: rates vary by something else */
enum when { ALWAYS, IF_ASKED };                         /* IF_ASKED: where the number of seeds is given */

struct row {
    enum situation situation;
    double variation;
    enum planted_law law;
    enum draws draws;
    size_t batches;  /* of a side */
    uint64_t larger; /* how many times as large the batches of B are */
    double mean;     /* witnesses of the planted test in a batch of A; of LOST and NEW, of the side that has them */
    double ratio;    /* of RATE */
    double power;    /* that is promised, 0 for none */
    enum when when;
};

/* The other tests' witnesses: from 1 in 30 batches to 1 in 1,000 instances. */
static double mean_of(unsigned test)
{
    return 0.03 * pow(10, 4.5 * test / (SUITE - 1));
}

static void plant_test(struct side *side, const char *driver, const struct row *row, unsigned number, uint64_t draws,
                       uint64_t noise)
{
    static const char *const names[SUITE] = {
        planted_name, "t01", "t02", "t03", "t04", "t05", "t06", "t07", "t08", "t09", "t10", "t11", "t12", "t13", "t14",
        "t15",        "t16", "t17", "t18", "t19", "t20", "t21", "t22", "t23", "t24", "t25", "t26", "t27", "t28", "t29"};
    const bool is_b = driver[0] == '2', is_planted = number == 0;
    const uint64_t larger = is_b ? row->larger : 1;
    struct planted_test test = {.name = names[number],
                                .batches = row->batches,
                                .instances = usual_size * larger,
                                .rate = (is_planted ? row->mean : mean_of(number)) / (double)usual_size,
                                .variation = row->variation,
                                .law = row->law,
                                .spread = true,
                                .seconds = 2,
                                .draws = draws * SUITE + number,
                                .noise = noise * SUITE + number,
                                .factors = row->draws == EQUAL_IN_NAME ? noise * SUITE + number : 0};
    if (is_planted && row->situation == RATE && is_b)
        test.rate *= row->ratio;
    if (is_planted && ((row->situation == LOST && is_b) || (row->situation == NEW && !is_b)))
        test.rate = 0;
    if (is_planted && row->situation == FORBIDDEN) {
        test.instances = 100 * usual_size;
        test.rate = is_b ? 1e-9 : 0;
        test.verdict = "forbidden";
    }
    if (is_planted && row->situation == HANG && is_b) {
        test.state = JOB_HANG;
        test.batches = 3;
        test.reason = "no batch for 30 s";
    }
    planted_add(side, driver, &test);
}

/* The planted test's control: so the planted test is a mutant, which the gate wants to see often. */
static void plant_control(struct side *side, const char *driver, const struct row *row, uint64_t draws)
{
    const struct planted_test control = {.name = "fenced",
                                         .controls = planted_name,
                                         .batches = row->batches,
                                         .instances = usual_size,
                                         .spread = true,
                                         .variation = row->variation,
                                         .seconds = 2,
                                         .draws = draws * SUITE,
                                         .noise = draws};
    planted_add(side, driver, &control);
}

static struct side plant(const char *driver, const struct row *row, uint64_t draws, uint64_t noise)
{
    struct side side = planted_side(driver);
    for (unsigned i = 0; i < SUITE; i++)
        plant_test(&side, driver, row, i, draws, noise);
    if (row->situation == SCARCE)
        plant_control(&side, driver, row, draws);
    return side;
}

/* ---- playing a row ---- */

struct tally {
    uint64_t seeds;
    uint64_t found;                           /* comparisons that say what was planted, of the planted test */
    uint64_t alarmed;                         /* that are sure of anything else */
    uint64_t verdicts[GATE_INCONCLUSIVE + 1]; /* of the gate */
};

static bool says_what_was_planted(const struct row *row, const struct finding *finding)
{
    static const enum finding_kind kinds[] = {[RATE] = FINDING_RATE,
                                              [LOST] = FINDING_LOST,
                                              [NEW] = FINDING_NEW,
                                              [FORBIDDEN] = FINDING_FORBIDDEN,
                                              [HANG] = FINDING_STATE};
    if (row->situation == EQUAL || row->situation == SCARCE || finding->kind != kinds[row->situation])
        return false;
    return row->situation != RATE || (finding->rate->ratio.ratio > 1) == (row->ratio > 1);
}

static void take(const struct row *row, const struct comparison *comparison, struct tally *tally)
{
    bool found = false, alarmed = false;
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        const bool is_planted = row->situation != EQUAL && strcmp(finding->sample[SIDE_B]->row.test, planted_name) == 0;
        found |= is_planted && finding->sure && says_what_was_planted(row, finding);
        alarmed |= !is_planted && finding->sure;
    }
    tally->found += found;
    tally->alarmed += alarmed;
}

static struct tally play(const struct row *row, uint64_t seeds)
{
    const struct compare_options options = compare_usual_options();
    const struct gate_options gate_options = {.assurance = 0.99999};
    struct tally tally = {.seeds = seeds};
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct side a = plant("1", row, 2 * seed, 2 * seed);
        struct side b = plant("2", row, row->draws != OTHER_DRAWS ? 2 * seed : 2 * seed + 1, 2 * seed + 1);
        struct comparison comparison;
        struct gate gate;
        compare_sides(&a, &b, &options, &comparison);
        gate_decide(&comparison, &gate_options, NULL, &gate);
        take(row, &comparison, &tally);
        tally.verdicts[gate.verdict]++;
        gate_release(&gate);
        comparison_release(&comparison);
        side_release(&a);
        side_release(&b);
    }
    return tally;
}

/* ---- what chance allows ---- */

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

/* What a true chance of p passes only once in a thousand times: the largest count, and the smallest. */
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
    static const char *const draws[] = {"other", "equal", "equal, without effect"};
    printf("| %g, %s | %s | %zu | %s |", row->variation, row->law == PLANTED_GAMMA ? "gamma" : "log-normal",
           draws[row->draws], row->batches, row->larger > 1 ? "B's 4 times as large" : "equal");
}

static void test_equal_drivers(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {EQUAL, 0, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 10, 1, 0, ALWAYS},
        {EQUAL, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 10, 1, 0, ALWAYS},
        {EQUAL, 1, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 2, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 10, 1, 0, ALWAYS},
        {EQUAL, 0.5, PLANTED_GAMMA, OTHER_DRAWS, 100, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 1, PLANTED_GAMMA, OTHER_DRAWS, 100, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 2, PLANTED_GAMMA, OTHER_DRAWS, 100, 1, 10, 1, 0, ALWAYS},
        {EQUAL, 0, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 0.5, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 1, 10, 1, 0, ALWAYS},
        {EQUAL, 1, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 2, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 1, 10, 1, 0, ALWAYS},
        {EQUAL, 2, PLANTED_GAMMA, EQUAL_DRAWS, 100, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 1, PLANTED_GAMMA, EQUAL_IN_NAME, 100, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 2, PLANTED_GAMMA, EQUAL_IN_NAME, 100, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 4, 10, 1, 0, IF_ASKED},
        {EQUAL, 2, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 4, 10, 1, 0, ALWAYS},
        {EQUAL, 0.5, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 4, 10, 1, 0, IF_ASKED},
        {EQUAL, 2, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 4, 10, 1, 0, IF_ASKED},
        {EQUAL, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 30, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 2, PLANTED_LOG_NORMAL, OTHER_DRAWS, 30, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 2, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 30, 1, 10, 1, 0, IF_ASKED},
        {EQUAL, 2, PLANTED_LOG_NORMAL, OTHER_DRAWS, 12, 1, 10, 1, 0, IF_ASKED},
    };
    const uint64_t asked = asked_seeds(), seeds = asked > 0 ? asked : USUAL_SEEDS;
    printf("\nEqual drivers, a suite of %d tests with %d outcomes each, %u seeds:\n\n"
           "| variation | draws | batches | their sizes | false alarms of `compare` | failures of `gate` |\n"
           "| --- | --- | --- | --- | --- | --- |\n",
           SUITE, 4, (unsigned)seeds);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].when == IF_ASKED && asked == 0)
            continue;
        const struct tally tally = play(&rows[i], seeds);
        print_circumstances(&rows[i]);
        print_share(tally.alarmed, seeds);
        print_share(tally.verdicts[GATE_FAIL], seeds);
        printf("\n");
        assert_true(tally.alarmed <= most_of(seeds, 0.05));
        assert_true(tally.verdicts[GATE_FAIL] <= most_of(seeds, 0.05));
    }
}

static void print_situation(const struct row *row)
{
    switch (row->situation) {
    case RATE:
        printf("| rate times %.3g, %g witnesses in a batch ", row->ratio, row->mean);
        break;
    case LOST:
        printf("| lost outcome, %g in a batch before ", row->mean);
        break;
    case NEW:
        printf("| new outcome, %g in a batch ", row->mean);
        break;
    case FORBIDDEN:
        printf("| forbidden outcome, 1 in 1e9, 1e10 instances ");
        break;
    case HANG:
        printf("| hang ");
        break;
    case SCARCE:
        printf("| nothing, and too little data: %g sightings of a mutant ", row->mean * (double)row->batches);
        break;
    case EQUAL:
        break;
    }
}

static void test_planted_changes(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {FORBIDDEN, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 10, 1, 0.95, ALWAYS},
        {RATE, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 1000, 1.5, 0.95, IF_ASKED},
        {RATE, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 30, 1.5, 0.95, ALWAYS},
        {RATE, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 30, 1 / 1.5, 0.95, IF_ASKED},
        {RATE, 0.5, PLANTED_GAMMA, OTHER_DRAWS, 100, 1, 30, 1.5, 0.95, ALWAYS},
        {RATE, 0.5, PLANTED_GAMMA, OTHER_DRAWS, 100, 1, 30, 1 / 1.5, 0.95, IF_ASKED},
        {RATE, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 10, 1.5, 0, IF_ASKED},
        {RATE, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 3, 1.5, 0, IF_ASKED},
        {RATE, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 1, 1.5, 0, IF_ASKED},
        {RATE, 1, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 30, 1.5, 0, IF_ASKED},
        {RATE, 2, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 30, 1.5, 0, IF_ASKED},
        {RATE, 0.5, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 1, 30, 1.5, 0.95, ALWAYS},
        {RATE, 2, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 1, 30, 1.5, 0.95, IF_ASKED},
        {RATE, 2, PLANTED_GAMMA, EQUAL_DRAWS, 100, 1, 30, 1.5, 0.95, IF_ASKED},
        {RATE, 0.5, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 1, 3, 1.5, 0, IF_ASKED},
        {RATE, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 4, 30, 1.5, 0.95, IF_ASKED},
        {LOST, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 0.3, 1, 0.95, ALWAYS},
        {LOST, 2, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 1, 1, 0.95, IF_ASKED},
        {LOST, 0.5, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 1, 0.3, 1, 0.95, IF_ASKED},
        {NEW, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 0.3, 1, 0.95, ALWAYS},
        {NEW, 2, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 1, 1, 0.95, IF_ASKED},
        {NEW, 0.5, PLANTED_LOG_NORMAL, EQUAL_DRAWS, 100, 1, 0.3, 1, 0.95, IF_ASKED},
        {HANG, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 10, 1, 0.95, ALWAYS},
        {SCARCE, 0.5, PLANTED_LOG_NORMAL, OTHER_DRAWS, 100, 1, 0.03, 1, 0, ALWAYS},
    };
    const uint64_t asked = asked_seeds(), seeds = asked > 0 ? asked : USUAL_SEEDS;
    printf(
        "\nPlanted into one of %d tests, %u seeds:\n\n"
        "| planted | variation | draws | batches | their sizes | `compare` says so | `gate`: fail | `gate`: inconclusive | "
        "other alarms |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        SUITE, (unsigned)seeds);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        if (row->when == IF_ASKED && asked == 0)
            continue;
        const struct tally tally = play(row, seeds);
        print_situation(row);
        print_circumstances(row);
        print_share(tally.found, seeds);
        print_share(tally.verdicts[GATE_FAIL], seeds);
        print_share(tally.verdicts[GATE_INCONCLUSIVE], seeds);
        print_share(tally.alarmed, seeds);
        printf("\n");
        assert_true(row->power <= 0 || tally.found >= least_of(seeds, row->power));
        assert_true(row->power <= 0 || tally.verdicts[GATE_FAIL] >= tally.found);
        assert_true(tally.alarmed <= most_of(seeds, 0.05));
        if (row->situation == SCARCE)
            assert_true(tally.verdicts[GATE_INCONCLUSIVE] >= least_of(seeds, 0.95));
    }
}

int main(void)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* the rows take their time */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_equal_drivers),
        cmocka_unit_test(test_planted_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
