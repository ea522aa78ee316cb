// SPDX-License-Identifier: Apache-2.0
/* One job of a run: begun, played, judged and finished, or kept from an earlier part of the run. */
#include <poll.h>

#include "analysis/statistics/statistics.h"
#include "inspect/rebuild/rebuild_test.h"
#include "runner/run/run.h"

/* ---- the shared state ---- */

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

static void run_notify_job(struct live_job *job, const struct job_result *result, bool recalled)
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

/* How much of a job of the plan is played: its own extent, or the options'. */
static struct job_extent run_extent(const struct run_options *options, const struct planned_job *planned)
{
    if (planned->extent.instances > 0)
        return planned->extent;
    return (struct job_extent){.instances = options->instances,
                               .batch_instances = environment_batch(planned->environment, options->instances),
                               .resident_groups = planned->extent.resident_groups,
                               .seconds = options->seconds};
}

/* Whether the job has reached one of its limits. */
static bool run_reached_limit(const struct live_job *job)
{
    const struct job_extent *extent = &job->planned.extent;
    return (extent->instances > 0 && job->tally.launched >= extent->instances) ||
           (!job->has_target && extent->seconds > 0 && job->tally.seconds >= extent->seconds);
}

/* A job that ended before its own number of instances, because of a time limit, is interrupted. */
static void run_cut_short(const struct live_job *job, struct job_result *result)
{
    const uint64_t target = job->planned.extent.instances, launched = job->tally.launched;
    if (!job->has_target || launched >= target || result->state != JOB_COMPLETED)
        return;
    result->state = JOB_INTERRUPTED;
    (void)snprintf(result->reason, sizeof result->reason, "%s after %s, with %s of %s instances",
                   run_time_is_up(job->run) ? "the budget was spent" : "its time limit came",
                   QUANTITY_SECONDS(job->tally.seconds), QUANTITY_COUNT(launched), QUANTITY_COUNT(target));
}

/* Notes what ran past the deadline: "a batch of", "building". The mutex is held. */
static void run_note_overrun(struct live_job *job, const char *what, double seconds)
{
    struct run_spending *spending = &job->run->spending;
    (void)snprintf(spending->overran, sizeof spending->overran, "%s %.80s took %s", what, job->planned.test->test->name,
                   QUANTITY_SECONDS(seconds));
}

/* ---- events ---- */

/* A resumed job keeps its first build's record but gets the batches of another build: its test was kept if both builds
 * kept it. The mutex is held. */
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
        run_check(job->run,
                  store_change_kept(job->record.store, job->record.job_id, build->kept, build->kept_reason, &error),
                  &error);
}

/* Asks the models, unless they were asked: when the device has built the test, because a search may take a minute, and
 * is useless for a test that the device refuses. */
static enum status run_judge(struct live_job *job, struct error *error)
{
    const struct judge_options limits = {.stopped = stop_signals_came, .context = &job->lane->stop};
    if (job->judged)
        return STATUS_OK;
    verdicts_release(&job->verdicts);
    TRY(verdicts_make(job->planned.test->test, job->planned.device, &limits, &job->verdicts, error));
    job->judged = !stop_signals_came(&job->lane->stop);
    return STATUS_OK;
}

/* If the build's code is PTX from a driver's own compiler, reads it back into a PTX test, which the model `ptx` judges
 * as the job's target. The job must have its verdicts. Does nothing if the code cannot be read as a PTX test, or is of
 * the user's functions: it is what they make of the test that is judged, and it cannot excuse them. */
static enum status run_judge_compiled(struct live_job *job, const struct build *build,
                                      const struct judge_options *limits, struct error *error)
{
    struct kernel_target compiled;
    if (build->marks & MARK_USER_CODE)
        return STATUS_OK;
    const bool delays = job_has_delays(job->planned.device, job->planned.environment, job->run->options->frozen.use);
    enum status status = compiled_ptx_of_build(job->planned.test->test, job->planned.device, job->planned.lowering,
                                               delays, build, &compiled, error);
    THEN(status, verdicts_add_compiled(&job->verdicts, &compiled, limits, error));
    return status == STATUS_UNSUPPORTED ? STATUS_OK : status;
}

static enum status run_store_build(struct live_job *job, const struct build *build, struct error *error)
{
    struct job_record *record = &job->record;
    enum status status = STATUS_OK;
    TRY(store_join(record->store, record->job_id, error));
    if (!job->planned.begun || !job->planned.begun->built)
        status = store_add_build(record->store, record->job_id, build, error);
    if (job->judged)
        THEN(status, job_record_verdicts(record, &job->verdicts, &job->tally, error));
    return store_joined(record->store, status, error);
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
    run->spending.building += build->seconds;
    job->lane->opened = true;
    if (run_time_is_up(run))
        run_note_overrun(job, "building", build->seconds);
    run_check(run, run_store_build(job, build, &error), &error);
    hear_kept(job, build);
    run_notify_progress(run);
    const bool go_on = run->status == STATUS_OK;
    run_unlock(run);
    return go_on;
}

/* A test is a mutant of its controls: if its witness is frequent, the environment can show such behaviour, and a
 * control that has run as long without its witness is evidence (Levine and others: MC Mutants, ASPLOS 2023). */
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
    return !batch->invalid && ANY_OF(outcome, batch->outcomes, batch->outcome_count,
                                     outcome->count > 0 && verdicts_forbid(&job->verdicts, outcome->label));
}

/* A pilot's job on a processor may take this many times as long: most of it may be compiling, for each size of
 * groups. */
enum { COMPILING = 4 };

/* Whether a pilot's batches have grown so long that they show the device's speed. One long batch may be a
 * disturbance, and the first ones of a size may compile. */
static bool pilot_is_over(struct live_job *job, const struct batch *batch)
{
    const double aim = job->planned.extent.seconds / RUN_PILOT_RESERVE;
    const uint64_t repeats = environment_pilot_repeats(job->planned.environment, job->planned.device->gpu);
    if ((job->tally.batches - 1) % repeats < repeats / 2)
        return false;
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

/* ---- jobs of an earlier part of the run ---- */

/* Jobs that this part of a run does not run: earlier parts ended them, or a signal or the deadline came first. */

/* Loads a job's tally and marks from the database. The mutex is held. */
static enum status run_restore_job(struct live_job *job, struct error *error)
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

static void run_release_job(struct live_job *job)
{
    job_record_release(&job->record);
    tally_release(&job->tally);
    verdicts_release(&job->verdicts);
}

/* The same with the stored code of a job that an earlier part of the run has built. */
static enum status run_judge_stored(struct live_job *job, const struct judge_options *limits, struct error *error)
{
    LOCAL(arena) arena = {0};
    struct store_text_row binary;
    enum status status =
        store_load_text(job->run->store, STORE_BINARY, job->planned.begun->job_id, &arena, &binary, error);
    if (status == STATUS_OK && binary.text) {
        const struct build build = {.binary = binary.text, .marks = job->marks};
        status = run_judge_compiled(job, &build, limits, error);
    }
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
    FREED struct planned_job *jobs = memory_take(run->plan->job_count, sizeof *jobs);
    collect_rest(run, false, jobs, &count);
    run_check(run, job_record_skip(run->store, run->run_id, jobs, count, run->options->seed, reason, &error), &error);
    collect_rest(run, true, jobs, &count); /* stored by an earlier part of the run */
    for (size_t i = 0; i < count && run->status == STATUS_OK; i++) {
        struct live_job job = {.run = run, .planned = jobs[i], .number = jobs[i].number, .spent = run->stop.count == 0};
        struct job_result result = {.state = jobs[i].begun ? jobs[i].begun->state : JOB_NOT_RUN};
        (void)snprintf(result.reason, sizeof result.reason, "%s", reason);
        run_notify_job(&job, &result, false);
        run->ended++;
    }
}

/* ---- a job ---- */

enum { LOOK_MILLISECONDS = 5 }; /* between checks of a builder */

/* One invalid batch makes the whole job invalid. So does counting nothing, unless the voids are the test's answer. A
 * job that no model has judged is not complete: only a resumed run judges it. */
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
        /* "no instance was counted: 403,200 void (gave_up)". */
        LOCAL(text) reasons = {0};
        for (size_t i = 0; i < tally->void_count; i++)
            text_add(&reasons, "%s%s", i > 0 ? ", " : "", tally->voids[i].label);
        (void)snprintf(result->reason, sizeof result->reason, "no instance was counted: %s void%s%s%s",
                       QUANTITY_COUNT(tally->void_instances), reasons.size > 0 ? " (" : "", text_string(&reasons),
                       reasons.size > 0 ? ")" : "");
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
    const struct job_listener listener = {hear_build, hear_batch, job};
    struct job_extent extent = planned->extent;
    if (options->pilot && !planned->device->gpu)
        extent.seconds *= COMPILING;
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

static enum status run_store_end(struct live_job *job, const struct job_result *result, struct error *error)
{
    struct job_record *record = &job->record;
    TRY(store_join(record->store, record->job_id, error));
    enum status status = job->deepened ? job_record_verdicts(record, &job->verdicts, &job->tally, error) : STATUS_OK;
    THEN(status, job_record_flush(record, error));
    THEN(status, job_record_circumstances(record, &result->circumstances, error));
    THEN(status, store_finish_job(record->store, record->job_id, result->state, result->reason, result->detail,
                                  job->tally.seconds, error));
    return store_joined(record->store, status, error);
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
        run_check(run, run_store_end(job, result, &error), &error);
    if (run->status == STATUS_OK)
        run_notify_job(job, result, false);
    run_unlock(run);
}

/* Looks for verdicts on the outcomes seen with a higher bound on loops, and for outcomes that no execution of the test
 * has; they are stored with the job's end. A job that was resumed after its last batch had no build to be judged at. */
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
    THEN(status, verdicts_deepen(&job->verdicts, job->planned.test->test, &job->tally, &limits, &deepened, &error));
    job->deepened =
        status == STATUS_OK && (deepened || (late && job->judged) || verdicts_lack(&job->verdicts, &job->tally));
    run_lock(run);
    run_check(run, status, &error);
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
    LOCAL(text) text = {0};
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
