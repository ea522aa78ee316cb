// SPDX-License-Identifier: Apache-2.0
/* Jobs that this part of a run does not run: earlier parts ended them, or a signal or the deadline
 * came first. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "runner/run/run.h"

enum status run_restore_job(struct live_job *job, struct error *error)
{
    const struct store_progress *begun = job->planned.begun;
    struct tally *tally = &job->tally;
    TRY(tally_load(tally, job->run->store, begun->job_id, error));
    tally->batches = begun->batches;
    tally->invalid_batches = begun->invalid_batches;
    tally->instances = begun->instances;
    tally->launched = begun->launched;
    tally->seconds = begun->seconds;
    (void)snprintf(tally->invalid, sizeof tally->invalid, "%s", begun->invalid);
    job->marks = begun->marks;
    job->built = begun->built;
    job->kept = begun->kept;
    (void)snprintf(job->kept_reason, sizeof job->kept_reason, "%s", begun->kept_reason);
    return STATUS_OK;
}

void run_release_job(struct live_job *job)
{
    job_record_release(&job->record);
    tally_release(&job->tally);
    verdicts_release(&job->verdicts);
}

enum status run_judge_stored(struct live_job *job, const struct judge_options *limits, struct error *error)
{
    struct arena arena = {0};
    struct store_text_row binary;
    enum status status =
        store_load_text(job->run->store, STORE_BINARY, job->planned.begun->job_id, &arena, &binary, error);
    if (status == STATUS_OK && binary.text) {
        const struct build build = {.binary = binary.text, .marks = job->marks};
        status = run_judge_compiled(job, &build, limits, error);
    }
    arena_release(&arena);
    return status;
}

void run_report_resumed(struct run *run, size_t number)
{
    const struct planned_job *planned = &run->plan->jobs[number];
    struct live_job job = {.run = run, .planned = *planned, .number = number};
    struct job_result result = {.state = planned->begun->state};
    const struct judge_options limits = {.stopped = stop_signals_came, .context = &run->stop};
    struct error error;
    bool deepened;
    job.planned.device = planned->begun_on;
    (void)snprintf(result.reason, sizeof result.reason, "%s", planned->begun->reason);
    run_check(run, run_restore_job(&job, &error), &error);
    if (run->status == STATUS_OK)
        run_check(run, verdicts_make(planned->test->test, job.planned.device, &limits, &job.verdicts, &error), &error);
    if (run->status == STATUS_OK)
        run_check(run, run_judge_stored(&job, &limits, &error), &error);
    if (run->status == STATUS_OK)
        run_check(run, verdicts_deepen(&job.verdicts, planned->test->test, &job.tally, &limits, &deepened, &error),
                  &error);
    job.judged = !stop_signals_came(&run->stop); /* else it is reported without its verdicts, which are stored */
    if (run->status == STATUS_OK)
        run_notify_job(&job, &result, true);
    run->ended++;
    run_release_job(&job);
}

static void tell_skipped(struct run *run, const struct planned_job *planned, const char *reason)
{
    struct live_job job = {.run = run, .planned = *planned, .number = planned->number, .spent = run->stop.count == 0};
    struct job_result result = {.state = planned->begun ? planned->begun->state : JOB_NOT_RUN};
    (void)snprintf(result.reason, sizeof result.reason, "%s", reason);
    run_notify_job(&job, &result, false);
    run->ended++;
}

/* Adds the unfinished jobs that no lane has reached: those begun before, or the others. */
static void collect_rest(const struct run *run, bool begun, struct planned_job *jobs, size_t *count)
{
    for (size_t i = 0; i < run->plan->job_count; i++) {
        const struct planned_job *job = &run->plan->jobs[i];
        if (run->reached[i] || (job->begun != NULL) != begun || (begun && job->begun->finished))
            continue;
        jobs[*count] = *job;
        jobs[*count].extent = run_extent(run->options, job);
        jobs[*count].number = i;
        jobs[(*count)++].stored = true;
    }
}

void run_skip_rest(struct run *run)
{
    const char *reason = run->stop.count > 0 ? "the run was stopped by a signal" : run_spent_reason;
    struct error error;
    size_t count = 0;
    struct planned_job *jobs = memory_take(run->plan->job_count, sizeof *jobs);
    collect_rest(run, false, jobs, &count);
    run_check(run, job_record_skip(run->store, run->run_id, jobs, count, run->options->seed, reason, &error), &error);
    collect_rest(run, true, jobs, &count); /* stored by an earlier part of the run */
    for (size_t i = 0; i < count && run->status == STATUS_OK; i++)
        tell_skipped(run, &jobs[i], reason);
    free(jobs);
}
