// SPDX-License-Identifier: Apache-2.0
/*
 * A database as one self-contained HTML page. page_read gathers its content, page_print prints it. Equal databases,
 * given under equal names, give equal bytes: no clock is read.
 *
 * Ownership: everything that a page points to belongs to the page; page_release frees it. Strings are never NULL unless
 * the comment says so.
 */
#pragma once

#include "analysis/history/history.h"
#include "analysis/sides/side.h"
#include "models/models.h"

/* The result of a test, gravest first. */
enum page_mark {
    PAGE_FORBIDDEN,  /* an outcome that a model forbids was seen */
    PAGE_CONTROL,    /* as a control it showed its witness, which must never appear */
    PAGE_CLAIM,      /* it showed its witness, which must never appear, as its file says */
    PAGE_UNPROMISED, /* one of these, but the device does not support an order or scope of the test */
    PAGE_FAULT,      /* no result: a hang, a crash, a failed build, a lost device */
    PAGE_NOT_KEPT,   /* the compiled code is not the test, so the counts are not its results */
    PAGE_CUT,        /* no result: not run, interrupted, invalid */
    PAGE_GAVE_UP,    /* a test of progress: threads waited in vain */
    PAGE_SEEN,       /* the witness was seen */
    PAGE_UNSEEN,     /* the witness was not seen */
    PAGE_REFUSED,    /* the device does not support the test */
    PAGE_NOTHING,
    PAGE_MARK_COUNT
};

/* One invocation of `orchil run`. */
struct page_run {
    struct store_run_row row;
    size_t jobs;   /* on the page */
    size_t number; /* in order of time over all databases, from 1; 0: not known */
};

/* One database. */
struct page_source {
    const char *name; /* as it was given */
    struct side side;
    struct page_run *runs;
    size_t run_count;
};

/* A device with a driver, in whichever databases. */
struct page_column {
    const char *backend, *device, *device_uuid, *platform, *driver, *compiler, *vendor, *architecture;
    const char *machine; /* of a device without a UUID; else "" */
    bool gpu;
    unsigned compute_units;
    uint64_t jobs, counted, voids;
    uint64_t states[JOB_STATE_COUNT]; /* jobs in each */
    double seconds;
};

struct page_environment {
    const char *hash, *profiles, *text; /* text: JSON */
};

/* A text that compilers or drivers wrote, kept once. */
struct page_log {
    const char *hash, *text;
    size_t jobs;
};

struct side_job; /* private to the room */

struct page_test;

struct page_job {
    const struct side_job *job;
    const struct page_test *test;
    size_t source, column;
    size_t log, detail; /* of page->logs, from 1; 0: none */
    size_t environment;
    const char *text, *doc; /* text and doc: NULL unless it is the first of its test in its database */
    struct count *voids;
    size_t void_count;
    uint64_t counted, witnesses, forbidden;
    uint64_t draws;          /* draws in which its batches have counts, without those of earlier jobs of its part */
    enum ruling_kind ruling; /* the gravest of its outcomes */
};

/* The jobs of one test, device, driver and environment, whether they are controls or not. */
struct page_part {
    size_t column, environment;
    struct page_job *jobs;
    size_t job_count;
    struct sample_outcome *outcomes; /* sums, forbidden outcomes first, then the most frequent; counts is NULL */
    size_t outcome_count;
    struct count *voids;
    size_t void_count;
    struct sample_home *homes;
    size_t home_count;
    uint64_t batches, invalid_batches, counted, void_sum, witnesses, forbidden; /* forbidden: excused or not */
    uint64_t gave_up;
    uint64_t draws; /* of its jobs, each once */
    double seconds;
    bool undeclared, detached;
    bool apart;              /* in a job, launches that may overlap never did; */
    bool together;           /* in another one with counts, they did, or there are none */
    size_t kept[KEPT_COUNT]; /* jobs with code, by whether it keeps the test */
    const char *kept_reason; /* of the first job that is not kept, else of the first that was not inspected; or NULL */
    enum job_state state;    /* the gravest */
    const char *reason;
    enum page_mark mark;
};

struct litmus_test;
struct page_seen; /* page_parts.h */

struct page_test {
    const char *name, *dialect, *hash, *condition, *text, *doc;
    const char *anchor;         /* the id of its place in the page */
    struct litmus_test *parsed; /* NULL if the text is not a test of orchil */
    const char *claim;          /* the model's verdict on the witness, or the text's Expect; else empty */
    bool progress;              /* a test of progress: the result is whether threads gave up */
    struct page_part *parts;    /* in order of columns and environments */
    size_t part_count;
    enum page_mark mark; /* the gravest */
};

struct page {
    const char *title;
    struct page_source *sources;
    size_t source_count;
    struct page_column *columns;
    size_t column_count;
    struct page_test *tests; /* in order of name, dialect and hash */
    size_t test_count;
    const struct page_test **by_gravity; /* bad results first, then tests that ran, then tests that did not; the latter
                                          * two by name */
    size_t ran_count;                    /* of by_gravity: the rest is unsupported everywhere, or has no counts */
    const struct page_test **by_name;    /* in order of dialect, name and hash */
    const struct page_job *
        *controllers; /* the jobs that are controls, in order of dialect and the test that they control */
    size_t controller_count;
    struct page_environment *environments;
    size_t environment_count;
    struct page_seen *seen; /* what was seen and is no fault */
    size_t seen_count;
    struct page_log *logs;
    size_t log_count;
    struct side_unread *unread; /* databases of folders that it lacks */
    size_t unread_count;
    model_judging *judging, *judging_emitted; /* as in the request */
    bool explain;
    struct history *history; /* of all databases; NULL until it is made */
    struct arena arena;
};

struct page_request {
    model_judging *judging;           /* judges the tests whose outcomes are explained; NULL: none are */
    model_judging *judging_emitted;   /* judges the PTX that is emitted for them */
    bool explain;                     /* explain also the weak witnesses that were seen, not only forbidden outcomes */
    const struct selector *selectors; /* of each database: its file and runs, see struct selector */
    size_t count;
    const char *title; /* NULL: the devices are named */
};

/* Reads the databases. USAGE if one has no jobs. Unreadable databases of a folder go into the page's list; if no other
 * is left, that is a failure. The caller calls page_release, whatever the result. */
enum status page_read(const struct page_request *request, struct page *page, struct error *error);
void page_release(struct page *page);

void page_print(const struct page *page, struct text *text);
