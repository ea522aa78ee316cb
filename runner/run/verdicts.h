// SPDX-License-Identifier: Apache-2.0
/*
 * What models say of a job's outcomes. The source model is that of the text as written. Where a test is lowered to another
 * language, the target model judges what is emitted, and the source model too: an OpenCL or a C test as PTX, and a C test
 * on an OpenCL device as OpenCL C, which lets relaxed stores overtake loads where `rc11` does not. A CUDA test has no model
 * of its own: the one of what is emitted takes the place of the source's. Where a compiler stands between what is emitted and
 * PTX, and its PTX can be read, the target model judges the test that it compiled.
 */
#ifndef ORCHIL_RUNNER_RUN_VERDICTS_H
#define ORCHIL_RUNNER_RUN_VERDICTS_H

#include "backends/backend.h"
#include "base/hash.h"
#include "models/models.h"
#include "runner/inspect/ptx/compiled_test.h"
#include "runner/run/tally.h"

/* One model's word on one test. */
struct opinion {
    char model[128];                /* its id; empty: no model was asked */
    char model_hash[HASH_HEX_SIZE]; /* see model_hash; empty where what it would judge cannot be made */
    unsigned mapping;   /* KERNEL_MAPPING where it judges what is emitted, KERNEL_COMPILED where it judges what was
                                       compiled, 0 where it judges the text */
    char unjudged[512]; /* why it cannot judge the test; else empty */
    unsigned unroll;    /* iterations of each loop that were followed */
    bool can_deepen;    /* the bound on loops cut the search: a higher one may say more */
    struct judgement judgement; /* where it can */
    char **labels;              /* of judgement.outcomes, as litmus_print_outcome prints them; owned */
};

struct verdicts {
    struct opinion source, target; /* target.model is empty where what is emitted is in the language of the source */
    enum litmus_dialect emitted;   /* the language that the device is given the test in */
    struct compiled_test compiled; /* what the target judges, if that was compiled; else empty */
};

/* Asks the models, within limits (their unroll is not looked at). A test that a model cannot judge is unjudged, which is no
 * error. The caller releases *verdicts. */
enum status verdicts_make(const struct litmus_test *test, const struct backend_device *device,
                          const struct judge_options *limits, struct verdicts *verdicts, struct error *error);

/* Judges the test that was compiled, as the target. Takes *compiled, whatever the result. */
enum status verdicts_add_compiled(struct verdicts *verdicts, struct compiled_test *compiled,
                                  const struct judge_options *limits, struct error *error);

/* Asks again the model that the opinion (of *verdicts, one that is otherwise empty) names: of the emitted instructions where
 * its mapping is not 0, else of the text. */
enum status verdicts_ask_again(const struct litmus_test *test, const struct judge_options *limits,
                               struct opinion *opinion, struct error *error);
void verdicts_release(struct verdicts *verdicts);

/* Raises the bound of the searches that were cut, for at most two seconds, until each outcome that was seen has a verdict.
 * What has none then stays without: a cut search accuses nobody. *deepened says whether anything changed. */
enum status verdicts_deepen(struct verdicts *verdicts, const struct litmus_test *test, const struct tally *seen,
                            const struct judge_options *limits, bool *deepened, struct error *error);

/* The opinion that decides: the target's where there is one. */
const struct opinion *verdicts_deciding(const struct verdicts *verdicts);

/* A model's word on one outcome: NULL where it has none (unjudged, or the outcome is none of its candidates). */
const struct judged_outcome *opinion_on(const struct opinion *opinion, const char *label);

/* Whether a model forbids an outcome although it lists none such: the search was complete, and no execution of the test has
 * it. */
bool opinion_lacks(const struct opinion *opinion, const char *label);

/* Whether that is so, of either model, for any outcome that was seen. */
bool verdicts_lack(const struct verdicts *verdicts, const struct tally *seen);

/* Why a model has no verdict on an outcome; NULL where it has one. Valid as long as the opinion. */
const char *opinion_unjudged(const struct opinion *opinion, const char *label);

/* Who forbids an outcome, the target first; NULL if nobody does, or if it shows a limit of the mapping. */
const struct opinion *verdicts_forbid(const struct verdicts *verdicts, const char *label);

/* Whether an outcome shows a known limit of the mapping: the source model forbids it, and the emitted instructions do not.
 * The device did what it was asked to do, so this fails nothing. */
bool verdicts_show_limit(const struct verdicts *verdicts, const char *label);

/* Calls tell with each outcome that the source model forbids and the target's allows, in the order of the target's. */
void verdicts_list_limits(const struct verdicts *verdicts, void (*tell)(const char *label, void *context),
                          void *context);

/* Why: the name of the axiom, or that the outcome is none of the candidates. */
const char *opinion_reason(const struct opinion *opinion, const char *label);

#endif
