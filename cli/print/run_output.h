// SPDX-License-Identifier: Apache-2.0
/* The output of a run in progress and at its end: the listener of `run` and `gate`. */
#pragma once

#include "analysis/statistics/statistics.h"
#include "analysis/words/words.h"
#include "base/terminal/table.h"
#include "cli/print/report_job.h"
#include "runner/run/assumptions.h"
#include "runner/run/run_jobs.h"

/* ---- the mutation score of a run (analysis/statistics/statistics.h), as its jobs end ---- */

/* Of the tests of one dialect on one device. */
struct score_row {
    const struct backend_device *device;
    enum litmus_dialect dialect;
    char profile[64];
    struct mutation_score score;
};

/* Starts as {0}. */
struct score {
    struct score_row *rows;
    size_t count, room;
};

/* ---- how far a run is: the share of it that is done, and the time for the rest, estimated from that part ---- */

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

/* Seconds until the end of the run; negative while they are not known. A shown end is kept until it is off by a tenth,
 * so that the time left counts down evenly. */
double time_left_seconds(struct time_left *time, double now);

/* Appends "34 %, 7 min left"; nothing for a run of a few seconds, or while nothing is known. */
void time_left_text(struct time_left *time, double now, struct text *text);

void time_left_release(struct time_left *time);

/* ---- the end of a run: the results of all its jobs ---- */

/* A line of the table. */
struct summary_row {
    struct text cells;         /* each ended by a newline */
    enum terminal_style style; /* of the last one */
    const struct backend_device *device;
    size_t number; /* of the job in the plan */
    struct words_job time;
};

struct summary {
    struct summary_row *rows;
    size_t row_count, row_room;
    size_t jobs, by_state[JOB_STATE_COUNT];
    size_t counted;             /* jobs that completed with at least one outcome */
    size_t showing;             /* jobs with at least one outcome, however they ended */
    uint64_t instances;         /* with an outcome, of all jobs */
    bool stopped;               /* by a signal */
    bool empty;                 /* there was nothing to do, as in a shard without tests: no counts are not a fault */
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

/* 1 after an alarm; 4 after a hang, a crash, a failed build, a lost device or a job not run; 2 if a file could not be
 * read; 3 if nothing completed, no time was left for a job, or a batch was invalid; else 0. */
int summary_exit_code(const struct summary *summary);

void summary_release(struct summary *summary);

/* ---- the output ---- */

/* The caller sets json, verbose and quiet; all else starts as 0. */
struct run_output {
    bool json;    /* an object per job instead of text */
    bool verbose; /* a block for each job, however many tests there are */
    bool brief;   /* the run has so many tests that only jobs that need attention get a block */
    struct report_before before;
    bool quiet; /* neither jobs nor the summary; progress is still shown */
    struct progress_line progress;
    struct summary summary;
    struct score score;
    struct assumptions assumptions;
    struct time_left left;
};

/* Makes the line of progress, shorter than `width` columns if possible (0: of any length). left: how much is done and
 * left, in words, or "". */
void run_output_progress(const struct run_progress *progress, const char *left, size_t width, struct text *line);

/* Runs the plan and prints what happens. Returns the exit code of the process. */
int run_output_run(struct run_output *output, const struct run_options *options, const struct run_plan *plan,
                   struct run_result *result);
