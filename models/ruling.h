// SPDX-License-Identifier: Apache-2.0
/* The one rule for what fails: what it means that an outcome was seen. Every verb, the gate, the pages and the exit
 * codes ask it; nothing else decides. It depends on its argument alone. */
#pragma once

#include "base/record.h"

/* X(name, word): what speaks against an outcome that was seen, from nothing to grave. LIMIT: the source's model forbids
 * it and the target's allows it, so the device did as asked (a known limit of the mapping). CLAIM: the test's file says
 * that its witness must never appear, and no model forbids it. CONTROL: it is the witness of a control. FORBIDDEN: a
 * model forbids it. */
#define RULING_LIST(X)                                                                                                 \
    X(NONE, "none")                                                                                                    \
    X(LIMIT, "limit")                                                                                                  \
    X(CLAIM, "claim")                                                                                                  \
    X(CONTROL, "control")                                                                                              \
    X(FORBIDDEN, "forbidden")

#define RULING_ENUM(name, word) RULING_##name,
enum ruling_kind { RULING_LIST(RULING_ENUM) RULING_COUNT };

const char *ruling_word(enum ruling_kind kind);

/* An outcome that was seen at least once, and all that decides what this means. */
struct sighting {
    enum verdict source; /* of the model of the test's text; VERDICT_NONE: it has not judged the outcome */
    enum verdict target; /* of the model of the code that the device was given, where that is another language */
    bool witness;        /* it is a witness of the test's condition */
    bool control;        /* the job is a control of another test */
    bool claimed;        /* the test's file says that its witness must never appear: litmus_forbids_witness */
    unsigned marks;      /* of the job: enum mark */
    bool strict;         /* also hold the device to orders and scopes that it does not declare */
};

struct ruling {
    enum ruling_kind kind;
    bool fails; /* it must not appear, and the device promises that: a failure of the job, and exit code 1 */
};

/* The rule. A model's word goes before a claim's and a control's. The target's model decides what the device may do;
 * the source's decides where the target's says nothing. Where the device does not declare an order or scope of the
 * test, nothing fails, unless `strict`. That launches never overlapped excuses no outcome. What the compiler kept is
 * not asked: code that is not the test excuses nothing, and is a finding of its own. */
struct ruling ruling_of(const struct sighting *sighting);

/* How many witnesses of a job with these marks prove that the environment can show such behaviour: none if its launches
 * never overlapped, because then a witness only shows that they ran in another order. */
uint64_t ruling_shown(unsigned marks, uint64_t witnesses);

/* Whether an outcome of this kind must never appear: CLAIM and graver. */
bool ruling_condemns(enum ruling_kind kind);
