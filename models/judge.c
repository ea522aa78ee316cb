// SPDX-License-Identifier: Apache-2.0
/* From findings to verdicts. */
#include <stdlib.h>
#include <string.h>

#include "models/model.h"
#include "models/search/enumerate.h"

/* A flag of this kind says that the model gives the test no meaning; any other one is a race. */
static const char unspecified[] = "unspecified";

struct meaning {
    bool racy, unspecified;
    bool cut; /* the search: what is not consistent as far as it went may still be */
};

static struct meaning meaning_of(const struct cat *cat, uint64_t flags)
{
    struct meaning meaning = {0};
    for (unsigned i = 0; cat_flag_name(cat, i); i++) {
        if (!(flags >> i & 1))
            continue;
        if (strncmp(cat_flag_name(cat, i), unspecified, sizeof unspecified - 1) == 0)
            meaning.unspecified = true;
        else
            meaning.racy = true;
    }
    return meaning;
}

static enum verdict verdict_of(const struct found *found, struct meaning meaning)
{
    if (meaning.racy)
        return VERDICT_UNDEFINED;
    if (meaning.unspecified)
        return VERDICT_UNSPECIFIED;
    if (!found->consistent)
        return meaning.cut ? VERDICT_NONE : VERDICT_FORBIDDEN;
    return found->sc ? VERDICT_SC : VERDICT_WEAK;
}

static bool evaluate_quantifier(const struct litmus_test *test, const struct findings *findings)
{
    bool witness = false;
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].consistent && test->condition)
            witness |= litmus_is_witness(test, findings->items[i].values);
    /* A witness of `exists` and `~exists` has what is asked for, one of `forall` violates it. */
    return test->quantifier == LITMUS_NO_CONDITION || witness == (test->quantifier == LITMUS_EXISTS);
}

/* qsort hands over no context, so the number of values stands with each row. */
struct row {
    size_t count;
    const struct found *found;
};

static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    for (size_t i = 0; i < a->count; i++)
        if (a->found->values[i] != b->found->values[i])
            return a->found->values[i] < b->found->values[i] ? -1 : 1;
    return 0;
}

static enum status no_memory(struct error *error)
{
    return error_set(error, STATUS_MEMORY, "out of memory while a test is judged");
}

static enum status fill_outcome(const struct litmus_test *test, const struct found *found, struct meaning meaning,
                                struct judged_outcome *outcome, struct error *error)
{
    const size_t size = test->variable_count * sizeof *outcome->values;
    outcome->values = malloc(size + 1);
    if (!outcome->values)
        return no_memory(error);
    if (size > 0)
        memcpy(outcome->values, found->values, size);
    outcome->verdict = verdict_of(found, meaning);
    outcome->witness = test->condition && litmus_is_witness(test, found->values);
    if (outcome->verdict != VERDICT_FORBIDDEN)
        return STATUS_OK;
    outcome->axiom = strdup(found->axiom ? found->axiom : "");
    outcome->cycle = found->cycle ? strdup(found->cycle) : NULL;
    return outcome->axiom && (outcome->cycle || !found->cycle) ? STATUS_OK : no_memory(error);
}

static enum status fill(const struct litmus_test *test, const struct findings *findings, struct meaning meaning,
                        struct judgement *judgement, struct error *error)
{
    struct row *rows = calloc(findings->count + 1, sizeof *rows);
    judgement->outcomes = calloc(findings->count + 1, sizeof *judgement->outcomes);
    enum status status = rows && judgement->outcomes ? STATUS_OK : no_memory(error);
    for (size_t i = 0; rows && i < findings->count; i++)
        rows[i] = (struct row){test->variable_count, &findings->items[i]};
    if (status == STATUS_OK)
        qsort(rows, findings->count, sizeof *rows, compare_rows);
    for (size_t i = 0; status == STATUS_OK && i < findings->count; i++) {
        status = fill_outcome(test, rows[i].found, meaning, &judgement->outcomes[i], error);
        judgement->outcome_count = i + 1;
    }
    free(rows);
    judgement->racy = meaning.racy;
    judgement->holds = evaluate_quantifier(test, findings);
    return status;
}

static enum status note_cut(const struct enumeration *enumeration, struct judgement *judgement, struct error *error)
{
    if (!enumeration->cut)
        return STATUS_OK;
    struct text text = {0};
    text_add(&text, "loops were followed for at most %u iteration%s", enumeration->unroll,
             enumeration->unroll == 1 ? "" : "s");
    judgement->cut = text_take(&text);
    return judgement->cut ? STATUS_OK : no_memory(error);
}

static enum status judge(const struct model *model, const struct judge_options *options,
                         struct enumeration *enumeration, struct findings *findings, struct judgement *judgement,
                         struct error *error)
{
    struct search_request request = {
        .cat = model->cat,
        .enumeration = enumeration,
        .findings = findings,
        .explain = options && options->explain,
        .maximum_candidates =
            options && options->maximum_candidates ? options->maximum_candidates : ENUMERATE_MAXIMUM_CANDIDATES,
        .deadline = options ? options->deadline : 0,
        .error = error,
    };
    struct search_result result, sc_result;
    TRY(search(&request, &result));
    struct meaning meaning = meaning_of(model->cat, result.flags);
    meaning.cut = enumeration->cut;
    if (enumeration->mixed_sizes && !meaning.racy && !meaning.unspecified)
        return error_set(error, STATUS_UNSUPPORTED,
                         "accesses of different sizes meet without a race: no model can judge the test");
    request.cat = model->sc;
    request.only_sc = true;
    if (!meaning.racy && !meaning.unspecified)
        TRY(search(&request, &sc_result));
    judgement->candidates = result.candidates;
    judgement->consistent = result.consistent;
    TRY(note_cut(enumeration, judgement, error));
    return fill(enumeration->test, findings, meaning, judgement, error);
}

enum status model_judge(const struct model *model, const struct litmus_test *test, const struct judge_options *options,
                        struct judgement *judgement, struct error *error)
{
    *judgement = (struct judgement){0};
    struct enumeration enumeration;
    struct findings findings = {.test = test};
    enum status status =
        enumeration_make(test, options ? options->unroll : 0, options ? options->deadline : 0, &enumeration, error);
    if (status == STATUS_OK)
        status = judge(model, options, &enumeration, &findings, judgement, error);
    findings_release(&findings);
    enumeration_release(&enumeration);
    if (status != STATUS_OK)
        judgement_release(judgement);
    return status;
}

void judgement_release(struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->outcome_count; i++) {
        free(judgement->outcomes[i].values);
        free(judgement->outcomes[i].axiom);
        free(judgement->outcomes[i].cycle);
    }
    free(judgement->outcomes);
    free(judgement->cut);
    *judgement = (struct judgement){0};
}
