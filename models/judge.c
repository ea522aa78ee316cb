// SPDX-License-Identifier: Apache-2.0
/* Turns findings into verdicts. */
#include "models/explain/explanation.h"
#include "models/model.h"
#include "models/search/enumerate.h"

static enum verdict verdict_of(const struct findings *findings, const struct search_finding *found)
{
    if (findings->racy)
        return VERDICT_UNDEFINED;
    if (findings->unspecified)
        return VERDICT_UNSPECIFIED;
    if (!found->consistent)
        return findings->cut ? VERDICT_NONE : VERDICT_FORBIDDEN;
    return found->sc ? VERDICT_SC : VERDICT_WEAK;
}

static int compare_findings(const void *left, const void *right, void *test)
{
    return litmus_compare_values((*(const struct search_finding *const *)left)->values,
                                 (*(const struct search_finding *const *)right)->values, test);
}

static void fill_outcome(const struct findings *findings, const struct search_finding *found,
                         struct judged_outcome *outcome)
{
    const struct litmus_test *test = findings->test;
    outcome->values = memory_take(test->variable_count, sizeof *outcome->values);
    memcpy(outcome->values, found->values, test->variable_count * sizeof *outcome->values);
    outcome->verdict = verdict_of(findings, found);
    outcome->consistent = found->consistent;
    outcome->witness = test->condition && litmus_is_witness(test, found->values);
    if (outcome->verdict == VERDICT_FORBIDDEN)
        outcome->axiom = memory_copy(found->axiom ? found->axiom : "");
    if (found->capture && outcome->verdict != VERDICT_NONE && !findings->racy && !findings->unspecified)
        outcome->explanation = explanation_make(found->capture, outcome->verdict, found->values, outcome->axiom);
}

static void fill_judgement(const struct findings *findings, struct judgement *judgement)
{
    const struct litmus_test *test = findings->test;
    FREED const struct search_finding **found = memory_take(findings->count, sizeof *found);
    for (size_t i = 0; i < findings->count; i++)
        found[i] = &findings->items[i];
    qsort_r(found, findings->count, sizeof *found, compare_findings, (void *)(uintptr_t)test); /* which is only read */
    judgement->outcomes = memory_take(findings->count, sizeof *judgement->outcomes);
    judgement->outcome_count = findings->count;
    for (size_t i = 0; i < findings->count; i++)
        fill_outcome(findings, found[i], &judgement->outcomes[i]);
    judgement->racy = findings->racy;
    bool witness = false;
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].consistent && test->condition)
            witness |= litmus_is_witness(test, findings->items[i].values);
    /* A witness of `exists` and `~exists` satisfies the proposition, one of `forall` violates it. */
    judgement->holds = test->quantifier == LITMUS_NO_CONDITION || witness == (test->quantifier == LITMUS_EXISTS);
    if (test->filter && judgement->consistent == 0 && !judgement->never_ends)
        judgement->empty = "no execution that the model allows passes the filter";
}

static void note_flags(const struct cat *cat, uint64_t flags, struct judgement *judgement)
{
    struct text text = {0};
    if (!flags)
        return;
    for (uint64_t rest = flags & ~(judgement->racy ? cat_flags_unspecified(cat, flags) : 0); rest; rest &= rest - 1)
        text_add(&text, "%s%s", text.size ? ", " : "", cat_flag_name(cat, (int)set_first(rest)));
    judgement->undefined_by = text_take(&text);
}

static void note_cut(const struct enumeration *enumeration, struct judgement *judgement)
{
    if (!enumeration->cut)
        return;
    struct text text = {0};
    text_add(&text, "loops were followed for at most %u iteration%s", enumeration->options.unroll,
             enumeration->options.unroll == 1 ? "" : "s");
    judgement->cut = text_take(&text);
}

/* A model that ignores when copies are done would treat them as never done. */
static enum status check_asynchronous(const struct model *model, const struct enumeration *enumeration,
                                      struct error *error)
{
    if (!enumeration->asynchronous || cat_uses(model->cat, "completes"))
        return STATUS_OK;
    return error_set(
        error, STATUS_UNSUPPORTED,
        "the test has asynchronous copies, mbarriers or cluster barriers, which the model does not define: use "
        "ptx or sc");
}

/* A model that ignores `whole` would treat 128 bits as two accesses. */
static enum status check_whole(const struct model *model, const struct enumeration *enumeration, struct error *error)
{
    if (!enumeration->whole || cat_uses(model->cat, "whole"))
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "the test has 128-bit accesses, which the model does not define: use ptx or sc");
}

/* A model of a GPU's scopes that ignores the host would treat its threads as GPU threads. OPENCL's words mean the same
 * on both sides. */
static enum status check_host(const struct model *model, const struct litmus_test *test, struct error *error)
{
    const bool has_host = ANY_OF(thread, test->threads, test->body_count, thread->placement.host);
    if (test->dialect != LITMUS_PTX || !has_host || !cat_uses(model->cat, "sr") || cat_uses(model->cat, "HOST"))
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "the test has host threads, which the model does not define: use ptx or sc");
}

/* A model that ignores the order of launches would treat them as launched at once. */
static enum status check_launches(const struct model *model, const struct enumeration *enumeration, struct error *error)
{
    unsigned ordered = 0;
    for (unsigned i = 0; i < enumeration->launches.count; i++)
        ordered |= enumeration->launches.launches[i].after;
    if (ordered == 0 || cat_uses(model->cat, "launch-order") || cat_uses(model->cat, "ssw"))
        return STATUS_OK;
    return error_set(
        error, STATUS_UNSUPPORTED,
        "the test has launches ordered by the host, which the model does not define: use opencl, ptx or sc");
}

/* Published verdicts take barriers of different numbers as unrelated, also where no execution ends because each waits
 * for the threads at the other. They are found in a second search. */
static enum status search_complete(struct search_request *request, struct judgement *judgement)
{
    TRY(search(request));
    bool complete = request->consistent > 0 || request->enumeration->cut;
    if (!complete && request->enumeration->test->filter) {
        /* Whether some execution is complete, whatever the test's filter says of it. */
        struct litmus_test bare = *request->enumeration->test;
        struct enumeration enumeration = *request->enumeration;
        LOCAL(findings) findings = {.test = &bare};
        struct search_request asked = *request;
        bare.filter = NULL;
        enumeration.test = &bare;
        asked.enumeration = &enumeration;
        asked.findings = &findings;
        asked.explain = false;
        const enum status status = search(&asked);
        complete = asked.consistent > 0;
        TRY(status);
    }
    judgement->never_ends = !complete;
    request->open = judgement->never_ends && request->stuck;
    if (request->open)
        TRY(search(request));
    judgement->open = request->open && request->consistent > 0;
    return STATUS_OK;
}

void judgement_describe_end(const struct judgement *judgement, struct text *text)
{
    if (!judgement->never_ends)
        return;
    text_add(text, "The test never ends: in every execution, a thread waits for ever at a barrier or in a loop.%s",
             judgement->open ? " The verdicts ignore the threads that do not come to a barrier." : "");
}

/* The race, for people. */
static void explain_undefined(const struct findings *findings, struct capture *capture, struct judgement *judgement)
{
    if (capture && (findings->racy || findings->unspecified))
        judgement->undefined = explanation_make(capture, findings->racy ? VERDICT_UNDEFINED : VERDICT_UNSPECIFIED, NULL,
                                                capture->steps[0].relation);
    free(capture);
}

static enum status judge_candidates(const struct model *model, struct enumeration *enumeration,
                                    struct findings *findings, struct judgement *judgement, struct error *error)
{
    struct search_request request = {
        .cat = model->cat,
        .enumeration = enumeration,
        .findings = findings,
        .explain = enumeration->options.explain,
        .error = error,
    };
    const enum status status = search_complete(&request, judgement);
    if (status != STATUS_OK) {
        free(request.undefined);
        return status;
    }
    const uint64_t unspecified = cat_flags_unspecified(model->cat, request.flags);
    findings->racy = request.flags != unspecified;
    findings->unspecified = unspecified != 0;
    findings->cut = enumeration->cut;
    explain_undefined(findings, request.undefined, judgement);
    if (enumeration->mixed_sizes && request.flags == 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "accesses of different sizes meet without a race, so no model can judge the test");
    struct search_request sc_request = request;
    sc_request.cat = model->sc;
    sc_request.only_sc = true;
    if (request.flags == 0)
        TRY(search(&sc_request));
    judgement->candidates = request.candidates;
    judgement->consistent = request.consistent;
    note_cut(enumeration, judgement);
    fill_judgement(findings, judgement);
    note_flags(model->cat, request.flags, judgement);
    return STATUS_OK;
}

enum status model_judge(const struct model *model, const struct litmus_test *test, const struct judge_options *options,
                        struct judgement *judgement, struct error *error)
{
    *judgement = (struct judgement){0};
    LOCAL(enumeration) enumeration = {0};
    LOCAL(findings) findings = {.test = test};
    /* Memory that is no mbarrier until a thread initialises it. */
    const bool initialises = ANY_OF(location, test->locations, test->location_count,
                                    location->type == LITMUS_MBARRIER && location->initial[0] == 0);
    const bool races = cat_flags_races(model->cat, initialises);
    enum status status = enumeration_make(test, options, races, &enumeration, error);
    THEN(status, check_asynchronous(model, &enumeration, error));
    THEN(status, check_whole(model, &enumeration, error));
    THEN(status, check_host(model, test, error));
    THEN(status, check_launches(model, &enumeration, error));
    THEN(status, judge_candidates(model, &enumeration, &findings, judgement, error));
    if (enumeration.expanded) {
        /* If the threads of a range were judged with separate bodies, the events get the test's bodies. */
        for (size_t i = 0; i < judgement->outcome_count; i++)
            explanation_find_bodies(judgement->outcomes[i].explanation, test);
        explanation_find_bodies(judgement->undefined, test);
    }
    if (status != STATUS_OK)
        judgement_release(judgement);
    return status;
}

void judgement_release(struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->outcome_count; i++) {
        free(judgement->outcomes[i].values);
        free(judgement->outcomes[i].axiom);
        explanation_free(judgement->outcomes[i].explanation);
    }
    explanation_free(judgement->undefined);
    free(judgement->outcomes);
    free(judgement->cut);
    free(judgement->undefined_by);
    *judgement = (struct judgement){0};
}
