// SPDX-License-Identifier: Apache-2.0
/* One job of a run: begun, played, judged and finished. */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/quantity.h"
#include "runner/run/run.h"

enum { LOOK_MILLISECONDS = 5 }; /* between checks of a builder */

/* "no instance was counted: 403,200 void (gave_up)". */
static void describe_uncounted(const struct tally *tally, struct job_result *result)
{
    struct text reasons = {0};
    char voids[QUANTITY_SIZE];
    for (size_t i = 0; i < tally->void_count; i++)
        text_add(&reasons, "%s%s", i > 0 ? ", " : "", tally->voids[i].label);
    (void)snprintf(result->reason, sizeof result->reason, "no instance was counted: %s void%s%s%s",
                   quantity_count(tally->void_instances, voids), reasons.size > 0 ? " (" : "", text_string(&reasons),
                   reasons.size > 0 ? ")" : "");
    text_release(&reasons);
}

/* One invalid batch makes the whole job invalid. So does counting nothing, unless the voids are the
 * test's answer. A job that no model has judged is not complete: only a resumed run judges it. */
static void settle_job(const struct live_job *job, struct job_result *result)
{
    const struct tally *tally = &job->tally;
    if (result->state == JOB_COMPLETED && tally->batches > 0 && !job->judged) {
        result->state = JOB_INTERRUPTED;
        (void)snprintf(result->reason, sizeof result->reason, "stopped by a signal while its test was judged");
    } else if (result->state == JOB_INTERRUPTED && job->judged && run_reached_limit(job)) {
        result->state = JOB_COMPLETED;
        result->reason[0] = '\0';
    }
    if (result->state == JOB_COMPLETED && job->spent && tally->batches + tally->invalid_batches == 0) {
        result->state = JOB_NOT_RUN;
        (void)snprintf(result->reason, sizeof result->reason, "%s", run_spent_reason);
    }
    run_cut_short(job, result);
    if (result->state != JOB_COMPLETED)
        return;
    if (tally->invalid_batches > 0) {
        result->state = JOB_INVALID;
        (void)snprintf(result->reason, sizeof result->reason, "%" PRIu64 " of %" PRIu64 " batches are invalid: %s",
                       tally->invalid_batches, tally->invalid_batches + tally->batches, tally->invalid);
    } else if (tally->instances == tally->void_instances && !litmus_is_progress(job->planned.test->test)) {
        result->state = JOB_INVALID;
        describe_uncounted(tally, result);
    }
}

/* Lets a builder that is compiling the job's kernel finish: compiling it twice gains nothing. */
static void await_build(const struct live_job *job)
{
    struct run *run = job->run;
    const double end = clock_seconds() + run->options->limits.build;
    struct pollfd wake = {.fd = job->lane->stop.descriptor, .events = POLLIN};
    bool busy;
    do {
        run_lock(run);
        busy = builders_begin(run->groups[job->group].builders, job->number);
        run_unlock(run);
    } while (busy && clock_seconds() < end && !run_time_is_up(run) && poll(&wake, 1, LOOK_MILLISECONDS) == 0);
}

/* Stores the job. The mutex is held. */
static enum status begin_job(struct live_job *job, struct error *error)
{
    const struct run *run = job->run;
    if (job->planned.begun) {
        TRY(run_restore_job(job, error));
        job->started -= job->tally.seconds; /* for rates */
        return job_record_resume(&job->record, &job->planned, error);
    }
    return job_record_begin(&job->record, run->run_id, &job->planned, run->options->seed, 0, error);
}

/* Whether no time is left to begin the job. A refused job takes none. */
static bool is_spent(const struct live_job *job)
{
    return !job->planned.refused && run_time_is_up(job->run);
}

static void play_job(struct live_job *job, const char *text, struct supervisor *supervisor, struct job_result *result)
{
    const struct run_options *options = job->run->options;
    const struct planned_job *planned = &job->planned;
    const bool goes_on = planned->begun && planned->begun->batches + planned->begun->invalid_batches > 0;
    const struct job_listener listener = run_events_of(job);
    struct job_extent extent = planned->extent;
    if (goes_on)
        extent.resident_groups = planned->begun->resident_groups;
    else if (planned->controlled)
        extent.resident_groups = job->lane->resident_groups; /* so that it gets the sizes of its test */
    const struct job wanted = {
        .test = planned->test->test,
        .environment = *planned->environment,
        .lowering = planned->lowering,
        .seed = options->seed,
        .key = hash_number(planned->key),
        .extent = extent,
        .pilot = options->pilot,
        .deadline = options->deadline,
        .done_batches = goes_on ? planned->begun->batches + planned->begun->invalid_batches : 0,
        .done_instances = job->tally.launched,
        .done_seconds = job->tally.seconds,
    };
    if (goes_on && run_reached_limit(job))
        result->state = JOB_COMPLETED; /* its supervisor was killed right after */
    else {
        await_build(job);
        if (is_spent(job))
            (void)snprintf(result->reason, sizeof result->reason, "%s", run_spent_reason);
        else
            supervisor_run(supervisor, &wanted, text, planned->test->file, &listener, result);
    }
    job->spent = job->tally.batches + job->tally.invalid_batches == 0 && is_spent(job);
    if (result->state == JOB_NOT_RUN && goes_on)
        result->state = JOB_INTERRUPTED; /* it has batches from an earlier run */
}

/* Stores and reports the end of a job. */
static void finish_job(struct live_job *job, struct job_result *result)
{
    struct run *run = job->run;
    struct error error;
    settle_job(job, result);
    run_lock(run);
    job->lane->opened |= !job->planned.refused;
    if (job_state_class(result->state) == JOB_CLASS_FAULT && run_time_is_up(run))
        (void)snprintf(run->spending.overran, sizeof run->spending.overran, "%.80s: %.100s",
                       job->planned.test->test->name, result->reason);
    job->lane->job = NULL;
    run->ended++;
    if (run->status == STATUS_OK)
        run_check(run, job_record_flush(&job->record, &error), &error);
    if (run->status == STATUS_OK)
        run_check(run, job_record_circumstances(&job->record, &result->circumstances, &error), &error);
    if (run->status == STATUS_OK)
        run_check(run,
                  store_finish_job(run->store, job->record.job_id, result->state, result->reason, result->detail,
                                   job->tally.seconds, &error),
                  &error);
    if (run->status == STATUS_OK)
        run_notify_job(job, result, false);
    run_unlock(run);
}

/* Looks for verdicts on the outcomes seen with a higher bound on loops, and stores them, with
 * outcomes that no execution of the test has. A job that was resumed after its last batch had no build to be judged at. */
static void deepen_verdicts(struct live_job *job)
{
    struct run *run = job->run;
    struct error error;
    const bool late = !job->judged;
    bool deepened = false;
    const struct judge_options limits = {.stopped = stop_signals_came, .context = &job->lane->stop};
    enum status status = run_judge(job, &error);
    if (status == STATUS_OK && late && job->planned.begun) {
        run_lock(run); /* for the database */
        status = run_judge_stored(job, &limits, &error);
        run_unlock(run);
    }
    if (status == STATUS_OK)
        status = verdicts_deepen(&job->verdicts, job->planned.test->test, &job->tally, &limits, &deepened, &error);
    run_lock(run);
    run_check(run, status, &error);
    if (run->status == STATUS_OK && job->record.job_id > 0 &&
        (deepened || (late && job->judged) || verdicts_lack(&job->verdicts, &job->tally)))
        run_check(run, job_record_verdicts(&job->record, &job->verdicts, &job->tally, &error), &error);
    run_unlock(run);
}

/* Remembers what the controls of a test need. */
static void remember_test(struct lane *lane, const struct live_job *job)
{
    lane->test_instances = job->tally.instances;
    lane->test_witnesses = ruling_shown(job->marks, job->tally.witnesses);
}

/* Reports a job that had ended before the run was resumed. */
static void pass_finished(struct live_job *job)
{
    struct run *run = job->run;
    struct error error;
    if (job->planned.controlled)
        return;
    run_lock(run);
    run_check(run, run_restore_job(job, &error), &error);
    run_unlock(run);
    remember_test(job->lane, job);
    job->lane->resident_groups = job->planned.begun->resident_groups;
}

static bool run_new(struct live_job *job, struct supervisor *supervisor)
{
    struct run *run = job->run;
    struct job_result result = {.state = JOB_NOT_RUN};
    struct text text = {0};
    struct error error;
    if (stop_signals_came(&job->lane->stop))
        return false;
    litmus_print(job->planned.test->test, &text);
    run_lock(run);
    if (run->status == STATUS_OK)
        run_check(run, begin_job(job, &error), &error);
    const bool begun = run->status == STATUS_OK;
    job->lane->job = job;
    if (begun)
        run_notify_progress(run);
    run_unlock(run);
    if (begun) {
        play_job(job, text_string(&text), supervisor, &result);
        if (job->tally.batches > 0)
            deepen_verdicts(job);
    }
    if (!job->planned.controlled)
        remember_test(job->lane, job);
    finish_job(job, &result);
    text_release(&text);
    return true;
}

bool run_job(struct lane *lane, size_t number, size_t device, struct supervisor *supervisor)
{
    struct run *run = lane->run;
    struct live_job job = {.run = run,
                           .lane = lane,
                           .planned = run->plan->jobs[number],
                           .number = number,
                           .group = run->plan->devices[device].group,
                           .record = {.store = run->store},
                           .started = clock_seconds()};
    job.planned.device = run->plan->devices[device].device;
    job.has_target = job.planned.extent.instances > 0;
    job.planned.extent = run_extent(run->options, &job.planned);
    if (frozen_name_compiler(&run->options->frozen, job.planned.device, job.planned.test->test, job.planned.lowering,
                             job.compiler, sizeof job.compiler))
        job.planned.compiler = job.compiler;
    job.planned.stored = true;
    job.planned.number = number;
    if (!job.planned.controlled)
        lane->resident_groups = 0; /* until its build reports it */
    bool ran = true;
    if (job.planned.begun && job.planned.begun->finished)
        pass_finished(&job);
    else
        ran = run_new(&job, supervisor);
    run_release_job(&job);
    return ran;
}
