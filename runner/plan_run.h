// SPDX-License-Identifier: Apache-2.0
/* What a run has to do: its jobs, in order. Private to this folder. */
#ifndef ORCHIL_RUNNER_PLAN_RUN_H
#define ORCHIL_RUNNER_PLAN_RUN_H

#include "runner/environment/environment.h"
#include "runner/selection.h"

struct planned_job {
    const struct selected_test *test;
    const struct litmus_test *controlled; /* the test that this job is a control of, in the same draws; or NULL */
    const struct backend_device *device;
    const struct environment *environment;
    char key[65]; /* hash(test, environment, replicate); a control has the key of the test that it controls */
};

struct run_plan {
    struct planned_job *jobs;
    size_t job_count;
    struct environment *environments; /* one per device */
    struct selected_test *controls;   /* tests that the selection names as controls; owned */
    size_t control_count;
};

/*
 * Every device runs every selected test, each followed by its controls (the tests that its metadata line Control= names,
 * separated by commas) if with_controls. profile is a name, a path, or NULL for the built-in one that fits the device.
 * The plan points into selection and devices. The caller releases it, whatever the result.
 */
enum status run_plan_make(const struct selection *selection, const struct backend_device *const *devices,
                          size_t device_count, const char *profile, bool with_controls, struct run_plan *plan,
                          struct error *error);

/* The key of a job: hash(test, environment, replicate). */
void plan_job_key(const struct litmus_test *test, const struct environment *environment, unsigned replicate,
                  char key[65]);

/* Whether the test itself says that its witness must not appear: Expect=forbidden, or a condition ~exists or forall that
 * Expect= does not contradict. */
bool plan_forbids(const struct litmus_test *test);

void run_plan_release(struct run_plan *plan);

#endif
