// SPDX-License-Identifier: Apache-2.0
/* Interpreting the results of a job. */
#include "runner/run/report.h"

static struct sighting sight(const struct job_report *report)
{
    return (struct sighting){.source = VERDICT_NONE,
                             .target = VERDICT_NONE,
                             .control = report->controlled != NULL,
                             .claimed = litmus_forbids_witness(report->test),
                             .marks = report->marks,
                             .strict = report->strict};
}

struct ruling report_ruling(const struct job_report *report, const struct count *row)
{
    struct sighting sighting = sight(report);
    if (row->count == 0)
        return (struct ruling){.kind = RULING_NONE};
    sighting.witness = row->witness;
    if (report->verdicts)
        verdicts_sight(report->verdicts, row->label, &sighting);
    return ruling_of(&sighting);
}

bool report_expects_none(const struct job_report *report)
{
    struct sighting sighting = sight(report);
    sighting.witness = true;
    return ruling_of(&sighting).fails;
}

const char *report_verdict(const struct job_report *report, const struct count *row)
{
    if (!report->verdicts)
        return "";
    if (verdicts_forbid(report->verdicts, row->label))
        return verdict_word(VERDICT_FORBIDDEN);
    const struct judged_outcome *judged = opinion_on(verdicts_deciding(report->verdicts), row->label);
    return judged && judged->verdict != VERDICT_NONE ? verdict_word(judged->verdict) : "";
}

const char *report_unjudged(const struct job_report *report, const struct count *row)
{
    if (!report->verdicts || *report_verdict(report, row))
        return NULL;
    return opinion_unjudged(verdicts_deciding(report->verdicts), row->label);
}

uint64_t report_forbidden(const struct job_report *report)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < report->tally->outcome_count; i++) {
        const struct ruling ruling = report_ruling(report, &report->tally->outcomes[i]);
        sum += ruling.fails && ruling.kind == RULING_FORBIDDEN ? report->tally->outcomes[i].count : 0;
    }
    return sum;
}

bool report_is_alarm(const struct job_report *report)
{
    return ANY_OF(outcome, report->tally->outcomes, report->tally->outcome_count, report_ruling(report, outcome).fails);
}

const struct opinion *report_contradicted(const struct job_report *report)
{
    const struct opinion *deciding = report->verdicts ? verdicts_deciding(report->verdicts) : NULL;
    bool allowed = false;
    if (!deciding || !report_expects_none(report))
        return NULL;
    FOR_EACH(const struct count, row, report->tally->outcomes, report->tally->outcome_count) {
        const enum ruling_kind kind = row->witness ? report_ruling(report, row).kind : RULING_NONE;
        if (kind == RULING_FORBIDDEN)
            return NULL; /* then the claim is not in doubt */
        if (kind != RULING_CLAIM && kind != RULING_CONTROL)
            continue;
        const struct judged_outcome *judged = opinion_on(deciding, row->label);
        allowed |= judged && (judged->verdict == VERDICT_SC || judged->verdict == VERDICT_WEAK);
    }
    return allowed ? deciding : NULL;
}
