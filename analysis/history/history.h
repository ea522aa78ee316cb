// SPDX-License-Identifier: Apache-2.0
/*
 * Runs of one machine in order of time: the run at which a rate changed, and the driver that came with the change.
 *
 * Every outcome of every test is a series over the runs of a device. Runs are compared if the test, its environment and
 * its kernel's text are the same; otherwise the series breaks. A run that replays a saved kernel is compared whatever
 * the kernel. Every split of a series into runs before and runs after is decided like two sides of a comparison
 * (analysis/statistics/runs.h: a moderated t over runs); so is the shift of all weak rates together. The smallest p is
 * significant if it is at most alpha after correction for all series and all splits (Bonferroni), so the chance of any
 * false step in a history is at most alpha. After a step both parts are searched again, as binary segmentation does
 * (Scott and Knott, "A cluster analysis method for grouping means in the analysis of variance", Biometrics 30, 1974).
 * Successive runs may be correlated: if the runs of all series show this (lag), errors are enlarged accordingly.
 *
 * If a span has more than twelve splits, only those with the largest steps in the runs' rates are decided; the
 * correction counts all. The run at which the step began has a posterior over all splits with a flat prior: the
 * likelihood of a split with normal errors of unknown variance is (1 + t^2 / f)^((f + 1) / 2), t with f degrees of
 * freedom (Smith, "A Bayesian approach to inference about a change-point in a sequence of random variables", Biometrika
 * 62, 1975). The likelihoods of the tests that moved in one step are multiplied, one outcome of each; the deviation of
 * whole runs is common to them and counts once.
 *
 * Ownership: a history borrows from its sides, which must outlive it; history_release frees the rest. Strings are never
 * NULL unless the comment says so.
 */
#pragma once

#include "analysis/sides/side.h"
#include "analysis/sides/side_job.h"
#include "analysis/statistics/runs.h"
#include "analysis/statistics/statistics.h"
#include "base/circumstances.h"
#include "base/document/document.h"

struct history_options {
    double alpha;       /* the chance of any false step, in the whole history */
    double confidence;  /* of intervals, and of a step's position */
    double tolerance;   /* changes within this factor do not count */
    size_t fewest_runs; /* before a step */
    const char *test;   /* a glob over names of tests; NULL: all */
    const char *device; /* a UUID or a part of a name; NULL: all */
};

/* The usual options, as an initialiser's members. */
#define HISTORY_USUAL .alpha = 0.05, .confidence = STATISTICS_CONFIDENCE, .tolerance = 1.1, .fewest_runs = 3

/* A run of orchil, in whichever database its jobs are stored. Runs are numbered from 1 in order of time. */
struct history_run {
    const char *uuid, *started_at; /* start of its first job, as in struct store_job_row */
    size_t jobs;
};

/* X(name, member, words, suspect): facts about a run on a device, in words. suspect: it can change a rate. */
#define HISTORY_FACT_LIST(X)                                                                                           \
    X(DRIVER, "driver", "driver", true)                                                                                \
    X(TOOL, "tool_version", "orchil", true)                                                                            \
    X(COMPILER, "compiler", "compiler", true)                                                                          \
    X(HOST, "host", "host", true)                                                                                      \
    X(THROTTLE, "throttle", "throttling", true)                                                                        \
    X(MODELS, "models", "models", false)

#define HISTORY_FACT_ENUM(name, member, words, suspect) HISTORY_##name,
enum history_fact { HISTORY_FACT_LIST(HISTORY_FACT_ENUM) HISTORY_FACT_COUNT };

/* The mutation score of a run on a device, for the tests of one dialect. */
struct history_score {
    const char *dialect, *profile;
    struct mutation_score score;
};

/* A run on a device, and its circumstances there; values that differ between its jobs are joined by ", ". */
struct history_device_run {
    size_t run; /* of the history's */
    const char *facts[HISTORY_FACT_COUNT];
    double numbers[CIRCUMSTANCE_COUNT]; /* the median of its jobs; NAN if nothing is known */
    struct history_score *scores;       /* one for each dialect; none if the run asked for no score */
    size_t score_count;
};

/* A rate in a run. */
struct history_point {
    size_t device_run;
    uint64_t count, counted;
    double rate;
    struct interval interval; /* from counting and batches; 0 sightings: from 0 to the bound */
    bool outside;             /* outside the band of the part before a step of this series, and after that step */
};

/* A series between two steps of its device. */
struct history_part {
    size_t first, count;  /* points */
    double rate;          /* of the median run: half a sighting is added to each */
    struct interval band; /* where one more run would lie, at the confidence; 0..INFINITY if not known */
};

struct history_series {
    const struct history_segment *segment;
    const char *label;
    bool witness, weak; /* weak: not sequentially consistent (compare_shows_weakness) */
    enum verdict verdict;
    struct ruling ruling; /* the gravest of its runs */
    uint64_t count;
    const uint64_t **counts;      /* per point: per batch of the segment's run; NULL: none seen */
    struct history_point *points; /* as many as the segment has runs */
    struct history_part *parts;
    size_t part_count;
    size_t number; /* among the device's searched series; SIZE_MAX: not searched, for too few runs or no sightings */
};

/* The runs of a test that may be compared: one text, environment and kernel. */
struct history_segment {
    const struct history_test *test;
    const char *test_hash, *environment_hash, *kernel_hash, *profile;
    struct statistics_run *runs; /* without counts; in order of time */
    const char **kernels;        /* of each, the hash of the kernel that it ran: differs if that was replayed */
    size_t *device_runs;         /* of each */
    size_t run_count;
    struct history_series *series; /* in order of their labels */
    size_t series_count;
};

struct history_test {
    const char *name, *dialect, *controls;
    const char *among;                 /* the dialect, if the device has tests of this name in others; else "" */
    const char *lowering;              /* that was asked for by name, or "" */
    struct history_segment **segments; /* in order of their first runs */
    size_t segment_count;
    size_t number; /* among the device's */
};

/* A break in a device's series, and its cause. */
struct history_break {
    size_t device_run;                /* the first one after it */
    bool test, environment, kernel;   /* what differs */
    const struct history_test *first; /* of the tests */
    size_t tests;
};

/* Something that changed where a step may lie. */
struct history_change {
    const char *member, *words; /* "sm_clock_mhz", "SM clock" */
    bool is_driver, suspect;
    size_t device_run;  /* the first with the new value */
    double probability; /* probability that the step is there too */
    const char *before, *after;
};

/* A series that moved in a step. */
struct history_move {
    const struct history_series *series;
    struct statistics_ratio ratio; /* of the rate after to that before */
    double p;                      /* corrected for all series of the step */
    bool follows;                  /* a surer move is of the same test */
    uint64_t count[2], counted[2]; /* before and after */
};

/* The cause of a step. */
enum history_cause {
    HISTORY_BY_DRIVER, /* only the driver changed there */
    HISTORY_UNCLEAR,   /* the driver changed there, but so did something else, or the run is uncertain */
    HISTORY_BY_OTHER,  /* something else, not the driver */
    HISTORY_BY_NOTHING /* nothing recorded */
};

struct history_step {
    size_t device_run;              /* the most likely first one after it */
    double probability;             /* probability that it is this one */
    size_t first, last;             /* it is one of these, at the confidence */
    double *posterior;              /* of each run of the device */
    double p;                       /* corrected for all series and splits of the history */
    bool shared;                    /* all weak rates moved by one factor */
    struct statistics_ratio ratio;  /* that factor; else of the first move */
    struct history_move *moves;     /* surest first */
    size_t move_count, test_count;  /* tests: among the moves */
    struct history_change *changes; /* suspects first */
    size_t change_count;
    enum history_cause cause;
    size_t driver_changed; /* the nearest driver change elsewhere; 0: none */
};

struct history_device {
    const char *backend, *device, *uuid;
    struct history_device_run *runs; /* in order of time */
    size_t run_count;
    struct history_test **tests; /* in order of name, dialect and what they control */
    size_t test_count;
    struct history_series **series, **searched; /* of all tests and segments, in their order; with enough runs */
    size_t series_count, searched_count;
    struct history_step *steps; /* in order of time */
    size_t step_count;
    struct history_break *breaks;
    size_t break_count;
    double lag;       /* correlation of successive runs; 0 if chance explains it */
    double findable;  /* the factor of a step half-way through that is found in half of the cases, for the median
                       * series; INFINITY: none */
    size_t too_short; /* segments with too few runs to be searched */
};

/* An outcome of a test that must never appear, and that a device showed. */
struct history_alarm {
    const struct history_device *device;
    const struct history_series *series; /* the first that has it */
    enum ruling_kind kind;
    size_t first;   /* the run of the device with the first sighting */
    bool began;     /* an earlier run of the test did not see it */
    uint64_t count; /* in all runs */
};

struct history {
    struct history_options options;
    struct history_run *runs;
    size_t run_count, duplicate_jobs;
    struct history_device **devices;
    size_t device_count;
    struct history_alarm *alarms; /* new ones first, then the gravest */
    size_t alarm_count;
    const char **limits; /* what the history cannot decide, in sentences */
    size_t limit_count;
    size_t questions;                 /* series and splits that p is corrected for */
    const struct side_unread *unread; /* databases that could not be read; borrowed */
    size_t unread_count;
    struct arena arena;
};

/* Makes the history of all jobs of the sides. The caller calls history_release. */
void history_make(const struct side *sides, size_t count, const struct history_options *options,
                  struct history *history);
void history_release(struct history *history);

/* 0 if two jobs of one run are the same job, in whichever files; else their order. */
int history_compare_jobs(const struct store_job_row *left, const struct store_job_row *right);

/* Half a sighting is added, so that it is finite. */
double history_log_rate(const struct history_point *point);

/* Whether the series moved in the step. */
bool history_moved(const struct history_step *step, const struct history_series *series);

size_t history_steps(const struct history *history); /* of all devices */

/* Whether any test has three runs or more on a device: fewer are not a series. */
bool history_is_worth(const struct history *history);

/* The scores of all runs: of a device and dialect beside each other, in order of time. The list belongs to the
 * caller. */
struct history_scored {
    const struct history_device *device;
    size_t device_run;
    const struct history_score *score;
};
struct history_scored *history_list_scores(const struct history *history, size_t *count); /* NULL: none */

/* The history as a document, which the caller releases, for a reader of so many columns (0: unknown); as one JSON
 * object; as a page. Equal histories give equal bytes. */
void history_document(const struct history *history, size_t width, struct document *document);
void history_print_json(const struct history *history, struct text *text);
void history_print_page(const struct history *history, struct text *text);

/* ---- the parts that make a history ---- */

/* Sorts the jobs of the sides into runs, devices, tests, segments and series. */
void history_gather(const struct side *sides, size_t count, struct history *history);

/* Finds where the series of a device break. */
void history_find_breaks(struct arena *arena, struct history_device *device);

/* Finds the steps of all devices, and divides their series into parts. */
void history_find_steps(struct history *history);

/* Finds what changed where a step may be: fills in its changes, cause and driver_changed. before, after: runs of the
 * device from the step before to the step, and from the step to the next. */
void history_attribute(struct history *history, const struct history_device *device, size_t before, size_t after,
                       struct history_step *step);

/* ---- words ---- */

/* "12 (2026-11-19)", the number and the day of a run. */
void history_add_run(const struct history *history, const struct history_device *device, size_t device_run,
                     struct text *text);

/* The answer, in a sentence or two, the worst first: the sentences on outcomes that must never appear, nothing if there
 * are none, and those on steps; one of the former; of a step, what moved and since when (with its device if there are
 * several); the same with what it came with; the sentences on its place and cause. */
void history_add_answer(const struct history *history, struct text *text);
void history_add_alarms(const struct history *history, struct text *text);
void history_add_steps(const struct history *history, struct text *text);
void history_add_alarm(const struct history *history, const struct history_alarm *alarm, struct text *text);
void history_add_title(const struct history *history, const struct history_device *device,
                       const struct history_step *step, struct text *text);
void history_add_sentence(const struct history *history, const struct history_device *device,
                          const struct history_step *step, struct text *text);
void history_add_place(const struct history *history, const struct history_device *device,
                       const struct history_step *step, struct text *text);
void history_add_cause(const struct history *history, const struct history_device *device,
                       const struct history_step *step, struct text *text);

/* "SB+relaxed  1:r0=0; 1:r1=0;", with what distinguishes tests of one name. */
void history_add_series(const struct history_series *series, struct text *text);
void history_add_test(const struct history_test *test, struct text *text); /* the same without the outcome */

/* "x2.01", "x3.06 in 1 draw", "new", "lost". */
void history_add_factor(const struct history_move *move, struct text *text);

const char *history_cause_word(enum history_cause cause); /* "driver", "unclear", "other", "nothing" */
