// SPDX-License-Identifier: Apache-2.0
/* Exports a database to the formats of other tools. */
#pragma once

#include "cli/print/report_job.h"
#include "results/results.h"

/* A job read from a database, with all that `run` knew when it printed it. Starts as {0}. */
struct stored_job {
    struct store_job_row row;
    struct litmus_test *test;
    struct litmus_test controlled; /* its name only */
    struct backend_device device;
    struct job_result result;
    struct tally tally; /* not sorted: more may be added */
    struct verdicts verdicts;
    struct arena arena;       /* holds the row's texts and everything read */
    struct job_report report; /* points to the fields above */
};

/* Reads a job. Forbidden outcomes are judged as without --strict. The caller releases *job, whatever the result. */
enum status stored_job_read(struct store *store, const struct store_job_row *row, struct stored_job *job,
                            struct error *error);

void stored_job_release(struct stored_job *job);

/* RFC 4180: the view's columns, then the values of each row. NULL is an empty field, an empty text is "". */
enum status export_csv(struct store *store, const struct store_wanted *wanted, FILE *out, struct error *error);

/* One JSON object per line. Jobs are as `run --json` prints them, with the view's other columns. */
enum status export_json_lines(struct store *store, const struct store_wanted *wanted, FILE *out, struct error *error);

/* Appends the block of a job to a log of litmus7, which mcompare7 and the other tools of the herd family read; nothing
 * for a job without a valid batch. */
void export_log_block(const struct job_report *report, struct text *text);

/* Appends the block that herd7 prints of a test, without its hash. It counts states, where herd7 counts executions. */
void export_herd_block(const struct litmus_test *test, const struct judgement *judgement, double seconds,
                       struct text *text);

/* The jobs that go into a log; NULL: no condition. */
struct export_log_wanted {
    int64_t run_id;
    const char *device;  /* a part of its name, or its UUID */
    const char *dialect; /* as litmus_dialect_name has it */
};

/* litmus7 log blocks in order of the tests' names: one per test and device, over all its jobs. USAGE if two different
 * tests have one name: readers of such logs stop at that. */
enum status export_log(struct store *store, const struct export_log_wanted *wanted, FILE *out, struct error *error);

/* Writes a copy of the database, without the names of people, hosts, folders and files, and without kernels, device
 * code and build logs. It is searched for these names before it gets its name. run_id: only this run; 0: all. USAGE: a
 * name is in a text that cannot change, such as a test. */
enum status export_share(const char *database, int64_t run_id, const char *path, struct error *error);
