// SPDX-License-Identifier: Apache-2.0
/* Asking a model about a changed test. Private to the room. */
#ifndef ORCHIL_MODELS_EXPLAIN_CHANGE_H
#define ORCHIL_MODELS_EXPLAIN_CHANGE_H

#include "models/explain/repair.h"

enum change_answer { CHANGE_UNKNOWN, CHANGE_ALLOWS, CHANGE_FORBIDS };

struct change_asked {
    bool judged; /* else the model cannot judge it, and the answer is UNKNOWN */
    enum change_answer answer;
    enum verdict then; /* of the outcome; NONE: not known */
    const char *flag;  /* UNDEFINED: the flags, as judgement.undefined_by; in the arena of the
                        * repairs */
    bool ends;         /* the model allows some outcome of the changed test, so it can end */
};

/* Whether the time is up or the search was stopped; records it in found->cut. */
bool change_is_over(const struct repair_wanted *wanted, struct repairs *found);

/* Judges a changed test. The caller counts it in found->tried. */
struct change_asked change_ask(const struct repair_wanted *wanted, const struct litmus_test *changed,
                               struct repairs *found);

#endif
