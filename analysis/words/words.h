// SPDX-License-Identifier: Apache-2.0
/* Numbers and names in sentences and in JSON. */
#pragma once

#include "analysis/sides/side.h"
#include "analysis/statistics/runs.h"
#include "analysis/statistics/statistics.h"
#include "base/escape/escape.h"
#include "base/field.h"

/* Adds markup with texts of any origin in it, as escape_format does. */
#define words_add(text, ...) escape_format(text, ESCAPE_PLAIN, __VA_ARGS__)

/* "1 job", "1,234 jobs". Returns buffer; the macro's belongs to the enclosing block. */
enum { WORDS_COUNTED_SIZE = QUANTITY_SIZE + 48 };
const char *words_counted(uint64_t count, const char *one, const char *many, char buffer[WORDS_COUNTED_SIZE]);
#define WORDS_COUNTED(count, one, many) words_counted((count), (one), (many), (char[WORDS_COUNTED_SIZE]){""})

/* What stands before a ratio that is a bound: "at least ", "at most "; "" before others. */
const char *words_ratio_bound(const struct statistics_ratio *ratio);

/* ---- kinds of members of JSON objects (base/field.h) ---- */

extern const struct field_type field_interval_type, field_interval_or_null_type, field_ratio_kind_type,
    field_probability_type, field_rate_type;
json_t *field_interval(struct interval interval);
json_t *field_interval_or_null(struct interval interval); /* null if neither end is known */
json_t *field_ratio_kind(enum statistics_ratio_kind kind);
json_t *field_probability(double probability);
json_t *field_rate(double rate);

/* The databases that a side could not read, and its models that changed; and of both sides. */
extern const struct field_type field_unread_type, field_unread_of_sides_type, field_models_changed_type,
    field_models_changed_of_sides_type;
json_t *field_unread(const struct side_unread *unread, size_t count);
json_t *field_unread_of_sides(const struct side *const side[2]);
json_t *field_models_changed(const struct side *side);
json_t *field_models_changed_of_sides(const struct side *const side[2]);

/* Members for an outcome's struct sample_spread on each side. */
#define SPREAD_MEMBERS(X, a, b)                                                                                        \
    X("batches", pair, "the number of valid batches", FIELD_PAIR((a)->batches, (b)->batches))                          \
    X("seen_in_batches", pair, "the number of batches with a sighting", FIELD_PAIR((a)->seen_in, (b)->seen_in))        \
    X("runs", pair, "the number of runs", FIELD_PAIR((a)->runs, (b)->runs))                                            \
    X("seen_in_runs", pair, "the number of runs with a sighting", FIELD_PAIR((a)->seen_in_runs, (b)->seen_in_runs))

/* The interval of a ratio; unknown if it has none to show. */
struct interval words_shown_interval(const struct statistics_ratio *ratio);

/* Adds "NVIDIA H100", with its UUID if its side has several of that name, or with what tells it apart if it has
 * none. */
void words_add_device(struct text *text, const struct sample *sample);

/* Adds " --device 'cuda:NVIDIA H100'", for a shell, as any machine knows the device: by its UUID if its side has
 * several of that name; nothing for an ensemble. */
void words_add_device_option(struct text *text, const struct sample *sample);

/* Adds "MP+relaxed (PTX on cuda, NVIDIA H100)"; for a control, with the test that it controls. */
void words_add_test(struct text *text, const struct sample *sample);

/* Adds "; cuda: NVIDIA H100 with driver 580.1": the devices of a side, each with its driver once, at most four of
 * them. */
void words_add_devices(struct text *text, const struct side *side);

/* Adds " (2 unsupported, 1 blind)": those that are not 0; nothing if all are. */
struct words_count {
    size_t count;
    const char *what;
};
void words_add_counts(struct text *text, const struct words_count *counts, size_t size);

/* Sorts jobs by time, and adds "Slowest: MP 12 s, SB 8 s of 60 s.": the five that took longest, and more than a
 * second, of all together. Nothing if there are none, or of fewer than five jobs. */
struct words_job {
    const char *name;
    double seconds;
};
void words_add_slowest(struct text *text, struct words_job *jobs, size_t count);
