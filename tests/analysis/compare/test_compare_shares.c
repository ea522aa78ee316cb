// SPDX-License-Identifier: Apache-2.0
/* Protects: the share of the void instances and the time of an instance are compared between runs, also where a side
 * counted nothing; a few void instances, a time within its tolerance and one that is mostly the launch's decide
 * nothing; batches that were launched with other arguments are other draws. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/analysis/planted/planted.h"

enum { TESTS = 4, BATCHES = 40, INSTANCES = 100000 };

/* One row: two sides of which only the first test differs, and what is said of it. */
struct row {
    const char *what;
    int64_t runs[SIDES];
    double counted[SIDES], voids[SIDES]; /* instances of a batch, of the first test */
    double seconds[SIDES];               /* of a batch, of all tests in A and of the first in B */
    const char *line, *severity;         /* of the only finding; NULL: none is listed */
};

static const struct row rows[] = {
    {"all void", {3, 3}, {1e5, 0}, {0, 1e5}, {0, 0}, "T0  void instances (gave_up): 0 -> 100 %", "CHANGED"},
    {"all void before", {3, 3}, {0, 1e5}, {1e5, 0}, {0, 0}, "T0  void instances (gave_up): 100 % -> 0", "CHANGED"},
    {"nearly all void", {3, 3}, {1e5, 1}, {0, 99999}, {0, 0}, "T0  void instances (gave_up): 0 -> 99.999 %", "CHANGED"},
    {"more void",
     {3, 3},
     {90000, 10000},
     {10000, 90000},
     {0, 0},
     "T0  void instances (gave_up): 9.99 % -> 90 %",
     "CHANGED"},
    {"alike void", {3, 3}, {70000, 70000}, {30000, 30000}, {0, 0}, NULL, NULL},
    {"a few void", {3, 3}, {99950, 1e5}, {50, 0}, {0, 0}, NULL, NULL},
    {"a few more void", {3, 3}, {99999, 99950}, {1, 50}, {0, 0}, NULL, NULL},
    {"one run each", {1, 1}, {1e5, 0}, {0, 1e5}, {0, 0}, "T0  void instances (gave_up): 0 -> 100 %", "UNCONFIRMED"},
    {"slower", {3, 3}, {1e5, 1e5}, {0, 0}, {0.01, 0.03}, "T0  time per instance x3", "CHANGED"},
    {"faster", {3, 3}, {1e5, 1e5}, {0, 0}, {0.1, 0.01}, "T0  time per instance x0.1", "CHANGED"},
    {"slower than a launch", {3, 3}, {1e5, 1e5}, {0, 0}, {0, 0.03}, "T0  time per instance x", "CHANGED"},
    {"within the tolerance", {3, 3}, {1e5, 1e5}, {0, 0}, {0.01, 0.017}, NULL, NULL},
    {"one slow run", {1, 1}, {1e5, 1e5}, {0, 0}, {0.01, 0.3}, NULL, NULL},
    {"launches, of larger batches", {3, 3}, {1e5, 2e6}, {0, 0}, {0, 0}, NULL, NULL},
    {"launches, of smaller batches", {3, 3}, {1e5, 1000}, {0, 0}, {0.01, 0}, NULL, NULL},
};

static void plant(struct side *side, int which, const struct row *row, uint64_t arguments)
{
    static const char *const names[TESTS] = {"T0", "T1", "T2", "T3"};
    *side = planted_side(which == SIDE_B ? "2" : "1");
    for (int64_t run = 1; run <= row->runs[which]; run++) {
        for (size_t i = 0; i < TESTS; i++) {
            const struct planted_test test = {.name = names[i],
                                              .rate = 0.001,
                                              .batches = BATCHES,
                                              .instances = i == 0 ? (uint64_t)row->counted[which] : INSTANCES,
                                              .voids = i == 0 ? row->voids[which] : 0,
                                              .batch_seconds = row->seconds[i == 0 ? which : SIDE_A],
                                              .arguments = arguments,
                                              .draws = 5 + i,
                                              .noise = (uint64_t)(100 * run + 1000 * which) + i,
                                              .run = run};
            planted_add(side, which == SIDE_B ? "2" : "1", &test);
        }
    }
}

static bool is_of_shares(const struct finding *finding)
{
    return finding->kind == FINDING_VOIDS || finding->kind == FINDING_TIME;
}

/* The line and the severity of the only finding about shares; false where it is not as the row says. */
static bool says_row(const struct row *row, const struct comparison *comparison)
{
    struct document said;
    struct text line = {0}, json = {0};
    const struct finding *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < comparison->finding_count; i++) {
        found = is_of_shares(&comparison->findings[i]) ? &comparison->findings[i] : found;
        count += is_of_shares(&comparison->findings[i]);
    }
    if (found)
        compare_line(comparison, found, &line);
    const bool right = row->line ? found && count == 1 && strcmp(compare_severity(found), row->severity) == 0 &&
                                       strncmp(text_string(&line), row->line, strlen(row->line)) == 0
                                 : !found;
    if (!right)
        print_message("%s: %zu findings, '%s'\n", row->what, count, text_string(&line));
    compare_document(comparison, true, &said);
    document_print_text(&said, &json);
    compare_print_json(comparison, &json);
    compare_print_page(comparison, &said, NULL, &json);
    document_release(&said);
    text_release(&json);
    text_release(&line);
    return right;
}

static void test_rows(void **state)
{
    (void)state;
    bool all_right = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct compare_options options = {COMPARE_USUAL};
        struct side a, b;
        struct comparison comparison;
        plant(&a, SIDE_A, &rows[i], 1);
        plant(&b, SIDE_B, &rows[i], 1);
        compare_sides(&a, &b, &options, &comparison);
        all_right &= says_row(&rows[i], &comparison);
        size_t outcomes = 0, results = 0;
        for (size_t p = 0; p < comparison.pair_count; p++)
            outcomes += comparison.pairs[p].rate_count;
        for (size_t r = 0; r < RATE_RESULT_COUNT; r++)
            results += comparison.results[r];
        assert_int_equal(results, outcomes);
        comparison_release(&comparison);
        side_release(&a);
        side_release(&b);
    }
    assert_true(all_right);
}

static void test_words(void **state)
{
    (void)state;
    static const struct row slower = {"", {3, 3}, {1e5, 1e5}, {0, 1e5}, {0.005, 0.05}, NULL, NULL};
    const struct compare_options options = {COMPARE_USUAL};
    struct side a, b;
    struct comparison comparison;
    struct text text = {0};
    plant(&a, SIDE_A, &slower, 1);
    plant(&b, SIDE_B, &slower, 1);
    compare_sides(&a, &b, &options, &comparison);
    compare_print_answer(&comparison, &text);
    assert_string_equal(text_string(&text), "2 changes in 4 tests");
    text_clear(&text);
    for (size_t i = 0; i < comparison.finding_count; i++) {
        compare_line(&comparison, &comparison.findings[i], &text);
        text_add(&text, "\n");
        compare_describe(&comparison, &comparison.findings[i], &text);
        text_add(&text, "\n");
    }
    printf("%s", text_string(&text));
    assert_non_null(strstr(text_string(&text), "T0  time per instance x5"));
    assert_non_null(strstr(text_string(&text), ")  50 ns -> 25"));
    assert_non_null(
        strstr(text_string(&text), "T0  void instances (gave_up): 0 -> 50 %; 3 against 3 runs, draw by draw; p = "));
    text_release(&text);
    comparison_release(&comparison);
    side_release(&a);
    side_release(&b);
}

static void test_other_arguments(void **state)
{
    (void)state;
    static const struct row alike = {"", {3, 3}, {1e5, 1e5}, {0, 0}, {0, 0}, NULL, NULL};
    for (uint64_t arguments = 1; arguments < 1002; arguments += 1000) {
        const struct compare_options options = {COMPARE_USUAL};
        struct side a, b;
        struct comparison comparison;
        plant(&a, SIDE_A, &alike, 1);
        plant(&b, SIDE_B, &alike, arguments);
        compare_sides(&a, &b, &options, &comparison);
        for (size_t i = 0; i < comparison.pair_count; i++) {
            assert_int_equal(comparison.pairs[i].equal_draws, arguments == 1 ? BATCHES : 0);
            assert_int_equal(comparison.pairs[i].paired, arguments == 1);
            assert_true(arguments == 1 || !comparison.pairs[i].rates[0].measure.paired);
        }
        comparison_release(&comparison);
        side_release(&a);
        side_release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_other_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
