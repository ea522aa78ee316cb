// SPDX-License-Identifier: Apache-2.0
/* The report of a job: its results, and how its test, its device and the models judge them. */
#pragma once

#include "runner/supervise/supervisor.h"
#include "verdicts/tally.h"
#include "verdicts/verdicts.h"

/* A job that has ended, or that is not run. It points into the run and is valid during the listener's call. Its test
 * and its device belong to the plan, and are valid as long as the plan. */
struct job_report {
    const struct litmus_test *test;
    const char *file;                     /* where the test was found; may be NULL */
    const struct litmus_test *controlled; /* the test that this one controls, or NULL */
    const struct backend_device *device;
    const char *compiler; /* of the replayed kernel, or else the device's */
    const struct job_result *result;
    const struct tally *tally; /* sorted */
    int64_t run_id;
    size_t number; /* in the run's plan */
    uint64_t seed;
    const char *environment; /* hash */
    const char *profile;
    const char *lowering;            /* of its kernel; "" if it has none */
    unsigned marks;                  /* of enum mark */
    bool built;                      /* it has code */
    enum kept kept;                  /* what inspection found, if it has code */
    const char *kept_reason;         /* as struct build has it */
    bool stopped;                    /* a signal had stopped the run: a job not run was skipped by the user */
    bool spent;                      /* not run, because the run's time was up first */
    bool strict;                     /* the device is held to orders and scopes that it does not declare */
    const struct verdicts *verdicts; /* of the models; NULL: none was asked */
};

/* What it means that the outcome of a row was seen. A count of 0 means nothing. */
struct ruling report_ruling(const struct job_report *report, const struct count *row);

/* Whether a witness without a verdict would be a failure: the file's claim and the control's role rule it out, and the
 * device promises what the test uses. */
bool report_expects_none(const struct job_report *report);

/* The deciding model's verdict on a row, or "". */
const char *report_verdict(const struct job_report *report, const struct count *row);

/* Why a row has no verdict; NULL if it has one or no model was asked. */
const char *report_unjudged(const struct job_report *report, const struct count *row);

/* Instances whose outcome a model forbids, if that is a failure. */
uint64_t report_forbidden(const struct job_report *report);

/* Whether the job showed an outcome that is a failure. */
bool report_is_alarm(const struct job_report *report);

/* The model that allows a witness that was seen and that, according to the test's file, must never appear; NULL if the
 * file and the model agree, or if no model judges. */
const struct opinion *report_contradicted(const struct job_report *report);
