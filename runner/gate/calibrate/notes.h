// SPDX-License-Identifier: Apache-2.0
/*
 * What a calibration has learned about a machine: for each test, whether its rates are gated there,
 * and with which tolerance. Notes are stored in the database of a baseline (store_calibration), so
 * that a gate needs no option for them.
 */
#ifndef ORCHIL_RUNNER_GATE_CALIBRATE_NOTES_H
#define ORCHIL_RUNNER_GATE_CALIBRATE_NOTES_H

#include "analysis/compare/compare.h"
#include "results/results.h"

/* The note on one test in one environment on one device. Strings are never NULL. */
struct calibration_note {
    const char *test_hash, *dialect, *environment_hash;
    const char *backend, *device; /* its UUID, or its name if it has none */
    struct compare_limit limit;
    const char *reason;   /* why the rates are not gated, in words; "" if they are */
    uint64_t runs;        /* that it was learned from */
    double run_deviation; /* of the logarithm of a rate between runs, counting noise taken out; NAN: not known */
    double smallest;      /* the smallest factor of change that is found; INFINITY: none; NAN: not
                           * known */
};

/* Starts as {0}. */
struct calibration_notes {
    struct calibration_note *notes;
    size_t count;
    struct arena arena; /* holds what notes_read has read */
};

/* Adds the notes that a database holds; having none is not an error. SYNTAX if a note is malformed.
 * The caller calls notes_release, whatever the result. */
enum status notes_read(const char *database, struct calibration_notes *notes, struct error *error);
void notes_release(struct calibration_notes *notes);

/* The note on a sample's test, environment and device, or NULL. */
const struct calibration_note *notes_find(const struct calibration_notes *notes, const struct sample *sample);

/* Makes a comparison use the notes, which must outlive it. */
void notes_apply(const struct calibration_notes *notes, struct compare_options *options);

/* Stores the notes in an existing database. */
enum status notes_write(const char *database, const struct calibration_notes *notes, struct error *error);

#endif
