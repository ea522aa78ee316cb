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

/* state: "completed", "interrupted" or "failed". */
enum status store_finish_run(struct store *store, int64_t run_id, const char *state, struct error *error);

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
    const char *marks;        /* JSON array of strings: "not-co-resident", "undeclared", ... */
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
    const char *label;   /* as in struct count: equal text is the same outcome */
    const char *verdict; /* "sc", "weak", "forbidden", "undefined" or "unspecified" */
    const char *axiom;   /* where forbidden, the axiom that it breaks; else empty */
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
 * role. INTERNAL, and nothing is changed, where a label has two verdicts, a word is not one of those above, or unjudged
 * and verdict_count contradict each other. */
enum status store_put_judgement(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                struct error *error);

/* The end of a job. state is one of completed, unsupported, build-failed, hang, crash, device-lost, invalid,
 * interrupted, not-run. reason and detail (the end of stderr or of a build log) may be empty. seconds runs from the first
 * launch to the last read-back. */
enum status store_finish_job(struct store *store, int64_t job_id, const char *state, const char *reason,
                             const char *detail, double seconds, struct error *error);

/* Reading: jobs of one run (run_id > 0) or of all (0), in order of their ids. */
struct store_job_row {
    int64_t job_id, run_id;
    const char *test, *dialect, *condition, *backend, *device, *driver, *state, *controls, *marks;
    uint64_t seed, batches, instances, voids, witnesses; /* of valid batches */
    double seconds;
    const char *test_hash, *device_uuid, *platform, *compiler, *environment_hash, *profile, *key, *reason;
    uint64_t replicate, invalid_batches;
};
/* Calls visit for each row, whose strings live during the call; stops early where it returns false. */
enum status store_each_job(struct store *store, int64_t run_id,
                           bool (*visit)(const struct store_job_row *row, void *context), void *context,
                           struct error *error);

/* The same for one job; nothing where there is no such job. */
enum status store_visit_job(struct store *store, int64_t job_id,
                            bool (*visit)(const struct store_job_row *row, void *context), void *context,
                            struct error *error);

/* The outcome histogram of a job over its valid batches, most frequent first. */
enum status store_each_outcome(struct store *store, int64_t job_id,
                               bool (*visit)(const struct count *outcome, void *context), void *context,
                               struct error *error);

/* The valid batches of a job in order of their numbers. Of the row, number, instances, seconds, started and valid are
 * filled; void_sum is the sum of the batch's voids. */
enum status store_each_batch(struct store *store, int64_t job_id,
                             bool (*visit)(const struct store_batch *batch, uint64_t void_sum, void *context),
                             void *context, struct error *error);

/* Every outcome count of a job's valid batches, in order of the batches' numbers and of the labels. */
enum status store_each_batch_outcome(struct store *store, int64_t job_id,
                                     bool (*visit)(uint64_t number, const struct count *outcome, void *context),
                                     void *context, struct error *error);

/* The judgements of a job, the source's first: without their verdicts (verdicts is NULL, verdict_count says how many
 * there are). */
enum status store_each_judgement(struct store *store, int64_t job_id,
                                 bool (*visit)(const struct store_judgement *judgement, void *context), void *context,
                                 struct error *error);

/* The verdicts of a job's judgement of one role, in order of the labels; none where there is no such judgement. */
enum status store_each_verdict(struct store *store, int64_t job_id, const char *role,
                               bool (*visit)(const struct store_verdict *verdict, void *context), void *context,
                               struct error *error);

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

enum store_cell_kind { STORE_CELL_NULL, STORE_CELL_INTEGER, STORE_CELL_REAL, STORE_CELL_TEXT };

struct store_cell {
    const char *column; /* as the view calls it */
    enum store_cell_kind kind;
    int64_t integer;
    double real;
    const char *text; /* size bytes and a NUL */
    size_t size;
};

/* What is wanted of a view: the rows of one run (run_id > 0), of one job (job_id > 0), or all. Views of runs have no job. */
struct store_wanted {
    enum store_view view;
    int64_t run_id, job_id;
};

/*
 * Calls head once with the view's columns (of each cell only the name is set), then visit for each row, whose cells live
 * during the call: jobs in order of their ids, outcomes of a job most frequent first, batches in order of their numbers.
 * All rows are of one moment, whatever is written meanwhile. Memory does not grow with their number. Either function stops
 * the reading by returning false. */
typedef bool store_visit_row(const struct store_cell *cells, size_t count, void *context);
enum status store_each_row(struct store *store, const struct store_wanted *wanted, store_visit_row *head,
                           store_visit_row *visit, void *context, struct error *error);

/* Adds the text of a job's test and its explanation. */
enum status store_read_test(struct store *store, int64_t job_id, struct text *text, struct text *doc,
                            struct error *error);

/* Adds what was told of a job's device: the JSON object of struct store_device's capabilities. */
enum status store_read_capabilities(struct store *store, int64_t job_id, struct text *json, struct error *error);

/* Adds the canonical text (JSON) of a job's environment. */
enum status store_read_environment(struct store *store, int64_t job_id, struct text *text, struct error *error);

/* Reading what is needed to trust and to repeat a job. */

/* A run as store_begin_run and store_finish_run were told of it. Times of day are UTC, as 2025-01-31T12:00:00.000Z. */
struct store_run_row {
    int64_t run_id;
    struct store_run run;
    const char *state, *started_at, *finished_at; /* finished_at is empty for a run without an end */
};
/* Calls visit for the run run_id, or for all (0) in order of their ids; stops early where it returns false. */
enum status store_each_run(struct store *store, int64_t run_id,
                           bool (*visit)(const struct store_run_row *row, void *context), void *context,
                           struct error *error);

/* The device and the build behind a job. Without a build, marks is "[]" and the rest of the build empty or 0. */
struct store_job_facts {
    int64_t run_id;
    const char *vendor, *architecture;
    bool gpu;
    unsigned compute_units;
    const char *detail, *started_at; /* detail: as store_finish_job was told */
    const char *marks, *log, *kernel_hash;
    unsigned resident_groups;
    double build_seconds;
};
/* Calls visit once, with strings that live during the call; not at all where there is no such job. */
enum status store_read_facts(struct store *store, int64_t job_id,
                             void (*visit)(const struct store_job_facts *facts, void *context), void *context,
                             struct error *error);

/* The voids of a job's valid batches by reason, in order of the reasons; witness is false. */
enum status store_each_void(struct store *store, int64_t job_id,
                            bool (*visit)(const struct count *reason, void *context), void *context,
                            struct error *error);

/* Taking up a run again. Its plan is kept in the file where it was begun. */

struct store_planned {
    size_t group; /* of equal devices, as options numbers them */
    bool control; /* of the last planned job before it that is none */
    struct store_test test;
    const char *file; /* where the test was found, for messages */
    struct store_environment environment;
};
/* Stores what a run is about to do, before it does: options is JSON and the caller's own; jobs are numbered from 0. */
enum status store_add_plan(struct store *store, int64_t run_id, const char *options, const struct store_planned *jobs,
                           size_t count, struct error *error);

/* Adds the options of a run's plan; *found is false where it has none. The store is one for writing. */
enum status store_read_plan(struct store *store, int64_t run_id, struct text *options, bool *found,
                            struct error *error);

/* A planned job and how far it is. */
struct store_planned_row {
    struct store_planned planned;
    int64_t job_id;                      /* 0: it was not begun, and the rest is empty */
    const char *state, *reason, *detail; /* state: "started" if it has no end */
    const char *device;                  /* its capabilities, see struct store_device */
    const char *marks;                   /* of its build; empty: it has none */
    unsigned resident_groups;            /* of its build */
    uint64_t batches, instances;         /* valid ones */
    uint64_t invalid_batches, invalid_instances;
    const char *invalid; /* why the first of those is */
    double seconds;      /* from the first launch to the last read-back that is stored */
};
enum status store_each_planned(struct store *store, int64_t run_id,
                               bool (*visit)(const struct store_planned_row *row, void *context), void *context,
                               struct error *error);

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
