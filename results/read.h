// SPDX-License-Identifier: Apache-2.0
/* Reading, by a cursor or all at once. Part of results/results.h, which states the guarantees. */
#ifndef ORCHIL_RESULTS_READ_H
#define ORCHIL_RESULTS_READ_H

#include "base/arena.h"
#include "results/write.h"

/* The reason of a job with more instances than STORE_JOB_INSTANCES_MAX, which is possible only in a
 * file that was changed. The job is read as JOB_INVALID without counts, whatever is stored. In the
 * views its sums stop at 2^63 - 1. */
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

/* The lowering of a job if it was asked for by name, such as "source"; "" for a device's usual
 * lowering. Jobs with different lowerings are different. */
const char *store_requested_lowering(const struct store_job_row *row);

/* A run as given to store_begin_run and store_finish_run. Times are UTC, in the form
 * 2025-01-31T12:00:00.000Z. */
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

/* What can be read. Each line names the cursor's member that has the row, the meaning of the id,
 * and the order. */
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
 * A row, with everything it points to, lives until the next store_next or store_end. In between,
 * the store and other cursors may be used. Every cursor must be ended.
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
    const char *kinds; /* of the columns, see results/columns.h; NULL for a view */
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

/* The wanted rows of a view: those of one run (run_id > 0), of one job (job_id > 0), or all. Views
 * of runs have no job. */
struct store_wanted {
    enum store_view view;
    int64_t run_id, job_id;
};

/* Reads the cursor's `row`: jobs by id, outcomes of a job most frequent first, batches by number.
 * All rows show the store at one moment, even if it is written meanwhile. Memory use does not grow
 * with their number. */
void store_query_view(struct store *store, const struct store_wanted *wanted, struct store_cursor *cursor,
                      struct error *error);

/* ---- reading at once: results live in the arena ---- */

struct store_job_row store_keep_job(struct arena *arena, const struct store_job_row *row);
struct store_run_row store_keep_run(struct arena *arena, const struct store_run_row *row);

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

/* From now on this store shows this judgement for that job and role instead of the file's. The file
 * does not change, so the store must be open for reading: else INTERNAL. */
enum status store_rejudge(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                          struct error *error);

/* The changes are reported wherever verdicts are printed. Notes a change for store_changes, whose
 * list lives as long as the store. */
const char *store_path(const struct store *store); /* as given to store_open */
void store_note_change(struct store *store, const struct store_change *change);
const struct store_change *store_changes(const struct store *store, size_t *count);

/* The one row of STORE_TEST, STORE_ENVIRONMENT, STORE_BINARY, STORE_CAPABILITIES or STORE_PLAN; its
 * texts are NULL if there is none. */
enum status store_load_text(struct store *store, enum store_what what, int64_t id, struct arena *arena,
                            struct store_text_row *text, struct error *error);

/* All notes, ordered by test, environment and device; they live in the arena. */
enum status store_load_calibrations(struct store *store, struct arena *arena, struct store_calibration **notes,
                                    size_t *count, struct error *error);

#endif
