// SPDX-License-Identifier: Apache-2.0
/*
 * What a calibration has learned of a machine, test by test: whether the rates of a test are gated there, and with which
 * tolerance. Notes are stored in the database of a baseline (store_calibration), so that a gate needs no option for them.
 */
#ifndef ORCHIL_ANALYSIS_CALIBRATE_NOTES_H
#define ORCHIL_ANALYSIS_CALIBRATE_NOTES_H

#include "analysis/compare/compare.h"
#include "results/results.h"

/* Of one test in one environment on one device. Strings are never NULL. */
struct calibration_note {
    const char *test_hash, *dialect, *environment_hash;
    const char *backend, *device; /* its UUID; its name where it has none */
    struct compare_limit limit;
    const char *reason;   /* why the rates are not gated, in words; "" where they are */
    uint64_t runs;        /* that it was learned from */
    double run_deviation; /* of the logarithm of a rate between runs, counting noise taken out; NAN: not known */
    double smallest;      /* the factor by which the rate can change and be found; INFINITY: none; NAN: not known */
};

/* Starts as {0}. */
struct calibration_notes {
    struct calibration_note *notes;
    size_t count;
    struct arena arena; /* of what notes_read has read */
};

/* Adds the notes that a database holds; having none is not an error. SYNTAX if a note is malformed. The caller calls
 * notes_release, whatever came back. */
enum status notes_read(const char *database, struct calibration_notes *notes, struct error *error);
void notes_release(struct calibration_notes *notes);

/* The note of a sample's test, environment and device; or NULL. */
const struct calibration_note *notes_find(const struct calibration_notes *notes, const struct sample *sample);

/* Lets a comparison go by the notes, which must outlive it. */
void notes_apply(const struct calibration_notes *notes, struct compare_options *options);

/* Stores the notes in a database that is there. */
enum status notes_write(const char *database, const struct calibration_notes *notes, struct error *error);

#endif
