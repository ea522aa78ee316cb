// SPDX-License-Identifier: Apache-2.0
#include "runner/run_jobs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/quantity.h"
#include "runner/builders.h"
#include "runner/complaint.h"
#include "runner/kernel_cache.h"
#include "runner/record.h"
#include "runner/report_job.h"
#include "runner/summary.h"
#include "runner/terminal.h"

/* A run in progress. */
struct run {
    const struct run_options *options;
    const struct run_plan *plan;
    struct store *store;
    int64_t run_id;
    FILE *log;
    struct stop_signals stop;
    struct kernel_cache cache;
    struct builders *builders;
    struct progress progress;
    struct summary summary;
    uint32_t resident_groups;                /* of the last test that is no control: its controls get no more */
    uint64_t test_instances, test_witnesses; /* of that test */
    struct error failure;                    /* what stops the run: the database, the log, memory */
    enum status status;
    double started;
};

/* One job in progress: what the supervisor's events do. */
struct running_job {
    struct run *run;
    const struct planned_job *planned;
    size_t number;
    struct record record;
    struct tally tally;
    bool undeclared, detached;
    struct verdicts verdicts;
    double started;
};

static void stop_run(struct run *run, enum status status)
{
    if (run->status == STATUS_OK)
        run->status = status;
}

/* ---- what a job tells ---- */

static void show_progress(struct running_job *job)
{
    struct run *run = job->run;
    struct text line = {0};
    char count[QUANTITY_SIZE], rate[QUANTITY_SIZE], witnesses[QUANTITY_SIZE];
    if (!progress_due(&run->progress, stderr))
        return;
    const double seconds = clock_seconds() - job->started;
    text_add(&line, "job %zu of %zu: %s on %s:%u: ", job->number + 1, run->plan->job_count,
             job->planned->test->test->name, job->planned->device->backend, job->planned->device->index);
    if (job->tally.batches == 0)
        text_add(&line, "building");
    else
        text_add(&line, "%s instances (%s/s), %s witnesses", quantity_short((double)job->tally.instances, count),
                 quantity_short((double)job->tally.instances / seconds, rate),
                 quantity_count(job->tally.witnesses, witnesses));
    progress_show(&run->progress, stderr, text_string(&line));
    text_release(&line);
}

static bool on_built(const struct job_build *build, void *context)
{
    struct running_job *job = context;
    job->undeclared = build->undeclared;
    job->detached = build->detached;
    if (!job->planned->controlled)
        job->run->resident_groups = build->resident_groups;
    stop_run(job->run, record_build(&job->record, build, &job->run->failure));
    show_progress(job);
    return job->run->status == STATUS_OK;
}

/* How many witnesses must be expected, so that none is seen with the chance 1 - confidence (a Poisson process). */
static double witnesses_for(double confidence)
{
    return -log1p(-confidence);
}

/* A test is a mutant of its controls: where its witness is frequent, the environment can show such behaviour, and a control
 * that has run as long without its witness says something (Levine and others: MC Mutants, ASPLOS 2023). */
static bool enough_seen(const struct running_job *job)
{
    const struct run *run = job->run;
    const struct tally *tally = &job->tally;
    const double wanted = witnesses_for(run->options->confidence);
    if (run->options->confidence <= 0)
        return false;
    if (!job->planned->controlled)
        return (double)tally->witnesses >= wanted;
    return run->test_witnesses > 0 && (double)run->test_witnesses >= wanted &&
           (double)tally->instances * (double)run->test_witnesses >= wanted * (double)run->test_instances;
}

static bool shows_forbidden(const struct running_job *job, const struct job_batch *batch)
{
    for (size_t i = 0; i < batch->outcome_count && !batch->invalid; i++)
        if (batch->outcomes[i].count > 0 && verdicts_forbid(&job->verdicts, batch->outcomes[i].label))
            return true;
    return false;
}

static bool is_enough(const struct running_job *job, const struct job_batch *batch)
{
    const enum run_until until = job->run->options->until;
    return (until == UNTIL_WITNESS && job->tally.witnesses > 0) ||
           (until == UNTIL_FORBIDDEN && shows_forbidden(job, batch)) || enough_seen(job);
}

static bool on_batch(const struct job_batch *batch, void *context)
{
    struct running_job *job = context;
    tally_add(&job->tally, batch);
    if (job->tally.failed)
        stop_run(job->run, error_set(&job->run->failure, STATUS_MEMORY, "no memory for the outcomes of a job"));
    stop_run(job->run, record_batch(&job->record, batch, &job->run->failure));
    builders_turn(job->run->builders);
    show_progress(job);
    return job->run->status == STATUS_OK && !is_enough(job, batch);
}

/* ---- one job ---- */

/* Asks the models before anything runs: a verdict does not depend on what is seen. */
static enum status judge_job(struct running_job *job, struct error *error)
{
    TRY(verdicts_make(job->planned->test->test, job->planned->device, &job->verdicts, error));
    return record_verdicts(&job->record, &job->verdicts, error);
}

/* A job with an invalid batch is not to be trusted, whatever its other batches say. */
static void settle_state(const struct tally *tally, struct job_result *result)
{
    if (result->state != JOB_COMPLETED || tally->invalid_batches == 0)
        return;
    result->state = JOB_INVALID;
    (void)snprintf(result->reason, sizeof result->reason, "%" PRIu64 " of %" PRIu64 " batches are invalid: %s",
                   tally->invalid_batches, tally->invalid_batches + tally->batches, tally->invalid);
}

static void print_job(struct run *run, const struct job_report *report)
{
    struct text text = {0};
    progress_clear(&run->progress, stderr);
    if (run->options->json) {
        json_t *object = report_job_json(report);
        if (!object || json_dumpf(object, stdout, JSON_COMPACT) != 0)
            stop_run(run, error_set(&run->failure, STATUS_SYSTEM, "standard output cannot be written"));
        (void)putchar('\n');
        json_decref(object);
    } else if (report->result->state != JOB_UNSUPPORTED &&
               !(report->result->state == JOB_NOT_RUN && run->stop.count > 0)) {
        /* the summary counts those */
        report_job_text(report, terminal_has_colours(stdout), &text);
        (void)fputs(text_string(&text), stdout);
    }
    (void)fflush(stdout);
    text_clear(&text);
    if (run->log) {
        report_job_log(report, &text);
        if (fputs(text_string(&text), run->log) == EOF || fflush(run->log) != 0)
            stop_run(run, error_set(&run->failure, STATUS_SYSTEM, "the log %s cannot be written: %s", run->options->log,
                                    strerror(errno)));
    }
    text_release(&text);
}

static void report(struct running_job *job, const struct job_result *result)
{
    struct run *run = job->run;
    const struct planned_job *planned = job->planned;
    char environment_hex[65];
    environment_hash(planned->environment, environment_hex);
    tally_sort(&job->tally);
    const struct job_report report = {
        .test = planned->test->test,
        .controlled = planned->controlled,
        .device = planned->device,
        .result = result,
        .tally = &job->tally,
        .run_id = run->run_id,
        .seed = run->options->seed,
        .environment = environment_hex,
        .profile = planned->environment->name,
        .undeclared = job->undeclared,
        .detached = job->detached,
        .excused = job->undeclared && !run->options->strict,
        .verdicts = &job->verdicts,
        .must_not_appear =
            (planned->controlled || plan_forbids(planned->test->test)) && (!job->undeclared || run->options->strict),
    };
    run->summary.stopped = run->stop.count > 0;
    summary_add(&run->summary, &report);
    print_job(run, &report);
}

static void run_one(struct run *run, size_t number, struct supervisor *supervisor)
{
    const struct planned_job *planned = &run->plan->jobs[number];
    struct running_job job = {
        .run = run, .planned = planned, .number = number, .record = {.store = run->store}, .started = clock_seconds()};
    const struct job_listener listener = {on_built, on_batch, &job};
    const struct job wanted = {.test = planned->test->test,
                               .environment = *planned->environment,
                               .seed = run->options->seed,
                               .key = hash_number(planned->key),
                               .resident_limit = planned->controlled ? run->resident_groups : 0,
                               .instances = run->options->instances,
                               .seconds = run->options->seconds};
    struct text text = {0};
    struct job_result result = {.state = JOB_NOT_RUN};

    if (!planned->controlled)
        run->resident_groups = 0; /* until its build tells */
    litmus_print(planned->test->test, &text);
    stop_run(run,
             record_begin(&job.record, run->run_id, planned, run->options->seed, 0, text_string(&text), &run->failure));
    if (run->status == STATUS_OK)
        stop_run(run, judge_job(&job, &run->failure));
    if (run->status == STATUS_OK && run->stop.count > 0)
        (void)snprintf(result.reason, sizeof result.reason, "the run was stopped by a signal");
    else if (run->status == STATUS_OK) {
        builders_await(run->builders, number, run->options->limits.build, run->stop.descriptor);
        supervisor_run(supervisor, &wanted, text_string(&text), planned->test->file, &listener, &result);
    }
    if (!planned->controlled) {
        run->test_instances = job.tally.instances;
        run->test_witnesses = job.tally.witnesses;
    }
    settle_state(&job.tally, &result);
    if (run->status == STATUS_OK)
        stop_run(run, record_flush(&job.record, &run->failure));
    if (run->status == STATUS_OK)
        stop_run(run, store_finish_job(run->store, job.record.job_id, job_state_text(result.state), result.reason,
                                       result.detail, job.tally.seconds, &run->failure));
    if (run->status == STATUS_OK)
        report(&job, &result); /* after it is stored: what is printed is never missing from the database */
    record_release(&job.record);
    tally_release(&job.tally);
    verdicts_release(&job.verdicts);
    text_release(&text);
}

/* ---- the run ---- */

static enum status open_outputs(struct run *run, int argc, char **argv, struct error *error)
{
    TRY(stop_signals_catch(&run->stop, error));
    TRY(kernel_cache_open(!run->options->cache, &run->cache, error));
    if (run->options->log && !(run->log = fopen(run->options->log, "ae")))
        return error_set(error, STATUS_UNREADABLE, "the log %s cannot be created: %s", run->options->log,
                         strerror(errno));
    return record_open(run->options->database, argc, argv, run->options->seed, &run->store, &run->run_id, error);
}

/* The jobs first .. end-1, which are of one device. */
static void run_device(struct run *run, size_t first, size_t end)
{
    struct supervisor supervisor;
    const int asked = run->options->builders;
    run->builders = builders_start(run->plan, first, end, asked < 0 ? builders_suited(end - first) : (unsigned)asked,
                                   run->cache.folder);
    supervisor_start(&supervisor, run->plan->jobs[first].device, &run->options->limits, run->cache.folder, &run->stop);
    for (size_t i = first; i < end && run->status == STATUS_OK; i++) {
        stop_signals_read(&run->stop);
        run_one(run, i, &supervisor);
    }
    supervisor_stop(&supervisor);
    builders_stop(run->builders);
    run->builders = NULL;
}

static void run_all(struct run *run)
{
    const struct run_plan *plan = run->plan;
    for (size_t first = 0, end; first < plan->job_count && run->status == STATUS_OK; first = end) {
        for (end = first + 1; end < plan->job_count && plan->jobs[end].device == plan->jobs[first].device; end++)
            ;
        run_device(run, first, end);
    }
    progress_clear(&run->progress, stderr);
}

/* The first that applies. */
static int exit_code(const struct run *run)
{
    if (run->stop.count > 0)
        return 128 + run->stop.first;
    if (run->status != STATUS_OK)
        return status_exit_code(run->status);
    return summary_exit_code(&run->summary);
}

int run_jobs(const struct run_options *options, const struct run_plan *plan, int argc, char **argv)
{
    struct run run = {.options = options, .plan = plan, .stop = {.descriptor = -1}, .started = clock_seconds()};
    run.status = open_outputs(&run, argc, argv, &run.failure);
    if (run.status == STATUS_OK)
        run_all(&run);
    if (run.store && run.run_id > 0) {
        struct error error;
        const char *state = run.stop.count > 0 ? "interrupted" : run.status == STATUS_OK ? "completed" : "failed";
        const enum status finished = store_finish_run(run.store, run.run_id, state, &error);
        if (finished != STATUS_OK && run.status == STATUS_OK) {
            run.status = finished;
            run.failure = error;
        }
    }
    if (run.status != STATUS_OK)
        (void)complain("orchil run", &run.failure);
    else if (!options->json)
        summary_print(&run.summary, options->database, run.run_id, options->seed, clock_seconds() - run.started);
    const int code = exit_code(&run);
    summary_release(&run.summary);
    kernel_cache_close(&run.cache);
    store_close(run.store);
    if (run.log && fclose(run.log) != 0)
        (void)fprintf(stderr, "orchil run: the log %s cannot be written: %s\n", options->log, strerror(errno));
    if (run.stop.descriptor >= 0)
        (void)close(run.stop.descriptor);
    return code;
}
