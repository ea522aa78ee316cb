// SPDX-License-Identifier: Apache-2.0
/* Courses of log rates, and where they step. */
#include "analysis/history/history_courses.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static double log_rate(const struct history_point *point)
{
    return log(((double)point->count + 0.5) / (double)point->counted);
}

struct course course_of(struct arena *arena, const struct history_series *series, struct span span, double dispersion)
{
    const struct history_stretch *stretch = series->stretch;
    struct course course = {.logs = arena_take(arena, stretch->run_count, sizeof *course.logs),
                            .visits = arena_take(arena, stretch->run_count, sizeof *course.visits)};
    double seen = 0;
    for (size_t r = 0; r < stretch->run_count; r++) {
        if (stretch->visits[r] < span.low || stretch->visits[r] >= span.high)
            continue;
        course.logs[course.count] = log_rate(&series->points[r]);
        course.visits[course.count++] = stretch->visits[r];
        seen += (double)series->points[r].count;
    }
    course.counting = course.count > 0 ? dispersion / (seen / (double)course.count + 0.5) : 0;
    return course;
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

double course_gain(const struct course *course, struct course_prior prior, size_t visit)
{
    size_t before = 0;
    while (before < course->count && course->visits[before] < visit)
        before++;
    const size_t after = course->count - before;
    if (before == 0 || after == 0 || course->count < 3)
        return 0;
    const double freedom = (double)course->count - 2;
    const double least = course->counting * freedom, known = prior.variance * prior.freedom;
    const double split = squares_about_mean(course->logs, before) + squares_about_mean(course->logs + before, after);
    const double between = squares_about_mean(course->logs, course->count) - split;
    const double within = known + fmax(split, least);
    return within > 0 ? (prior.freedom + freedom + 1) / 2 * log1p(fmax(0, between) / within) : 0;
}

static int by_number(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

struct course course_of_all(struct arena *arena, const struct history_device *device, struct span span)
{
    const size_t most = span.high - span.low;
    struct course all = {.logs = arena_take(arena, most, sizeof *all.logs),
                         .visits = arena_take(arena, most, sizeof *all.visits)};
    double *values = memory_take(most * device->test_count, sizeof *values);
    size_t *found = memory_take(most, sizeof *found), last = SIZE_MAX;
    for (size_t i = 0; i < device->searched_count; i++) {
        const struct history_series *series = device->searched[i];
        if (!series->weak || series->stretch->test->number == last)
            continue;
        last = series->stretch->test->number;
        struct arena scratch = {0};
        const struct course course = course_of(&scratch, series, span, 1);
        const double mean = mean_of(course.logs, course.count);
        for (size_t r = 0; r < course.count; r++) {
            const size_t at = course.visits[r] - span.low;
            values[at * device->test_count + found[at]++] = course.logs[r] - mean;
        }
        arena_release(&scratch);
    }
    for (size_t at = 0; at < most; at++) {
        double *of = values + at * device->test_count;
        if (found[at] == 0)
            continue;
        qsort(of, found[at], sizeof *of, by_number);
        all.logs[all.count] = (of[(found[at] - 1) / 2] + of[found[at] / 2]) / 2;
        all.visits[all.count++] = span.low + at;
    }
    free(found);
    free(values);
    return all;
}

/* ---- choosing ---- */

enum { FEW = 12, CHOSEN_BY_ONE = 4, CHOSEN_BY_ALL = 2 };

static void mark_best(const double *scores, struct span candidates, size_t count, bool *chosen)
{
    for (size_t k = 0; k < count; k++) {
        size_t best = SIZE_MAX;
        for (size_t visit = candidates.low; visit < candidates.high; visit++)
            if (!chosen[visit] && (best == SIZE_MAX || scores[visit] > scores[best]))
                best = visit;
        if (best != SIZE_MAX)
            chosen[best] = true;
    }
}

static void add_scores(const struct course *course, struct span candidates, double *most)
{
    for (size_t visit = candidates.low; visit < candidates.high; visit++)
        most[visit] = fmax(most[visit], course_gain(course, (struct course_prior){.freedom = 0}, visit));
}

void course_choose(const struct history_device *device, struct span span, struct span candidates, bool *chosen)
{
    struct arena arena = {0};
    double *most = memory_take(device->visit_count, sizeof *most), *all = memory_take(device->visit_count, sizeof *all);
    if (candidates.high - candidates.low <= FEW) {
        for (size_t visit = candidates.low; visit < candidates.high; visit++)
            chosen[visit] = true;
    } else {
        for (size_t i = 0; i < device->searched_count; i++) {
            const struct course course = course_of(&arena, device->searched[i], span, 1);
            add_scores(&course, candidates, most);
        }
        const struct course whole = course_of_all(&arena, device, span);
        add_scores(&whole, candidates, all);
        mark_best(most, candidates, CHOSEN_BY_ONE, chosen);
        mark_best(all, candidates, CHOSEN_BY_ALL, chosen);
    }
    arena_release(&arena);
    free(all);
    free(most);
}
