// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/quantity.h"
#include "runner/run/run.h"

static void add_counts(const struct running_job *job, struct text *line)
{
    const double seconds = clock_seconds() - job->started;
    char count[QUANTITY_SIZE], rate[QUANTITY_SIZE], witnesses[QUANTITY_SIZE];
    if (job->tally.batches == 0)
        text_add(line, "building");
    else
        text_add(line, "%s instances (%s/s), %s witnesses", quantity_short((double)job->tally.instances, count),
                 quantity_short((double)job->tally.instances / seconds, rate),
                 quantity_count(job->tally.witnesses, witnesses));
}

static void add_job(const struct run *run, const struct running_job *job, struct text *line)
{
    const struct backend_device *device = job->planned.device;
    const char *name = job->planned.test->test->name;
    if (run->lane_count == 1)
        text_add(line, "job %zu of %zu: %s on %s:%u: ", job->number + 1, run->plan->job_count, name, device->backend,
                 device->index);
    else
        text_add(line, "; %s:%u: %s: ", device->backend, device->index, name);
    add_counts(job, line);
}

void run_show_progress(struct run *run)
{
    struct text line = {0};
    if (!progress_due(&run->progress, stderr))
        return;
    if (run->lane_count > 1)
        text_add(&line, "%zu of %zu jobs ended", run->ended, run->plan->job_count);
    for (size_t i = 0; i < run->lane_count; i++)
        if (run->lanes[i].job)
            add_job(run, run->lanes[i].job, &line);
    progress_show(&run->progress, stderr, text_string(&line));
    text_release(&line);
}
