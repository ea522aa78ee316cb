// SPDX-License-Identifier: Apache-2.0
/* Plots: points are at their values, open ends are arrows, and no text of any origin becomes markup. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/page/plot.h"

#define HOSTILE "</svg><script>1</script>\"'&\x1b\xe2\x80\xae\xff"
#define ESCAPED "&lt;/svg&gt;&lt;script&gt;1&lt;/script&gt;&quot;&#39;&amp;[0x1b][U+202E][0xff]"

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, what)); at++)
        count++;
    return count;
}

static char *print_intervals(const struct plot_intervals *plot)
{
    struct text text = {0};
    plot_print_intervals(plot, &text);
    char *taken = text_take(&text);
    assert_non_null(taken);
    return taken;
}

static char *print_series(const struct plot_series *plot)
{
    struct text text = {0};
    plot_print_series(plot, &text);
    char *taken = text_take(&text);
    assert_non_null(taken);
    return taken;
}

/* The number after a name, from a place on. */
static double number_after(const char *at, const char *name)
{
    const char *found = at ? strstr(at, name) : NULL;
    assert_non_null(found);
    found += strlen(name);
    return strtod(found + (*found == '"'), NULL);
}

/* Protects: the middle of an axis is the geometric mean, equal factors are equal distances, and the line and the band
 * are on the same axis as the points. */
static void test_places_are_logarithms(void **state)
{
    (void)state;
    const struct plot_row rows[] = {{.label = "low", .figures = "x0.1", .value = 0.1, .low = 0.1, .high = 0.1},
                                    {.label = "one", .figures = "x1", .value = 1, .low = 1, .high = 1},
                                    {.label = "high", .figures = "x10", .value = 10, .low = 10, .high = 10}};
    char *plot = print_intervals(&(struct plot_intervals){
        .title = "t", .rows = rows, .row_count = 3, .reference = 1, .band_low = 0.5, .band_high = 2});
    const char *low = strstr(plot, "x0.1<"), *one = strstr(plot, "x1<"), *high = strstr(plot, "x10<");
    const double at_low = number_after(low, "<circle cx="), at_one = number_after(one, "<circle cx="),
                 at_high = number_after(high, "<circle cx=");
    assert_true(fabs(at_one - 50) < 0.01);
    assert_true(fabs((at_one - at_low) - (at_high - at_one)) < 0.02);
    assert_true(at_low > 2 && at_high < 98);
    assert_true(fabs(number_after(plot, "<line class=pline x1=") - at_one) < 0.01);
    const double from = number_after(plot, "<rect class=pband x="), width = number_after(plot, " width=");
    assert_true(fabs(from + width / 2 - at_one) < 0.02);
    assert_true(fabs(width - (at_high - at_low) * log10(2.0)) < 0.02);
    assert_int_equal(count_of(plot, "<rect class=pband"), 3);
    assert_non_null(strstr(plot, ">0.1</text>"));
    free(plot);
}

/* Protects: an end that is 0 or infinite is an arrow at the edge, not a bar, and stretches no axis; a value that is 0
 * or infinite has no point. */
static void test_open_ends_are_arrows(void **state)
{
    (void)state;
    static const char left[] = "M7 -5L0 0L7 5", right[] = "M-7 -5L0 0L-7 5", bar[] = "M0 -5V5";
    static const struct {
        double value, low, high;
        size_t left, right, bars, points;
    } cases[] = {{2, 1, 4, 0, 0, 2, 1},
                 {0, 0, 4, 1, 0, 1, 0},
                 {INFINITY, 2, INFINITY, 0, 1, 1, 0},
                 {NAN, 0, INFINITY, 1, 1, 0, 0},
                 {2, NAN, INFINITY, 1, 1, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct plot_row row = {
            .label = "r", .figures = "", .value = cases[i].value, .low = cases[i].low, .high = cases[i].high};
        char *plot = print_intervals(&(struct plot_intervals){.title = "t", .rows = &row, .row_count = 1});
        assert_int_equal(count_of(plot, left), cases[i].left);
        assert_int_equal(count_of(plot, right), cases[i].right);
        assert_int_equal(count_of(plot, bar), cases[i].bars);
        assert_int_equal(count_of(plot, "<circle"), cases[i].points);
        assert_null(strstr(plot, "nan"));
        assert_null(strstr(plot, "inf"));
        free(plot);
    }
}

/* Protects: names of tests and devices stay text in labels, in attributes and in titles; equal plots give equal
 * bytes. */
static void test_texts_stay_text(void **state)
{
    (void)state;
    const struct plot_row row = {HOSTILE, "ptx-SB", HOSTILE, 1, 0.5, 2, PLOT_BAD};
    const struct plot_intervals intervals = {.title = HOSTILE, .rows = &row, .row_count = 1, .reference = 1};
    const struct plot_point point = {
        .value = 1, .low = 0.5, .high = 2, .name = HOSTILE, .hover = HOSTILE, .outside = true, .ringed = true};
    const struct plot_mark mark = {0, HOSTILE};
    const struct plot_series series = {
        .title = HOSTILE, .points = &point, .point_count = 1, .marks = &mark, .mark_count = 1};
    char *first = print_intervals(&intervals), *second = print_series(&series);
    assert_int_equal(count_of(first, ESCAPED), 6); /* caption, link, name, title twice, figures */
    assert_int_equal(count_of(second, ESCAPED), 7);
    char *const plots[] = {first, second};
    for (size_t i = 0; i < 2; i++) {
        assert_null(strstr(plots[i], "<script"));
        assert_null(strstr(plots[i], "style="));
        for (const char *at = plots[i]; *at; at++)
            assert_true((unsigned char)*at >= ' ' || *at == '\n');
        assert_null(strchr(plots[i], '\xff'));
        assert_int_equal(count_of(plots[i], "<svg"), count_of(plots[i], "</svg>"));
    }
    char *again = print_intervals(&intervals), *again_series = print_series(&series);
    assert_string_equal(first, again);
    assert_string_equal(second, again_series);
    free(first);
    free(second);
    free(again);
    free(again_series);
}

enum { RUNS = 9 };

/* Protects: greater is higher, later is further right, the point where a change begins has the only ring and is named
 * in the alternative text, whichever point was outside first, a point leads to its run, and a mark is between its two
 * points. */
static void test_series(void **state)
{
    (void)state;
    struct plot_point points[RUNS];
    for (size_t i = 0; i < RUNS; i++)
        points[i] = (struct plot_point){
            .value = 1,
            .low = 0.9,
            .high = 1.1,
            .name = (const char *const[RUNS]){"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"}[i],
            .hover = "inside"};
    points[5] = (struct plot_point){
        .value = 2, .low = 1.8, .high = 2.2, .name = "n5", .hover = "five", .outside = true, .ringed = true};
    points[6] = (struct plot_point){
        .value = 4, .low = 3.6, .high = INFINITY, .name = "n6", .hover = "six", .anchor = "run-1-7", .outside = true};
    points[2].outside = true;
    const struct plot_mark marks[] = {{2, "driver 1"}, {5, "driver 2 with a name that is far too long to stand there"}};
    char *plot = print_series(&(struct plot_series){.title = "t",
                                                    .points = points,
                                                    .point_count = RUNS,
                                                    .band_low = 0.8,
                                                    .band_high = 1.25,
                                                    .marks = marks,
                                                    .mark_count = 2,
                                                    .anchor = "series-1"});
    const char *four = strstr(plot, "<title>five"), *six = strstr(plot, "<title>six");
    assert_true(number_after(four, " cy=") > number_after(six, " cy="));
    assert_true(number_after(four, "<circle cx=") < number_after(six, "<circle cx="));
    assert_int_equal(count_of(plot, "pring"), 1);
    assert_true(strstr(plot, "pring") > four && strstr(plot, "pring") < six);
    assert_int_equal(count_of(plot, "<g class=pbad>"), 3);
    assert_non_null(strstr(plot, "aria-label=\"t; with a ring: five\""));
    assert_non_null(strstr(plot, "<figure class=plot id=\"series-1\">"));
    assert_non_null(strstr(plot, "<a href=\"#run-1-7\"><g class=pbad><title>six"));
    assert_int_equal(count_of(plot, "<a "), count_of(plot, "</a>"));
    const char *second = strstr(plot, "<title>driver 2");
    const double mark = number_after(second, "<line class=pmarkline x1=");
    const double step = number_after(six, "<circle cx=") - number_after(four, "<circle cx=");
    assert_true(fabs(mark - (number_after(four, "<circle cx=") - step / 2)) < 0.02);
    assert_non_null(strstr(second, ">driver 2 with a name tha\u2026</text>"));
    assert_non_null(strstr(plot, ">driver 1</text>"));
    assert_non_null(strstr(plot, ">n0</text>"));
    assert_non_null(strstr(plot, ">n8</text>"));
    assert_int_equal(count_of(plot, "<rect class=pband"), 1);
    free(plot);
}

/* Protects: labels of marks that are close together get separate lines, and those beyond the last line are left out
 * instead of overlapping. */
static void test_labels_do_not_overlap(void **state)
{
    (void)state;
    struct plot_point points[RUNS];
    struct plot_mark marks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        points[i] = (struct plot_point){.value = 1, .low = 0.9, .high = 1.1, .name = "n", .hover = "t"};
        marks[i] = (struct plot_mark){i, "driver 555.55.55"};
    }
    char *plot = print_series(
        &(struct plot_series){.title = "t", .points = points, .point_count = RUNS, .marks = marks, .mark_count = RUNS});
    double ends[8] = {0};
    size_t labels = 0;
    for (const char *at = plot; (at = strstr(at, "<text class=pmark ")); at++, labels++) {
        const double place = number_after(at, "x=");
        const size_t line = (size_t)(number_after(at, " y=") / 15);
        const bool left = strncmp(strstr(at, "anchor="), "anchor=end", 10) == 0;
        assert_true(line < 4);
        assert_true(place - (left ? 32 : 0) >= ends[line]);
        ends[line] = place + (left ? 0 : 32);
    }
    assert_true(labels >= 4 && labels < RUNS);
    assert_int_equal(count_of(plot, "pmarkline"), RUNS);
    free(plot);
}

/* Protects: an axis has a few readable ticks, whatever the range. */
static void test_ticks(void **state)
{
    (void)state;
    static const double ranges[][2] = {{1e-300, 1e300}, {1e-12, 1}, {0.999, 1.001},
                                       {1e-5, 3e-5},    {0.4, 3},   {5e-7, 5e-7}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const struct plot_row row = {
            .label = "r", .figures = "", .value = ranges[i][0], .low = ranges[i][0], .high = ranges[i][1]};
        char *plot = print_intervals(&(struct plot_intervals){.title = "t", .rows = &row, .row_count = 1});
        const size_t ticks = count_of(plot, "text-anchor=middle");
        assert_true(ticks >= 1 && ticks <= 8);
        assert_null(strstr(plot, "e-0"));
        assert_null(strstr(plot, "e+"));
        free(plot);
    }
    const struct plot_row row = {.label = "r", .figures = "", .value = 1.5e-5, .low = 1e-5, .high = 3e-5};
    char *plot = print_intervals(&(struct plot_intervals){.title = "t", .rows = &row, .row_count = 1});
    assert_non_null(strstr(plot, ">1.5e-5</text>"));
    free(plot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_are_logarithms), cmocka_unit_test(test_open_ends_are_arrows),
        cmocka_unit_test(test_texts_stay_text),       cmocka_unit_test(test_series),
        cmocka_unit_test(test_labels_do_not_overlap), cmocka_unit_test(test_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
