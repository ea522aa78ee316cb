// SPDX-License-Identifier: Apache-2.0
/* What a run will do, and about how long it takes: in a few words or, for --dry-run, job by job. */
#pragma once

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

/* Counts the plan. `refused` is valid only after run_plan_refuse. Without a time or a number of instances in the
 * options, each job plays its own extent. */
void forecast_make(const struct run_options *options, const struct run_plan *plan, struct forecast *forecast);

/* Appends ", about 40 s plus builds" for the rest, or nothing if that is not known. */
void forecast_add_time(const struct forecast *forecast, struct text *text);

/* Reports on standard error which profile was chosen for a device by its name or attributes, what will run, and what to
 * do if it takes hours. For a single job, only the profile: its time is given by the options. For a dry run, which
 * reports the profile itself, only what will run. */
void forecast_print(const struct run_options *options, const struct run_plan *plan, bool dry);

/* Prints the plan to standard output, as a table or as one JSON object. seconds: how long it takes without builds;
 * negative: as forecast_make finds. */
enum status forecast_print_plan(const struct run_options *options, const struct run_plan *plan, double seconds,
                                bool json, struct error *error);
