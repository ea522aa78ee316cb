// SPDX-License-Identifier: Apache-2.0
/* Tests to which the language gives no meaning. */
#include "cli/print/meaningless.h"

#include <string.h>

const char *meaningless_because(const struct job_report *report)
{
    const struct opinion *opinion = report->verdicts ? verdicts_deciding(report->verdicts) : NULL;
    if (!opinion || opinion->unjudged[0] || !opinion->judgement.racy)
        return NULL;
    const char *const flags = opinion->judgement.undefined_by;
    return flags && *flags && !strstr(flags, "race") ? flags : "data race";
}
