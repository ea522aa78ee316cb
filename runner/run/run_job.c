// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "cli/print/report_job.h"
#include "runner/run/run.h"

enum { LOOK_MILLISECONDS = 5 }; /* between looks at a builder */

/* What higher bounds on loops may take at the end of a job, where an outcome was seen that the search has not reached. */
static const double deepening_seconds = 2;

/* ---- what a job tells ---- */

/* A deadline is met although starting and building take what time they take: the jobs behind get less, and as much as jobs
 * took so far is put by for each of them. The mutex is held. */
static double share_end(const struct running_job *job)
{
    static const double least = 0.02; /* a batch or two */
    struct run *run = job->run;
    const double now = clock_seconds();
    const double left = fmax(1, (double)(run->plan->job_count - run->ended) / (double)run->lane_count);
    if (run->ended > 0) {
        run->preparation += now - job->started;
        run->preparations++;
    }
    const double each = run->preparations > 0 ? run->preparation / (double)run->preparations : 0;
    return now + fmax(least, (run->options->deadline - now - (left - 1) * each) / left);
}

static bool on_built(const struct job_build *build, void *context)
{
    struct running_job *job = context;
    struct run *run = job->run;
    struct error error;
    job->undeclared = build->undeclared;
    job->detached = build->detached;
    job->frozen = build->frozen;
    if (!job->planned.controlled)
        job->lane->resident_groups = build->resident_groups;
    run_lock(run);
    if (run->options->deadline > 0)
        job->until = share_end(job);
    if (!job->planned.begun || !job->planned.begun->built)
        run_check(run, record_build(&job->record, build, &error), &error);
    run_show_progress(run);
    const bool go_on = run->status == STATUS_OK;
    run_unlock(run);
    return go_on;
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
    const struct lane *lane = job->lane;
    const struct tally *tally = &job->tally;
    const double confidence = job->run->options->confidence, wanted = witnesses_for(confidence);
    if (confidence <= 0)
        return false;
    if (!job->planned.controlled)
        return (double)tally->witnesses >= wanted;
    return lane->test_witnesses > 0 && (double)lane->test_witnesses >= wanted &&
           (double)tally->instances * (double)lane->test_witnesses >= wanted * (double)lane->test_instances;
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
           (until == UNTIL_FORBIDDEN && shows_forbidden(job, batch)) || enough_seen(job) ||
           (job->until > 0 && clock_seconds() + batch->seconds / 2 >= job->until); /* as often too early as too late */
}

static bool on_batch(const struct job_batch *batch, void *context)
{
    struct running_job *job = context;
    struct run *run = job->run;
    struct error error;
    run_lock(run);
    tally_add(&job->tally, batch);
    run_check(run, record_batch(&job->record, batch, &error), &error);
    builders_turn(run->groups[job->group].builders);
    run_show_progress(run);
    const bool go_on = run->status == STATUS_OK && !is_enough(job, batch);
    run_unlock(run);
    return go_on;
}

/* Whether a limit was reached: then a signal that came at the same moment has interrupted nothing. */
static bool has_reached_limit(const struct running_job *job)
{
    const struct run_options *options = job->run->options;
    return (options->instances > 0 && job->tally.launched >= options->instances) ||
           (options->seconds > 0 && job->tally.seconds >= options->seconds);
}

/* A job with an invalid batch is not to be trusted, whatever its other batches say. */
static void settle_state(const struct running_job *job, struct job_result *result)
{
    const struct tally *tally = &job->tally;
    if (result->state == JOB_INTERRUPTED && has_reached_limit(job)) {
        result->state = JOB_COMPLETED;
        result->reason[0] = '\0';
    }
    if (result->state != JOB_COMPLETED || tally->invalid_batches == 0)
        return;
    result->state = JOB_INVALID;
    (void)snprintf(result->reason, sizeof result->reason, "%" PRIu64 " of %" PRIu64 " batches are invalid: %s",
                   tally->invalid_batches, tally->invalid_batches + tally->batches, tally->invalid);
}

static void print_job(struct run *run, const struct job_report *report)
{
    struct text text = {0};
    struct error error;
    progress_clear(&run->progress, stderr);
    if (run->options->json && !run->options->quiet) {
        json_t *object = report_job_json(report);
        if (!object || json_dumpf(object, stdout, JSON_COMPACT) != 0)
            run_check(run, error_set(&error, STATUS_SYSTEM, "standard output cannot be written"), &error);
        (void)putchar('\n');
        json_decref(object);
    } else if (!run->options->quiet && report->result->state != JOB_UNSUPPORTED &&
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
            run_check(run,
                      error_set(&error, STATUS_SYSTEM, "the log %s cannot be written: %s", run->options->log,
                                strerror(errno)),
                      &error);
    }
    text_release(&text);
}

static void describe(const struct running_job *job, const struct job_result *result, const char *environment,
                     struct job_report *report)
{
    const struct run_options *options = job->run->options;
    const struct planned_job *planned = &job->planned;
    *report = (struct job_report){
        .test = planned->test->test,
        .file = planned->test->file,
        .controlled = planned->controlled,
        .device = planned->compiler ? &job->device : planned->device,
        .result = result,
        .tally = &job->tally,
        .run_id = job->run->run_id,
        .number = job->number,
        .seed = options->seed,
        .environment = environment,
        .profile = planned->environment->name,
        .undeclared = job->undeclared,
        .detached = job->detached,
        .frozen = job->frozen,
        .excused = job->undeclared && !options->strict,
        .verdicts = job->judged ? &job->verdicts : NULL,
        .must_not_appear =
            (planned->controlled || plan_forbids(planned->test->test)) && (!job->undeclared || options->strict),
    };
}

static void report(struct running_job *job, const struct job_result *result, bool print)
{
    struct run *run = job->run;
    struct job_report report;
    char environment[65];
    environment_hash(job->planned.environment, environment);
    tally_sort(&job->tally);
    describe(job, result, environment, &report);
    run->summary.stopped = run->stop.count > 0;
    summary_add(&run->summary, &report);
    if (print)
        print_job(run, &report);
}

/* ---- what the database has of a job ---- */

/* The tally as it was. The mutex is held. */
static enum status restore(struct running_job *job, struct error *error)
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
    job->undeclared = begun->marks & MARK_UNDECLARED;
    job->detached = begun->marks & MARK_NOT_CO_RESIDENT;
    job->frozen = begun->marks & MARK_FROZEN;
    return STATUS_OK;
}

static void release_job(struct running_job *job)
{
    record_release(&job->record);
    tally_release(&job->tally);
    verdicts_release(&job->verdicts);
}

void run_recall_job(struct run *run, size_t number)
{
    const struct planned_job *planned = &run->plan->jobs[number];
    struct running_job job = {.run = run, .planned = *planned, .number = number};
    struct job_result result = {.state = planned->begun->state};
    struct error error;
    bool deepened;
    job.planned.device = planned->begun_on;
    (void)snprintf(result.reason, sizeof result.reason, "%s", planned->begun->reason);
    run_check(run, restore(&job, &error), &error);
    job.judged = true;
    if (run->status == STATUS_OK)
        run_check(run, verdicts_make(planned->test->test, job.planned.device, &job.verdicts, &error), &error);
    if (run->status == STATUS_OK)
        run_check(run,
                  verdicts_deepen(&job.verdicts, planned->test->test, &job.tally, deepening_seconds, &deepened, &error),
                  &error);
    if (run->status == STATUS_OK)
        report(&job, &result, false);
    run->ended++;
    release_job(&job);
}

/* ---- jobs that are not run ---- */

static void report_skipped(struct run *run, const struct planned_job *planned, const char *reason)
{
    struct running_job job = {.run = run, .planned = *planned, .number = planned->number};
    struct job_result result = {.state = planned->begun ? planned->begun->state : JOB_NOT_RUN};
    (void)snprintf(result.reason, sizeof result.reason, "%s", reason);
    report(&job, &result, true);
    run->ended++;
}

/* Adds the unfinished jobs that no lane has come to: those that were begun before, or the others. */
static void collect_rest(const struct run *run, bool begun, struct planned_job *jobs, size_t *count)
{
    for (size_t i = 0; i < run->plan->job_count; i++) {
        const struct planned_job *job = &run->plan->jobs[i];
        if (run->reached[i] || (job->begun != NULL) != begun || (begun && job->begun->finished))
            continue;
        jobs[*count] = *job;
        jobs[*count].number = i;
        jobs[(*count)++].kept = true;
    }
}

void run_skip_rest(struct run *run)
{
    static const char reason[] = "the run was stopped by a signal";
    struct error error;
    size_t count = 0;
    struct planned_job *jobs = calloc(run->plan->job_count + 1, sizeof *jobs);
    if (!jobs) {
        run_check(run, error_set(&error, STATUS_MEMORY, "no memory for the jobs that are not run"), &error);
        return;
    }
    collect_rest(run, false, jobs, &count);
    run_check(run, record_skip(run->store, run->run_id, jobs, count, run->options->seed, reason, &error), &error);
    collect_rest(run, true, jobs, &count); /* the database has what an earlier part of the run has of them */
    for (size_t i = 0; i < count && run->status == STATUS_OK; i++)
        report_skipped(run, &jobs[i], reason);
    free(jobs);
}

/* ---- one job ---- */

/* Lets a builder that is at the job's kernel finish it: two that compile the same gain nothing. */
static void await_build(const struct running_job *job)
{
    struct run *run = job->run;
    const double end = clock_seconds() + run->options->limits.build;
    struct pollfd wake = {.fd = job->lane->stop.descriptor, .events = POLLIN};
    bool busy;
    do {
        run_lock(run);
        busy = builders_begin(run->groups[job->group].builders, job->number);
        run_unlock(run);
    } while (busy && clock_seconds() < end && poll(&wake, 1, LOOK_MILLISECONDS) == 0);
}

/* Stores the job and what models say of it, which does not depend on what will be seen. The mutex is held. */
static enum status begin(struct running_job *job, struct error *error)
{
    const struct run *run = job->run;
    if (job->planned.begun) {
        TRY(restore(job, error));
        job->started -= job->tally.seconds; /* for rates */
        TRY(record_resume(&job->record, &job->planned, error));
    } else
        TRY(record_begin(&job->record, run->run_id, &job->planned, run->options->seed, 0, error));
    return record_verdicts(&job->record, &job->verdicts, error);
}

static void play(struct running_job *job, const char *text, struct supervisor *supervisor, struct job_result *result)
{
    const struct run_options *options = job->run->options;
    const struct planned_job *planned = &job->planned;
    const bool goes_on = planned->begun && planned->begun->batches + planned->begun->invalid_batches > 0;
    const struct job_listener listener = {on_built, on_batch, job};
    const struct job wanted = {
        .test = planned->test->test,
        .environment = *planned->environment,
        .seed = options->seed,
        .key = hash_number(planned->key),
        .resident_limit = goes_on               ? planned->begun->resident_groups
                          : planned->controlled ? job->lane->resident_groups
                                                : 0,
        .instances = options->instances,
        .seconds = options->seconds,
        .done_batches = goes_on ? planned->begun->batches + planned->begun->invalid_batches : 0,
        .done_instances = job->tally.launched,
        .done_seconds = job->tally.seconds,
    };
    if (goes_on && has_reached_limit(job))
        result->state = JOB_COMPLETED; /* its supervisor was killed just then */
    else {
        await_build(job);
        supervisor_run(supervisor, &wanted, text, planned->test->file, &listener, result);
    }
    if (result->state == JOB_NOT_RUN && goes_on)
        result->state = JOB_INTERRUPTED; /* it has batches: it was run before */
}

/* Stores and prints the end of a job. */
static void finish(struct running_job *job, struct job_result *result)
{
    struct run *run = job->run;
    struct error error;
    settle_state(job, result);
    run_lock(run);
    job->lane->job = NULL;
    run->ended++;
    if (run->status == STATUS_OK)
        run_check(run, record_flush(&job->record, &error), &error);
    if (run->status == STATUS_OK)
        run_check(run,
                  store_finish_job(run->store, job->record.job_id, result->state, result->reason, result->detail,
                                   job->tally.seconds, &error),
                  &error);
    if (run->status == STATUS_OK)
        report(job, result, true); /* after it is stored: what is printed is never missing from the database */
    run_unlock(run);
}

/* Gives what was seen a verdict where a higher bound on loops finds one, and stores it. */
static void deepen(struct running_job *job)
{
    struct run *run = job->run;
    struct error error;
    bool deepened = false;
    const enum status status =
        verdicts_deepen(&job->verdicts, job->planned.test->test, &job->tally, deepening_seconds, &deepened, &error);
    run_lock(run);
    run_check(run, status, &error);
    if (run->status == STATUS_OK && deepened && job->record.job_id > 0)
        run_check(run, record_verdicts(&job->record, &job->verdicts, &error), &error);
    run_unlock(run);
}

/* What the controls of a test need to know of it. */
static void remember_test(struct lane *lane, const struct tally *tally)
{
    lane->test_instances = tally->instances;
    lane->test_witnesses = tally->witnesses;
}

/* A job that has ended before the run was taken up again. */
static void pass_finished(struct running_job *job)
{
    struct run *run = job->run;
    struct error error;
    if (job->planned.controlled)
        return;
    run_lock(run);
    run_check(run, restore(job, &error), &error);
    run_unlock(run);
    remember_test(job->lane, &job->tally);
    job->lane->resident_groups = job->planned.begun->resident_groups;
}

static void run_new(struct running_job *job, struct supervisor *supervisor)
{
    struct run *run = job->run;
    struct job_result result = {.state = JOB_NOT_RUN};
    struct text text = {0};
    struct error error;
    litmus_print(job->planned.test->test, &text);
    job->judged = true;
    const enum status judged = verdicts_make(job->planned.test->test, job->planned.device, &job->verdicts, &error);
    run_lock(run);
    run_check(run, judged, &error);
    if (run->status == STATUS_OK)
        run_check(run, begin(job, &error), &error);
    const bool begun = run->status == STATUS_OK;
    job->lane->job = job;
    run_unlock(run);
    if (begun) {
        play(job, text_string(&text), supervisor, &result);
        deepen(job);
    }
    if (!job->planned.controlled)
        remember_test(job->lane, &job->tally);
    finish(job, &result);
    text_release(&text);
}

void run_job(struct lane *lane, size_t number, size_t device, struct supervisor *supervisor)
{
    struct run *run = lane->run;
    struct running_job job = {.run = run,
                              .lane = lane,
                              .planned = run->plan->jobs[number],
                              .number = number,
                              .group = run->plan->devices[device].group,
                              .record = {.store = run->store},
                              .started = clock_seconds()};
    job.planned.device = run->plan->devices[device].device;
    job.device = *job.planned.device;
    if (frozen_name_compiler(&run->options->frozen, job.planned.test->test, &job.device))
        job.planned.compiler = job.device.compiler;
    job.planned.kept = true;
    job.planned.number = number;
    if (!job.planned.controlled)
        lane->resident_groups = 0; /* until its build tells */
    if (job.planned.begun && job.planned.begun->finished)
        pass_finished(&job);
    else
        run_new(&job, supervisor);
    release_job(&job);
}
