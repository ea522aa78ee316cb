// SPDX-License-Identifier: Apache-2.0
/* Handling the events of a running job: builds and batches are counted, stored and reported. */
#include <stdio.h>

#include "analysis/statistics/statistics.h"
#include "inspect/ptx/compiled_ptx.h"
#include "runner/run/run.h"

/* A resumed job keeps its first build's record but gets the batches of another build: its test was
 * kept if both builds kept it. The mutex is held. */
static void hear_kept(struct live_job *job, const struct build *build)
{
    struct error error;
    const bool changes = job->built && kept_is_worse(build->kept, job->kept);
    if (!job->built || changes) {
        job->kept = build->kept;
        (void)snprintf(job->kept_reason, sizeof job->kept_reason, "%s", build->kept_reason);
    }
    job->built = true;
    if (changes)
        run_check(job->run, job_record_kept(&job->record, build, &error), &error);
}

enum status run_judge(struct live_job *job, struct error *error)
{
    const struct judge_options limits = {.stopped = stop_signals_came, .context = &job->lane->stop};
    if (job->judged)
        return STATUS_OK;
    verdicts_release(&job->verdicts);
    TRY(verdicts_make(job->planned.test->test, job->planned.device, &limits, &job->verdicts, error));
    job->judged = !stop_signals_came(&job->lane->stop);
    return STATUS_OK;
}

enum status run_judge_compiled(struct live_job *job, const struct build *build, const struct judge_options *limits,
                               struct error *error)
{
    struct compiled_test compiled;
    const bool delays = job_has_delays(job->planned.environment, job->run->options->frozen.use);
    enum status status = compiled_ptx_of_build(job->planned.test->test, job->planned.device, job->planned.lowering,
                                               delays, build, &compiled, error);
    if (status == STATUS_OK)
        status = verdicts_add_compiled(&job->verdicts, &compiled, limits, error);
    return status == STATUS_UNSUPPORTED ? STATUS_OK : status;
}

static bool hear_build(const struct build *build, void *context)
{
    struct live_job *job = context;
    struct run *run = job->run;
    struct error error;
    const struct judge_options limits = {.stopped = stop_signals_came, .context = &job->lane->stop};
    enum status judged = run_judge(job, &error);
    if (judged == STATUS_OK)
        judged = run_judge_compiled(job, build, &limits, &error);
    const unsigned lost = job->built ? MARK_NOT_OVERLAPPED & ~job->marks : 0; /* by earlier batches of the job */
    job->marks = build->marks & ~lost;
    if (!job->planned.controlled)
        job->lane->resident_groups = build->resident_groups;
    run_lock(run);
    run_check(run, judged, &error);
    run_note_build(job, build->seconds);
    if (!job->planned.begun || !job->planned.begun->built)
        run_check(run, job_record_build(&job->record, build, &error), &error);
    if (run->status == STATUS_OK && job->judged)
        run_check(run, job_record_verdicts(&job->record, &job->verdicts, &job->tally, &error), &error);
    hear_kept(job, build);
    run_notify_progress(run);
    const bool go_on = run->status == STATUS_OK;
    run_unlock(run);
    return go_on;
}

/* A test is a mutant of its controls: if its witness is frequent, the environment can show such
 * behaviour, and a control that has run as long without its witness is evidence (Levine and others:
 * MC Mutants, ASPLOS 2023). */
static bool enough_seen(const struct live_job *job)
{
    const struct lane *lane = job->lane;
    const struct tally *tally = &job->tally;
    const double confidence = job->run->options->confidence, wanted = statistics_count_for(confidence);
    if (confidence <= 0)
        return false;
    if (!job->planned.controlled)
        return (double)ruling_shown(job->marks, job->tally.witnesses) >= wanted;
    return lane->test_witnesses > 0 && (double)lane->test_witnesses >= wanted &&
           (double)tally->instances * (double)lane->test_witnesses >= wanted * (double)lane->test_instances;
}

static bool shows_forbidden(const struct live_job *job, const struct batch *batch)
{
    for (size_t i = 0; i < batch->outcome_count && !batch->invalid; i++)
        if (batch->outcomes[i].count > 0 && verdicts_forbid(&job->verdicts, batch->outcomes[i].label))
            return true;
    return false;
}

/* Whether a pilot's batches have grown so long that they show the device's speed. One long batch may
 * be a disturbance. */
static bool pilot_is_over(struct live_job *job, const struct batch *batch)
{
    const double aim = job->planned.extent.seconds / RUN_PILOT_RESERVE;
    job->long_batches = batch->seconds >= aim / 8 ? job->long_batches + 1 : 0;
    const uint64_t turns = 2 * environment_least_batches(job->planned.environment, 1);
    return job->long_batches >= turns && job->tally.seconds >= aim;
}

static bool is_enough(struct live_job *job, const struct batch *batch)
{
    const enum run_until until = job->run->options->until;
    if (job->run->options->pilot)
        return pilot_is_over(job, batch);
    return (until == UNTIL_WITNESS && job->tally.witnesses > 0) ||
           (until == UNTIL_FORBIDDEN && shows_forbidden(job, batch)) || enough_seen(job);
}

static bool hear_batch(const struct batch *batch, void *context)
{
    struct live_job *job = context;
    struct run *run = job->run;
    struct error error;
    run_lock(run);
    tally_add(&job->tally, batch);
    if (batch->overlapped && !batch->invalid)
        job->marks &= ~(unsigned)MARK_NOT_OVERLAPPED;
    run->spending.batches += batch->seconds;
    if (run_time_is_up(run))
        run_note_overrun(job, "a batch of", batch->seconds);
    else
        builders_turn(run->groups[job->group].builders);
    run_check(run, job_record_batch(&job->record, batch, &error), &error);
    run_notify_progress(run);
    const bool go_on = run->status == STATUS_OK && !is_enough(job, batch);
    run_unlock(run);
    return go_on;
}

struct job_listener run_events_of(struct live_job *job)
{
    return (struct job_listener){hear_build, hear_batch, job};
}
