// SPDX-License-Identifier: Apache-2.0
/*
 * The store: one SQLite file that keeps every outcome histogram, with everything needed to trust and to repeat it. This
 * is the only room that uses SQL. The tables are private; the views described in docs/reference/database.md are the
 * stable interface for other tools.
 *
 * Guarantees. A transaction holds whole batches, each with its outcomes and its voids, which add up to its instances (a
 * batch that does not is refused as INTERNAL). Once a function has returned STATUS_OK, its data survives a crash, a
 * kill and, if the disk honours a sync, a power cut; and the file was still where it had been opened. If the file, its
 * -wal or its -shm has been moved, removed or replaced, every function that writes fails with STATUS_DATABASE. Several
 * processes may write to one file.
 *
 * Ownership: the store copies its arguments. Strings are UTF-8 and never NULL unless the comment says so.
 */
#pragma once

#include "base/record.h"

/* ---- writing, and the structs to be stored ---- */

struct store;

/* The most instances of a job, in all its batches: 2^60. At 10^10 a second they take more than three years, so a job
 * with more is damaged: it is neither stored nor merged, and is read as described at STORE_COUNTS_DAMAGED. */
#define STORE_JOB_INSTANCES_MAX (UINT64_C(1) << 60)

/* Host, tool and intent of one invocation. */
struct store_run {
    const char *tool_version; /* "0.1.0" and the commit, if known */
    const char *command_line;
    const char *host; /* host name, kernel and machine in one line */
    const char
        *environment_variables; /* JSON object: the variables that affect drivers (OCL_ICD_*, POCL_*, CUDA_*, ...) */
    uint64_t seed;
    bool only; /* begin it only if no run of the file has this command line: otherwise USAGE */
};
enum status store_begin_run(struct store *store, const struct store_run *run, int64_t *run_id, struct error *error);

/* INTERNAL for RUN_STARTED. */
enum status store_finish_run(struct store *store, int64_t run_id, enum run_state state, struct error *error);

/* A device and its driver, in two tables; equal pairs are stored once. capabilities is a JSON object. */
struct store_device {
    const char *backend, *name, *vendor, *uuid, *architecture;
    bool gpu;
    unsigned compute_units;
    const char *platform, *driver, *compiler;
    const char *capabilities;
};

/* A test by content. hash identifies the content; name and text are as it was run. */
struct store_test {
    const char *dialect, *name, *hash, *text, *condition, *doc;
};

/* An environment by content: hash and canonical text (JSON). profile is the name by which it was requested. */
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
    const char *controls;     /* name of the test that this job is the control of, or empty */
    const char *lowering;     /* how its kernel is made; NULL or empty if unknown */
    struct job_extent extent; /* of which the instances are stored; the build has its work-groups */
    bool planned;             /* it is job planned_number of the run's plan */
    uint64_t planned_number;
};
/* Stores the job in state "started" before any part of it runs. It survives a power cut once more of it is stored. */
enum status store_begin_job(struct store *store, const struct store_job *job, int64_t *job_id, struct error *error);

/* Stores jobs that are not run, in state "not-run" with one reason, in one transaction. */
enum status store_skip_jobs(struct store *store, const struct store_job *jobs, size_t count, const char *reason,
                            struct error *error);

/* Kernel text and device code are stored once per hash. */
enum status store_add_build(struct store *store, int64_t job_id, const struct build *build, struct error *error);

/* The code of a job that has a build was made again, with a different result of its inspection; kept and reason are as
 * in struct build. */
enum status store_change_kept(struct store *store, int64_t job_id, enum kept kept, const char *reason,
                              struct error *error);

/* Stores batches in one transaction; invalid ones are stored but never summed. INTERNAL for batches that do not add up,
 * or that would give the job more than STORE_JOB_INSTANCES_MAX instances. */
enum status store_add_batches(struct store *store, int64_t job_id, const struct batch *batches, size_t count,
                              struct error *error);

/* A model's verdict on one outcome of a job. */
struct store_verdict {
    const char *label; /* as in struct count: equal texts are the same outcome */
    enum verdict verdict;
    const char *axiom; /* for a forbidden outcome, the axiom that it violates; else empty */
};

/* A model's judgement of a job. verdicts holds every outcome that the model lists, seen or not, and the seen outcomes
 * that are forbidden, without an axiom, because no execution of the test has them. Other seen outcomes have no verdict:
 * cut, racy or a verdict `unspecified` says why. */
struct store_judgement {
    const char *role;       /* "source": of the test as written; "target": of the generated instructions */
    const char *model;      /* its id; never empty */
    const char *model_hash; /* of everything that its verdicts depend on, 64 digits; empty if the model was not used */
    unsigned
        mapping; /* version of the mapping from the test to the judged instructions; 0: the text itself was judged */
    const char *unjudged; /* why there are no verdicts; empty if there are some */
    const char *cut; /* empty: the model lists every outcome that it allows; else the bound that cut off executions */
    bool racy;
    const struct store_verdict *verdicts;
    size_t verdict_count;
};
/* Stores a judgement with all its verdicts, before or after the job's end. It replaces the job's judgement of that
 * role. INTERNAL, with nothing changed, if a label has two verdicts, one is VERDICT_NONE, or unjudged and verdict_count
 * contradict each other. */
enum status store_put_judgement(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                struct error *error);

/* Makes what is stored of a job until store_joined one transaction, with one sync; it is undone if the status is not
 * STATUS_OK. The result is of the commit. */
enum status store_join(struct store *store, int64_t job_id, struct error *error);
enum status store_joined(struct store *store, enum status status, struct error *error);

/* Ends a job; INTERNAL for JOB_STARTED. reason and detail (the end of stderr or of a build log) may be empty. seconds:
 * from the first launch to the last read-back. */
enum status store_finish_job(struct store *store, int64_t job_id, enum job_state state, const char *reason,
                             const char *detail, double seconds, struct error *error);

/* Stores what was read from the device and the host while the job ran, as a JSON object (base/circumstances.h), before
 * or after the job's end. Until then a job has {}. */
enum status store_put_circumstances(struct store *store, int64_t job_id, const char *circumstances,
                                    struct error *error);

/* ---- resuming a run: its plan is kept in the file where it was begun ---- */

/* A job of a run's plan. */
struct store_planned {
    size_t group; /* of equal devices, as numbered in options */
    bool control; /* of the last planned job before it that is not a control */
    struct store_test test;
    size_t twin;      /* one more than the number of an earlier job with this test, if that is known; else 0 */
    const char *file; /* where the test was found, for messages */
    const char *lowering;
    struct store_environment environment;
    struct job_extent extent;
};
/* Stores the plan of a run before it starts: options is the caller's own JSON; jobs are numbered from 0. */
enum status store_add_plan(struct store *store, int64_t run_id, const char *options, const struct store_planned *jobs,
                           size_t count, struct error *error);

/* Makes a run "started" again and records by which invocation; seed is not used. */
enum status store_resume_run(struct store *store, int64_t run_id, const struct store_run *by, struct error *error);

/* Makes a job "started" again that is "started", "interrupted" or "not-run". Its build and its batches stay, so the
 * numbers of further batches continue; its judgements are removed, to be stored again. device: where it continues. */
enum status store_resume_job(struct store *store, int64_t job_id, const struct store_device *device,
                             struct error *error);

/* ---- the file: opening, merging, checking ---- */

enum store_mode {
    STORE_WRITE,  /* created if missing */
    STORE_RESUME, /* the same, but a file of an older orchil is read: only that orchil can resume its runs */
    STORE_READ    /* must exist */
};

/* Opens path. Refuses, with a text that says why, and UNREADABLE: a file that is missing, cannot be read, is not a
 * SQLite database, a database of another application, or one written by a newer orchil, and a folder that cannot be
 * written to; with DATABASE: a file with other tables, views, indexes or triggers than orchil's (additional views are
 * allowed). STORE_READ checks all pages, and refuses a file with damaged ones; STORE_WRITE takes the same time whatever
 * the size of the file, and checks the first and last rows of its tables. A file of an older release is checked whole.
 * STORE_WRITE then brings it to this version in one transaction, or fails if another process has it open for 10 s;
 * STORE_READ does so with a copy below TMPDIR, which it reads. */
enum status store_open(const char *path, enum store_mode mode, struct store **store, struct error *error);
void store_close(struct store *store);

/* The journal of the file: "wal"; "delete" if the file system is shared between machines (a write-ahead log is unsafe
 * there, so commits are slower and readers wait for writers); "immutable" for reading in a folder that cannot be
 * written to, which is correct only while nobody else writes to the file. */
const char *store_journal(const struct store *store);

/* Merging: the runs of one file into another. Runs and jobs are identified by their UUIDs, everything else by content
 * (docs/reference/database.md, "Merging"). So merging a file twice is a no-op, and merging a file that has grown adds
 * only what is new. */

/* Parts that a merge may leave out, as bits; sums and verdicts never depend on them. */
enum store_leave {
    STORE_LEAVE_KERNELS = 1,  /* kernel texts */
    STORE_LEAVE_BINARIES = 2, /* device code */
    STORE_LEAVE_LOGS = 4,     /* build logs */
    STORE_LEAVE_DRAWS = 8     /* the launch arguments of batches */
};

struct store_merge_options {
    const int64_t *runs; /* ids of the wanted runs, in the source file */
    size_t run_count;    /* 0: all */
    unsigned leave_out;  /* bits of enum store_leave */
    bool unfinished;     /* also merge runs in state "started", as far as they have got */
    /* NULL: each run stays a separate run. Otherwise all runs are shards of one run of the target, and this is that
     * run's id. If it is 0, the first run that is merged becomes that run, and its id is stored here. */
    int64_t *one_run;
    const char *tool_version, *host; /* of this process, recorded as provenance, as in struct store_run */
};

/* The result of a merge. For a file that was merged before, only runs_same counts. */
struct store_merge_tally {
    uint64_t runs_new, runs_grown, runs_same; /* new to the target; updated; already complete */
    uint64_t jobs, batches;                   /* new to the target */
};

void store_merge_tally_add(struct store_merge_tally *sum, const struct store_merge_tally *tally);

/*
 * Merges the runs of the file `from` into the store. The file is not changed. Each run is merged in one transaction, so
 * a run is there with all its jobs or not at all, and a merge that was stopped can be completed by another. Adds to
 * *tally, even if it fails. Refuses:
 *   - what store_open refuses; the target is checked like a store opened for reading;
 *   - the store's own file, a run that does not exist, a run in state "started" unless
 *     options->unfinished is set, and runs that cannot become one run (USAGE);
 *   - a run that does not add up, has a job with more than STORE_JOB_INSTANCES_MAX instances, or
 *     contradicts what the store holds of the same run (DATABASE).
 */
enum status store_merge(struct store *into, const char *from, const struct store_merge_options *options,
                        struct store_merge_tally *tally, struct error *error);

/* The store's run that one of the wanted runs of a file is, or is a part of; 0 if the store has none of them. Changes
 * nothing. */
enum status store_merge_find(struct store *into, const char *from, const struct store_merge_options *options,
                             int64_t *run_id, struct error *error);

/* The version of SQLite. */
const char *store_library_version(void);

/* Checks the whole file: SQLite's integrity_check, foreign keys, and that every batch adds up. Appends one line per
 * finding to *findings; nothing for a sound file. */
enum status store_check(struct store *store, struct text *findings, struct error *error);

/* ---- the texts of a database, for a copy that is to be shared ---- */

/* What a text is, and so how names in it are found. */
enum store_text {
    STORE_TEXT_FIXED,     /* a test, a label, a hash, a time, JSON of numbers: other rows depend on it, so it cannot
                       * change */
    STORE_TEXT_WORDS,     /* written by a driver, a compiler, a system or orchil */
    STORE_TEXT_NAME,      /* a name, or the path of a file in its place */
    STORE_TEXT_COMMAND,   /* a command line, quoted for a shell */
    STORE_TEXT_HOST,      /* "NAME, SYSTEM RELEASE, MACHINE" */
    STORE_TEXT_VARIABLES, /* a JSON object: names of variables and their values */
    STORE_TEXT_PLACE      /* the path of a file */
};

/* Receives a text, and changes it or not. place: "job.reason", for messages. */
typedef enum status store_text_visitor(enum store_text kind, const char *place, struct text *text, void *data,
                                       struct error *error);

/* Calls visit once for each distinct text of each text column, and stores the texts that it changed, all in one
 * transaction. The tables of plans are left out. Changing a FIXED text is an INTERNAL error. */
enum status store_visit_texts(struct store *store, store_text_visitor *visit, void *data, struct error *error);

/* Forgets all merges of each run but the last, and what compilers said of headers of the user's, which quotes them. */
enum status store_forget(struct store *store, struct error *error);

/* Writes the database as a new file without free pages, so that nothing that was deleted or changed is in it. */
enum status store_save(struct store *store, const char *path, struct error *error);

/* ---- reading, by a cursor or all at once ---- */

/* The reason of a job with more instances than STORE_JOB_INSTANCES_MAX, which is possible only in a file that was
 * changed. The job is read as JOB_INVALID without counts, whatever is stored. In the views its sums stop at 2^63 -
 * 1. */
#define STORE_COUNTS_DAMAGED "its counts are damaged: a job cannot have more than 2^60 instances"

/* A stored job. The sums are of valid batches. */
struct store_job_row {
    int64_t job_id, run_id;
    const char *test, *dialect, *condition, *test_hash, *backend, *device, *device_uuid, *platform, *driver, *compiler;
    const char *environment_hash, *profile, *key, *controls, *reason;
    const char *lowering;                       /* how its kernel was made: "ptx", "source", ...; "" if unknown */
    const char *run_uuid, *tool_version, *host; /* of its run */
    const char *started_at;                     /* when the job began, as in struct store_run_row */
    const char *kernel_hash;   /* SHA-256 of the kernel's text, even if the text was left out; empty without a build */
    const char *circumstances; /* a JSON object, see base/circumstances.h; {} if nothing is known */
    enum job_state state;
    unsigned marks; /* of its build; 0 without one */
    bool built;     /* false: there is no build, and kept is not-inspected without a reason */
    enum kept kept;
    const char *kept_reason; /* as in struct build */
    const char *hardware;    /* "a GPU with 132 compute units" */
    enum run_state run_state;
    unsigned resident_groups; /* of its build */
    uint64_t seed, replicate, batches, invalid_batches, instances, voids;
    double seconds;
};

/* Whether the device is a processor, by its hardware, and how many compute units it has. */
bool store_is_processor(const struct store_job_row *row, unsigned *units);

/* The lowering of a job if it was asked for by name, such as "source" or, with the user's own atomics,
 * "ptx+my.h:1a2b3c4d5e"; "" for a device's usual lowering. Jobs with
 * different lowerings are different. */
const char *store_requested_lowering(const struct store_job_row *row);

/* A run as given to store_begin_run and store_finish_run. Times are UTC, in the form 2025-01-31T12:00:00.000Z. */
struct store_run_row {
    int64_t run_id;
    struct store_run run;
    enum run_state state;
    const char *started_at, *finished_at; /* finished_at is empty if the run has not ended */
};

/* The device and the build of a job. Without a build, log is empty and resident_groups 0. */
struct store_job_facts {
    const char *vendor, *architecture;
    bool gpu;
    unsigned compute_units;
    const char *detail; /* as given to store_finish_job */
    const char *log;
    unsigned resident_groups;
    struct job_extent extent; /* as given to store_begin_job */
    double build_seconds;
};

/* The valid batches of a job that had the test's locations in the same homes. */
struct store_homes_row {
    const char *homes;             /* the home of each location, a member's number or "host": "x=1,y=host" */
    uint64_t instances, witnesses; /* instances without voids */
};

struct store_batch_row {
    uint64_t number, instances, voids;
    uint64_t arguments; /* the first 64 bits of the hash of its launch arguments, also where draws were left out */
    double seconds;
};

/* One text; doc is a test's explanation, else empty. */
struct store_text_row {
    const char *text, *doc;
};

struct store_verdict_row {
    struct store_judgement judgement; /* without verdicts */
    struct store_verdict verdict;     /* one of its verdicts; label is NULL if it has none */
};

/* The model that judged a job in one role, as in struct store_judgement, and the job's test. */
struct store_judged_row {
    int64_t job_id, run_id;
    const char *test, *dialect, *test_hash, *role, *model, *model_hash;
    unsigned mapping;
    bool has_verdicts; /* false: the model could not judge the test */
};

/* A cell of a published view. */
enum store_cell_kind { STORE_CELL_NULL, STORE_CELL_INTEGER, STORE_CELL_REAL, STORE_CELL_TEXT };

struct store_cell {
    const char *column; /* its name in the view */
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

/* The progress of a planned job. */
struct store_progress {
    int64_t job_id; /* 0: not begun; the rest is empty */
    enum job_state state;
    bool finished; /* it is not resumed */
    const char *reason;
    bool built;
    unsigned marks, resident_groups; /* of its build */
    enum kept kept;
    const char *kept_reason;
    uint64_t batches, instances;        /* valid ones */
    uint64_t invalid_batches, launched; /* launched: instances of all batches */
    const char *invalid;                /* the reason of the first invalid batch */
    double seconds;                     /* from the first launch to the last stored read-back */
};

struct store_planned_row {
    struct store_planned planned;
    struct store_progress progress;
    const char *device; /* the device that it began on: its capabilities, see struct store_device */
};

/* What can be read. Each line names the cursor's member that has the row, the meaning of the id, and the order. */
enum store_what {
    STORE_RUNS,           /* run: the run, or all (0); by id */
    STORE_JOBS,           /* job: of a run, or all (0); by id */
    STORE_FACTS,          /* facts: of a job */
    STORE_OUTCOMES,       /* count: a job's histogram over its valid batches; most frequent first */
    STORE_VOIDS,          /* count: a job's voids over its valid batches, by reason */
    STORE_BATCHES,        /* batch: a job's valid ones, by number */
    STORE_HOMES,          /* homes: of a job's locations; no row if its draws do not name homes */
    STORE_BATCH_OUTCOMES, /* count and number: of each valid batch of a job, by number */
    STORE_BATCH_VOIDS,    /* the same of its voids, by reason */
    STORE_VERDICTS,       /* verdict: a job's judgements, the source's first, each with its verdicts by label */
    STORE_JUDGED,         /* judged: of a run, or all (0); jobs of one dialect and test_hash are together, by id */
    STORE_TEST,           /* text: of a job */
    STORE_ENVIRONMENT,    /* text: of a job */
    STORE_BINARY,         /* text: the binary of a job's build; no row without a build */
    STORE_CAPABILITIES,   /* text: of a job's device, struct store_device's JSON object */
    STORE_PLAN,           /* text: the options of a run's plan; no row without a plan */
    STORE_PLANNED,        /* planned: the jobs of a run's plan, by number */
    STORE_WHAT_COUNT
};

/*
 * Rows, one by one:
 *
 *       struct store_cursor jobs;
 *       enum status status = STATUS_OK;
 *       store_query(store, STORE_JOBS, run_id, &jobs, error);
 *       while (status == STATUS_OK && store_next(&jobs))
 *           status = do_something(&jobs.job, error);
 *       return store_end(&jobs, status);
 *
 * A row, with everything it points to, lives until the next store_next or store_end. In between, the store and other
 * cursors may be used. Every cursor must be ended.
 */
struct store_cursor {
    union {
        struct store_run_row run;
        struct store_job_row job;
        struct store_job_facts facts;
        struct store_batch_row batch;
        struct store_homes_row homes;
        struct {
            uint64_t number;
            struct count count;
        };
        struct store_verdict_row verdict;
        struct store_judged_row judged;
        struct store_text_row text;
        struct store_planned_row planned;
    };
    struct store_cell_row row; /* of a view: column names are set before the first store_next */

    /* private */
    struct store *store;
    struct error *error;
    struct arena names; /* of the columns: SQLite frees its own when a statement is prepared again */
    struct sqlite3_stmt *statement, *jobs;
    const char *sql, *jobs_sql, *what;
    const char *kinds; /* of the columns, see results/soundness.h; NULL for a view */
    int64_t id;
    enum status status;
    void (*fill)(struct store_cursor *cursor);
    bool opened, began;
};

void store_query(struct store *store, enum store_what what, int64_t id, struct store_cursor *cursor,
                 struct error *error);
bool store_next(struct store_cursor *cursor); /* false at the end, and if reading failed */

/* Returns status or, if that is STATUS_OK, the failure of reading. */
enum status store_end(struct store_cursor *cursor, enum status status);

/* Rows of the published views (docs/reference/database.md). */
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

/* The wanted rows of a view: those of one run (run_id > 0), of one job (job_id > 0), or all. Views of runs have no
 * job. */
struct store_wanted {
    enum store_view view;
    int64_t run_id, job_id;
};

/* Reads the cursor's `row`: jobs by id, outcomes of a job most frequent first, batches by number. All rows show the
 * store at one moment, even if it is written meanwhile. Memory use does not grow with their number. */
void store_query_view(struct store *store, const struct store_wanted *wanted, struct store_cursor *cursor,
                      struct error *error);

/* ---- reading at once: results live in the arena ---- */

struct store_job_row store_keep_job(struct arena *arena, const struct store_job_row *row);
struct store_run_row store_keep_run(struct arena *arena, const struct store_run_row *row);

/* Reads the job with this number; USAGE, with the numbers that there are, if there is none. */
enum status store_find_job(struct store *store, int64_t job_id, struct arena *arena, struct store_job_row *row,
                           struct error *error);

/* All rows of STORE_OUTCOMES or STORE_VOIDS. */
enum status store_load_counts(struct store *store, enum store_what what, int64_t job_id, struct arena *arena,
                              struct count **counts, size_t *count, struct error *error);

/* The judgements of a job, with all verdicts; model is NULL if there is no judgement. */
struct store_judgements {
    struct store_judgement source, target;
};
enum status store_load_judgements(struct store *store, int64_t job_id, struct arena *arena,
                                  struct store_judgements *judgements, struct error *error);

/* The verdict on an outcome; VERDICT_NONE if there is no judgement or it does not list the outcome. */
enum verdict store_verdict_on(const struct store_judgement *judgement, const char *label);

/* ---- judging again, only for this reader ---- */

/* A model that has changed since it judged jobs of a store. */
struct store_change {
    const char *model, *stored_hash;
    const char *hash;      /* the model's hash now; empty if the model no longer exists */
    int64_t run_id;        /* the last run judged by the stored version */
    uint64_t judged, kept; /* tests that were judged again, and tests that keep verdicts that may have changed */
    const char *why;       /* the reason why the first of these keeps them; else empty */
};

/* From now on this store shows this judgement for that job and role instead of the file's. The file does not change, so
 * the store must be open for reading: else INTERNAL. */
enum status store_rejudge(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                          struct error *error);

/* The changes are reported wherever verdicts are printed. Notes a change for store_changes, whose list lives as long as
 * the store. */
const char *store_path(const struct store *store); /* as given to store_open */
void store_note_change(struct store *store, const struct store_change *change);
const struct store_change *store_changes(const struct store *store, size_t *count);

/* The one row of STORE_TEST, STORE_ENVIRONMENT, STORE_BINARY, STORE_CAPABILITIES or STORE_PLAN; its texts are NULL if
 * there is none. */
enum status store_load_text(struct store *store, enum store_what what, int64_t id, struct arena *arena,
                            struct store_text_row *text, struct error *error);
