// SPDX-License-Identifier: Apache-2.0
/* Trajectories of log rates, and where they step. */
#include "analysis/history/history_splits.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static double log_rate(const struct history_point *point)
{
    return log(((double)point->count + 0.5) / (double)point->counted);
}

struct trajectory trajectory_of(struct arena *arena, const struct history_series *series, struct run_range span,
                                double dispersion)
{
    const struct history_segment *segment = series->segment;
    struct trajectory trajectory = {.logs = arena_take(arena, segment->run_count, sizeof *trajectory.logs),
                                    .device_runs =
                                        arena_take(arena, segment->run_count, sizeof *trajectory.device_runs)};
    double seen = 0;
    for (size_t r = 0; r < segment->run_count; r++) {
        if (segment->device_runs[r] < span.low || segment->device_runs[r] >= span.high)
            continue;
        trajectory.logs[trajectory.count] = log_rate(&series->points[r]);
        trajectory.device_runs[trajectory.count++] = segment->device_runs[r];
        seen += (double)series->points[r].count;
    }
    trajectory.counting = trajectory.count > 0 ? dispersion / (seen / (double)trajectory.count + 0.5) : 0;
    return trajectory;
}

static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count > 0 ? sum / (double)count : 0;
}

static double squares_about_mean(const double *values, size_t count)
{
    const double mean = mean_of(values, count);
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return squares;
}

double trajectory_gain(const struct trajectory *trajectory, struct trajectory_prior prior, size_t device_run)
{
    size_t before = 0;
    while (before < trajectory->count && trajectory->device_runs[before] < device_run)
        before++;
    const size_t after = trajectory->count - before;
    if (before == 0 || after == 0 || trajectory->count < 3)
        return 0;
    const double freedom = (double)trajectory->count - 2;
    const double least = trajectory->counting * freedom, known = prior.variance * prior.freedom;
    const double split =
        squares_about_mean(trajectory->logs, before) + squares_about_mean(trajectory->logs + before, after);
    const double between = squares_about_mean(trajectory->logs, trajectory->count) - split;
    const double within = known + fmax(split, least);
    return within > 0 ? (prior.freedom + freedom + 1) / 2 * log1p(fmax(0, between) / within) : 0;
}

static int by_number(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

struct trajectory trajectory_of_all(struct arena *arena, const struct history_device *device, struct run_range span)
{
    const size_t most = span.high - span.low;
    struct trajectory all = {.logs = arena_take(arena, most, sizeof *all.logs),
                             .device_runs = arena_take(arena, most, sizeof *all.device_runs)};
    double *values = memory_take(most * device->test_count, sizeof *values);
    size_t *found = memory_take(most, sizeof *found), last = SIZE_MAX;
    for (size_t i = 0; i < device->searched_count; i++) {
        const struct history_series *series = device->searched[i];
        if (!series->weak || series->segment->test->number == last)
            continue;
        last = series->segment->test->number;
        struct arena scratch = {0};
        const struct trajectory trajectory = trajectory_of(&scratch, series, span, 1);
        const double mean = mean_of(trajectory.logs, trajectory.count);
        for (size_t r = 0; r < trajectory.count; r++) {
            const size_t at = trajectory.device_runs[r] - span.low;
            values[at * device->test_count + found[at]++] = trajectory.logs[r] - mean;
        }
        arena_release(&scratch);
    }
    for (size_t at = 0; at < most; at++) {
        double *of = values + at * device->test_count;
        if (found[at] == 0)
            continue;
        qsort(of, found[at], sizeof *of, by_number);
        all.logs[all.count] = (of[(found[at] - 1) / 2] + of[found[at] / 2]) / 2;
        all.device_runs[all.count++] = span.low + at;
    }
    free(found);
    free(values);
    return all;
}

/* ---- choosing ---- */

enum { FEW = 12, CHOSEN_BY_ONE = 4, CHOSEN_BY_ALL = 2 };

static void mark_best(const double *scores, struct run_range candidates, size_t count, bool *chosen)
{
    for (size_t k = 0; k < count; k++) {
        size_t best = SIZE_MAX;
        for (size_t device_run = candidates.low; device_run < candidates.high; device_run++)
            if (!chosen[device_run] && (best == SIZE_MAX || scores[device_run] > scores[best]))
                best = device_run;
        if (best != SIZE_MAX)
            chosen[best] = true;
    }
}

static void add_scores(const struct trajectory *trajectory, struct run_range candidates, double *most)
{
    for (size_t device_run = candidates.low; device_run < candidates.high; device_run++)
        most[device_run] =
            fmax(most[device_run], trajectory_gain(trajectory, (struct trajectory_prior){.freedom = 0}, device_run));
}

void trajectory_choose(const struct history_device *device, struct run_range span, struct run_range candidates,
                       bool *chosen)
{
    struct arena arena = {0};
    double *most = memory_take(device->run_count, sizeof *most), *all = memory_take(device->run_count, sizeof *all);
    if (candidates.high - candidates.low <= FEW) {
        for (size_t device_run = candidates.low; device_run < candidates.high; device_run++)
            chosen[device_run] = true;
    } else {
        for (size_t i = 0; i < device->searched_count; i++) {
            const struct trajectory trajectory = trajectory_of(&arena, device->searched[i], span, 1);
            add_scores(&trajectory, candidates, most);
        }
        const struct trajectory whole = trajectory_of_all(&arena, device, span);
        add_scores(&whole, candidates, all);
        mark_best(most, candidates, CHOSEN_BY_ONE, chosen);
        mark_best(all, candidates, CHOSEN_BY_ALL, chosen);
    }
    arena_release(&arena);
    free(all);
    free(most);
}
