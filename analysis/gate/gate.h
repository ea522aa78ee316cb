// SPDX-License-Identifier: Apache-2.0
/*
 * The gate: whether B may replace A. A decision is made of a comparison (A is the baseline) and of what is expected, and
 * of nothing else: no clock, no device, no environment.
 *
 * Fails: what must never be seen, faults, lost and new outcomes beyond doubt, rates beyond tolerance. Inconclusive:
 * whatever makes a pass mean nothing, with the time that would do where it is known. Otherwise it passes. A failure
 * weighs more than a doubt. Every outcome that one side alone has seen is a reason, also where it decides nothing.
 */
#ifndef ORCHIL_ANALYSIS_GATE_GATE_H
#define ORCHIL_ANALYSIS_GATE_GATE_H

#include "analysis/compare/compare.h"
#include "analysis/gate/expectations.h"

enum gate_verdict { GATE_PASS, GATE_FAIL, GATE_INCONCLUSIVE };

/* X(name, word, verdict that it leads to, meaning), from grave to harmless: all outputs list reasons in this order. */
#define GATE_KIND_LIST(X)                                                                                              \
    X(FORBIDDEN, "forbidden", GATE_FAIL, "an outcome was seen that a model forbids")                                   \
    X(CONTROL, "control", GATE_FAIL, "a control showed its witness")                                                   \
    X(FAULT, "fault", GATE_FAIL, "a job ended in a hang, a crash, a lost device or a failed build")                    \
    X(REFUSED, "refused", GATE_FAIL, "the device does not support what it did in the baseline")                        \
    X(NEW, "new", GATE_FAIL, "an outcome is seen that the baseline has not")                                           \
    X(LOST, "lost", GATE_FAIL, "an outcome of the baseline is not seen")                                               \
    X(RATE, "rate", GATE_FAIL, "a rate changed beyond the tolerance")                                                  \
    X(UNSEEN, "unseen", GATE_INCONCLUSIVE, "a mutant was not seen often enough, so that silence means nothing")        \
    X(UNDECIDED, "undecided", GATE_INCONCLUSIVE, "too little data to compare a mutant's rate")                         \
    X(INVALID, "invalid", GATE_INCONCLUSIVE, "batches were invalid: the stress was not alive")                         \
    X(CUT_SHORT, "cut-short", GATE_INCONCLUSIVE, "a job did not run to its end")                                       \
    X(MISSING, "missing", GATE_INCONCLUSIVE, "a test of the baseline was not run")                                     \
    X(NOTHING, "nothing", GATE_INCONCLUSIVE, "no test could be compared")                                              \
    X(NEW_UNDECIDED, "new-undecided", GATE_PASS, "as new, with too little data to be sure")                            \
    X(LOST_UNDECIDED, "lost-undecided", GATE_PASS, "as lost, with too little data to be sure")                         \
    X(UNDECLARED, "undeclared", GATE_PASS,                                                                             \
      "as forbidden, in B alone, by an order or scope that the device does not declare")                               \
    X(GONE, "gone", GATE_PASS, "what must never be seen was seen in the baseline alone")                               \
    X(VARIES, "varies", GATE_PASS, "a rate changed, by no more than the baseline's own runs differ from each other")

#define GATE_KIND_ENUM(name, word, verdict, meaning) GATE_##name,
enum gate_kind { GATE_KIND_LIST(GATE_KIND_ENUM) GATE_KIND_COUNT };
#undef GATE_KIND_ENUM
const char *gate_kind_name(enum gate_kind kind);
enum gate_verdict gate_kind_verdict(enum gate_kind kind);
const char *gate_verdict_name(enum gate_verdict verdict); /* "pass", "fail", "inconclusive" */

struct gate_options {
    bool strict;      /* also judge by orders and scopes that a device does not declare */
    double assurance; /* with which a rerun must see a mutant again, 0.99999: 12 sightings */
    bool chosen;      /* the tests were chosen: that others of the baseline were not run is no doubt */
};

struct gate_reason {
    enum gate_kind kind;
    const struct finding *finding;      /* that it comes from, for its figures; NULL for none */
    enum job_state state;               /* of B, where kind is FAULT, REFUSED or CUT_SHORT */
    const char *sentence;               /* plain: no control bytes */
    double suffices;                    /* seconds of this test that would do; 0 where it is not known */
    const struct expectation *expected; /* why it does not count; NULL where it does */
};

/* All that the gate says of one test on one device. */
struct gate_case {
    const struct sample *sample; /* of B, or of A where B has not run it */
    bool compared;               /* has a match */
    enum gate_verdict verdict;
    const struct expectation *skipped; /* nothing of it counts */
    struct gate_reason *reasons;
    size_t reason_count;
};

/* Where a reason is listed. */
enum gate_section {
    GATE_FAILURES,
    GATE_DOUBTS,
    GATE_ONE_SIDED, /* an outcome that one side alone has seen, where it decides nothing */
    GATE_VARIATION,
    GATE_EXCUSED, /* expected, or of a test that is skipped */
    GATE_SECTION_COUNT
};

struct gate_entry {
    const struct gate_case *of;
    const struct gate_reason *reason;
    enum gate_section section;
};

/* Outcomes that one side alone has seen, but for what must never be seen and fails the gate for that. */
struct gate_one_sided {
    size_t seen_in[SIDES];      /* new are those of B, lost those of A */
    size_t undecided, expected; /* of both: too little data to fail; excused by an expectation */
};

struct gate {
    const struct comparison *comparison;
    const struct expectations *expectations; /* or NULL */
    enum gate_verdict verdict;
    struct gate_case *cases; /* those with the gravest reasons first, then by test */
    size_t case_count;
    struct gate_entry *entries; /* every reason of every case, by section, kind and test */
    size_t entry_count;
    struct gate_one_sided one_sided;
    struct gate_reason nothing; /* where no test could be compared; its sentence is NULL otherwise */
    size_t compared, paired;    /* cases with a match that counted something; of these, draw by draw */
    size_t baseline_runs; /* jobs of the test in A that has most: with three or more, how much they differ is known */
    double suffices;      /* seconds for each test that would end all doubts of known size; 0 for none */
    bool all_known;       /* whether every doubt has such a time */
    const struct expectation **stale; /* of tests that ran to their end, and nothing of it was seen */
    size_t stale_count;
    struct arena arena;
};

/* Decides. expectations may be NULL. The gate borrows what it is given. The caller calls gate_release. */
void gate_decide(const struct comparison *comparison, const struct gate_options *options,
                 const struct expectations *expectations, struct gate *gate);
void gate_release(struct gate *gate);

/* How many entries a section has. */
size_t gate_section_size(const struct gate *gate, enum gate_section section);

/* 0, 1 or 3. */
int gate_exit_code(enum gate_verdict verdict);

/* For people; as one JSON object; as JUnit XML (a test suite per backend and device); as Markdown for a summary; as
 * workflow commands of GitHub, 10 errors, 10 warnings and 10 notices at most. Text of any origin is escaped as each asks. */
void gate_print_text(const struct gate *gate, struct text *text);
void gate_print_json(const struct gate *gate, struct text *text);
void gate_print_junit(const struct gate *gate, struct text *text);
void gate_print_markdown(const struct gate *gate, struct text *text);
void gate_print_github(const struct gate *gate, struct text *text);

#endif
