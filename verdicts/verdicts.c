// SPDX-License-Identifier: Apache-2.0
/* The models' verdicts on a job's outcomes. */
#include "verdicts/verdicts.h"

#include "litmus/dialects.h"
#include "litmus/language/user_atomics.h"

static void label_outcomes(const struct litmus_test *test, struct opinion *opinion)
{
    opinion->labels = memory_take(opinion->judgement.outcome_count, sizeof *opinion->labels);
    for (size_t i = 0; i < opinion->judgement.outcome_count; i++) {
        struct text label = {0};
        litmus_print_outcome(test, opinion->judgement.outcomes[i].values, &label);
        opinion->labels[i] = text_take(&label);
    }
}

static void release_opinion(struct opinion *opinion)
{
    for (size_t i = 0; opinion->labels && i < opinion->judgement.outcome_count; i++)
        free(opinion->labels[i]);
    free(opinion->labels);
    judgement_release(&opinion->judgement);
}

/* Judges with the model that the opinion names, by the bound in opinion->unroll (0: the default). */
static enum status verdicts_judge_test(const struct litmus_test *test, const struct judge_options *limits,
                                       struct opinion *opinion, struct error *error)
{
    struct judge_options options = *limits;
    struct model *model = NULL;
    options.unroll = opinion->unroll;
    TRY(model_load(opinion->model, &model, error));
    (void)snprintf(opinion->model, sizeof opinion->model, "%s", model_id(model));
    (void)snprintf(opinion->model_hash, sizeof opinion->model_hash, "%s", model_hash(model));
    enum status status = model_judge(model, test, &options, &opinion->judgement, error);
    model_release(model);
    opinion->can_deepen = status == STATUS_OK && opinion->judgement.cut;
    if (status == STATUS_OK && opinion->judgement.outcome_count > 0) {
        label_outcomes(test, opinion);
        return STATUS_OK;
    }
    if (status == STATUS_OK) { /* for example a loop that only its bound ends */
        judgement_release(&opinion->judgement);
        status = error_set(error, STATUS_UNSUPPORTED, "no execution of the test ends within the model's bounds");
    }
    opinion->judgement = (struct judgement){0};
    if (status != STATUS_UNSUPPORTED && status != STATUS_LIMIT)
        return status;
    (void)snprintf(opinion->unjudged, sizeof opinion->unjudged, "%.511s", error->text);
    return STATUS_OK;
}

/* Asks the model that the opinion names or, if none, the dialect's model. */
static enum status ask_model(const struct litmus_test *test, enum litmus_dialect dialect,
                             const struct judge_options *limits, struct opinion *opinion, struct error *error)
{
    if (!opinion->model[0])
        (void)snprintf(opinion->model, sizeof opinion->model, "%s", model_default(dialect));
    TRY(verdicts_judge_test(test, limits, opinion, error));
    opinion->unroll = MODEL_DEFAULT_UNROLL;
    return STATUS_OK;
}

static enum status ask_target(const struct litmus_test *test, unsigned mapping, const struct judge_options *limits,
                              struct opinion *opinion, struct error *error)
{
    const enum litmus_dialect dialect = kernel_mapping_dialect(mapping);
    LOCAL(kernel_target) target = {0};
    opinion->mapping = mapping;
    const enum status status = kernel_target_make(test, mapping, &target, error);
    if (status == STATUS_UNSUPPORTED) {
        (void)snprintf(opinion->model, sizeof opinion->model, "%s", model_default(dialect));
        (void)snprintf(opinion->unjudged, sizeof opinion->unjudged, "%.511s", error->text);
        return STATUS_OK;
    }
    return status == STATUS_OK ? ask_model(target.test, dialect, limits, opinion, error) : status;
}

/* The language in which the device gets the test. */
static enum litmus_dialect emitted_dialect(const struct litmus_test *test, const struct backend_device *device)
{
    if (test->dialect == LITMUS_CUDA)
        return device->takes & BACKEND_TAKES_CUDA && !(device->takes & BACKEND_TAKES_PTX) ? LITMUS_CUDA : LITMUS_PTX;
    if (test->dialect == LITMUS_PTX)
        return LITMUS_PTX;
    if (device->takes & BACKEND_TAKES_C11)
        return LITMUS_OPENCL;
    if (device->takes & BACKEND_TAKES_PTX)
        return LITMUS_PTX;
    if (device->takes & (BACKEND_TAKES_GLSL | BACKEND_TAKES_WGSL))
        return LITMUS_VULKAN;
    return device->takes & BACKEND_TAKES_OPENCL1 ? LITMUS_OPENCL : test->dialect;
}

enum status verdicts_make(const struct litmus_test *test, const struct backend_device *device,
                          const struct judge_options *limits, struct verdicts *verdicts, struct error *error)
{
    /* The code of a user's functions is not known: the text alone judges, and what it forbids accuses them. */
    const bool emits = !user_atomics_loaded() || dialects[test->dialect].judged_as_ptx;
    *verdicts = (struct verdicts){.emitted = emits ? emitted_dialect(test, device) : test->dialect};
    const unsigned mapping = kernel_mapping_to(verdicts->emitted);
    if (verdicts->emitted == LITMUS_CUDA) /* HIP: no PTX, so C++ with scopes itself judges */
        (void)snprintf(verdicts->source.model, sizeof verdicts->source.model, "rc11-scoped");
    else if (dialects[test->dialect].judged_as_ptx)
        return ask_target(test, mapping, limits, &verdicts->source, error);
    TRY(ask_model(test, test->dialect, limits, &verdicts->source, error));
    if (verdicts->emitted == test->dialect)
        return STATUS_OK;
    if (mapping)
        return ask_target(test, mapping, limits, &verdicts->target, error);
    /* C and OpenCL C differ only in syntax here. */
    return ask_model(test, verdicts->emitted, limits, &verdicts->target, error);
}

enum status verdicts_add_compiled(struct verdicts *verdicts, struct kernel_target *compiled,
                                  const struct judge_options *limits, struct error *error)
{
    release_opinion(&verdicts->target);
    kernel_target_release(&verdicts->compiled);
    verdicts->compiled = *compiled;
    *compiled = (struct kernel_target){0};
    verdicts->target = (struct opinion){.mapping = KERNEL_COMPILED};
    return ask_model(verdicts->compiled.test, verdicts->compiled.test->dialect, limits, &verdicts->target, error);
}

enum status verdicts_ask_again(const struct litmus_test *test, const struct judge_options *limits,
                               struct opinion *opinion, struct error *error)
{
    return opinion->mapping ? ask_target(test, opinion->mapping, limits, opinion, error)
                            : ask_model(test, test->dialect, limits, opinion, error);
}

void verdicts_release(struct verdicts *verdicts)
{
    release_opinion(&verdicts->source);
    release_opinion(&verdicts->target);
    kernel_target_release(&verdicts->compiled);
    *verdicts = (struct verdicts){0};
}

/* ---- higher bounds ---- */

/* The device is idle meanwhile. */
static const double deepening_seconds = 2;

/* Replaces the opinion by one with a higher bound if the model can still judge the test. */
static enum status deepen_opinion(struct opinion *opinion, const struct litmus_test *test, const struct tally *seen,
                                  const struct judge_options *limits, bool *deepened, struct error *error)
{
    while (opinion->can_deepen && opinion->unroll < MODEL_MAXIMUM_UNROLL && clock_seconds() < limits->deadline &&
           ANY_OF(outcome, seen->outcomes, seen->outcome_count,
                  outcome->count > 0 && opinion_unjudged(opinion, outcome->label))) {
        struct opinion deeper = {.unroll = opinion->unroll + 1, .mapping = opinion->mapping};
        (void)snprintf(deeper.model, sizeof deeper.model, "%s", opinion->model);
        const enum status status = verdicts_judge_test(test, limits, &deeper, error);
        if (status != STATUS_OK || (deeper.unjudged[0] && !deeper.can_deepen)) {
            opinion->can_deepen = false;
            release_opinion(&deeper);
            return status;
        }
        release_opinion(opinion);
        *opinion = deeper;
        *deepened = true;
    }
    return STATUS_OK;
}

enum status verdicts_deepen(struct verdicts *verdicts, const struct litmus_test *test, const struct tally *seen,
                            const struct judge_options *limits, bool *deepened, struct error *error)
{
    struct judge_options within = *limits;
    const double deadline = clock_seconds() + deepening_seconds;
    LOCAL(kernel_target) target = {0};
    *deepened = false;
    within.deadline = limits->deadline > 0 && limits->deadline < deadline ? limits->deadline : deadline;
    struct opinion *of_target = dialects[test->dialect].judged_as_ptx ? &verdicts->source : &verdicts->target;
    if (verdicts->compiled.test)
        TRY(deepen_opinion(&verdicts->target, verdicts->compiled.test, seen, &within, deepened, error));
    if (!dialects[test->dialect].judged_as_ptx)
        TRY(deepen_opinion(&verdicts->source, test, seen, &within, deepened, error));
    if (!of_target->can_deepen || (verdicts->compiled.test && of_target == &verdicts->target))
        return STATUS_OK;
    if (!of_target->mapping)
        return deepen_opinion(of_target, test, seen, &within, deepened, error);
    TRY(kernel_target_make(test, of_target->mapping, &target, error));
    return deepen_opinion(of_target, target.test, seen, &within, deepened, error);
}

/* ---- reading the opinions ---- */

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

/* Whether the model's list of outcomes is complete. */
static bool is_exhaustive(const struct opinion *opinion)
{
    if (!opinion->model[0] || opinion->unjudged[0] || opinion->judgement.cut || opinion->judgement.racy)
        return false;
    return !ANY_OF(outcome, opinion->judgement.outcomes, opinion->judgement.outcome_count,
                   outcome->verdict == VERDICT_UNSPECIFIED);
}

bool opinion_lacks(const struct opinion *opinion, const char *label)
{
    return !opinion_on(opinion, label) && is_exhaustive(opinion);
}

bool verdicts_lack(const struct verdicts *verdicts, const struct tally *seen)
{
    return ANY_OF(outcome, seen->outcomes, seen->outcome_count,
                  outcome->count > 0 && (opinion_lacks(&verdicts->source, outcome->label) ||
                                         opinion_lacks(&verdicts->target, outcome->label)));
}

/* An outcome that is not a candidate is forbidden if the search was complete and the test is neither racy nor of mixed
 * sizes. */
static enum verdict opinion_verdict(const struct opinion *opinion, const char *label)
{
    const struct judged_outcome *judged = opinion_on(opinion, label);
    return judged ? judged->verdict : is_exhaustive(opinion) ? VERDICT_FORBIDDEN : VERDICT_NONE;
}

const char *opinion_unjudged(const struct opinion *opinion, const char *label)
{
    if (opinion_verdict(opinion, label) != VERDICT_NONE)
        return NULL;
    return opinion->unjudged[0]      ? opinion->unjudged
           : opinion->judgement.cut  ? opinion->judgement.cut
           : opinion->judgement.racy ? "the test is racy"
                                     : "the model does not list the outcome";
}

void verdicts_sight(const struct verdicts *verdicts, const char *label, struct sighting *sighting)
{
    sighting->source = opinion_verdict(&verdicts->source, label);
    sighting->target = opinion_verdict(&verdicts->target, label);
}

static struct sighting sight_label(const struct verdicts *verdicts, const char *label)
{
    struct sighting sighting = {.witness = false};
    verdicts_sight(verdicts, label, &sighting);
    return sighting;
}

const struct opinion *verdicts_forbid(const struct verdicts *verdicts, const char *label)
{
    const struct sighting sighting = sight_label(verdicts, label);
    if (ruling_of(&sighting).kind != RULING_FORBIDDEN)
        return NULL;
    return sighting.target == VERDICT_FORBIDDEN ? &verdicts->target : &verdicts->source;
}

void verdicts_list_limits(const struct verdicts *verdicts, void (*tell)(const char *label, void *context),
                          void *context)
{
    for (size_t i = 0; i < verdicts->target.judgement.outcome_count; i++) {
        const struct sighting sighting = sight_label(verdicts, verdicts->target.labels[i]);
        if (ruling_of(&sighting).kind == RULING_LIMIT)
            tell(verdicts->target.labels[i], context);
    }
}

const char *opinion_reason(const struct opinion *opinion, const char *label)
{
    const struct judged_outcome *judged = opinion_on(opinion, label);
    return judged && judged->axiom ? judged->axiom : "no execution of the test has it";
}
