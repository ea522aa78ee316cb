// SPDX-License-Identifier: Apache-2.0
/* A history as a whole, and the outcomes in it that must never appear. */
#include "analysis/history/history_parts.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/words/words.h"
#include "base/quantity.h"

struct history_options history_usual_options(void)
{
    return (struct history_options){
        .alpha = 0.05, .confidence = STATISTICS_CONFIDENCE, .tolerance = 1.1, .fewest_runs = 3};
}

void history_make(const struct side *sides, size_t count, const struct history_options *options,
                  struct history *history)
{
    *history = (struct history){.options = *options};
    history_gather(sides, count, history);
    for (size_t i = 0; i < history->device_count; i++)
        history_find_breaks(&history->arena, history->devices[i]);
    history_find_steps(history);
    history_find_alarms(history);
    history_find_limits(history);
}

void history_release(struct history *history)
{
    arena_release(&history->arena);
    *history = (struct history){.runs = NULL};
}

size_t history_steps(const struct history *history)
{
    size_t steps = 0;
    for (size_t i = 0; i < history->device_count; i++)
        steps += history->devices[i]->step_count;
    return steps;
}

bool history_is_worth(const struct history *history)
{
    for (size_t i = 0; i < history->device_count; i++)
        for (size_t t = 0; t < history->devices[i]->test_count; t++)
            for (size_t s = 0; s < history->devices[i]->tests[t]->segment_count; s++)
                if (history->devices[i]->tests[t]->segments[s]->run_count >= history->options.fewest_runs)
                    return true;
    return false;
}

/* ---- outcomes that must never appear ---- */

/* ---- finding them ---- */

static struct history_alarm *alarm_of(struct history *history, const struct history_device *device,
                                      const struct history_series *series)
{
    for (size_t i = 0; i < history->alarm_count; i++) {
        struct history_alarm *alarm = &history->alarms[i];
        if (alarm->device == device && alarm->series->segment->test == series->segment->test &&
            strcmp(alarm->series->label, series->label) == 0)
            return alarm;
    }
    ARENA_ADD(&history->arena, history->alarms, history->alarm_count) =
        (struct history_alarm){.device = device, .series = series, .first = SIZE_MAX};
    return &history->alarms[history->alarm_count - 1];
}

/* A test has a series of the outcome in each of its segments that saw it. */
static void add_series(struct history *history, const struct history_device *device,
                       const struct history_series *series)
{
    struct history_alarm *alarm = alarm_of(history, device, series);
    alarm->count += series->count;
    alarm->kind = series->ruling.kind > alarm->kind ? series->ruling.kind : alarm->kind;
    for (size_t i = 0; i < series->segment->run_count; i++)
        if (series->points[i].count > 0 && series->points[i].device_run < alarm->first)
            alarm->first = series->points[i].device_run;
}

/* Whether an earlier run counted instances of the test and did not see the outcome. */
static bool has_begun(const struct history_alarm *alarm)
{
    const struct history_test *test = alarm->series->segment->test;
    for (size_t i = 0; i < test->segment_count; i++)
        for (size_t r = 0; r < test->segments[i]->run_count; r++)
            if (test->segments[i]->device_runs[r] < alarm->first && test->segments[i]->runs[r].batch_count > 0)
                return true;
    return false;
}

/* New ones first, the newest of them first; then the gravest. */
static int compare_alarms(const void *left, const void *right)
{
    const struct history_alarm *a = left, *b = right;
    if (a->began != b->began)
        return a->began ? -1 : 1;
    if (a->began && a->first != b->first)
        return a->first > b->first ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind > b->kind ? -1 : 1;
    const int order = strcmp(a->series->segment->test->name, b->series->segment->test->name);
    return order ? order : strcmp(a->series->label, b->series->label);
}

void history_find_alarms(struct history *history)
{
    for (size_t i = 0; i < history->device_count; i++) {
        const struct history_device *device = history->devices[i];
        for (size_t t = 0; t < device->test_count; t++)
            for (size_t s = 0; s < device->tests[t]->segment_count; s++) {
                const struct history_segment *segment = device->tests[t]->segments[s];
                for (size_t o = 0; o < segment->series_count; o++)
                    if (segment->series[o].ruling.fails)
                        add_series(history, device, &segment->series[o]);
            }
    }
    for (size_t i = 0; i < history->alarm_count; i++)
        history->alarms[i].began = has_begun(&history->alarms[i]);
    if (history->alarm_count > 0)
        qsort(history->alarms, history->alarm_count, sizeof *history->alarms, compare_alarms);
}

/* ---- saying it ---- */

static const char *reason(const struct history_alarm *alarm)
{
    return alarm->kind == RULING_FORBIDDEN ? "forbidden by the model"
           : alarm->kind == RULING_CONTROL ? "a control's witness"
                                           : "its file says so";
}

void history_add_alarm(const struct history *history, const struct history_alarm *alarm, struct text *text)
{
    const char *driver = alarm->device->runs[alarm->first].facts[HISTORY_DRIVER];
    history_add_series(alarm->series, text);
    words_add(text, " ($), seen $ $", reason(alarm), QUANTITY_COUNT(alarm->count),
              alarm->count == 1 ? "time" : "times");
    if (!alarm->began) {
        text_add(text, ", already in the first run of the test");
    } else {
        text_add(text, ", first in run ");
        history_add_run(history, alarm->device, alarm->first, text);
        words_add(text, ", with driver $", *driver ? driver : "(unknown)");
    }
    if (history->device_count > 1)
        words_add(text, " on $ ($)", alarm->device->device, alarm->device->backend);
}

void history_add_alarms(const struct history *history, struct text *text)
{
    size_t began = 0;
    for (size_t i = 0; i < history->alarm_count; i++)
        began += history->alarms[i].began;
    if (history->alarm_count == 0)
        return;
    const size_t count = began > 0 ? began : history->alarm_count;
    words_add(text, "$ $ that must never appear: ", QUANTITY_COUNT(count),
              began == 1   ? "NEW outcome"
              : began > 1  ? "NEW outcomes"
              : count == 1 ? "outcome"
                           : "outcomes");
    history_add_alarm(history, &history->alarms[0], text);
    if (count > 1)
        words_add(text, "; and $ more $", QUANTITY_COUNT(count - 1), count == 2 ? "outcome" : "outcomes");
    text_add(text, ". ");
    if (began > 0 && began < history->alarm_count)
        words_add(text, "$ $ seen from the start. ", QUANTITY_COUNT(history->alarm_count - began),
                  history->alarm_count - began == 1 ? "other was" : "others were");
}
