// SPDX-License-Identifier: Apache-2.0
/* How far a run is: the share of it that is done, and the time for the rest, estimated from the
 * part so far. */
#ifndef ORCHIL_CLI_PRINT_TIME_LEFT_H
#define ORCHIL_CLI_PRINT_TIME_LEFT_H

#include "base/text.h"
#include "runner/run/run_jobs.h"

/* Starts as {0}. */
struct time_left {
    const struct run_plan *plan;
    const struct run_options *options;
    double *left;   /* of each job, from 1 to 0 */
    double all;     /* jobs that are not refused */
    double first;   /* what was left on the busiest hardware when the first job started to play */
    double started; /* time of that, by clock_seconds; 0: not yet */
    double end;     /* end of the run, by clock_seconds, as last shown; 0: not known */
};

/* The plan and the options must outlive it; the caller calls time_left_release. */
void time_left_start(struct time_left *time, const struct run_options *options, const struct run_plan *plan);

/* A job of the plan has ended; now: clock_seconds(). */
void time_left_ended(struct time_left *time, size_t number, double now);

/* The run has made progress; now: clock_seconds(). */
void time_left_went_on(struct time_left *time, const struct run_progress *progress, double now);

/* The share of the jobs' work that is done, from 0 to 1. */
double time_left_done(const struct time_left *time);

/* Seconds until the end of the run; negative while they are not known. A shown end is kept until it
 * is off by a tenth, so that the time left counts down evenly. */
double time_left_seconds(struct time_left *time, double now);

/* Appends "34 %, 7 min left"; nothing for a run of a few seconds, or while nothing is known. */
void time_left_text(struct time_left *time, double now, struct text *text);

void time_left_release(struct time_left *time);

#endif
