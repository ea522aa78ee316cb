// SPDX-License-Identifier: Apache-2.0
/* A finished job for people, for machines and for the tools of the herd family. */
#ifndef ORCHIL_CLI_PRINT_REPORT_JOB_H
#define ORCHIL_CLI_PRINT_REPORT_JOB_H

#include <jansson.h>
#include <stdio.h>

#include "runner/run/tally.h"
#include "runner/run/verdicts.h"
#include "runner/supervise/supervisor.h"

struct job_report {
    const struct litmus_test *test;
    const char *file;                     /* where the test was found; may be NULL */
    const struct litmus_test *controlled; /* the test that this one is a control of, or NULL */
    const struct backend_device *device;
    const struct job_result *result;
    const struct tally *tally; /* sorted */
    int64_t run_id;
    size_t number; /* in the run's plan */
    uint64_t seed;
    const char *environment; /* hash */
    const char *profile;
    bool undeclared, detached;
    bool frozen;          /* its device code was saved by an earlier run */
    bool must_not_appear; /* the witness condemns the device or the harness, unless it shows a limit of the mapping */
    bool excused;         /* the device promises nothing here: what is forbidden is told, and fails nothing */
    const struct verdicts *verdicts; /* what models say of the outcomes; NULL: none was asked */
};

/* Whether a model forbids the outcome of a row. */
bool report_forbids(const struct job_report *report, const struct tally_row *row);

/* Instances in which a thread gave up: the result of a progress test (kernel_is_progress). */
uint64_t report_gave_up(const struct tally *tally);

/* Instances whose outcome a model forbids, and that the device is not excused for. */
uint64_t report_forbidden(const struct job_report *report);

/* Whether the job showed what must never appear: a forbidden outcome, or a witness that is ruled out (must_not_appear). */
bool report_is_alarm(const struct job_report *report);

/* The block that `run` prints. Escape sequences for colour only where colour is true. */
void report_job_text(const struct job_report *report, bool colour, struct text *text);

/* The object that `run --json` prints on one line. NULL if memory ran out. */
json_t *report_job_json(const struct job_report *report);

/* One block of a litmus7 log, as mcompare7 reads it; nothing for a job without a valid batch. */
void report_job_log(const struct job_report *report, struct text *text);

#endif
