// SPDX-License-Identifier: Apache-2.0
/* What a run is about to do, and about how long that takes. */
#ifndef ORCHIL_CLI_PRINT_FORECAST_H
#define ORCHIL_CLI_PRINT_FORECAST_H

#include "base/text.h"
#include "runner/run/run_jobs.h"

struct forecast {
    size_t tests, controls; /* each counted once, on however many devices it runs */
    size_t jobs, refused;   /* on all devices; refused ones are among the jobs */
    size_t left;            /* jobs that no earlier part of the run has finished, refused ones too */
    size_t devices;
    double seconds; /* that it takes, without building; negative where only the instances of a job are known */
    bool at_most;   /* a job may end before its limit */
    bool builds;    /* kernels are built, if no cache has them */
};

/* Counts what the plan has. refused is right where run_plan_refuse was called. */
void forecast_make(const struct run_options *options, const struct run_plan *plan, struct forecast *forecast);

/* Appends "168 tests with 153 controls on 1 device: 321 jobs, 2.0 s each, about 11 min plus builds", on two lines
 * where one would be longer than 80 columns. */
void forecast_text(const struct forecast *forecast, const struct run_options *options, struct text *text);

/* Appends ", about 40 s plus builds" for what is left, or nothing where that is not known. */
void forecast_add_time(const struct forecast *forecast, struct text *text);

/* Says on standard error which profile was chosen for a device by its name or attributes, what is about to run, and what
 * to do where it takes hours. Of a single job, only the profile: its time is that of the options; of a dry run, which
 * says the first itself, only the second. */
void forecast_print(const struct run_options *options, const struct run_plan *plan, bool dry);

#endif
