// SPDX-License-Identifier: Apache-2.0
/* The models' verdicts on a job's outcomes. The source model judges the text as written. If a test is lowered to
 * another language, the target model judges the emitted code as well: an OpenCL or a C test as PTX, and a C test on an
 * OpenCL device as OpenCL C, which lets relaxed stores overtake loads where `rc11` does not. A CUDA test has no model
 * of its own: the model of the emitted code takes the source model's place. If a compiler turns the emitted code into
 * PTX that can be read back, the target model judges the compiled test. */
#pragma once

#include "backends/backend.h"
#include "kernel/target.h"
#include "litmus/litmus.h"
#include "models/models.h"
#include "models/ruling.h"
#include "verdicts/tally.h"

/* One model's judgement of one test. */
struct opinion {
    char model[128];                /* its id; empty: no model was asked */
    char model_hash[HASH_HEX_SIZE]; /* see model_hash; empty if what it would judge cannot be made */
    /* KERNEL_MAPPING_PTX or _VULKAN if it judges the emitted code, KERNEL_COMPILED if the compiled code, 0 if the
     * text. */
    unsigned mapping;
    char unjudged[512];         /* why it cannot judge the test; else empty */
    unsigned unroll;            /* the bound on the iterations of each loop */
    bool can_deepen;            /* the bound on loops cut the search: a higher one may say more */
    struct judgement judgement; /* if it can */
    char **labels;              /* of judgement.outcomes, as litmus_print_outcome prints them; owned */
};

struct verdicts {
    struct opinion source, target; /* target.model is empty if the emitted code is in the language of the source */
    enum litmus_dialect emitted;   /* the language in which the device gets the test */
    struct kernel_target compiled; /* what the target judges, if it was compiled; else empty */
};

/* Asks the models, within limits (whose unroll is ignored). A test that a model cannot judge is unjudged; this is not
 * an error. The caller releases *verdicts. */
enum status verdicts_make(const struct litmus_test *test, const struct backend_device *device,
                          const struct judge_options *limits, struct verdicts *verdicts, struct error *error);

/* Judges the compiled test, as the target. Takes ownership of *compiled, whatever the result. */
enum status verdicts_add_compiled(struct verdicts *verdicts, struct kernel_target *compiled,
                                  const struct judge_options *limits, struct error *error);

/* Asks again the model that the opinion, otherwise empty, names: it judges the emitted instructions if mapping is not
 * 0, else the text. */
enum status verdicts_ask_again(const struct litmus_test *test, const struct judge_options *limits,
                               struct opinion *opinion, struct error *error);
void verdicts_release(struct verdicts *verdicts);

/* Raises the bound of the searches that were cut, for at most two seconds, until each outcome that was seen has a
 * verdict. Outcomes without one then stay so: a cut search forbids nothing.
 * *deepened says whether anything changed. */
enum status verdicts_deepen(struct verdicts *verdicts, const struct litmus_test *test, const struct tally *seen,
                            const struct judge_options *limits, bool *deepened, struct error *error);

/* The opinion that decides: the target's if there is one. */
const struct opinion *verdicts_deciding(const struct verdicts *verdicts);

/* A model's verdict on one outcome; NULL if it has none (unjudged, or the outcome is not one of its candidates). */
const struct judged_outcome *opinion_on(const struct opinion *opinion, const char *label);

/* Whether a model forbids an outcome that is not among its candidates: the search was complete, and no execution of the
 * test has it. */
bool opinion_lacks(const struct opinion *opinion, const char *label);

/* Whether this is so, for either model, of any outcome that was seen. */
bool verdicts_lack(const struct verdicts *verdicts, const struct tally *seen);

/* Why a model has no verdict on an outcome; NULL if it has one. Valid as long as the opinion. */
const char *opinion_unjudged(const struct opinion *opinion, const char *label);

/* Fills in what the models say of an outcome. */
void verdicts_sight(const struct verdicts *verdicts, const char *label, struct sighting *sighting);

/* The opinion that forbids an outcome, by the rule of models/ruling.h; NULL if none does. */
const struct opinion *verdicts_forbid(const struct verdicts *verdicts, const char *label);

/* Calls tell with each outcome that the source model forbids and the target model allows, in the target's order. */
void verdicts_list_limits(const struct verdicts *verdicts, void (*tell)(const char *label, void *context),
                          void *context);

/* Why a model forbids an outcome: the name of the axiom, or that no execution of the test has it. */
const char *opinion_reason(const struct opinion *opinion, const char *label);
