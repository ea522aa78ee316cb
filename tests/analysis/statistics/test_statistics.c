// SPDX-License-Identifier: Apache-2.0
/* Protects: intervals, rank tests and corrections agree with R to many digits, also at 3 in 1e9 and 5e11 in 1e12; a
 * test with ties counts every permutation; questions without an answer say so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/compare/compare.h"
#include "analysis/sides/side.h"
#include "analysis/statistics/statistics.h"

#ifndef ORCHIL_SOURCE_DIR
#define ORCHIL_SOURCE_DIR "."
#endif

enum { MAXIMUM_NUMBERS = 256 };
static const double values_size = 1e6; /* instances of each batch of a sample */

/* One line of r-values.txt. */
struct line {
    char name[32], sample[32];
    double numbers[MAXIMUM_NUMBERS];
    size_t count, arguments; /* of numbers; of those before the = */
};

static bool read_line(FILE *file, struct line *line)
{
    char text[8192], *rest = text;
    *line = (struct line){.count = 0};
    if (!fgets(text, sizeof text, file))
        return false;
    for (char *word = strsep(&rest, " \n"); word; word = strsep(&rest, " \n")) {
        char *end;
        const double number = strtod(word, &end);
        if (strcmp(word, "=") == 0)
            line->arguments = line->count;
        else if (*word && *end == '\0' && line->count < MAXIMUM_NUMBERS)
            line->numbers[line->count++] = number;
        else if (*word)
            (void)snprintf(line->name[0] ? line->sample : line->name, sizeof line->name, "%s", word);
    }
    return line->name[0] != '\0';
}

static void close_to(const struct line *line, double found, double expected, double precision)
{
    if (fabs(found - expected) > precision * fabs(expected))
        fail_msg("%s %s %.17g %.17g: found %.17g, R says %.17g", line->name, line->sample, line->numbers[0],
                 line->numbers[1], found, expected);
}

static void check_interval(const struct line *line, struct interval found)
{
    close_to(line, found.low, line->numbers[line->arguments], 1e-12);
    close_to(line, found.high, line->numbers[line->arguments + 1], 1e-12);
}

/* The two samples of a line: exact, sizes, counts of A and of B. */
static void check_test(const struct line *line, bool paired)
{
    struct statistics_batch batches[MAXIMUM_NUMBERS];
    struct statistics_test test;
    const size_t a = (size_t)line->numbers[1], b = (size_t)line->numbers[2];
    assert_int_equal(line->arguments, a + b + 3);
    for (size_t i = 0; i < a + b; i++)
        batches[i] = (struct statistics_batch){(uint64_t)line->numbers[3 + i], (uint64_t)values_size};
    const bool exact = line->numbers[0] > 0;
    if (paired) {
        test = statistics_compare_pairs(batches, batches + a, a, 1);
        assert_int_equal(test.method, exact ? STATISTICS_SIGNED_RANK_EXACT : STATISTICS_SIGNED_RANK_NORMAL);
        close_to(line, test.p, line->numbers[line->arguments], 1e-9);
        return;
    }
    test = statistics_compare(batches, a, batches + a, b, 1);
    if (exact || a + b > 40) { /* with ties R has no exact answer */
        assert_int_equal(test.method, exact ? STATISTICS_RANK_SUM_EXACT : STATISTICS_RANK_SUM_NORMAL);
        close_to(line, test.p, line->numbers[line->arguments], 1e-9);
    }
}

static void check_line(const struct line *line)
{
    const double *n = line->numbers;
    double p[MAXIMUM_NUMBERS];
    if (strcmp(line->name, "binomial") == 0)
        check_interval(line, statistics_binomial((uint64_t)n[0], (uint64_t)n[1], n[2]));
    else if (strcmp(line->name, "normal") == 0)
        close_to(line, statistics_normal_above(n[0]), n[1], 1e-13);
    else if (strcmp(line->name, "student-above") == 0)
        close_to(line, statistics_student_above(n[0], n[1]), n[2], 1e-11);
    else if (strcmp(line->name, "student-tail") == 0)
        close_to(line, statistics_student_tail(n[0], n[1]), n[2], 1e-11);
    else if (strcmp(line->name, "ranksum") == 0)
        check_test(line, false);
    else if (strcmp(line->name, "signedrank") == 0)
        check_test(line, true);
    else {
        const size_t count = (size_t)n[0];
        memcpy(p, n + 1, count * sizeof *p);
        const bool weighted = strcmp(line->name, "weighted-holm") == 0;
        assert_true(weighted || strcmp(line->name, "holm") == 0);
        statistics_holm(p, weighted ? n + 1 + count : NULL, count);
        for (size_t i = 0; i < count; i++)
            close_to(line, p[i], n[line->arguments + i], 1e-14);
    }
}

static void test_values_are_those_of_r(void **state)
{
    (void)state;
    FILE *file = fopen(ORCHIL_SOURCE_DIR "/tests/analysis/statistics/r-values.txt", "r");
    assert_non_null(file);
    struct line line;
    size_t lines = 0;
    for (; read_line(file, &line); lines++)
        check_line(&line);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(lines, 174);
}

/* ---- against every permutation, one by one ---- */

static double rank_of(const struct statistics_batch *batches, size_t count, size_t position)
{
    double rank = 0.5;
    for (size_t i = 0; i < count; i++)
        rank += batches[i].count < batches[position].count ? 1 : batches[i].count == batches[position].count ? 0.5 : 0;
    return rank;
}

static double p_by_enumeration(const struct statistics_batch *batches, size_t a, size_t b)
{
    double found = 0, below = 0, above = 0, all = 0;
    for (size_t i = a; i < a + b; i++)
        found += rank_of(batches, a + b, i);
    for (unsigned set = 0; set < 1U << (a + b); set++) {
        if ((size_t)__builtin_popcount(set) != b)
            continue;
        double sum = 0;
        for (size_t i = 0; i < a + b; i++)
            sum += set >> i & 1 ? rank_of(batches, a + b, i) : 0;
        all++;
        below += sum <= found + 1e-9 ? 1 : 0;
        above += sum >= found - 1e-9 ? 1 : 0;
    }
    return fmin(1, 2 * fmin(below, above) / all);
}

static void test_ties_are_counted_exactly(void **state)
{
    (void)state;
    static const uint64_t counts[][12] = {{0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 1, 2},
                                          {5, 5, 5, 5, 1, 2, 9, 5, 5, 9, 9, 8},
                                          {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0},
                                          {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8},
                                          {7, 7, 7, 7, 7, 7, 2, 2, 1, 7, 7, 0}};
    for (size_t sample = 0; sample < sizeof counts / sizeof *counts; sample++) {
        for (size_t a = 1; a < 12; a++) {
            struct statistics_batch batches[12];
            struct statistics_test test;
            for (size_t i = 0; i < 12; i++)
                batches[i] = (struct statistics_batch){counts[sample][i], 1000};
            test = statistics_compare(batches, a, batches + a, 12 - a, 1);
            assert_int_equal(test.method, STATISTICS_RANK_SUM_EXACT);
            assert_true(fabs(test.p - p_by_enumeration(batches, a, 12 - a)) < 1e-12);
            assert_true(test.smallest_p <= test.p);
        }
    }
}

static void test_signs_of_tied_pairs_are_counted_exactly(void **state)
{
    (void)state;
    /* Seven pairs of 0 and 1, one of them the other way round: 1 or 0 of 7 signs, on two sides. */
    struct statistics_batch a[9] = {{1, 1000}}, b[9] = {{0, 1000}};
    struct statistics_test test;
    for (size_t i = 1; i < 7; i++) {
        a[i] = (struct statistics_batch){0, 1000};
        b[i] = (struct statistics_batch){1, 1000};
    }
    a[7] = a[8] = b[7] = b[8] = (struct statistics_batch){4, 1000};
    test = statistics_compare_pairs(a, b, 9, 1);
    assert_int_equal(test.method, STATISTICS_SIGNED_RANK_EXACT);
    assert_true(fabs(test.p - 2 * 8 / 128.0) < 1e-12);
}

/* ---- the rest ---- */

static void test_nothing_to_test_is_said(void **state)
{
    (void)state;
    const struct statistics_batch none[4] = {{0, 10}, {0, 10}, {0, 10}, {0, 10}}, some[4] = {{1, 10}, {2, 10}, {1, 10}};
    struct statistics_test test;
    test = statistics_compare(none, 4, none, 4, 1);
    assert_int_equal(test.method, STATISTICS_NONE);
    assert_true(test.p >= 1);
    test = statistics_compare(some, 0, some, 3, 1);
    assert_int_equal(test.method, STATISTICS_NONE);
    test = statistics_compare_pairs(some, some, 3, 1);
    assert_int_equal(test.method, STATISTICS_NONE);
    assert_true(isnan(statistics_rate_ratio(none, 4, none, 4, false, 0.95).ratio));
    const struct statistics_ratio new_one = statistics_rate_ratio(none, 3, some, 3, false, 0.95);
    assert_true(isinf(new_one.ratio) && isinf(new_one.interval.high) && new_one.interval.low > 0);
    const struct statistics_ratio few = statistics_rate_ratio(some, 2, some, 2, false, 0.95);
    assert_true(few.interval.low <= 0 && isinf(few.interval.high));
    assert_true(statistics_binomial(0, 0, 0.95).high >= 1);
    assert_true(statistics_zero_bound(0, 0.95) >= 1);
}

static void test_published_figures(void **state)
{
    (void)state;
    assert_true(fabs(statistics_zero_bound(1000000, 0.95) - 2.9957e-6) < 1e-9);
    assert_true(fabs(statistics_count_for(0.99999) - 11.5129) < 1e-4);
}

/* The rate is the same, the batches of b are ten times as large: a rank test of raw rates would call that a change. */
static void test_unequal_batches_are_thinned(void **state)
{
    (void)state;
    struct statistics_batch a[400], b[400];
    struct statistics_test test, again;
    for (size_t i = 0; i < 400; i++) {
        a[i] = (struct statistics_batch){i % 10 == 0, 1000};
        b[i] = (struct statistics_batch){1, 10000};
    }
    test = statistics_compare(a, 400, b, 400, 7);
    again = statistics_compare(a, 400, b, 400, 7);
    assert_true(test.p > 0.001);
    assert_memory_equal(&test.p, &again.p, sizeof test.p); /* the same bits */
    test = statistics_compare_pairs(a, b, 400, 7);
    assert_true(test.p > 0.001);
    for (size_t i = 0; i < 400; i++) /* ten times the rate is seen through the thinning */
        b[i].count = 10;
    test = statistics_compare(a, 400, b, 400, 7);
    assert_true(test.p < 1e-6);
    for (size_t i = 0; i < 400; i++) { /* also with counts for which the normal approximation is used */
        a[i].count = 300 + i % 7;
        b[i].count = 2995 + i % 70;
    }
    test = statistics_compare(a, 400, b, 400, 7);
    assert_true(test.p > 0.001);
}

/* Batches of 1,000,000 instances against batches of 1,000,001, with the same counts, say nothing: p was 1e-131. */
static void test_a_trifle_in_size_breaks_no_tie(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static struct statistics_batch a[COUNT], b[COUNT];
    struct statistics_test test;
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = (struct statistics_batch){i % 5, 1000000};
        b[i] = (struct statistics_batch){i % 5, 1000001};
    }
    test = statistics_compare(a, COUNT, b, COUNT, 1);
    assert_true(test.p > 0.9);
    test = statistics_compare_pairs(a, b, COUNT, 1);
    assert_int_equal(test.method, STATISTICS_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_those_of_r),
        cmocka_unit_test(test_ties_are_counted_exactly),
        cmocka_unit_test(test_signs_of_tied_pairs_are_counted_exactly),
        cmocka_unit_test(test_nothing_to_test_is_said),
        cmocka_unit_test(test_published_figures),
        cmocka_unit_test(test_unequal_batches_are_thinned),
        cmocka_unit_test(test_a_trifle_in_size_breaks_no_tie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
