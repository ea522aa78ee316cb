// SPDX-License-Identifier: Apache-2.0
/* The steps of a gate's decision: the sides are read, or run; tests that look changed are run again; then gate/decide
 * decides. */
#pragma once

#include "analysis/compare/compare.h"
#include "gate/decide/gate.h"
#include "gate/gate_suite.h"

/* The request of `orchil gate`. */
struct gate_command {
    struct gate_request request;
    struct compare_options compare;
    const char *baseline, *expect;
    bool stored, strict_expectations;
    bool dry; /* the suite is planned, and nothing is run */
    enum gate_fail_on fail_on;
    double confirm_budget; /* seconds for all reruns together; 0: no reruns; below 0: not chosen */
};

/* A side, with the jobs that it is read from. */
struct gate_reading {
    struct selector *selectors;
    size_t count;
    struct side side;
};

enum { GATE_FIRST, GATE_AGAIN, GATE_OTHER, GATE_PASSES };

/* Everything that a decision depends on. Starts as {0}, except .source.file, which is "". */
struct gate_decision {
    struct stored_place place[SIDES];
    bool has_no_baseline; /* nothing ran: a device has none in request.baselines */
    struct gate_source source;
    struct gate_suite suite;
    int64_t played;                                    /* the first run of the suite */
    struct gate_reading baseline, judged[GATE_PASSES]; /* one for each pass; count is 0 if there is no such pass */
    struct comparison comparisons[GATE_PASSES];
    struct text from, repeat, more_runs; /* commands of the decision */
    struct gate_options options;
    struct expectations expectations;
    struct gate gate;
    struct arena arena;
};

/*
 * Decides. Without --stored it runs the suite, and again the tests that look changed, after telling how long that takes
 * at most; runs that this gate has begun are completed and used (request.resume). *code is not 0 if there is nothing to
 * decide: the run was interrupted, or could not be stored. With `dry` it only plans; of a shard it only runs the part,
 * and *code is that of the run: then there is no decision either.
 */
enum status gate_decision_reach(const struct gate_command *command, struct gate_decision *decision, int *code,
                                struct error *error);
void gate_decision_release(struct gate_decision *decision);
