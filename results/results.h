// SPDX-License-Identifier: Apache-2.0
/*
 * The store: one SQLite file that keeps every outcome histogram with all that is needed to trust and to repeat it.
 * This is the only room that speaks SQL. The tables are private; the views that results/README.md describes are the
 * stable interface for other tools.
 *
 * What is promised. A transaction holds whole batches, each with its outcomes and its voids, which add up to its
 * instances (a batch that does not is refused as INTERNAL). When a function returned STATUS_OK, what it stored
 * survives a crash, a kill and, if the disk honours a sync, a power cut. Several processes may write into one file.
 * The file was then where it had been opened: whatever writes fails with STATUS_DATABASE once the file was moved, removed
 * or replaced, or its -wal or -shm was.
 *
 * Ownership: the store copies what it is given. Strings are UTF-8 and never NULL unless the comment says so.
 */
#ifndef ORCHIL_RESULTS_H
#define ORCHIL_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/record.h"
#include "base/status.h"
#include "base/text.h"

struct store;

enum store_mode {
    STORE_WRITE, /* created where missing */
    STORE_READ   /* must exist */
};

/* Opens path. Refuses, with STATUS_DATABASE and a text that says why: a file that is no SQLite database, a database of
 * another application, one written by a newer or an older orchil, one that quick_check condemns, a folder that cannot be written. */
enum status store_open(const char *path, enum store_mode mode, struct store **store, struct error *error);
void store_close(struct store *store);

/* How the file is kept: "wal"; "delete" where the file system is shared between machines (a write-ahead log is unsafe
 * there, so commits are slower and readers wait for writers); "immutable" for reading in a folder that cannot be
 * written: right only while nobody else writes the file. */
const char *store_journal(const struct store *store);

/* Host, tool and intent of one invocation. */
struct store_run {
    const char *tool_version; /* "0.1.0" and the commit, if known */
    const char *command_line;
    const char *host;                  /* host name, kernel and machine in one line */
    const char *environment_variables; /* JSON object: those that change drivers (OCL_ICD_*, POCL_*, CUDA_*, ...) */
    uint64_t seed;
};
enum status store_begin_run(struct store *store, const struct store_run *run, int64_t *run_id, struct error *error);

/* INTERNAL for RUN_STARTED. */
enum status store_finish_run(struct store *store, int64_t run_id, enum run_state state, struct error *error);

/* A device and the driver that runs it: two tables; the same pair is stored once. capabilities is a JSON object. */
struct store_device {
    const char *backend, *name, *vendor, *uuid, *architecture;
    bool gpu;
    unsigned compute_units;
    const char *platform, *driver, *compiler;
    const char *capabilities;
};

/* A test by content. hash names the content; name and text are those that it was run under. */
struct store_test {
    const char *dialect, *name, *hash, *text, *condition, *doc;
};

/* An environment by content: hash and its canonical text (JSON). profile is the name it was asked for under. */
struct store_environment {
    const char *hash, *text, *profile;
};

struct store_job {
    int64_t run_id;
    struct store_device device;
    struct store_test test;
    struct store_environment environment;
    const char *key; /* hash(test, environment, replicate), hexadecimal */
    uint64_t seed;
    unsigned replicate;
    const char *controls; /* name of the test that this job is a control of, or empty */
    bool planned;         /* the run's plan has it, as planned_number */
    uint64_t planned_number;
};
/* Stores the job in state "started" before anything of it runs. */
enum status store_begin_job(struct store *store, const struct store_job *job, int64_t *job_id, struct error *error);

/* Stores jobs that are not run at all, in state "not-run" for one reason, in one transaction. */
enum status store_skip_jobs(struct store *store, const struct store_job *jobs, size_t count, const char *reason,
                            struct error *error);

/* What the build told: kernel text and device code are kept once per hash. binary may be empty. */
struct store_build {
    const char *kernel, *binary, *log;
    double seconds;
    unsigned resident_groups; /* how many work-groups the device holds at once, of this program */
    unsigned marks;
};
enum status store_add_build(struct store *store, int64_t job_id, const struct store_build *build, struct error *error);

struct store_batch {
    uint64_t number;      /* in its job, from 0 */
    const char *draw;     /* JSON: the launch arguments drawn for it */
    uint64_t instances;   /* launched: equal to the sum of outcome counts and voids */
    double seconds;       /* from launch to read-back */
    double started;       /* seconds since the job's first launch, by the monotonic clock */
    bool valid;           /* false: requested stress did nothing, or the like: kept, never summed */
    const char *invalid;  /* why valid is false; NULL: nothing is to be said */
    const char *liveness; /* JSON object: mechanism -> rounds */
    const struct count *outcomes;
    size_t outcome_count;
    const struct count *voids;
    size_t void_count;
};
/* Stores count batches in one transaction. */
enum status store_add_batches(struct store *store, int64_t job_id, const struct store_batch *batches, size_t count,
                              struct error *error);

/* What a model says of one outcome of a job. */
struct store_verdict {
    const char *label; /* as in struct count: equal text is the same outcome */
    enum verdict verdict;
    const char *axiom; /* where forbidden, the axiom that it breaks; else empty */
};

/* What a model says of a job. verdicts holds every outcome that the model lists, seen or not. An outcome that was seen
 * and is not among them has no verdict: what that means follows from cut and racy. */
struct store_judgement {
    const char *role;     /* "source": of the test as written; "target": of the instructions that were emitted */
    const char *model;    /* its id; never empty */
    const char *unjudged; /* why there are no verdicts; empty where there are some */
    const char *cut; /* empty: the model listed every outcome that it allows; else the bound that cut executions off */
    bool racy;
    const struct store_verdict *verdicts;
    size_t verdict_count;
};
/* Stores a judgement with all its verdicts, before the job's end or after it. It replaces the job's judgement of that
 * role. INTERNAL, and nothing is changed, where a label has two verdicts, one is VERDICT_NONE, or unjudged and
 * verdict_count contradict each other. */
enum status store_put_judgement(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                struct error *error);

/* The end of a job; INTERNAL for JOB_STARTED. reason and detail (the end of stderr or of a build log) may be empty. seconds
 * runs from the first launch to the last read-back. */
enum status store_finish_job(struct store *store, int64_t job_id, enum job_state state, const char *reason,
                             const char *detail, double seconds, struct error *error);

/* ---- reading ---- */

/* A stored job. The sums are of valid batches. */
struct store_job_row {
    int64_t job_id, run_id;
    const char *test, *dialect, *condition, *test_hash, *backend, *device, *device_uuid, *platform, *driver, *compiler;
    const char *environment_hash, *profile, *key, *controls, *reason;
    enum job_state state;
    unsigned marks; /* of its build; none where it has none */
    uint64_t seed, replicate, batches, invalid_batches, instances, voids, witnesses;
    double seconds;
};

/* A run as store_begin_run and store_finish_run were told of it. Times of day are UTC, as 2025-01-31T12:00:00.000Z. */
struct store_run_row {
    int64_t run_id;
    struct store_run run;
    enum run_state state;
    const char *started_at, *finished_at; /* finished_at is empty for a run without an end */
};

/* The device and the build behind a job. Without a build, log and kernel_hash are empty and the numbers 0. */
struct store_job_facts {
    const char *vendor, *architecture;
    bool gpu;
    unsigned compute_units;
    const char *detail, *started_at; /* detail: as store_finish_job was told */
    const char *log, *kernel_hash;
    unsigned resident_groups;
    double build_seconds;
};

struct store_batch_row {
    uint64_t number, instances, voids;
    double seconds;
};

/* A test's text with its explanation, a canonical environment, a JSON object: the other is empty. */
struct store_text_row {
    const char *text, *doc;
};

struct store_verdict_row {
    struct store_judgement judgement; /* without its verdicts */
    struct store_verdict verdict;     /* one of them; label is NULL where it has none */
};

/* A cell of a published view. */
enum store_cell_kind { STORE_CELL_NULL, STORE_CELL_INTEGER, STORE_CELL_REAL, STORE_CELL_TEXT };

struct store_cell {
    const char *column; /* as the view calls it */
    enum store_cell_kind kind;
    int64_t integer;
    double real;
    const char *text; /* size bytes and a NUL */
    size_t size;
};

struct store_cell_row {
    struct store_cell *cells;
    size_t count;
};

/* A job of a run's plan. */
struct store_planned {
    size_t group; /* of equal devices, as options numbers them */
    bool control; /* of the last planned job before it that is none */
    struct store_test test;
    const char *file; /* where the test was found, for messages */
    struct store_environment environment;
};

/* How far a job of a plan is. */
struct store_progress {
    int64_t job_id; /* 0: it was not begun, and the rest is empty */
    enum job_state state;
    bool finished; /* for good: it is not taken up again */
    const char *reason;
    bool built;
    unsigned marks, resident_groups;    /* of its build */
    uint64_t batches, instances;        /* valid ones */
    uint64_t invalid_batches, launched; /* launched: instances of all batches */
    const char *invalid;                /* why the first invalid one is */
    double seconds;                     /* from the first launch to the last read-back that is stored */
};

struct store_planned_row {
    struct store_planned planned;
    struct store_progress progress;
    const char *device; /* that it was begun on: its capabilities, see struct store_device */
};

/* What can be read: of which id, the member of a cursor that has the row, and the order. */
enum store_what {
    STORE_RUNS,           /* run: the run, or all (0); by id */
    STORE_JOBS,           /* job: of a run, or all (0); by id */
    STORE_JOB,            /* job: that one */
    STORE_FACTS,          /* facts: of a job */
    STORE_OUTCOMES,       /* count: a job's histogram over its valid batches; most frequent first */
    STORE_VOIDS,          /* count: a job's voids over its valid batches, by reason */
    STORE_BATCHES,        /* batch: a job's valid ones, by number */
    STORE_BATCH_OUTCOMES, /* count and number: of each valid batch of a job, by number and label */
    STORE_VERDICTS,       /* verdict: a job's judgements, the source's first, each with its verdicts by label */
    STORE_TEST,           /* text: of a job */
    STORE_ENVIRONMENT,    /* text: of a job */
    STORE_CAPABILITIES,   /* text: of a job's device, struct store_device's JSON object */
    STORE_PLAN,           /* text: the options of a run's plan; no row where it has none */
    STORE_PLANNED,        /* planned: the jobs of a run's plan, by number */
    STORE_WHAT_COUNT
};

/*
 * Rows, one after the other:
 *
 *     struct store_cursor jobs;
 *     enum status status = STATUS_OK;
 *     store_query(store, STORE_JOBS, run_id, &jobs, error);
 *     while (status == STATUS_OK && store_next(&jobs))
 *         status = do_something(&jobs.job, error);
 *     return store_end(&jobs, status);
 *
 * A row, with all that it points to, lives until the next store_next or store_end. In between, the store may be used, and
 * other cursors too. Every cursor must be ended.
 */
struct store_cursor {
    union {
        struct store_run_row run;
        struct store_job_row job;
        struct store_job_facts facts;
        struct store_batch_row batch;
        struct {
            uint64_t number;
            struct count count;
        };
        struct store_verdict_row verdict;
        struct store_text_row text;
        struct store_planned_row planned;
    };
    struct store_cell_row row; /* of a view: the names of the columns are there before the first store_next */

    /* private */
    struct store *store;
    struct error *error;
    struct sqlite3_stmt *statement, *jobs;
    const char *sql, *jobs_sql, *what;
    int64_t id;
    enum status status;
    void (*fill)(struct store_cursor *cursor);
    bool opened, began;
};

void store_query(struct store *store, enum store_what what, int64_t id, struct store_cursor *cursor,
                 struct error *error);
bool store_next(struct store_cursor *cursor); /* false at the end, and where reading failed */

/* Gives status, unless that is STATUS_OK and reading has failed. */
enum status store_end(struct store_cursor *cursor, enum status status);

/* Rows as the published views have them (results/README.md). */
enum store_view {
    STORE_VIEW_RUNS,
    STORE_VIEW_JOBS,
    STORE_VIEW_OUTCOMES,
    STORE_VIEW_BATCHES,
    STORE_VIEW_VOIDS,
    STORE_VIEW_JUDGEMENTS,
    STORE_VIEW_PARTS,
    STORE_VIEW_RESUMPTIONS,
    STORE_VIEW_MERGES,
    STORE_VIEW_COUNT
};

/* What is wanted of a view: the rows of one run (run_id > 0), of one job (job_id > 0), or all. Views of runs have no job. */
struct store_wanted {
    enum store_view view;
    int64_t run_id, job_id;
};

/* The cursor's row: jobs in order of their ids, outcomes of a job most frequent first, batches in order of their numbers.
 * All rows are of one moment, whatever is written meanwhile. Memory does not grow with their number. */
void store_query_view(struct store *store, const struct store_wanted *wanted, struct store_cursor *cursor,
                      struct error *error);

/* ---- reading at once: what comes back lives in the arena ---- */

struct store_job_row store_keep_job(struct arena *arena, const struct store_job_row *row);

/* All rows of STORE_OUTCOMES or STORE_VOIDS. */
enum status store_load_counts(struct store *store, enum store_what what, int64_t job_id, struct arena *arena,
                              struct count **counts, size_t *count, struct error *error);

/* What the models said of a job, with all verdicts; model is NULL where there is no judgement. */
struct store_judgements {
    struct store_judgement source, target;
};
enum status store_load_judgements(struct store *store, int64_t job_id, struct arena *arena,
                                  struct store_judgements *judgements, struct error *error);

/* The one row of STORE_TEST, STORE_ENVIRONMENT, STORE_CAPABILITIES or STORE_PLAN; its texts are NULL where there is none. */
enum status store_load_text(struct store *store, enum store_what what, int64_t id, struct arena *arena,
                            struct store_text_row *text, struct error *error);

/* Taking up a run again. Its plan is kept in the file where it was begun. */

/* Stores what a run is about to do, before it does: options is JSON and the caller's own; jobs are numbered from 0. */
enum status store_add_plan(struct store *store, int64_t run_id, const char *options, const struct store_planned *jobs,
                           size_t count, struct error *error);

/* Makes a run "started" again and stores by whom; seed is not used. */
enum status store_resume_run(struct store *store, int64_t run_id, const struct store_run *by, struct error *error);

/* Makes a job "started" again that is "started", "interrupted" or "not-run": its build and its batches stay, so further
 * batches have further numbers; its judgements go, to be stored anew. device: where it goes on. */
enum status store_resume_job(struct store *store, int64_t job_id, const struct store_device *device,
                             struct error *error);

/* Merging: the runs of one file into another. A run and a job are recognised by their UUIDs, everything else by content
 * (results/README.md, "Merging"), so merging a file again adds nothing, and merging one that has grown adds what it lacks. */

/* What a merge need not bring along; sums and verdicts never hang on it. Together as bits. */
enum store_leave {
    STORE_LEAVE_KERNELS = 1,  /* kernel texts */
    STORE_LEAVE_BINARIES = 2, /* device code */
    STORE_LEAVE_LOGS = 4,     /* build logs */
    STORE_LEAVE_DRAWS = 8     /* the launch arguments of batches */
};

struct store_merge_options {
    const int64_t *runs; /* ids, in the file that is read, of the runs wanted */
    size_t run_count;    /* 0: all */
    unsigned leave_out;  /* bits of enum store_leave */
    bool unfinished;     /* take runs in state "started" too, as far as they are */
    /* NULL: every run stays a run of its own. Else all become one run of the target, as the shards of a run: its id, or 0
     * for the first that comes, whose id is then set. */
    int64_t *one_run;
    const char *tool_version, *host; /* of this process, for the provenance, as in struct store_run */
};

/* What a merge has done. A file that was merged before has only runs_same. */
struct store_merge_tally {
    uint64_t runs_new, runs_grown, runs_same; /* new to the target; brought up to date; nothing was lacking */
    uint64_t jobs, batches;                   /* that the target did not have */
};

/*
 * Brings the runs of the file from into the store, and leaves the file as it is: each run in one transaction, so that a
 * run is there with all its jobs or not at all, and a merge that was stopped is completed by another. Adds to *tally,
 * also where it fails. Refuses what store_open refuses; the store's own file; a run
 * that is not there, a run in state "started" unless such are asked for, and runs that cannot become one (USAGE); a run
 * that does not add up, or that contradicts what the store holds of the same run (DATABASE).
 */
enum status store_merge(struct store *into, const char *from, const struct store_merge_options *options,
                        struct store_merge_tally *tally, struct error *error);

/* The store's run that one of the wanted runs of a file is, or is a part of; 0 where the store has none of them. Nothing is
 * changed. */
enum status store_merge_find(struct store *into, const char *from, const struct store_merge_options *options,
                             int64_t *run_id, struct error *error);

/* Checks the whole file: SQLite's integrity_check, foreign keys, and that every batch adds up. Appends one line per
 * finding to *findings; nothing for a sound file. */
enum status store_check(struct store *store, struct text *findings, struct error *error);

#endif
