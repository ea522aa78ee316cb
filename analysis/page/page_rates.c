// SPDX-License-Identifier: Apache-2.0
/* The rates of all tests at a glance: a dot plot with a row for each test and a lane for each device and driver. */
#include <string.h>

#include "analysis/page/page_parts.h"
#include "analysis/page/plot.h"

/* Open: what fits on a screen. In all: enough for a family, so that a page of thousands of tests stays small. */
enum { OPEN_ROWS = 16, MOST_ROWS = 120 };

static enum plot_tone tone_of(enum page_mark mark)
{
    return mark <= PAGE_CLAIM                                                         ? PLOT_BAD
           : mark == PAGE_UNPROMISED || mark == PAGE_NOT_KEPT || mark == PAGE_GAVE_UP ? PLOT_DOUBT
                                                                                      : PLOT_PLAIN;
}

/* Columns of one device and driver, in whichever database, are one lane. */
static bool is_same_lane(const struct page_column *a, const struct page_column *b)
{
    return strcmp(a->backend, b->backend) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->device_uuid, b->device_uuid) == 0 && strcmp(a->platform, b->platform) == 0 &&
           strcmp(a->driver, b->driver) == 0;
}

struct lanes {
    size_t *of;    /* each column */
    size_t *first; /* the first column of each */
    size_t count;
};

static struct lanes find_lanes(const struct page *page, struct arena *arena)
{
    struct lanes lanes = {.of = arena_take(arena, page->column_count, sizeof *lanes.of),
                          .first = arena_take(arena, page->column_count, sizeof *lanes.first)};
    for (size_t i = 0; i < page->column_count; i++) {
        size_t at = 0;
        while (at < lanes.count && !is_same_lane(&page->columns[lanes.first[at]], &page->columns[i]))
            at++;
        if (at == lanes.count)
            lanes.first[lanes.count++] = i;
        lanes.of[i] = at;
    }
    return lanes;
}

/* "NVIDIA H100, cuda 580.1", with the database if another lane would have the same name. */
static const char *name_lane(const struct page *page, const struct lanes *lanes, size_t lane, struct arena *arena)
{
    const struct page_column *of = &page->columns[lanes->first[lane]];
    bool alone = true;
    for (size_t i = 0; i < lanes->count; i++) {
        const struct page_column *other = &page->columns[lanes->first[i]];
        alone &= i == lane || strcmp(other->device, of->device) != 0 || strcmp(other->backend, of->backend) != 0 ||
                 strcmp(other->driver, of->driver) != 0;
    }
    struct text name = {0};
    if (alone)
        text_add(&name, "%s, %s %s", of->device, of->backend, of->driver);
    else
        page_name_column(page, lanes->first[lane], &name);
    const char *kept = arena_copy(arena, text_string(&name));
    text_release(&name);
    return kept;
}

/* What a lane shows of a test: the runs of its gravest parts, added up. */
struct lane_sum {
    enum page_mark mark;
    struct page_run_counts runs;
    uint64_t counted;
};

static struct lane_sum sum_lane(const struct page_test *test, const struct lanes *lanes, size_t lane)
{
    struct lane_sum sum = {.mark = PAGE_NOTHING};
    for (size_t p = 0; p < test->part_count; p++)
        if (lanes->of[test->parts[p].column] == lane && test->parts[p].mark < sum.mark)
            sum.mark = test->parts[p].mark;
    for (size_t p = 0; p < test->part_count; p++) {
        /* A run that did not show what the gravest part shows is a run of the same kind. */
        struct page_part part = test->parts[p];
        if (lanes->of[part.column] != lane || !page_ran(part.mark))
            continue;
        part.mark = sum.mark;
        page_add_run_counts(&part, NULL, &sum.runs);
    }
    for (size_t i = 0; i < sum.runs.count; i++)
        sum.counted += sum.runs.counts[i].n;
    return sum;
}

static const char *describe(const char *name, const struct lane_sum *sum, const struct statistics_run_rate *rate,
                            struct arena *arena)
{
    const struct page_mark_words *words = &page_marks[sum->mark];
    struct text figures = {0};
    text_add(&figures, "%s: ", name);
    if (*words->glyph)
        text_add(&figures, "%s, ", words->result);
    if (rate->rate > 0)
        text_add(&figures, "%s per instance (%s), %zu %s", HTML_RATE(rate->rate), HTML_INTERVAL(rate->interval),
                 rate->runs, rate->runs == 1 ? "run" : "runs");
    else
        text_add(&figures, "not seen, %s per instance", HTML_RATE_OF(0, sum->counted));
    const char *kept = arena_copy(arena, text_string(&figures));
    text_release(&figures);
    return kept;
}

static struct plot_lane make_lane(const struct page_test *test, const struct lanes *lanes, size_t number,
                                  const char *name, struct arena *arena)
{
    struct lane_sum sum = sum_lane(test, lanes, number);
    struct statistics_run_rate rate;
    statistics_rate_over_runs(sum.runs.counts, sum.runs.count, STATISTICS_CONFIDENCE, &rate);
    double *values = arena_take(arena, sum.runs.count, sizeof *values);
    for (size_t i = 0; i < sum.runs.count; i++)
        values[i] = (double)sum.runs.counts[i].count / (double)sum.runs.counts[i].n;
    const struct plot_lane lane = {.runs = values,
                                   .run_count = sum.runs.count,
                                   .value = rate.rate,
                                   .low = rate.interval.low,
                                   .high = rate.rate > 0 ? rate.interval.high
                                                         : statistics_zero_bound(sum.counted, STATISTICS_CONFIDENCE),
                                   .tone = tone_of(sum.mark),
                                   .figures = describe(name, &sum, &rate, arena)};
    page_release_run_counts(&sum.runs);
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
static void make_rows(const struct page *page, const struct lanes *lanes, struct plot_dots *plot,
                      struct plot_dots_row *rows, struct arena *arena)
{
    for (size_t i = 0; i < page->ran_count && plot->row_count < MOST_ROWS; i++) {
        const struct page_test *test = page->by_gravity[i];
        struct plot_lane *row = arena_take(arena, lanes->count, sizeof *row);
        for (size_t lane = 0; lane < lanes->count && *test->condition; lane++)
            row[lane] = make_lane(test, lanes, lane, plot->lane_names[lane], arena);
        if (has_lane(row, lanes->count))
            rows[plot->row_count++] = (struct plot_dots_row){
                .label = page_has_namesake(page, test) ? arena_print(arena, "%s (%s)", test->name, test->dialect)
                                                       : test->name,
                .anchor = test->anchor,
                .lanes = row};
    }
}

void page_print_rates(const struct page *page, struct text *text)
{
    struct arena arena = {0};
    const struct lanes lanes = find_lanes(page, &arena);
    struct plot_dots_row *rows = arena_take(&arena, MOST_ROWS, sizeof *rows);
    const char **names = arena_take(&arena, lanes.count, sizeof *names);
    struct plot_dots plot = {.title = "How often each device and driver showed the outcome that a test asks for, per "
                                      "instance",
                             .lane_names = names,
                             .lane_count = lanes.count,
                             .rows = rows,
                             .open_rows = OPEN_ROWS};
    for (size_t i = 0; i < lanes.count; i++)
        names[i] = name_lane(page, &lanes, i, &arena);
    make_rows(page, &lanes, &plot, rows, &arena);
    if (plot.row_count > 0) {
        text_add(text, "<section id=rates>\n<h2>Rates by test</h2>\n");
        plot_print_dots(&plot, text);
        text_add(
            text,
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
