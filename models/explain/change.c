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

/* NONE: not known. */
static enum verdict verdict_of(const struct litmus_test *test, const struct judgement *judgement, const int64_t *values)
{
    if (judgement->racy)
        return VERDICT_UNDEFINED;
    for (size_t i = 0; values && i < judgement->outcome_count; i++)
        if (memcmp(judgement->outcomes[i].values, values, test->variable_count * sizeof *values) == 0)
            return judgement->outcomes[i].verdict;
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

struct change_asked change_ask(const struct repair_wanted *wanted, const struct litmus_test *changed,
                               struct repairs *found)
{
    const struct judge_options options = {
        .deadline = wanted->deadline, .stopped = wanted->stopped, .context = wanted->context};
    struct change_asked asked = {.answer = CHANGE_UNKNOWN, .then = VERDICT_NONE};
    struct judgement judgement;
    struct error error;
    if (changed->variable_count != wanted->test->variable_count ||
        wanted->judging(wanted->model, changed, &options, &judgement, &error) != STATUS_OK)
        return asked;
    asked.judged = true;
    asked.then = verdict_of(changed, &judgement, wanted->values);
    asked.answer = answer_of(wanted, asked.then);
    asked.flag = judgement.undefined_by ? arena_copy(&found->arena, judgement.undefined_by) : NULL;
    asked.ends = has_allowed(&judgement);
    judgement_release(&judgement);
    return asked;
}
