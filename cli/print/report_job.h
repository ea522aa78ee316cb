// SPDX-License-Identifier: Apache-2.0
/* A finished job for people and for machines. */
#pragma once

#include <jansson.h>

#include "runner/run/report.h"

/* What the blocks before this one have said. Starts as {0}. */
struct report_before {
    struct text lines;         /* of descriptions, each ended by a newline */
    bool suspects[KEPT_COUNT]; /* whom to suspect for a forbidden outcome, by what became of the test */
};

/* The reader's stream: escape sequences only if it has colours; tables of at most `width` columns, 0: as wide as they
 * are. before: NULL if this block is the only one. */
struct report_form {
    bool colours;
    size_t width;
    struct report_before *before;
};

/* The block that `run` prints. */
void report_job_text(const struct job_report *report, const struct report_form *form, struct text *text);

/* The object that `run --json` prints on one line; the caller drops it. Its kind, which that of `export` has, too. */
extern const struct field_type field_job_type;
json_t *report_job_json(const struct job_report *report);

/* Why the language gives the test no meaning, so that its counts say nothing: "data race", or the flags of the deciding
 * model such as "barrier-divergence"; NULL for a test with a meaning. Valid as long as the report. */
const char *report_meaningless(const struct job_report *report);
