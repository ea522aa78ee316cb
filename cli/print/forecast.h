// SPDX-License-Identifier: Apache-2.0
/* What a run will do, and about how long it takes. */
#ifndef ORCHIL_CLI_PRINT_FORECAST_H
#define ORCHIL_CLI_PRINT_FORECAST_H

#include <stdbool.h>

#include "base/text.h"
#include "runner/run/run_jobs.h"

struct forecast {
    size_t tests, controls; /* each counted once, on however many devices it runs */
    size_t jobs, refused;   /* on all devices; refused ones are among the jobs */
    size_t left;            /* jobs that no earlier part of the run has finished, refused ones too */
    size_t devices;
    double seconds; /* time without building; negative if only the instances of a job are known */
    bool at_most;   /* a job may end before its limit */
    bool builds;    /* kernels are built, if no cache has them */
};

/* Counts the plan. `refused` is valid only after run_plan_refuse. */
void forecast_make(const struct run_options *options, const struct run_plan *plan, struct forecast *forecast);

/* Appends "168 tests with 153 controls on 1 device: 321 jobs, 2.0 s each, about 11 min plus
 * builds", on two lines if one would be longer than 80 columns. */
void forecast_text(const struct forecast *forecast, const struct run_options *options, struct text *text);

/* Appends ", about 40 s plus builds" for the rest, or nothing if that is not known. */
void forecast_add_time(const struct forecast *forecast, struct text *text);

/* Reports on standard error which profile was chosen for a device by its name or attributes, what
 * will run, and what to do if it takes hours. For a single job, only the profile: its time is given
 * by the options. For a dry run, which reports the profile itself, only what will run. */
void forecast_print(const struct run_options *options, const struct run_plan *plan, bool dry);

/* Prints the plan to standard output, as a table or as one JSON object. */
enum status forecast_print_plan(const struct run_options *options, const struct run_plan *plan, bool json,
                                struct error *error);

#endif
