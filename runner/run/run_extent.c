// SPDX-License-Identifier: Apache-2.0
/* How much of a job is played, and where the time of a run with a deadline went. */
#include <stdio.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "runner/run/run.h"

const char run_spent_reason[] = "the budget was spent before it could start";

bool run_time_is_up(const struct run *run)
{
    return run->options->deadline > 0 && clock_seconds() >= run->options->deadline;
}

struct job_extent run_extent(const struct run_options *options, const struct planned_job *planned)
{
    if (planned->extent.instances > 0)
        return planned->extent;
    return (struct job_extent){.instances = options->instances,
                               .batch_instances = environment_batch(planned->environment, options->instances),
                               .resident_groups = planned->extent.resident_groups,
                               .seconds = options->seconds};
}

bool run_reached_limit(const struct live_job *job)
{
    const struct job_extent *extent = &job->planned.extent;
    return (extent->instances > 0 && job->tally.launched >= extent->instances) ||
           (!job->has_target && extent->seconds > 0 && job->tally.seconds >= extent->seconds);
}

void run_cut_short(const struct live_job *job, struct job_result *result)
{
    const uint64_t target = job->planned.extent.instances, launched = job->tally.launched;
    char seconds[QUANTITY_SIZE], done[QUANTITY_SIZE], all[QUANTITY_SIZE];
    if (!job->has_target || launched >= target || result->state != JOB_COMPLETED)
        return;
    result->state = JOB_INTERRUPTED;
    (void)snprintf(result->reason, sizeof result->reason, "%s after %s, with %s of %s instances",
                   run_time_is_up(job->run) ? "the budget was spent" : "its time limit came",
                   quantity_seconds(job->tally.seconds, seconds), quantity_count(launched, done),
                   quantity_count(target, all));
}

void run_note_build(struct live_job *job, double seconds)
{
    struct run *run = job->run;
    run->spending.building += seconds;
    job->lane->opened = true;
    if (run_time_is_up(run))
        run_note_overrun(job, "building", seconds);
}

void run_note_overrun(struct live_job *job, const char *what, double seconds)
{
    struct run_spending *spending = &job->run->spending;
    char took[QUANTITY_SIZE];
    (void)snprintf(spending->overran, sizeof spending->overran, "%s %.80s took %s", what, job->planned.test->test->name,
                   quantity_seconds(seconds, took));
}
