// SPDX-License-Identifier: Apache-2.0
/* Judging a changed test. */
#ifndef ORCHIL_MODELS_EXPLAIN_CHANGE_H
#define ORCHIL_MODELS_EXPLAIN_CHANGE_H

#include "models/explain/repair.h"
#include "models/explain/sites.h"

enum change_answer { CHANGE_UNKNOWN, CHANGE_ALLOWS, CHANGE_FORBIDS };

struct change_judgement {
    bool judged; /* else the model cannot judge it, and the answer is UNKNOWN */
    enum change_answer answer;
    enum verdict then; /* of the outcome; NONE: not known */
    const char *flag;  /* UNDEFINED: the flags, as judgement.undefined_by; in the arena of the
                        * repairs */
    bool fits;         /* `fits` of change_judge_chosen was true of an execution that has the outcome */
    bool ends;         /* the model allows some outcome of the changed test, so it can end */
};

/* Whether the time is up or the search was stopped; records it in found->cut. */
bool change_is_over(const struct repair_wanted *wanted, struct repairs *found);

/* Judges a changed test. The caller counts it in found->tried. */
struct change_judgement change_judge(const struct repair_wanted *wanted, const struct litmus_test *changed,
                                     struct repairs *found);

/* Judges the test with the chosen options of the sites, and counts it. UNKNOWN also if the time is up or the dialect cannot
 * express it. fits: called for an execution with an allowed outcome; or NULL. */
struct change_judgement change_judge_chosen(const struct repair_wanted *wanted, struct sites *sites,
                                            struct repairs *found, bool (*fits)(const struct explanation *explanation));

/* Adds the chosen options as changes, with texts in the arena. changed: the test with them (sites_apply). */
void change_list(const struct sites *sites, const struct litmus_test *changed, struct arena *arena,
                 struct repair *repair);

#endif
