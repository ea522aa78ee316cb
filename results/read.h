// SPDX-License-Identifier: Apache-2.0
/* What comes back, by a cursor or all at once. Part of results/results.h, which says what is promised. */
#ifndef ORCHIL_RESULTS_READ_H
#define ORCHIL_RESULTS_READ_H

#include "base/arena.h"
#include "results/write.h"

/* The reason of a job whose instances pass STORE_JOB_INSTANCES_MAX, which only a file that was changed can have. It is read
 * as JOB_INVALID without counts, whatever is stored. In the views its sums stop at 2^63 - 1. */
#define STORE_COUNTS_DAMAGED "its counts are damaged: a job cannot have more than 2^60 instances"

/* A stored job. The sums are of valid batches. */
struct store_job_row {
    int64_t job_id, run_id;
    const char *test, *dialect, *condition, *test_hash, *backend, *device, *device_uuid, *platform, *driver, *compiler;
    const char *environment_hash, *profile, *key, *controls, *reason;
    const char *lowering; /* by which its kernel was made: "ptx", "source", ...; "" where there is none */
    const char *run_uuid, *tool_version, *host; /* of its run */
    const char *started_at;                     /* when the job was begun, as in struct store_run_row */
    const char *kernel_hash;   /* SHA-256 of the kernel's text, also where that was left out; empty without a build */
    const char *circumstances; /* a JSON object, see base/circumstances.h; {} where nothing is known */
    enum job_state state;
    unsigned marks; /* of its build; none where it has none */
    bool built;     /* it has one; else it is not-inspected without a reason */
    enum kept kept;
    const char *kept_reason; /* as struct build has it */
    uint64_t seed, replicate, batches, invalid_batches, instances, voids;
    double seconds;
};

/* The lowering of a job that was asked for by name, "source"; "" for what a device usually takes. Jobs that differ in it are not the
 * same. */
const char *store_asked_lowering(const struct store_job_row *row);

/* A run as given to store_begin_run and store_finish_run. Times of day are UTC, as 2025-01-31T12:00:00.000Z. */
struct store_run_row {
    int64_t run_id;
    struct store_run run;
    enum run_state state;
    const char *started_at, *finished_at; /* finished_at is empty for a run without an end */
};

/* The device and the build of a job. Without a build, log is empty and resident_groups 0. */
struct store_job_facts {
    const char *vendor, *architecture;
    bool gpu;
    unsigned compute_units;
    const char *detail; /* as given to store_finish_job */
    const char *log;
    unsigned resident_groups;
};

/* The valid batches of a job in which the test's locations lay in the same places. */
struct store_homes_row {
    const char *homes;             /* of each location a member's number or "host": "x=1,y=host" */
    uint64_t instances, witnesses; /* instances without voids */
};

struct store_batch_row {
    uint64_t number, instances, voids;
    double seconds;
};

/* One text; doc is a test's explanation, else empty. */
struct store_text_row {
    const char *text, *doc;
};

struct store_verdict_row {
    struct store_judgement judgement; /* without its verdicts */
    struct store_verdict verdict;     /* one of them; label is NULL where it has none */
};

/* Which model judged a job in one role, as struct store_judgement has it, and the job's test. */
struct store_judged_row {
    int64_t job_id, run_id;
    const char *test, *dialect, *test_hash, *role, *model, *model_hash;
    unsigned mapping;
    bool has_verdicts; /* else the model could not judge the test */
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

/* How far a job of a plan is. */
struct store_progress {
    int64_t job_id; /* 0: it was not begun, and the rest is empty */
    enum job_state state;
    bool finished; /* for good: it is not taken up again */
    const char *reason;
    bool built;
    unsigned marks, resident_groups; /* of its build */
    enum kept kept;
    const char *kept_reason;
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
    STORE_FACTS,          /* facts: of a job */
    STORE_OUTCOMES,       /* count: a job's histogram over its valid batches; most frequent first */
    STORE_VOIDS,          /* count: a job's voids over its valid batches, by reason */
    STORE_BATCHES,        /* batch: a job's valid ones, by number */
    STORE_HOMES,          /* homes: where a job's locations lay; no row where its draws do not say it */
    STORE_BATCH_OUTCOMES, /* count and number: of each valid batch of a job, by number */
    STORE_VERDICTS,       /* verdict: a job's judgements, the source's first, each with its verdicts by label */
    STORE_JUDGED,         /* judged: of a run, or all (0); jobs of one dialect and test_hash are together, by id */
    STORE_TEST,           /* text: of a job */
    STORE_ENVIRONMENT,    /* text: of a job */
    STORE_BINARY,         /* text: the binary of a job's build; no row where it was not built */
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
    struct store_cell_row row; /* of a view: the names of the columns are there before the first store_next */

    /* private */
    struct store *store;
    struct error *error;
    struct arena names; /* of the columns: SQLite's own go when a statement is prepared again */
    struct sqlite3_stmt *statement, *jobs;
    const char *sql, *jobs_sql, *what;
    const char *kinds; /* what the columns hold, see results/columns.h; NULL: a view's */
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

/* Rows as the published views have them (docs/reference/database.md). */
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
struct store_run_row store_keep_run(struct arena *arena, const struct store_run_row *row);

/* All rows of STORE_OUTCOMES or STORE_VOIDS. */
enum status store_load_counts(struct store *store, enum store_what what, int64_t job_id, struct arena *arena,
                              struct count **counts, size_t *count, struct error *error);

/* What the models said of a job, with all verdicts; model is NULL where there is no judgement. */
struct store_judgements {
    struct store_judgement source, target;
};
enum status store_load_judgements(struct store *store, int64_t job_id, struct arena *arena,
                                  struct store_judgements *judgements, struct error *error);

/* ---- judging again, for this reader alone ---- */

/* A model that is not what it was when it judged jobs of a store. */
struct store_change {
    const char *model, *stored_hash;
    const char *hash;      /* the model's hash now; empty if the model no longer exists */
    int64_t run_id;        /* the last run that it judged as it was */
    uint64_t judged, kept; /* tests that were judged again, and those that keep verdicts that may be others today */
    const char *why;       /* the first of these keeps them; else empty */
};

/* From now on this store shows this judgement instead of the file's for that job and role. The file stays as
 * it is, so it is for a store that is opened to be read: INTERNAL for another. */
enum status store_judge_again(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                              struct error *error);

/* What was judged again is said wherever verdicts are: notes a change for store_changes, whose list lives as long as the
 * store. */
const char *store_path(const struct store *store); /* as it was given to store_open */
void store_note_change(struct store *store, const struct store_change *change);
const struct store_change *store_changes(const struct store *store, size_t *count);

/* The one row of STORE_TEST, STORE_ENVIRONMENT, STORE_BINARY, STORE_CAPABILITIES or STORE_PLAN; its texts are NULL where there is none. */
enum status store_load_text(struct store *store, enum store_what what, int64_t id, struct arena *arena,
                            struct store_text_row *text, struct error *error);

#endif
