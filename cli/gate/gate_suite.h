// SPDX-License-Identifier: Apache-2.0
/*
 * What a gate runs: which tests on which devices, in which environment, from which seed and for how long. `gate`,
 * `gate baseline` and `gate calibrate` ask for it with the same options. Private to the files gate*.c and verb_gate.c.
 */
#ifndef ORCHIL_CLI_GATE_GATE_SUITE_H
#define ORCHIL_CLI_GATE_GATE_SUITE_H

#include "cli/gate/gate_source.h"
#include "cli/verbs/common_rows.h"
#include "runner/supervise/devices.h"

/* What the options that the three have in common (gate_rows.inc) ask for. Without a choice each is NULL or 0. */
struct gate_request {
    const char *device, *profile, *homes, *database;
    double seconds;     /* of each test */
    double budget;      /* seconds for all */
    uint64_t instances; /* of each test */
    uint64_t seed;
    bool seeded, strict, json;
    double confidence;   /* of seeing a mutant again */
    const char *kernels; /* a folder of saved kernels that are replayed; NULL: kernels are compiled */
    struct supervisor_limits limits;
    struct arguments tests;
};

struct run_plan; /* plan_run.h */
struct planned_job;

struct gate_suite {
    struct gate_request request; /* filled up: seconds, seed and confidence as they are used */
    struct selection selection;
    struct device_list devices;
    const struct backend_device **chosen;
    size_t chosen_count;
    struct run_plan *plan; /* owned */
    double started;        /* by clock_seconds */
    double allowance;      /* seconds that a run of the suite may take; 0: as long as its jobs do */
};

/*
 * Plans. source may be NULL. Without TEST arguments the tests are those of the source as they were run then, else @ci; with names of
 * tests of the source, these of the source. Without
 * --profile the environment is the source's, else what fits the device, with the homes of --home; without --device the device is the source's, if it
 * is here, else the usual one; without --seed the seed is the source's. Says on standard error what it took from where.
 * The caller calls gate_suite_release, whatever came back.
 */
enum status gate_suite_make(const struct gate_request *request, const struct gate_source *source,
                            struct gate_suite *suite, struct error *error);
void gate_suite_release(struct gate_suite *suite);

/* How many jobs follow each other on one device, without those that it cannot run. */
size_t gate_suite_jobs(const struct gate_suite *suite);

/* Where neither --time nor --instances says how long a job runs: lets each run of the suite end so that all of it, with
 * what follows, takes the budget, which goes to the jobs that the devices can run; building is part of it. Tells it on standard
 * error. */
void gate_suite_share(struct gate_suite *suite);

/* Runs the suite once, quietly, and reports on standard error when it will end, where the time went, why it took longer
 * than allowed and how many jobs it left out, where it did. False, with the process's exit code in *code, where there is nothing to decide on: it
 * was interrupted, or could not be stored. */
bool gate_suite_run(const struct gate_suite *suite, uint64_t seed, int argc, char **argv, int64_t *run_id, int *code);

/*
 * Runs only the tests of the suite that are wanted, each with its controls, as a run of its own: with the same keys and
 * environments, so that with the same seed its draws are those of the suite's run. `wanted` is asked for tests and for
 * controls; a control brings its test, and all of that test's controls.
 * seconds_each_job: at most; 0: as the suite's jobs. allowance: seconds in which the run ends, jobs getting less where that is
 * needed; 0: none. The result and *code are those of gate_suite_run. Where nothing is wanted, nothing runs: false, *code 0.
 */
bool gate_suite_run_some(const struct gate_suite *suite, bool (*wanted)(const struct planned_job *job, void *context),
                         void *context, uint64_t seed, double seconds_each_job, double allowance, int argc, char **argv,
                         int64_t *run_id, int *code);

/* How many jobs of such a run follow each other on the device that has most of them. */
size_t gate_suite_count_some(const struct gate_suite *suite,
                             bool (*wanted)(const struct planned_job *job, void *context), void *context);

#endif
