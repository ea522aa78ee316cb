// SPDX-License-Identifier: Apache-2.0
/* The verdict of an outcome in a changed test. */
#include "models/explain/change.h"

#include <string.h>

#include "base/clock.h"

bool change_is_over(const struct repair_wanted *wanted, struct repairs *found)
{
    if (!found->cut)
        found->cut = clock_seconds() >= wanted->deadline || (wanted->stopped && wanted->stopped(wanted->context));
    return found->cut;
}

static const struct judged_outcome *find_outcome(const struct litmus_test *test, const struct judgement *judgement,
                                                 const int64_t *values)
{
    for (size_t i = 0; values && i < judgement->outcome_count; i++)
        if (memcmp(judgement->outcomes[i].values, values, test->variable_count * sizeof *values) == 0)
            return &judgement->outcomes[i];
    return NULL;
}

/* NONE: not known. */
static enum verdict verdict_of(const struct litmus_test *test, const struct judgement *judgement, const int64_t *values)
{
    const struct judged_outcome *outcome = find_outcome(test, judgement, values);
    if (judgement->racy)
        return VERDICT_UNDEFINED;
    if (outcome)
        return outcome->verdict;
    return judgement->cut || !values ? VERDICT_NONE : VERDICT_FORBIDDEN;
}

static enum change_answer answer_of(const struct repair_wanted *wanted, enum verdict verdict)
{
    if (verdict == VERDICT_UNDEFINED)
        return CHANGE_ALLOWS;
    if (wanted->undefined || verdict == VERDICT_FORBIDDEN)
        return CHANGE_FORBIDS;
    return verdict == VERDICT_SC || verdict == VERDICT_WEAK ? CHANGE_ALLOWS : CHANGE_UNKNOWN;
}

static bool has_allowed(const struct judgement *judgement)
{
    bool has = false;
    for (size_t i = 0; i < judgement->outcome_count; i++)
        has |= judgement->outcomes[i].verdict == VERDICT_SC || judgement->outcomes[i].verdict == VERDICT_WEAK;
    return has;
}

static struct change_judgement judge_changed(const struct repair_wanted *wanted, const struct litmus_test *changed,
                                             struct repairs *found, bool (*fits)(const struct explanation *explanation))
{
    const struct judge_options options = {
        .explain = fits != NULL, .deadline = wanted->deadline, .stopped = wanted->stopped, .context = wanted->context};
    struct change_judgement judged = {.answer = CHANGE_UNKNOWN, .then = VERDICT_NONE};
    struct judgement judgement;
    struct error error;
    if (changed->variable_count != wanted->test->variable_count ||
        wanted->judging(wanted->model, changed, &options, &judgement, &error) != STATUS_OK)
        return judged;
    const struct judged_outcome *outcome = find_outcome(changed, &judgement, wanted->values);
    judged.judged = true;
    judged.then = verdict_of(changed, &judgement, wanted->values);
    judged.answer = answer_of(wanted, judged.then);
    judged.flag = judgement.undefined_by ? arena_copy(&found->arena, judgement.undefined_by) : NULL;
    judged.fits = fits && judged.then == VERDICT_WEAK && outcome->explanation && fits(outcome->explanation);
    judged.ends = has_allowed(&judgement);
    judgement_release(&judgement);
    return judged;
}

struct change_judgement change_judge(const struct repair_wanted *wanted, const struct litmus_test *changed,
                                     struct repairs *found)
{
    return judge_changed(wanted, changed, found, NULL);
}

struct change_judgement change_judge_chosen(const struct repair_wanted *wanted, struct sites *sites,
                                            struct repairs *found, bool (*fits)(const struct explanation *explanation))
{
    struct litmus_test *changed = NULL;
    struct error error;
    if (change_is_over(wanted, found) || sites_apply(sites, &changed, &error) != STATUS_OK)
        return (struct change_judgement){.answer = CHANGE_UNKNOWN};
    const struct change_judgement judged = judge_changed(wanted, changed, found, fits);
    found->tried++;
    found->unjudged += judged.answer == CHANGE_UNKNOWN;
    litmus_release(changed);
    return judged;
}

/* ---- changes as text ---- */

static const char *instruction_at(const struct litmus_test *test, unsigned number, struct arena *arena)
{
    struct text text = {0};
    const bool known = sites_print_instruction(test, number, &text);
    const char *instruction = known ? arena_copy(arena, text_string(&text)) : "?";
    text_release(&text);
    return instruction;
}

void change_list(const struct sites *sites, const struct litmus_test *changed, struct arena *arena,
                 struct repair *repair)
{
    unsigned added = 0;
    for (size_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->items[i];
        const bool gap = site->kind == SITE_GAP, gone = site->chosen.left_out;
        if (!site->is_chosen)
            continue;
        ARENA_ADD(arena, repair->changes, repair->count) = (struct repair_change){
            .thread = (int)sites->test->threads[site->body].first,
            .line = gap ? site->after : site->place.line,
            .before = gap ? NULL : instruction_at(sites->test, site->number, arena),
            .after = gone ? NULL : instruction_at(changed, site->number + added, arena),
            .order = site->chosen.order,
        };
        added += gap;
    }
}
