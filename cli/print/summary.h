// SPDX-License-Identifier: Apache-2.0
/* The end of a run: the results of all its jobs. Private to this folder. */
#ifndef ORCHIL_CLI_PRINT_SUMMARY_H
#define ORCHIL_CLI_PRINT_SUMMARY_H

#include "base/terminal/table.h"
#include "runner/run/report.h"

/* A line of the table. */
struct summary_row {
    struct text cells;         /* each ended by a newline */
    enum terminal_style style; /* of the last one */
    const struct backend_device *device;
    size_t number; /* of the job in the plan */
};

struct summary {
    struct summary_row *rows;
    size_t row_count, row_room;
    size_t jobs, by_state[JOB_STATE_COUNT];
    size_t counted;             /* jobs that completed with at least one outcome */
    size_t showing;             /* jobs with at least one outcome, however they ended */
    uint64_t instances;         /* with an outcome, of all jobs */
    bool stopped;               /* by a signal */
    bool empty;                 /* there was nothing to do, as in a shard without tests: no counts are not a
                         * fault */
    size_t spent;               /* jobs for which no time was left */
    size_t unread;              /* files of the selection that cannot be read */
    size_t meaningless;         /* jobs with outcomes of a test without a meaning, such as a racy one */
    size_t alarms;              /* jobs whose witness must never appear, but did */
    size_t by_kept[KEPT_COUNT]; /* jobs with code, by what became of their tests */
    char uninspected[256];      /* the first job whose code was not inspected, and why */
    char unsupported[256];      /* why the first unsupported job was */
    struct text instead;        /* what to do with its test (siblings_add_hint) */
};

void summary_add(struct summary *summary, const struct job_report *report);

/* Prints the table, device by device, each in the order of the plan; the totals; and where
 * everything is stored. */
void summary_print(struct summary *summary, const char *database, int64_t run_id, uint64_t seed, double seconds);

/* 1 after an alarm; 4 after a hang, a crash, a failed build, a lost device or a job not run; 2 if a
 * file could not be read; 3 if nothing completed, no time was left for a job, or a batch was
 * invalid; else 0. */
int summary_exit_code(const struct summary *summary);

void summary_release(struct summary *summary);

#endif
