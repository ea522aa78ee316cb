// SPDX-License-Identifier: Apache-2.0
/* The plot of a series: its runs by date, the band of what was expected, and rings where something began. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/history/history_parts.h"
#include "analysis/page/history_strip.h"
#include "analysis/page/html.h"
#include "analysis/page/plot.h"
#include "base/memory.h"
#include "base/quantity.h"

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
