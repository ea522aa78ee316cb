// SPDX-License-Identifier: Apache-2.0
/* The problems of one side, such as the runs of a new baseline. */
#pragma once

#include "analysis/sides/side.h"
#include "base/document/document.h"
#include "base/field.h"

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
    X("unseen_mutants", unseen_mutants, "the names of the mutants whose outcome was never seen", of)
