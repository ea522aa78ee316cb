// SPDX-License-Identifier: Apache-2.0
/*
 * What can be gated on a machine: runs of one driver, with equal draws, compared among themselves.
 *
 * The level. Every way to deal the runs into a baseline of three and one candidate, a split, is decided by
 * compare_sides, as a gate decides on stored sides. The share of splits in which something is found for sure is the
 * share of false alarms, to be compared with alpha. With seven runs or more, each split is also decided with three of
 * the other runs as reruns, as a gate does that confirms what it found. Of more than `most_splits` a random sample is
 * taken.
 *
 * Splits share runs, so the share is less certain than with as many independent splits. Its variance is estimated by a
 * jackknife that leaves out one run at a time; the equivalent number of independent splits, p (1 - p) / variance, goes
 * into the exact binomial interval (Korn and Graubard, "Confidence intervals for proportions with small expected number
 * of positive counts estimated from survey data", Survey Methodology 24, 1998). If no split fails, or all fail, the
 * jackknife says nothing, and each run counts as one.
 *
 * A test is gated unless the tolerance that it needs is above `most_tolerance`. It needs the larger of
 *
 *   varies   exp(t s sqrt(1 + 1/3)): a single run lies within this factor of the mean of three others with 95 %; s is
 *            the standard deviation of the logarithm of a rate between runs, counting noise taken out, of the outcome
 *            in which the runs differ most of those with 30 sightings or more in the mean run; t is Student's quantile
 *            for its degrees of freedom
 *   alarm    the smallest tolerance with which none of its rates would have failed a split; infinite where an outcome
 *            was new or lost
 *
 * Its tolerance is the larger of `alarm` and the options' tolerance. So a noisy test does not raise the tolerance of
 * others. Tests that are not gated are left out when the comparison learns how much runs differ; this repeats until no
 * test is added.
 *
 * The smallest change that is found with power 1 - b, with three runs of a baseline, one of the candidate and three
 * reruns, is the geometric mean over 20 splits of:
 *
 *   e_n^2 = v (1/3 + 1/n) + c (1/3 + 1/n)    of n runs of the candidate; v: variance between runs, moderated as the
 *                                            gate does that has these four; c: what counting and batches add to a run
 *   ln factor = max( (t(x/2) + t(b/2)) e_1,                                       chosen by the first run, x: `suspect`
 *                    max(t(a/2) e_3, ln tolerance + t(0.025) e_3) + t(b/2) e_3 )  decided by the reruns
 *
 * t(q) is Student's quantile with q above it; a is the level that the correction for all questions leaves for one. The
 * factor is infinite if a rate's sightings in three runs are so few that even a candidate with none would not be found.
 */
#ifndef ORCHIL_GATE_CALIBRATE_CALIBRATE_H
#define ORCHIL_GATE_CALIBRATE_CALIBRATE_H

#include "analysis/compare/compare.h"
#include "analysis/sides/side.h"
#include "base/document/document.h"
#include "base/field.h"
#include "results/results.h"

/* ---- the problems of one side ---- */

enum health_kind {
    HEALTH_FORBIDDEN, /* a model forbids an outcome that was seen */
    HEALTH_CONTROL,   /* a control showed its witness */
    HEALTH_CLAIM,     /* a witness was seen that must never appear, as the test's file says */
    HEALTH_FAULT      /* a job hung, crashed, lost its device or could not be built */
};

struct health_alarm {
    enum health_kind kind;
    const struct sample *sample;
    const struct sample_outcome *outcome; /* NULL for FAULT */
    enum job_state state;                 /* FAULT only */
};

/* Of a gathered side; in its arena. */
struct health {
    struct health_alarm *alarms; /* in the order of the kinds */
    size_t alarm_count;
    const struct sample **unseen; /* mutants (tests that have a control) whose witness their code never showed */
    size_t unseen_count, mutants;
    size_t controls, sound_controls; /* of these, counted, with code that is the test */
    const struct sample **shown;     /* other tests whose witness was seen */
    size_t shown_count;
};
void health_read(struct side *side, struct health *health);

/* Adds "ptx:MP+relaxed", as a TEST argument names the test. */
void health_add_name(const struct sample *sample, struct text *text);

/* Adds each of the first 20 problems, and the mutants that were never seen; nothing if all is well. */
void health_document(const struct health *health, struct document *document);

/* Adds the first 12 tests of a gathered side that were cut short, invalid or not run in some runs, with the reason;
 * nothing if there are none. */
void health_document_incomplete(const struct side *side, struct document *document);

/* What a health adds to the members of a JSON object. */
extern const struct field_type field_alarms_type, field_unseen_mutants_type;
json_t *field_alarms(const struct health *health);
json_t *field_unseen_mutants(const struct health *health);
#define HEALTH_MEMBERS(X, of)                                                                                          \
    X("alarms", alarms, NULL, of)                                                                                      \
    X("mutants", count, "the number of mutants", (of)->mutants)                                                        \
    X("unseen_mutants", unseen_mutants, "the names of those that were never seen", of)

/* ---- notes ---- */

/* The note on one test in one environment on one device. Strings are never NULL. */
struct calibration_note {
    struct store_calibration of; /* without .note */
    struct compare_limit limit;
    const char *reason;   /* why the rates are not gated, in words; "" if they are */
    uint64_t runs;        /* that it was learned from */
    double run_deviation; /* of the logarithm of a rate between runs, counting noise taken out; NAN: not known */
    double smallest;      /* the smallest factor of change that is found; INFINITY: none; NAN: not known */
};

/* Starts as {0}. */
struct calibration_notes {
    struct calibration_note *notes;
    size_t count;
    struct arena arena; /* holds what notes_read has read */
};

/* Adds the notes that a database holds; having none is not an error. SYNTAX if a note is malformed. The caller calls
 * notes_release, whatever the result. */
enum status notes_read(const char *database, struct calibration_notes *notes, struct error *error);
void notes_release(struct calibration_notes *notes);

/* Makes a comparison use the notes, which must outlive it. */
void notes_apply(const struct calibration_notes *notes, struct compare_options *options);

/* Stores the notes in an existing database. */
enum status notes_write(const char *database, const struct calibration_notes *notes, struct error *error);

/* ---- a calibration ---- */

enum { CALIBRATE_BASELINE = 3, CALIBRATE_AGAIN = 3, CALIBRATE_FEWEST = CALIBRATE_BASELINE + 1 };

struct calibration_options {
    struct compare_options compare; /* the gate's */
    double power;                   /* 0.9 */
    double assurance;               /* with which a rerun must see a mutant again, 0.99999: 12 sightings a run */
    double most_tolerance;          /* 3 */
    size_t most_splits;             /* 2,000 */
    uint64_t seed;                  /* of the sample of splits */
};

/* The usual options, as an initialiser's members. */
#define CALIBRATION_USUAL                                                                                              \
    .compare = {COMPARE_USUAL, .dimensions = DIMENSION_DRIVER /* what a gate compares */, .runs_alone = true},         \
    .power = 0.9, .assurance = 0.99999, .most_tolerance = 3, .most_splits = 2000, .seed = 1

/* How many splits would fail a gate. */
struct calibration_share {
    size_t splits, failing;
    double share;
    struct interval interval;
};

enum calibration_standing {
    CALIBRATION_GATED,
    CALIBRATION_UNGATED,  /* the runs vary too much */
    CALIBRATION_BLIND,    /* the witness was seen too rarely for a rerun to see it again, or never */
    CALIBRATION_FORBIDDEN /* a model forbids the witness: there is no rate to gate, and one sighting fails */
};

struct calibration_test {
    const struct sample *sample; /* of all runs */
    enum calibration_standing standing;
    bool is_control;
    const char *label; /* of the witness that was seen most; NULL if none was seen */
    double rate;       /* of it, per instance */
    double sightings;  /* of all witnesses, in the mean run with counts */
    double varies, alarm;
    double foreseen;                 /* sum over `foreseen_in` splits of the logarithm of the smallest change */
    size_t foreseen_in, hopeless_in; /* hopeless: no change would be found */
    size_t failing;                  /* splits that it fails before anything is learned */
    struct calibration_note note;
};

struct calibration {
    struct calibration_options options;
    size_t runs;
    size_t possible;                /* all splits */
    struct calibration_share plain; /* decided without the notes learned here */
    struct calibration_share again; /* the same, confirmed by reruns; no splits if there are fewer than 7 runs */
    struct calibration_share noted; /* with the notes, which come from the same runs: a best case */
    size_t shifts;                  /* splits that failed, in `plain`, because all rates of a run had moved */
    struct calibration_test *tests; /* in the order of the samples, controls among them */
    size_t test_count;
    struct calibration_notes notes; /* one for each test with counts */
    struct health health;
    const struct side *all;  /* the runs, gathered; borrowed */
    struct comparison whole; /* even runs against odd ones: the measures of each rate over all runs */
    struct side halves[SIDES];
    struct arena arena;
};

/* Gathers a side that has been read, calibrates by its runs, and borrows it. USAGE if there are fewer than
 * CALIBRATE_FEWEST runs; also errors from reading tests from its database. The caller calls calibration_release,
 * whatever the result. */
enum status calibrate(struct side *runs, const struct calibration_options *options, struct calibration *calibration,
                      struct error *error);
void calibration_release(struct calibration *calibration);

/* For people, in 80 columns, and as one JSON object. */
void calibration_document(const struct calibration *calibration, struct document *document);
void calibration_print_json(const struct calibration *calibration, struct text *text);

/* ---- ways to split runs ---- */

/* A split: a way to deal the runs, which are numbered from 0. */
struct split {
    size_t baseline[CALIBRATE_BASELINE], candidate;
    size_t again[CALIBRATE_AGAIN]; /* the reruns; all 0 if there are too few runs */
};

/* The fewest runs that leave some for reruns. */
enum { SPLIT_FEWEST_AGAIN = CALIBRATE_BASELINE + 1 + CALIBRATE_AGAIN };

/* All splits of this many runs, or a random sample of `most`; returns their number. */
size_t splits_list(struct arena *arena, size_t runs, size_t most, uint64_t seed, struct split **splits, size_t *count);

bool split_has(const struct split *split, size_t run, bool with_again);

/* The share of splits that fail, and its interval. */
void splits_share(const struct split *splits, const bool *fails, size_t count, size_t runs, bool with_again,
                  double confidence, struct calibration_share *share);

#endif
