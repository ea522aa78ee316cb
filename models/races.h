// SPDX-License-Identifier: Apache-2.0
/* Data races of CUDA tests in CUDA C++. A CUDA test is judged as PTX, which defines what racing accesses do. In CUDA
 * C++ a race on plain data has no meaning, however strong the fences: the compiler may break the program before it is
 * PTX. So a second judgement, which changes no verdict, says of a CUDA test whether it has such a race. */
#pragma once

#include "models/explain/explain.h"
#include "models/models.h"

/* UNGUARDED: the test races only in executions in which an access comes after a read that did not see its flag, so a
 * loop or a condition around it removes the race. LASTING: no loop or condition does. cuda-race.cat defines both. */
enum race_kind { RACE_NONE, RACE_UNGUARDED, RACE_LASTING, RACE_KINDS };

struct race {
    enum race_kind kind;
    char *unjudged; /* why the test was not judged; else NULL */
    const struct litmus_test *test;
    const struct explained_event *accesses[2]; /* details: two that race in one execution */
    size_t outcome_count, witness_count; /* details: of outcomes with which it occurs, and of witnesses among them */
    struct judgement named, outcomes;    /* they hold the accesses; and the outcomes: those that are sc or weak */
};

/* Holds what the judgement of several tests shares. The caller calls races_close; NULL is fine. */
struct races;
struct races *races_open(void);
void races_close(struct races *races);

/* Judges the test, which outlives *race; with details, fills in more than the kind. NONE and no reason: not a CUDA
 * test, or no race. Never fails: a test that cannot be judged within some seconds has the reason. The caller calls
 * race_release. */
void race_find(struct races *races, const struct litmus_test *test, bool details, struct race *race);
void race_release(struct race *race);

/* Whether the race occurs with this outcome of race->outcomes. */
bool race_occurs_with(const struct judged_outcome *outcome);

/* "unguarded" or "lasting"; and the rule that it breaks, as a sentence. */
const char *race_word(enum race_kind kind);
extern const char race_rule[];

/* Appends what people need to know, in sentences without a line's end: the accesses, the location, what it means, and
 * the outcomes with which the race occurs. */
void race_describe(const struct race *race, struct text *text);
