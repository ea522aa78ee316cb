// SPDX-License-Identifier: Apache-2.0
/* The rates of all tests at a glance: a dot plot with a row for each test and a lane for each device and driver. */
#include <string.h>

#include "analysis/page/page_parts.h"
#include "analysis/page/plot.h"

/* Open: what fits on a screen. In all: enough for a family, so that a page of thousands of tests stays small. */
enum { OPEN_ROWS = 16, MOST_ROWS = 120 };

static enum plot_tone tone_of(enum page_mark mark)
{
    return mark <= PAGE_CLAIM                                                               ? PLOT_BAD
           : mark == PAGE_UNPROMISED || mark == PAGE_NOT_KEPT || mark == PAGE_GAVE_UP ? PLOT_DOUBT
                                                                                            : PLOT_PLAIN;
}

static void add_figures(const struct page *page, size_t column, const struct page_sum *sum,
                        const struct statistics_run_rate *rate, uint64_t counted, struct text *figures)
{
    const struct page_mark_words *words = &page_marks[sum->mark];
    page_name_column(page, column, figures);
    text_add(figures, ": ");
    if (*words->glyph)
        text_add(figures, "%s, ", words->result);
    if (rate->rate > 0)
        text_add(figures, "%s per instance (%s), %zu %s", HTML_RATE(rate->rate), HTML_INTERVAL(rate->interval),
                 rate->runs, rate->runs == 1 ? "run" : "runs");
    else
        text_add(figures, "not seen, %s per instance", HTML_RATE_OF(0, counted));
}

static struct plot_lane make_lane(const struct page *page, const struct page_test *test, size_t column,
                                  struct arena *arena)
{
    struct page_run_counts runs = {0};
    struct text figures = {0};
    const struct page_sum sum = page_sum_of(test, column);
    struct statistics_run_rate rate;
    uint64_t counted = 0;
    page_list_runs_in(test, column, &runs);
    statistics_rate_over_runs(runs.counts, runs.count, STATISTICS_CONFIDENCE, &rate);
    double *values = arena_take(arena, runs.count, sizeof *values);
    for (size_t i = 0; i < runs.count; i++) {
        values[i] = (double)runs.counts[i].count / (double)runs.counts[i].n;
        counted += runs.counts[i].n;
    }
    add_figures(page, column, &sum, &rate, counted, &figures);
    const struct plot_lane lane = {
        .runs = values,
        .run_count = runs.count,
        .value = rate.rate,
        .low = rate.interval.low,
        .high = rate.rate > 0 ? rate.interval.high : statistics_zero_bound(counted, STATISTICS_CONFIDENCE),
        .tone = tone_of(sum.mark),
        .figures = arena_copy(arena, text_string(&figures))};
    page_release_run_counts(&runs);
    text_release(&figures);
    return lane;
}

static bool has_lane(const struct plot_lane *lanes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (lanes[i].run_count > 0)
            return true;
    return false;
}

/* A row for each of the tests with counts and a witness, in the page's order: bad results first. */
static void make_rows(const struct page *page, struct plot_dots *plot, struct plot_dots_row *rows, struct arena *arena)
{
    for (size_t i = 0; i < page->ran_count && plot->row_count < MOST_ROWS; i++) {
        const struct page_test *test = page->by_gravity[i];
        struct plot_lane *lanes = arena_take(arena, page->column_count, sizeof *lanes);
        for (size_t column = 0; column < page->column_count && *test->condition; column++)
            lanes[column] = make_lane(page, test, column, arena);
        if (has_lane(lanes, page->column_count))
            rows[plot->row_count++] =
                (struct plot_dots_row){.label = test->name, .anchor = test->anchor, .lanes = lanes};
    }
}

void page_print_rates(const struct page *page, struct text *text)
{
    struct arena arena = {0};
    struct plot_dots_row *rows = arena_take(&arena, MOST_ROWS, sizeof *rows);
    const char **names = arena_take(&arena, page->column_count, sizeof *names);
    struct plot_dots plot = {.title = "How often each device and driver showed the outcome that a test asks for, per "
                                      "instance",
                             .lane_names = names,
                             .lane_count = page->column_count,
                             .rows = rows,
                             .open_rows = OPEN_ROWS};
    for (size_t i = 0; i < page->column_count; i++) {
        struct text name = {0};
        page_name_column(page, i, &name);
        names[i] = arena_copy(&arena, text_string(&name));
        text_release(&name);
    }
    make_rows(page, &plot, rows, &arena);
    if (plot.row_count > 0) {
        text_add(text, "<section id=rates>\n<h2>Rates by test</h2>\n");
        plot_print_dots(&plot, text);
        text_add(text,
                 "<p class=dim>The axis is logarithmic and ends at 1. A filled sign is the rate of a typical run, the "
                 "line its 95 %% interval, and a faint dot one run. With one run, the sign has a hole: the interval is "
                 "from counting alone, and the spread between runs is unknown. An empty sign with an arrow: not seen, so "
                 "the rate is below it.</p>\n");
        if (plot.row_count == MOST_ROWS && page->ran_count > MOST_ROWS)
            text_add(text, "<p>The heat map has all %zu tests.</p>\n", page->ran_count);
        text_add(text, "</section>\n");
    }
    arena_release(&arena);
}
