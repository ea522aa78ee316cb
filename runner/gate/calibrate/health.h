// SPDX-License-Identifier: Apache-2.0
/* Problems in the jobs of one side: outcomes that no device may show, faults, and mutants that were
 * not seen. */
#ifndef ORCHIL_RUNNER_GATE_CALIBRATE_HEALTH_H
#define ORCHIL_RUNNER_GATE_CALIBRATE_HEALTH_H

#include "analysis/sides/side.h"
#include "base/text.h"

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
    const struct sample **unseen; /* mutants (tests that have a control) whose witness was never seen */
    size_t unseen_count, mutants;
    const struct sample **shown; /* other tests whose witness was seen */
    size_t shown_count;
};
void health_read(struct side *side, struct health *health);

/* "forbidden", "control", "claim", "fault". */
const char *health_kind_name(enum health_kind kind);

/* Whether a test has a control on the same device, so that a gate relies on seeing it. */
bool health_is_mutant(const struct side *side, const struct sample *sample);

/* Adds "ptx:MP+relaxed", as a TEST argument names the test. */
void health_add_name(const struct sample *sample, struct text *text);

/* Appends a paragraph for people: a line or two for each of the first 20 problems, and the mutants
 * that were never seen; nothing if all is well. */
void health_print(const struct health *health, struct text *text);

/* Appends a paragraph that names the first 12 tests of a gathered side that were cut short, invalid
 * or not run in some runs, with the reason; nothing if there are none. */
void health_print_incomplete(const struct side *side, struct text *text);

/* The content of health_print as JSON: members "alarms", "mutants" and "unseen_mutants" of an
 * object. */
void health_pack(const struct health *health, struct json_t *object);

#endif
