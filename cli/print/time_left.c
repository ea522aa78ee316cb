// SPDX-License-Identifier: Apache-2.0
/* The progress of a run, and the time for the rest. */
#include "cli/print/run_output.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/quantity.h"

/* The estimate starts as if this many jobs, or seconds of jobs if that is less, had kept to their
 * limit: one slow build says little about those that follow. */
static const double prior_jobs = 5, prior_seconds = 20;

static const double short_seconds = 10;   /* a run of less needs no forecast */
static const double measured_seconds = 1; /* the least to measure if no limit says how long a job
                                           * takes */

/* How far a shown end may be off, as a share and in seconds. */
static const double kept_share = 0.1, kept_seconds = 2;

/* ---- what is left ---- */

static double share_of(double done, double limit)
{
    return limit > 0 ? fmin(1, done / limit) : 0;
}

/* What is left of a job after this many seconds and instances. A job with its own number of
 * instances is only cut short by time. */
static double left_of(const struct time_left *time, size_t number, double seconds, uint64_t instances)
{
    const struct planned_job *job = &time->plan->jobs[number];
    const uint64_t own = job->extent.instances;
    const double by_time = own > 0 ? 0 : share_of(seconds, time->options->seconds);
    return 1 - fmax(by_time, share_of((double)instances, (double)(own > 0 ? own : time->options->instances)));
}

void time_left_start(struct time_left *time, const struct run_options *options, const struct run_plan *plan)
{
    *time = (struct time_left){.plan = plan, .options = options};
    time->left = memory_take(plan->job_count, sizeof *time->left);
    for (size_t i = 0; i < plan->job_count; i++) {
        const struct store_progress *begun = plan->jobs[i].begun;
        time->left[i] = !begun ? 1 : begun->finished ? 0 : left_of(time, i, begun->seconds, begun->launched);
        time->all += !plan->jobs[i].refused;
    }
}

/* Time is measured from here on: opening the device and the first build are done. */
static void begin_measuring(struct time_left *time, double when)
{
    if (time->started > 0)
        return;
    time->started = when;
    time->first = run_plan_longest_left(time->plan, time->left);
}

void time_left_ended(struct time_left *time, size_t number, double now)
{
    time->left[number] = 0;
    begin_measuring(time, now);
}

void time_left_went_on(struct time_left *time, const struct run_progress *progress, double now)
{
    for (size_t i = 0; i < progress->running_count; i++) {
        const struct running_progress *job = &progress->running[i];
        const struct store_progress *begun = time->plan->jobs[job->number].begun;
        if (job->batches == 0)
            continue;
        begin_measuring(time, now - (job->played - (begun ? begun->seconds : 0)));
        time->left[job->number] = left_of(time, job->number, job->played, job->launched);
    }
}

double time_left_done(const struct time_left *time)
{
    double left = 0;
    for (size_t i = 0; i < time->plan->job_count; i++)
        if (!time->plan->jobs[i].refused)
            left += time->left[i];
    return time->all > 0 ? 1 - left / time->all : 1;
}

/* ---- how long it takes ---- */

/* At the rate so far; negative if not known. */
static double rest_by_rate(const struct time_left *time, double now)
{
    const double left = run_plan_longest_left(time->plan, time->left);
    const double limit = time->options->seconds;
    const double done = time->started > 0 ? time->first - left : 0;
    const double elapsed = time->started > 0 ? fmax(0, now - time->started) : 0;
    const double prior = fmin(prior_seconds, prior_jobs * limit);
    if (limit > 0)
        return left * limit * (elapsed + prior) / (done * limit + prior);
    return done > 0 && elapsed >= measured_seconds ? left * elapsed / done : -1;
}

static double rest_of(const struct time_left *time, double now)
{
    const double deadline = time->options->deadline;
    const double rest = rest_by_rate(time, now), until = fmax(0, deadline - now);
    if (deadline <= 0)
        return rest;
    return rest < 0 ? until : fmin(rest, until);
}

double time_left_seconds(struct time_left *time, double now)
{
    const double rest = rest_of(time, now);
    const double shown = time->end - now;
    if (rest < 0 || time->started <= 0) /* until it starts, no part of it passes */
        return fmax(rest, -1);
    if (time->end <= 0 || fabs(rest - shown) > fmax(kept_seconds, kept_share * fmax(rest, shown)))
        time->end = now + rest;
    return fmax(0, time->end - now);
}

void time_left_text(struct time_left *time, double now, struct text *text)
{
    const double seconds = time_left_seconds(time, now);
    const double elapsed = time->started > 0 ? now - time->started : 0;
    char about[QUANTITY_SIZE];
    if (seconds >= 0 && elapsed + seconds >= short_seconds)
        text_add(text, "%.0f %%, %s left", floor(100 * time_left_done(time)), quantity_about(seconds, about));
}

void time_left_release(struct time_left *time)
{
    free(time->left);
    *time = (struct time_left){0};
}
