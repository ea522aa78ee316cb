// SPDX-License-Identifier: Apache-2.0
/* Interpreting the results of a job. */
#include "runner/run/report.h"

bool report_forbids(const struct job_report *report, const struct count *row)
{
    return report->verdicts && verdicts_forbid(report->verdicts, row->label) != NULL;
}

bool report_shows_limit(const struct job_report *report, const struct count *row)
{
    return report->verdicts && verdicts_show_limit(report->verdicts, row->label);
}

bool report_rules_out(const struct job_report *report, const struct count *row)
{
    return report->must_not_appear && row->witness && row->count > 0 && !report_shows_limit(report, row);
}

const char *report_verdict(const struct job_report *report, const struct count *row)
{
    if (!report->verdicts)
        return "";
    if (report_forbids(report, row))
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
    for (size_t i = 0; i < report->tally->outcome_count && !report->excused; i++)
        if (report_forbids(report, &report->tally->outcomes[i]))
            sum += report->tally->outcomes[i].count;
    return sum;
}

bool report_is_alarm(const struct job_report *report)
{
    for (size_t i = 0; i < report->tally->outcome_count; i++)
        if (report_rules_out(report, &report->tally->outcomes[i]))
            return true;
    return report_forbidden(report) > 0;
}

const struct opinion *report_contradicted(const struct job_report *report)
{
    const struct opinion *deciding = report->verdicts ? verdicts_deciding(report->verdicts) : NULL;
    bool allowed = false;
    if (!deciding || !report->must_not_appear)
        return NULL;
    for (size_t i = 0; i < report->tally->outcome_count; i++) {
        const struct count *row = &report->tally->outcomes[i];
        if (!row->witness || report_shows_limit(report, row))
            continue;
        if (report_forbids(report, row))
            return NULL; /* then the claim is not in doubt */
        const struct judged_outcome *judged = opinion_on(deciding, row->label);
        allowed |= judged && (judged->verdict == VERDICT_SC || judged->verdict == VERDICT_WEAK);
    }
    return allowed ? deciding : NULL;
}
