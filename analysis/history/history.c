// SPDX-License-Identifier: Apache-2.0
/* A history as a whole. */
#include "analysis/history/history_parts.h"

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
