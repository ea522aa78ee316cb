// SPDX-License-Identifier: Apache-2.0
/* Assumptions: the answer to each, and its figures. */
#include "runner/run/assumptions.h"

#include "analysis/statistics/statistics.h"

#define ASSUMPTION_ANSWER_ROW(name, word, style) {word, style},
const struct assumption_answer_row assumption_answers[] = {ASSUMPTION_ANSWER_LIST(ASSUMPTION_ANSWER_ROW)};

/* ---- jobs ---- */

/* A forbidden outcome is a fault, except the witness: one that the specification rules out is an answer. A test for
 * other agents than the device has gets no answer. */
void assumptions_add(struct assumptions *assumptions, const struct job_report *report)
{
    const struct tally *tally = report->tally;
    struct arena *arena = &assumptions->arena;
    struct litmus_agents agents;
    const unsigned members = report->device->member_count;
    if (report->controlled || (litmus_find_agents(report->test, &agents, &(struct error){0}) == STATUS_OK &&
                               agents.count != (members ? members : 1)))
        return;
    struct assumption_job *job = &ARENA_ADD(arena, assumptions->jobs, assumptions->count);
    *job = (struct assumption_job){.test = report->test,
                                   .device = report->device,
                                   .state = report->result->state,
                                   .reason = arena_copy(arena, report->result->reason),
                                   .witnesses = tally->witnesses,
                                   .instances = tally->instances - tally->void_instances,
                                   .seconds = tally->seconds};
    if (report->built && report->kept == TEST_NOT_KEPT)
        job->not_kept = arena_copy(arena, report->kept_reason);
    for (size_t i = 0; i < tally->outcome_count; i++)
        if (!tally->outcomes[i].witness && report_ruling(report, &tally->outcomes[i]).fails)
            job->impossible += tally->outcomes[i].count;
}

void assumptions_release(struct assumptions *assumptions)
{
    arena_release(&assumptions->arena);
    *assumptions = (struct assumptions){.count = 0};
}

bool assumptions_next(const struct assumptions *assumptions, size_t *at, struct assumption *assumption)
{
    char name[LITMUS_NAME_SIZE];
    for (const char *rest = NULL; *at < assumptions->count; rest = NULL) {
        const struct assumption_job *job = &assumptions->jobs[(*at)++];
        if (!litmus_next_name(job->test, litmus_planted, &rest, name))
            continue;
        *assumption = (struct assumption){.itself = job};
        FOR_EACH(const struct assumption_job, other, assumptions->jobs, assumptions->count)
            if (other->device == job->device && other->test->dialect == job->test->dialect &&
                strcmp(other->test->name, name) == 0)
                assumption->planted = other;
        return true;
    }
    return false;
}

/* ---- answers ---- */

/* Why not seeing a violation means nothing; NULL if it means something. */
static const char *why_unknown(const struct assumption *assumption)
{
    const struct assumption_job *itself = assumption->itself, *planted = assumption->planted;
    if (itself->not_kept)
        return "the compiled code is not the test";
    if (itself->instances == 0)
        return "no instance ran to its end";
    if (itself->state != JOB_COMPLETED &&
        itself->state != JOB_INTERRUPTED) /* the counts of an interrupted job are valid */
        return "some of the counted instances are not reliable";
    if (!planted || (planted->state != JOB_COMPLETED && planted->witnesses == 0))
        return "the planted violation did not run to its end";
    return planted->witnesses == 0 ? "the planted violation was not seen, so a real one would not be seen, either"
                                   : NULL;
}

static bool is_fault(const struct assumption_job *job)
{
    return job && (job->impossible > 0 || job_state_class(job->state) == JOB_CLASS_FAULT);
}

enum assumption_answer assumption_answer(const struct assumption *assumption)
{
    const struct assumption_job *itself = assumption->itself;
    if (itself->witnesses > 0)
        return ASSUMPTION_BROKEN;
    if (itself->state == JOB_UNSUPPORTED)
        return ASSUMPTION_UNSUPPORTED;
    if (is_fault(itself) || is_fault(assumption->planted))
        return ASSUMPTION_FAILED;
    return why_unknown(assumption) ? ASSUMPTION_UNKNOWN : ASSUMPTION_HOLDS;
}

/* ---- figures ---- */

double assumption_bound(const struct assumption *assumption)
{
    return statistics_zero_bound(assumption->itself->instances, STATISTICS_CONFIDENCE);
}

static void add_failure(const struct assumption_job *job, struct text *text)
{
    if (job->impossible > 0)
        text_add(text, "%s: %s instances ended as the model forbids", job->test->name, QUANTITY_COUNT(job->impossible));
    else
        text_add(text, "%s: %s", job_state_word(job->state), job->reason);
}

static void add_none(const struct assumption *assumption, struct text *text)
{
    const struct assumption_job *job = assumption->itself;
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
    const struct assumption_job *itself = assumption->itself;
    switch (assumption_answer(assumption)) {
    case ASSUMPTION_BROKEN:
        text_add(text, "seen in %s of %s instances, 1 in %s", QUANTITY_COUNT(itself->witnesses),
                 QUANTITY_COUNT(itself->instances),
                 QUANTITY_COUNT((uint64_t)round((double)itself->instances / (double)itself->witnesses)));
        text_add(text, "%s%s", itself->not_kept ? "; the compiled code is not the test: " : "",
                 itself->not_kept ? itself->not_kept : "");
        break;
    case ASSUMPTION_UNSUPPORTED:
        text_add(text, "%s", itself->reason);
        break;
    case ASSUMPTION_FAILED:
        add_failure(is_fault(itself) ? itself : assumption->planted, text);
        break;
    default:
        add_none(assumption, text);
        break;
    }
}
