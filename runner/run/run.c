// SPDX-License-Identifier: Apache-2.0
/* The shared state of a run: its first failure, its lock, and reports to its listener. */
#include <stdio.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "runner/run/run.h"

void run_check(struct run *run, enum status status, const struct error *error)
{
    if (status == STATUS_OK || run->status != STATUS_OK)
        return;
    run->status = status;
    run->failure = *error;
}

void run_lock(struct run *run)
{
    (void)pthread_mutex_lock(&run->mutex); /* fails only if the thread already holds it */
}

void run_unlock(struct run *run)
{
    (void)pthread_mutex_unlock(&run->mutex);
}

void run_notify_job(struct live_job *job, const struct job_result *result, bool recalled)
{
    struct run *run = job->run;
    const struct run_options *options = run->options;
    const struct planned_job *planned = &job->planned;
    char environment[65];
    struct error error;
    const bool spent = job->spent && result->state == JOB_NOT_RUN;
    run->spending.unstarted += spent;
    environment_hash(planned->environment, environment);
    tally_sort(&job->tally);
    const struct job_report report = {
        .test = planned->test->test,
        .file = planned->test->file,
        .controlled = planned->controlled,
        .device = planned->device,
        .compiler = planned->compiler ? planned->compiler : planned->device->compiler,
        .result = result,
        .tally = &job->tally,
        .run_id = run->run_id,
        .number = job->number,
        .seed = options->seed,
        .environment = environment,
        .profile = planned->environment->name,
        .lowering = planned->lowering,
        .marks = job->marks,
        .built = job->built,
        .kept = job->kept,
        .kept_reason = job->kept_reason,
        .stopped = run->stop.count > 0,
        .spent = spent,
        .strict = options->strict,
        .verdicts = job->judged ? &job->verdicts : NULL,
    };
    run_check(run, run->listener->job_ended(&report, recalled, run->listener->context, &error), &error);
}

void run_notify_progress(struct run *run)
{
    struct run_progress progress = {
        .jobs = run->plan->job_count, .ended = run->ended, .lanes = run->lane_count, .running = run->progress};
    const double now = clock_seconds();
    for (size_t i = 0; i < run->lane_count; i++) {
        const struct live_job *job = run->lanes[i].job;
        if (job)
            run->progress[progress.running_count++] = (struct running_progress){.test = job->planned.test->test,
                                                                                .device = job->planned.device,
                                                                                .opening = !run->lanes[i].opened,
                                                                                .number = job->number,
                                                                                .seconds = now - job->started,
                                                                                .played = job->tally.seconds,
                                                                                .launched = job->tally.launched,
                                                                                .batches = job->tally.batches,
                                                                                .instances = job->tally.instances,
                                                                                .witnesses = job->tally.witnesses};
    }
    if (progress.running_count > 0)
        run->listener->went_on(&progress, run->listener->context);
}

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
