// SPDX-License-Identifier: Apache-2.0
/* Assumptions: the answer to each, its figures, and the exit code of all. */
#include "runner/gate/assume/assumptions.h"

#include <math.h>

#include "analysis/statistics/statistics.h"
#include "base/quantity.h"

const char *assumption_word(enum assumption_answer answer)
{
#define ASSUMPTION_WORD(name, word, class) [ASSUMPTION_##name] = (word),
    static const char *const words[] = {ASSUMPTION_ANSWER_LIST(ASSUMPTION_WORD)};
#undef ASSUMPTION_WORD
    return words[answer];
}

/* ---- answers ---- */

/* Why not seeing a violation means nothing; NULL if it means something. */
static const char *why_unknown(const struct assumption *assumption)
{
    const struct assumption_job *itself = &assumption->itself, *planted = &assumption->planted;
    if (itself->not_kept)
        return "the compiled code is not the test";
    if (itself->instances == 0)
        return "no instance ran to its end";
    if (itself->state != JOB_COMPLETED &&
        itself->state != JOB_INTERRUPTED) /* the counts of an interrupted job are valid */
        return "not all that was counted is to be believed";
    if (planted->state != JOB_COMPLETED && planted->witnesses == 0)
        return "the planted violation did not run to its end";
    return planted->witnesses == 0 ? "the planted violation was not seen, so this one would not be seen either" : NULL;
}

static bool is_fault(const struct assumption_job *job)
{
    return job->impossible > 0 || job_state_class(job->state) == JOB_CLASS_FAULT;
}

enum assumption_answer assumption_answer(const struct assumption *assumption)
{
    const struct assumption_job *itself = &assumption->itself;
    if (itself->witnesses > 0)
        return ASSUMPTION_BROKEN;
    if (itself->state == JOB_UNSUPPORTED)
        return ASSUMPTION_UNSUPPORTED;
    if (is_fault(itself) || is_fault(&assumption->planted))
        return ASSUMPTION_FAILED;
    return why_unknown(assumption) ? ASSUMPTION_UNKNOWN : ASSUMPTION_HOLDS;
}

size_t assumptions_count(const struct assumptions *assumptions, enum assumption_answer answer)
{
    size_t count = 0;
    for (size_t i = 0; i < assumptions->count; i++)
        count += assumption_answer(&assumptions->list[i]) == answer;
    return count;
}

int assumptions_exit_code(const struct assumptions *assumptions)
{
    if (assumptions->signal > 0)
        return 128 + assumptions->signal;
    if (assumptions_count(assumptions, ASSUMPTION_BROKEN) > 0)
        return 1;
    if (assumptions_count(assumptions, ASSUMPTION_FAILED) > 0)
        return 4;
    if (assumptions_count(assumptions, ASSUMPTION_UNKNOWN) > 0)
        return 3;
    return assumptions_count(assumptions, ASSUMPTION_HOLDS) > 0 ? 0 : 3;
}

/* ---- figures ---- */

double assumption_bound(const struct assumption *assumption)
{
    return statistics_zero_bound(assumption->itself.instances, STATISTICS_CONFIDENCE);
}

static void add_failure(const struct assumption_job *job, struct text *text)
{
    if (job->impossible > 0)
        text_add(text, "%s: %s instances ended as the model forbids; what to do: 'orchil manual forbidden'", job->test,
                 QUANTITY_COUNT(job->impossible));
    else
        text_add(text, "%s: %s", job_state_word(job->state), job->reason);
}

static void add_broken(const struct assumption_job *job, struct text *text)
{
    const double every = (double)job->instances / (double)job->witnesses;
    text_add(text, "seen in %s of %s instances, 1 in %s", QUANTITY_COUNT(job->witnesses),
             QUANTITY_COUNT(job->instances), QUANTITY_COUNT((uint64_t)round(every)));
    if (job->not_kept)
        text_add(text, "; the compiled code is not the test: %s", job->not_kept);
}

static void add_none(const struct assumption *assumption, struct text *text)
{
    const struct assumption_job *job = &assumption->itself;
    const char *why = why_unknown(assumption);
    if (job->instances > 0)
        text_add(text, "0 of %s instances", QUANTITY_COUNT(job->instances));
    if (!why) {
        text_add(text, ": below %.1e per instance (%.0f %%)", assumption_bound(assumption),
                 100 * STATISTICS_CONFIDENCE);
        return;
    }
    text_add(text, "%s%s", job->instances > 0 ? ", but " : "", why);
    if (job->not_kept)
        text_add(text, ": %s", job->not_kept);
    if (job->state != JOB_COMPLETED)
        text_add(text, "; %s%s%s", job_state_word(job->state), job->reason[0] ? ": " : "", job->reason);
}

void assumption_add_figures(const struct assumption *assumption, struct text *text)
{
    const struct assumption_job *itself = &assumption->itself;
    switch (assumption_answer(assumption)) {
    case ASSUMPTION_BROKEN:
        add_broken(itself, text);
        break;
    case ASSUMPTION_UNSUPPORTED:
        text_add(text, "%s", itself->reason);
        break;
    case ASSUMPTION_FAILED:
        add_failure(is_fault(itself) ? itself : &assumption->planted, text);
        break;
    default:
        add_none(assumption, text);
        break;
    }
}

void assumption_add_planted(const struct assumption *assumption, struct text *text)
{
    const struct assumption_job *job = &assumption->planted;
    if (job->instances == 0) {
        text_add(text, "%s%s%s", job_state_word(job->state), job->reason[0] ? ": " : "", job->reason);
        return;
    }
    if (job->witnesses > 0)
        text_add(text, "seen, %s of %s instances", QUANTITY_COUNT(job->witnesses), QUANTITY_COUNT(job->instances));
    else
        text_add(text, "not seen in %s instances", QUANTITY_COUNT(job->instances));
    text_add(text, " in %s", QUANTITY_SECONDS(job->seconds));
}

void assumptions_add_sum(const struct assumptions *assumptions, struct text *text)
{
    static const struct {
        enum assumption_answer answer;
        const char *one, *many;
    } words[] = {{ASSUMPTION_HOLDS, "holds so far", "hold so far"},
                 {ASSUMPTION_BROKEN, "is broken", "are broken"},
                 {ASSUMPTION_FAILED, "failed to run", "failed to run"},
                 {ASSUMPTION_UNKNOWN, "cannot be decided", "cannot be decided"},
                 {ASSUMPTION_UNSUPPORTED, "is unsupported", "are unsupported"}};
    size_t said = 0;
    if (assumptions->count > 0 && assumptions_count(assumptions, ASSUMPTION_UNSUPPORTED) == assumptions->count) {
        if (assumptions->count == 1)
            text_add(text, "The assumption cannot run on this device");
        else
            text_add(text, "None of the %zu assumptions can run on this device", assumptions->count);
        return;
    }
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t count = assumptions_count(assumptions, words[w].answer);
        if (count == 0)
            continue;
        text_add(text, "%s%zu", said > 0 ? ", " : "", count);
        if (said++ == 0)
            text_add(text, " assumption%s", count == 1 ? "" : "s");
        text_add(text, " %s", count == 1 ? words[w].one : words[w].many);
    }
}
