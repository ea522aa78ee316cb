// SPDX-License-Identifier: Apache-2.0
#include "runner/verdicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/kernel/target.h"

static enum status label_outcomes(const struct litmus_test *test, struct opinion *opinion, struct error *error)
{
    opinion->labels = calloc(opinion->judgement.outcome_count + 1, sizeof *opinion->labels);
    for (size_t i = 0; opinion->labels && i < opinion->judgement.outcome_count; i++) {
        struct text label = {0};
        litmus_print_outcome(test, opinion->judgement.outcomes[i].values, &label);
        opinion->labels[i] = text_take(&label);
        if (!opinion->labels[i])
            return error_set(error, STATUS_MEMORY, "no memory for the verdicts on %s", test->name);
    }
    return opinion->labels ? STATUS_OK
                           : error_set(error, STATUS_MEMORY, "no memory for the verdicts on %s", test->name);
}

/* Asks the model that judges a test's dialect. */
static enum status ask(const struct litmus_test *test, struct opinion *opinion, struct error *error)
{
    const struct judge_options options = {.unroll = 0};
    struct model *model = NULL;
    TRY(model_load(model_default(test->dialect), &model, error));
    (void)snprintf(opinion->model, sizeof opinion->model, "%s", model_id(model));
    enum status status = model_judge(model, test, &options, &opinion->judgement, error);
    model_release(model);
    if (status == STATUS_OK && opinion->judgement.outcome_count > 0)
        return label_outcomes(test, opinion, error);
    if (status == STATUS_OK) { /* a loop that only its bound ends, say */
        judgement_release(&opinion->judgement);
        status = error_set(error, STATUS_UNSUPPORTED, "no execution of the test ends within the model's bounds");
    }
    opinion->judgement = (struct judgement){0};
    if (status != STATUS_UNSUPPORTED && status != STATUS_LIMIT)
        return status;
    (void)snprintf(opinion->unjudged, sizeof opinion->unjudged, "%.511s", error->text);
    return STATUS_OK;
}

static enum status ask_target(const struct litmus_test *test, struct opinion *opinion, struct error *error)
{
    struct kernel_target target;
    enum status status = kernel_target_make(test, &target, error);
    if (status == STATUS_UNSUPPORTED) {
        (void)snprintf(opinion->model, sizeof opinion->model, "%s", model_default(LITMUS_PTX));
        (void)snprintf(opinion->unjudged, sizeof opinion->unjudged, "%.511s", error->text);
        return STATUS_OK;
    }
    if (status == STATUS_OK) {
        status = ask(target.test, opinion, error);
        kernel_target_release(&target);
    }
    return status;
}

enum status verdicts_make(const struct litmus_test *test, const struct backend_device *device,
                          struct verdicts *verdicts, struct error *error)
{
    *verdicts = (struct verdicts){0};
    if (test->dialect == LITMUS_CUDA)
        return ask_target(test, &verdicts->source, error);
    TRY(ask(test, &verdicts->source, error));
    const bool lowered =
        test->dialect != LITMUS_PTX && !(device->takes & BACKEND_TAKES_C11) && (device->takes & BACKEND_TAKES_PTX);
    return lowered ? ask_target(test, &verdicts->target, error) : STATUS_OK;
}

static void release_opinion(struct opinion *opinion)
{
    for (size_t i = 0; opinion->labels && i < opinion->judgement.outcome_count; i++)
        free(opinion->labels[i]);
    free(opinion->labels);
    judgement_release(&opinion->judgement);
}

void verdicts_release(struct verdicts *verdicts)
{
    release_opinion(&verdicts->source);
    release_opinion(&verdicts->target);
    *verdicts = (struct verdicts){0};
}

const struct opinion *verdicts_deciding(const struct verdicts *verdicts)
{
    return verdicts->target.model[0] && !verdicts->target.unjudged[0] ? &verdicts->target : &verdicts->source;
}

const struct judged_outcome *opinion_on(const struct opinion *opinion, const char *label)
{
    for (size_t i = 0; i < opinion->judgement.outcome_count; i++)
        if (strcmp(opinion->labels[i], label) == 0)
            return &opinion->judgement.outcomes[i];
    return NULL;
}

/* Whether the model's list is all that can happen. */
static bool is_exhaustive(const struct opinion *opinion)
{
    if (!opinion->model[0] || opinion->unjudged[0] || !opinion->judgement.complete || opinion->judgement.racy)
        return false;
    for (size_t i = 0; i < opinion->judgement.outcome_count; i++)
        if (opinion->judgement.outcomes[i].verdict == VERDICT_UNSPECIFIED)
            return false;
    return true;
}

bool opinion_forbids(const struct opinion *opinion, const char *label)
{
    const struct judged_outcome *judged = opinion_on(opinion, label);
    return judged ? judged->verdict == VERDICT_FORBIDDEN : is_exhaustive(opinion);
}

const struct opinion *verdicts_forbid(const struct verdicts *verdicts, const char *label)
{
    if (opinion_forbids(&verdicts->target, label))
        return &verdicts->target;
    return opinion_forbids(&verdicts->source, label) ? &verdicts->source : NULL;
}

const char *opinion_reason(const struct opinion *opinion, const char *label)
{
    const struct judged_outcome *judged = opinion_on(opinion, label);
    return judged && judged->axiom ? judged->axiom : "no execution of the test has it";
}
