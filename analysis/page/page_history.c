// SPDX-License-Identifier: Apache-2.0
/* A history as a page, and as a section of the page of a database. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/history/history_parts.h"
#include "analysis/page/page_parts.h"
#include "analysis/page/plot.h"
#include "base/memory.h"
#include "base/quantity.h"

/* The most plots for each device: of series that moved, per step and in all; of witnesses if
 * nothing moved. */
enum { SHOWN_MOVES = 6, SHOWN_PLOTS = 40 };

/* ---- a plot ---- */

static const char *name_point(struct arena *arena, const struct history *history, const struct history_device *device,
                              const struct history_point *point, bool hover)
{
    struct text text = {0};
    const struct history_device_run *device_run = &device->runs[point->device_run];
    if (hover) {
        text_add(&text, "run ");
        history_add_run(history, device, point->device_run, &text);
        text_add(&text, ", driver %s: %s of %s, %s per instance", device_run->facts[HISTORY_DRIVER],
                 QUANTITY_COUNT(point->count), QUANTITY_COUNT(point->counted),
                 HTML_RATE_OF(point->count, point->counted));
    } else
        text_add(&text, "%zu", device_run->run + 1);
    const char *kept = arena_copy(arena, text_string(&text));
    text_release(&text);
    return kept;
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

static void print_plot(const struct history *history, const struct history_device *device,
                       const struct history_series *series, struct text *text)
{
    struct arena arena = {0};
    struct text title = {0};
    const size_t count = series->segment->run_count;
    struct plot_point *points = arena_take(&arena, count, sizeof *points);
    history_add_series(series, &title);
    text_add(&title, " (per instance)");
    struct plot_series plot = {.title = text_string(&title), .points = points, .point_count = count};
    for (size_t i = 0; i < count; i++)
        points[i] = (struct plot_point){.value = series->points[i].rate,
                                        .low = series->points[i].interval.low,
                                        .high = series->points[i].interval.high,
                                        .name = name_point(&arena, history, device, &series->points[i], false),
                                        .hover = name_point(&arena, history, device, &series->points[i], true),
                                        .outside = series->points[i].outside};
    if (series->part_count > 0 && isfinite(series->parts->band.high)) {
        plot.band_low = series->parts->band.low;
        plot.band_high = series->parts->band.high;
    }
    add_marks(&arena, device, series, &plot);
    plot_print_series(&plot, text);
    text_release(&title);
    arena_release(&arena);
}

/* ---- steps ---- */

static void print_moves(const struct history_step *step, struct text *text)
{
    text_add(text, "<details><summary>What moved</summary>\n<div class=wide tabindex=0 role=region "
                   "aria-label=\"What moved\"><table>\n<thead><tr><th>Test and outcome<th>Before<th>After<th>Factor"
                   "<th>95 %% interval</thead>\n<tbody>\n");
    for (size_t i = 0; i < step->move_count; i++) {
        const struct history_move *move = &step->moves[i];
        struct text name = {0}, factor = {0}, interval = {0};
        history_add_series(move->series, &name);
        history_add_factor(move, &factor);
        if (move->count[0] > 0 && move->count[1] > 0)
            text_add(&interval, "%.3g to %.3g", move->interval.low, move->interval.high);
        html_add(text, "<tr><th scope=row>$<td class=n>$<td class=n>$<td class=n>$<td>$\n", text_string(&name),
                 HTML_RATE_OF(move->count[0], move->counted[0]), HTML_RATE_OF(move->count[1], move->counted[1]),
                 text_string(&factor), text_string(&interval));
        text_release(&name);
        text_release(&factor);
        text_release(&interval);
    }
    text_add(text, "</table></div></details>\n");
}

static void print_step(const struct history *history, const struct history_device *device,
                       const struct history_step *step, struct text *text)
{
    struct text title = {0}, where = {0};
    history_add_title(history, device, step, &title);
    history_add_place(history, device, step, &where);
    text_add(&where, " ");
    history_add_cause(history, device, step, &where);
    html_add(text, "<h3>$</h3>\n<p>$</p>\n", text_string(&title), text_string(&where));
    for (size_t i = 0, shown = 0; i < step->move_count && shown < SHOWN_MOVES; i++) {
        bool is_first = true;
        for (size_t k = 0; k < i; k++)
            is_first &= step->moves[k].series->segment->test != step->moves[i].series->segment->test;
        if (!is_first)
            continue;
        print_plot(history, device, step->moves[i].series, text);
        shown++;
    }
    print_moves(step, text);
    text_release(&title);
    text_release(&where);
}

/* ---- the rest of a device ---- */

static bool has_moved(const struct history_device *device, const struct history_series *series)
{
    for (size_t s = 0; s < device->step_count; s++)
        for (size_t i = 0; i < device->steps[s].move_count; i++)
            if (device->steps[s].moves[i].series == series)
                return true;
    return false;
}

static bool is_shown(const struct history *history, const struct history_device *device,
                     const struct history_series *series)
{
    return series->witness && series->segment->run_count >= history->options.fewest_runs && !has_moved(device, series);
}

static void print_others(const struct history *history, const struct history_device *device, struct text *text)
{
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t shown = 0;
        for (size_t t = 0; t < device->test_count; t++)
            for (size_t i = 0; i < device->tests[t]->segment_count; i++)
                for (size_t s = 0; s < device->tests[t]->segments[i]->series_count; s++) {
                    const struct history_series *series = &device->tests[t]->segments[i]->series[s];
                    if (!is_shown(history, device, series))
                        continue;
                    if (pass == 0)
                        count++;
                    else if (shown++ < SHOWN_PLOTS)
                        print_plot(history, device, series, text);
                }
        if (count == 0)
            return;
        if (pass == 0)
            html_add(text, "<details$><summary>Witnesses that did not step on $ ($): $</summary>\n",
                     device->step_count == 0 && count <= SHOWN_MOVES ? " open" : "", device->device, device->backend,
                     QUANTITY_COUNT(count));
    }
    if (count > SHOWN_PLOTS)
        html_add(text, "<p>And $ more: 'orchil history --json' has them.</p>\n", QUANTITY_COUNT(count - SHOWN_PLOTS));
    text_add(text, "</details>\n");
}

static void print_limits(const struct history *history, struct text *text)
{
    if (history->limit_count == 0)
        return;
    text_add(text, "<h3>What this cannot say</h3>\n<ul>\n");
    for (size_t i = 0; i < history->limit_count; i++)
        html_add(text, "<li>$</li>\n", history->limits[i]);
    text_add(text, "</ul>\n");
}

static void print_alarms(const struct history *history, struct text *text)
{
    struct text sentence = {0};
    if (history->alarm_count == 0)
        return;
    text_add(text, "<h3>Must never appear</h3>\n<ul>\n");
    for (size_t i = 0; i < history->alarm_count && i < SHOWN_PLOTS; i++) {
        history_add_alarm(history, &history->alarms[i], &sentence);
        html_add(text, "<li>$</li>\n", text_string(&sentence));
        text_clear(&sentence);
    }
    text_add(text, "</ul>\n");
    if (history->alarm_count > SHOWN_PLOTS)
        html_add(text, "<p>And $ more: 'orchil history --json' has them.</p>\n",
                 QUANTITY_COUNT(history->alarm_count - SHOWN_PLOTS));
    text_release(&sentence);
}

void history_print_section(const struct history *history, struct text *text)
{
    struct text answer = {0};
    history_add_answer(history, &answer);
    html_add(
        text,
        "<section id=history>\n<h2>Runs in order of time</h2>\n<p><b>$</b></p>\n<p>Each point is one run with its 95 % "
        "interval. The band is the 95 % prediction interval for a new run, computed from "
        "the runs before the first step. Lines mark new drivers.</p>\n",
        text_string(&answer));
    print_alarms(history, text);
    for (size_t i = 0; i < history->device_count; i++) {
        const struct history_device *device = history->devices[i];
        for (size_t s = 0; s < device->step_count; s++)
            print_step(history, device, &device->steps[s], text);
    }
    for (size_t i = 0; i < history->device_count; i++)
        print_others(history, history->devices[i], text);
    print_limits(history, text);
    text_add(text, "</section>\n");
    text_release(&answer);
}

void history_print_page(const struct history *history, struct text *text)
{
    html_start(text, "Litmus tests: runs in order of time");
    text_add(text, "<header>\n<h1>Litmus tests</h1>\n</header>\n");
    history_print_section(history, text);
    html_end(text);
}

/* ---- a part of a database's page ---- */

void page_make_history(struct page *page)
{
    struct side *sides = memory_take(page->source_count, sizeof *sides);
    const struct history_options options = history_usual_options();
    for (size_t i = 0; i < page->source_count; i++)
        sides[i] = page->sources[i].side;
    struct history *history = arena_take(&page->arena, 1, sizeof *history);
    history_make(sides, page->source_count, &options, history);
    page->history = history;
    free(sides);
}

void page_print_history(const struct page *page, struct text *text)
{
    if (history_is_worth(page->history))
        history_print_section(page->history, text);
}
