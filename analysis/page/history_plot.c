// SPDX-License-Identifier: Apache-2.0
/* The pictures of a history: a strip of runs by tests, and the plot of a series, which has its runs by date, the band of
 * what was expected, and rings where something began. */
#include "analysis/page/history_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/history/history_parts.h"
#include "analysis/page/html.h"
#include "analysis/page/plot.h"
#include "base/memory.h"
#include "base/quantity.h"

/* ---- a strip of runs by tests: one cell for each night and test, so that a step is a column of signs ---- */

enum { MOST_RUNS = 120, MOST_TESTS = 200 };

/* What a test showed in a run of a device. */
struct cell {
    bool ran, fails;
    uint64_t count, counted;
    double ratio; /* to the rate before the first step; 0: not known */
    bool sure;    /* its interval does not include that rate */
    bool outside; /* of the band before a step */
};

static void add_series(const struct history_series *series, size_t point, struct cell *cell)
{
    const struct history_point *of = &series->points[point];
    cell->fails |= series->ruling.fails && of->count > 0;
    if (!series->witness && !(series->ruling.fails && of->count > 0))
        return;
    cell->count += of->count;
    cell->outside |= of->outside;
    if (of->count == 0 || series->part_count == 0 || !(series->parts->rate > 0))
        return;
    cell->ratio = of->rate / series->parts->rate;
    cell->sure = series->parts->rate < of->interval.low || series->parts->rate > of->interval.high;
}

static struct cell cell_of(const struct history_test *test, size_t device_run)
{
    struct cell cell = {.ran = false};
    for (size_t i = 0; i < test->segment_count; i++) {
        const struct history_segment *segment = test->segments[i];
        for (size_t r = 0; r < segment->run_count; r++) {
            if (segment->device_runs[r] != device_run)
                continue;
            cell.ran = true;
            for (size_t b = 0; b < segment->runs[r].batch_count; b++)
                cell.counted += segment->runs[r].sizes[b];
            for (size_t s = 0; s < segment->series_count; s++)
                add_series(&segment->series[s], r, &cell);
        }
    }
    return cell;
}

/* The colour: three steps up and three down, by a factor of 1.25, 2 and 4; none if counting alone explains the difference. */
static size_t step_of(const struct cell *cell)
{
    const double factor = cell->sure ? fabs(log2(cell->ratio)) : 0;
    return factor > 2 ? 3 : factor > 1 ? 2 : factor > 0.32 ? 1 : 0;
}

static const char *class_of(const struct cell *cell)
{
    static const char *const up[] = {"s0", "u1", "u2", "u3"}, *const down[] = {"s0", "d1", "d2", "d3"};
    if (!cell->ran)
        return "sn";
    if (cell->fails)
        return "kx";
    if (cell->count == 0 || !(cell->ratio > 0))
        return "sz";
    return cell->ratio > 1 ? up[step_of(cell)] : down[step_of(cell)];
}

static const char *sign_of(const struct cell *cell)
{
    return cell->fails                            ? "\u2716"
           : !cell->ran                           ? ""
           : cell->count == 0                     ? "\u00b7"
           : !cell->outside || step_of(cell) == 0 ? ""
           : cell->ratio > 1                      ? "\u25b2"
                                                  : "\u25bc";
}

static void print_cell(const struct history *history, const struct history_device *device,
                       const struct history_test *test, size_t device_run, struct text *text)
{
    const struct cell cell = cell_of(test, device_run);
    struct text run = {0};
    html_add(text, "<td class=$", class_of(&cell));
    if (cell.ran) {
        history_add_run(history, device, device_run, &run);
        html_add(text, " title=\"run $: $ per instance$\"", text_string(&run), HTML_RATE_OF(cell.count, cell.counted),
                 cell.fails ? ", must never appear" : "");
        text_release(&run);
    }
    html_add(text, ">$", sign_of(&cell));
}

/* The plot of a test, if it has one. */
static size_t find_plot(const struct history_plots *plots, const struct history_test *test)
{
    size_t number = 0;
    while (number < plots->count && plots->list[number].series->segment->test != test)
        number++;
    return number;
}

static void print_test(const struct history_plots *plots, const struct history_device *device,
                       const struct history_test *test, size_t first, struct text *text)
{
    const size_t plot = find_plot(plots, test);
    text_add(text, "<tr><th scope=row>");
    if (plot < plots->count)
        text_add(text, "<a href=\"#series-%zu\">", plot + 1);
    html_add(text, "$$$$", test->name, *test->controls ? " (control of " : "", test->controls,
             *test->controls ? ")" : "");
    text_add(text, "%s", plot < plots->count ? "</a>" : "");
    for (size_t run = first; run < device->run_count; run++)
        print_cell(plots->history, device, test, run, text);
    text_add(text, "\n");
}

/* A heading for each stretch of runs with one driver. */
static void print_head(const struct history *history, const struct history_device *device, size_t first,
                       struct text *text)
{
    text_add(text, "<thead><tr><th>Test");
    for (size_t run = first, end; run < device->run_count; run = end) {
        const char *driver = device->runs[run].facts[HISTORY_DRIVER];
        for (end = run + 1; end < device->run_count && strcmp(device->runs[end].facts[HISTORY_DRIVER], driver) == 0;)
            end++;
        char day[11];
        (void)snprintf(day, sizeof day, "%.10s", history->runs[device->runs[run].run].started_at);
        text_add(text, "<th class=driver colspan=%zu>", end - run);
        html_add(text, "<span class=cut>$</span><small class=cut>$</small>", driver, day);
    }
    text_add(text, "</thead>\n<tbody>\n");
}

static void print_strip(const struct history_plots *plots, const struct history_device *device, struct text *text)
{
    const size_t first = device->run_count > MOST_RUNS ? device->run_count - MOST_RUNS : 0;
    html_add(text, "<h3>$ ($): $ tests in $ runs</h3>\n", device->device, device->backend,
             QUANTITY_COUNT(device->test_count), QUANTITY_COUNT(device->run_count - first));
    html_add(text, "<div class=wide tabindex=0 role=region aria-label=\"Tests by runs on $\"><table class=strip>\n",
             device->device);
    print_head(plots->history, device, first, text);
    for (size_t t = 0; t < device->test_count && t < MOST_TESTS; t++)
        print_test(plots, device, device->tests[t], first, text);
    text_add(text, "</table></div>\n");
    if (first > 0 || device->test_count > MOST_TESTS)
        html_add(text, "<p>'orchil history --json' has the other $ runs and $ tests.</p>\n", QUANTITY_COUNT(first),
                 QUANTITY_COUNT(device->test_count > MOST_TESTS ? device->test_count - MOST_TESTS : 0));
}

void history_print_strips(const struct history_plots *plots, struct text *text)
{
    const struct history *history = plots->history;
    if (history->run_count < 2)
        return;
    for (size_t i = 0; i < history->device_count; i++)
        print_strip(plots, history->devices[i], text);
    text_add(
        text,
        "<ul class=legend aria-label=\"Signs and colours of the strip\">\n"
        "<li class=kx>\u2716 must never appear</li>\n<li class=u2>\u25b2 higher, since a step</li>\n"
        "<li class=d2>\u25bc lower, since a step</li>\n<li class=sz>\u00b7 not seen</li>\n<li class=sn>not run</li>\n"
        "<li class=d3>x1/4 or less</li><li class=d2>x1/2</li><li class=d1>x1/1.25</li><li class=s0>as at first</li>"
        "<li class=u1>x1.25</li><li class=u2>x2</li><li class=u3>x4 or more</li>\n</ul>\n"
        "<p class=dim>A column is one run, from the first to the last, below its driver. Colours compare the rate with "
        "the median run before the first step, where counting alone does not explain the difference.</p>\n");
}

/* A band that is wider than this factor says only that there are too few runs to expect anything. */
static const double widest_band = 30;

void history_plan_plot(struct history_plots *plots, const struct history_device *device,
                       const struct history_series *series)
{
    for (size_t i = 0; i < plots->count; i++)
        if (plots->list[i].series == series)
            return;
    plots->list = memory_grow(plots->list, plots->count, &plots->room, sizeof *plots->list);
    plots->list[plots->count++] = (struct history_plot){.device = device, .series = series};
}

/* Where a step begins in which the series moved, or where it first showed what must never appear. */
static bool is_ringed(const struct history *history, const struct history_plot *plot, size_t device_run)
{
    const struct history_device *device = plot->device;
    for (size_t s = 0; s < device->step_count; s++)
        for (size_t i = 0; i < device->steps[s].move_count; i++)
            if (device->steps[s].moves[i].series == plot->series && device->steps[s].device_run == device_run)
                return true;
    for (size_t i = 0; i < history->alarm_count; i++)
        if (history->alarms[i].series == plot->series && history->alarms[i].began &&
            history->alarms[i].first == device_run)
            return true;
    return false;
}

/* The date; the time of day if all runs are of one day; the number if no time is known. */
static const char *name_point(struct arena *arena, const struct history *history, size_t run, bool is_first)
{
    const struct history_run *first = &history->runs[0], *last = &history->runs[history->run_count - 1];
    const char *started = history->runs[run].started_at;
    if (!*started)
        return arena_print(arena, "run %zu", run + 1);
    if (strncmp(first->started_at, last->started_at, 10) == 0 && strlen(started) > 16)
        return arena_print(arena, "%.5s", started + 11);
    /* The year once: dates are close to each other on a narrow screen. */
    const bool whole = is_first || strncmp(first->started_at, started, 4) != 0 || strlen(started) < 10;
    return arena_print(arena, "%.*s", whole ? 10 : 5, whole ? started : started + 5);
}

static const char *describe_point(struct arena *arena, const struct history *history,
                                  const struct history_device *device, const struct history_point *point)
{
    struct text text = {0};
    text_add(&text, "run ");
    history_add_run(history, device, point->device_run, &text);
    text_add(&text, ", driver %s: %s of %s, %s per instance", device->runs[point->device_run].facts[HISTORY_DRIVER],
             QUANTITY_COUNT(point->count), QUANTITY_COUNT(point->counted), HTML_RATE_OF(point->count, point->counted));
    const char *kept = arena_copy(arena, text_string(&text));
    text_release(&text);
    return kept;
}

static const char *link_point(struct arena *arena, const struct history *history, const struct history_device *device,
                              size_t run)
{
    size_t number = 0;
    while (history->devices[number] != device)
        number++;
    return arena_print(arena, "run-%zu-%zu", number + 1, run + 1);
}

/* Marks where the driver of the series' runs changed. */
static void add_marks(struct arena *arena, const struct history_device *device, const struct history_series *series,
                      struct plot_series *plot)
{
    struct plot_mark *marks = NULL;
    for (size_t i = 1; i < series->segment->run_count; i++) {
        const char *before = device->runs[series->points[i - 1].device_run].facts[HISTORY_DRIVER];
        const char *here = device->runs[series->points[i].device_run].facts[HISTORY_DRIVER];
        if (strcmp(before, here) != 0)
            ARENA_ADD(arena, marks, plot->mark_count) =
                (struct plot_mark){.before = i, .label = arena_print(arena, "driver %s", here)};
    }
    plot->marks = marks;
}

static void add_band(const struct history_series *series, struct plot_series *plot, struct text *title)
{
    if (series->part_count == 0 || !isfinite(series->parts->band.high))
        return;
    const struct interval band = series->parts->band;
    uint64_t seen = 0;
    for (size_t i = 0; i < series->parts->count; i++)
        seen += series->points[i].count;
    if (seen == 0)
        return;
    if (band.high > widest_band * band.low) {
        text_add(title, "; too few runs, or runs that differ too much, for a band");
        return;
    }
    plot->band_low = band.low;
    plot->band_high = band.high;
}

/* A band is drawn for the runs before the first step alone: only points outside of it are marked. */
static bool is_outside(const struct plot_series *plot, const struct history_point *point)
{
    return plot->band_high == 0 || point->rate > plot->band_high || point->rate < plot->band_low;
}

static void print_new_plot(const struct history_plots *plots, size_t number, struct text *text)
{
    const struct history_plot *of = &plots->list[number];
    const struct history *history = plots->history;
    const struct history_series *series = of->series;
    struct arena arena = {0};
    struct text title = {0};
    const size_t count = series->segment->run_count;
    struct plot_point *points = arena_take(&arena, count, sizeof *points);
    struct plot_series plot = {.points = points, .point_count = count, .most = 1};
    history_add_series(series, &title);
    text_add(&title, " (per instance)");
    if (history->device_count > 1)
        text_add(&title, " on %s", of->device->device);
    add_band(series, &plot, &title);
    plot.title = text_string(&title);
    plot.anchor = arena_print(&arena, "series-%zu", number + 1);
    for (size_t i = 0; i < count; i++) {
        const struct history_point *point = &series->points[i];
        const size_t run = of->device->runs[point->device_run].run;
        points[i] =
            (struct plot_point){.value = point->rate,
                                .low = point->interval.low,
                                .high = point->interval.high,
                                .name = name_point(&arena, history, run, i == 0),
                                .hover = describe_point(&arena, history, of->device, point),
                                .anchor = plots->links_runs ? link_point(&arena, history, of->device, run) : NULL,
                                .outside = point->outside && is_outside(&plot, point),
                                .ringed = is_ringed(history, of, point->device_run)};
    }
    add_marks(&arena, of->device, series, &plot);
    plot_print_series(&plot, text);
    text_release(&title);
    arena_release(&arena);
}

void history_print_plot(struct history_plots *plots, const struct history_series *series, struct text *text)
{
    size_t number = 0;
    while (number < plots->count && plots->list[number].series != series)
        number++;
    if (number == plots->count)
        return;
    if (!plots->list[number].printed) {
        plots->list[number].printed = true;
        print_new_plot(plots, number, text);
        return;
    }
    struct text name = {0};
    history_add_series(series, &name);
    text_add(text, "<p><a href=\"#series-%zu\">", number + 1);
    html_add(text, "The plot of $</a> is above.</p>\n", text_string(&name));
    text_release(&name);
}
