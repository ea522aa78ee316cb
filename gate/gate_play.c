// SPDX-License-Identifier: Apache-2.0
/* Runs of a gate's suite, or of a part of it, and the pilot that measures how much of each test fits into its time. */
#include <time.h>

#include "gate/gate_suite.h"
#include "runner/run/resume_lock.h"

/* ---- runs of the suite, or of a part of it ---- */

/* What was in progress at the end of the time, else time spent neither building nor running. */
static void report_overrun(const struct gate_suite *suite, const struct gate_play *play,
                           const struct run_result *result)
{
    const struct gate_listener *listener = suite->request.listener;
    const struct run_spending *spending = &result->spending;
    const double over = result->seconds - play->allowance;
    if (over < fmax(0.5, 0.1 * play->allowance))
        return;
    if (spending->overran[0] != '\0')
        gate_message(listener, "budget: overrun by %s: %s\n", QUANTITY_SECONDS(over), spending->overran);
    else
        gate_message(listener, "budget: overrun by %s: starting, judging and storing took %s\n", QUANTITY_SECONDS(over),
                     QUANTITY_SECONDS(fmax(0, result->seconds - spending->building - spending->batches)));
}

static void report_spending(const struct gate_suite *suite, const struct gate_play *play,
                            const struct run_result *result)
{
    const struct gate_listener *listener = suite->request.listener;
    const struct run_spending *spending = &result->spending;
    gate_message(listener, "budget: the run took %s of %s: building %s, batches %s\n",
                 QUANTITY_SECONDS(result->seconds), QUANTITY_SECONDS(play->allowance),
                 QUANTITY_SECONDS(spending->building), QUANTITY_SECONDS(spending->batches));
    report_overrun(suite, play, result);
    if (spending->unstarted > 0)
        gate_message(listener, "budget: spent before %zu job%s could start: they are not run\n", spending->unstarted,
                     spending->unstarted == 1 ? "" : "s");
}

static struct run_options play_options(const struct gate_suite *suite, const struct gate_play *play)
{
    const struct gate_request *request = &suite->request;
    return (struct run_options){
        .device = request->device,
        .profile = request->profile,
        .database = play->database ? play->database : request->database,
        .instances = request->instances,
        .seconds = request->instances > 0 ? 0
                   : play->seconds > 0    ? play->seconds
                                          : suite->each,
        .deadline = play->allowance > 0 ? clock_seconds() + play->allowance : 0,
        .pilot = play->pilot,
        .rerun = play->rerun,
        .only = request->resume && !play->rerun,
        .seed = play->seed,
        .seeded = true,
        .controls = true,
        .strict = request->strict,
        .cache = true,
        .frozen = {.use = request->kernels ? FROZEN_REPLAY : FROZEN_NONE, .path = request->kernels},
        .builders = -1,
        .limits = request->limits,
        .provenance = request->provenance};
}

/* Goes on with a run by its own plan. */
static enum status play_by_plan(const struct gate_suite *suite, const struct begun_run *begun,
                                struct run_options *options, struct run_result *result, int *code, struct error *error)
{
    struct store *store = NULL;
    LOCAL(run_plan) plan = {0};
    LOCAL(resume_lock) hold = {0};
    enum status status = resume_lock_take(options->database, begun->run_id, &hold, error);
    THEN(status, store_open(options->database, STORE_RESUME, &store, error));
    THEN(status, plan_recall(store, begun->run_id, &suite->devices, options, &plan, error));
    store_close(store);
    if (status == STATUS_OK) {
        run_plan_refuse(&plan);
        options->resume = begun->run_id;
        *code = suite->request.listener->run(options, &plan, result);
    }
    return status;
}

/* Goes on with a run of the ledger. One that was killed before it had a plan starts again under its number; one that
 * was merged from shards is whole, or nothing here can complete it. */
static enum status play_begun(const struct gate_suite *suite, const struct begun_run *begun,
                              const struct gate_play *play, struct run_result *result, int *code, struct error *error)
{
    struct run_options options = play_options(suite, play);
    options.only = false;
    *code = 0;
    *result = (struct run_result){.run_id = begun->run_id};
    gate_message(suite->request.listener, "run %" PRId64 " of %s %s\n", begun->run_id, options.database,
                 begun->completed ? "is complete" : "goes on");
    if (begun->completed && (suite->request.shards == 0 || !begun->planned))
        return STATUS_OK;
    if (begun->planned)
        return play_by_plan(suite, begun, &options, result, code, error);
    if (strcmp(suite->request.resume, "auto") != 0)
        return error_set(error, STATUS_USAGE,
                         "--resume %s: run %" PRId64 " is not whole, and %s has no plan of it: finish it where it was "
                         "begun, and merge it again",
                         suite->request.resume, begun->run_id, options.database);
    options.resume = begun->run_id;
    options.unplanned = true;
    *code = suite->request.listener->run(&options, play->plan, result);
    return STATUS_OK;
}

static void report_end(const struct gate_suite *suite, double allowance)
{
    const time_t end = time(NULL) + (time_t)ceil(allowance);
    struct tm local;
    char clock[16];
    if (allowance > 0 && localtime_r(&end, &local) && strftime(clock, sizeof clock, "%H:%M:%S", &local) > 0)
        gate_message(suite->request.listener, "budget: this run ends by about %s\n", clock);
}

/* Plays it, quietly, and tells when it will end, where the time went, and, if so, why it took longer than allowed and
 * how many jobs it left out. If the ledger has its run, goes on with that. False if there is nothing to go on with: it
 * was interrupted, or could not be stored; then *code is the process's exit code. */
static bool gate_suite_play(struct gate_suite *suite, const struct gate_play *play, struct run_result *result,
                            int *code)
{
    struct gate_ledger *ledger = &suite->ledger;
    report_end(suite, play->allowance);
    if (ledger->next < ledger->count) {
        struct error error;
        const enum status status = play_begun(suite, &ledger->runs[ledger->next++], play, result, code, &error);
        if (status != STATUS_OK) {
            gate_message(suite->request.listener, "orchil gate: %s\n", error.text);
            *result = (struct run_result){.status = status, .error = error};
            *code = status_exit_code(status);
        }
    } else {
        const struct run_options options = play_options(suite, play);
        *code = suite->request.listener->run(&options, play->plan, result);
    }
    const bool ended = result->status == STATUS_OK && result->signal == 0;
    if (ended && play->allowance > 0 && result->seconds > 0)
        report_spending(suite, play, result);
    return ended;
}

bool gate_suite_run(struct gate_suite *suite, uint64_t seed, int64_t *run_id, int *code)
{
    const struct gate_play play = {.plan = suite->plan, .seed = seed, .allowance = suite->allowance};
    struct run_result result;
    const bool done = gate_suite_play(suite, &play, &result, code);
    *run_id = result.run_id;
    suite->built = result.spending.building;
    return done;
}

bool gate_suite_run_some(struct gate_suite *suite, bool (*wanted)(const struct planned_job *job, void *context),
                         void *context, uint64_t seed, double allowance, int64_t *run_id, int *code)
{
    LOCAL(run_plan) picked = {0};
    run_plan_pick(suite->plan, wanted, context, &picked);
    const struct gate_play play = {.plan = &picked, .seed = seed, .allowance = allowance, .rerun = true};
    struct run_result result = {.run_id = 0};
    *code = 0;
    const bool done = picked.job_count > 0 && gate_suite_play(suite, &play, &result, code);
    *run_id = result.run_id;
    return done;
}

size_t gate_suite_count_some(const struct gate_suite *suite,
                             bool (*wanted)(const struct planned_job *job, void *context), void *context)
{
    LOCAL(run_plan) picked = {0};
    run_plan_pick(suite->plan, wanted, context, &picked);
    return (size_t)run_plan_longest(&picked, NULL);
}

/* ---- the pilot of a suite: how much of a job fits into its share of the time ---- */

/* Kept free for what varies: draws, clocks, and the work between batches. */
static const double used_share = 0.9;

/* Fewer and larger batches must give this many times the instances: where a batch costs more than its instances do. */
static const double worth_fewer = 2;

/* A larger batch does not take less time: what looks so was a disturbance of the smaller one. */
static double time_of(const struct pilot_batch *batches, size_t count, size_t at)
{
    double least = batches[at].seconds;
    for (size_t i = at + 1; i < count; i++)
        if (batches[i].instances >= batches[at].instances)
            least = fmin(least, batches[i].seconds);
    return fmax(least, 1e-9);
}

/* The largest batch that takes at most `seconds`; count if even the first takes longer. */
static size_t largest_within(const struct pilot_batch *batches, size_t count, double seconds)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (time_of(batches, count, i) <= seconds && (best == count || batches[i].instances >= batches[best].instances))
            best = i;
    return best;
}

/* At a batch, and over the turn that ends with it: the members of a portfolio have their own speeds. */
static double speed_at(const struct pilot_batch *batches, size_t count, size_t at, size_t turn)
{
    const size_t first = at + 1 >= turn ? at + 1 - turn : 0;
    double instances = 0, seconds = 0;
    for (size_t i = first; i <= at; i++) {
        instances += (double)batches[i].instances;
        seconds += time_of(batches, count, i);
    }
    return fmin((double)batches[at].instances / time_of(batches, count, at), instances / seconds);
}

/* At this speed: a job of so many seconds, in `parts` batches or more. */
static struct pilot_choice choose_at(const struct pilot_batch *batches, double speed, double seconds, uint64_t parts)
{
    const double instances = fmin(seconds * speed, (double)STORE_JOB_INSTANCES_MAX / 4);
    const double batch = fmax(instances / (double)parts, (double)batches[0].instances);
    return (struct pilot_choice){.instances = (uint64_t)fmax(instances, (double)parts * (double)batches[0].instances),
                                 .batch = (uint64_t)batch};
}

struct pilot_choice pilot_choose(const struct pilot_batch *batches, size_t count, double seconds,
                                 const struct environment *environment)
{
    const size_t turn = environment_least_batches(environment, 1);
    const uint64_t fewest = environment_least_batches(environment, ENVIRONMENT_MEMBER_BATCHES);
    const uint64_t usual = fewest > ENVIRONMENT_BATCHES ? fewest : ENVIRONMENT_BATCHES;
    const double used = used_share * seconds;
    if (count == 0)
        return (struct pilot_choice){.instances = 0};
    const size_t of_usual = largest_within(batches, count, used / (double)usual);
    const size_t of_fewest = largest_within(batches, count, used / (double)fewest);
    if (of_fewest < count) {
        const struct pilot_choice few = choose_at(batches, speed_at(batches, count, of_fewest, turn), used, fewest);
        const struct pilot_choice many = of_usual < count
                                             ? choose_at(batches, speed_at(batches, count, of_usual, turn), used, usual)
                                             : (struct pilot_choice){0};
        return (double)many.instances * worth_fewer >= (double)few.instances ? many : few;
    }
    const double each = time_of(batches, count, 0);
    const double fitting = fmax(1, floor(used / each));
    return (struct pilot_choice){.instances = (uint64_t)fitting * batches[0].instances,
                                 .batch = batches[0].instances,
                                 .needed = (double)fewest * each / used_share};
}

/* ---- all jobs of the suite ---- */

/* A pilot in progress. */
struct pilot {
    struct gate_suite *suite;
    double seconds;    /* of each job of the suite */
    struct text needs; /* the tests that need more, with their seconds */
};

static bool lacks_extent(const struct planned_job *job, UNUSED void *context)
{
    return job->extent.instances == 0 && !job->refused;
}

/* The batches of a job, each with its part of the time between batches. The caller frees them. */
static enum status read_batches(struct store *store, const struct store_progress *job, struct pilot_batch **batches,
                                size_t *count, struct error *error)
{
    struct store_cursor cursor;
    size_t room = 0;
    double sum = 0;
    *batches = NULL;
    *count = 0;
    store_query(store, STORE_BATCHES, job->job_id, &cursor, error);
    while (store_next(&cursor)) {
        LIST_ADD(*batches, *count, room) = (struct pilot_batch){cursor.batch.instances, cursor.batch.seconds};
        sum += cursor.batch.seconds;
    }
    for (size_t i = 0; i < *count; i++)
        (*batches)[i].seconds += fmax(0, job->seconds - sum) / (double)*count;
    return store_end(&cursor, STATUS_OK);
}

static enum status choose_job(struct pilot *pilot, struct store *store, const struct store_progress *played,
                              const struct planned_job *job, struct error *error)
{
    struct pilot_batch *batches;
    size_t count;
    const enum status status = read_batches(store, played, &batches, &count, error);
    const struct pilot_choice choice = pilot_choose(batches, count, pilot->seconds, job->environment);
    free(batches);
    if (status != STATUS_OK || choice.instances == 0)
        return status;
    if (choice.needed > 0)
        terminal_add(&pilot->needs, "%s%s (%s)", pilot->needs.size > 0 ? ", " : "", job->test->test->name,
                     QUANTITY_SECONDS(choice.needed));
    /* A test and its controls play the same draws, so the slowest of them decides. */
    FOR_EACH(const struct planned_unit, unit, pilot->suite->plan->units, pilot->suite->plan->unit_count) {
        const struct planned_job *first = &pilot->suite->plan->jobs[unit->first];
        const struct litmus_test *test = job->controlled ? job->controlled : job->test->test;
        if (first->test->test != test || first->device != job->device || first->lowering != job->lowering)
            continue;
        for (size_t i = unit->first; i < unit->end; i++) {
            struct job_extent *extent = &pilot->suite->plan->jobs[i].extent;
            if (extent->instances > 0 && extent->instances <= choice.instances)
                continue;
            extent->instances = choice.instances;
            extent->batch_instances = choice.batch;
        }
    }
    return STATUS_OK;
}

/* The jobs of the pilot's run are those of its plan, in their order. */
static enum status choose_jobs(struct pilot *pilot, const struct run_plan *played, const char *database, int64_t run_id,
                               struct error *error)
{
    struct store *store = NULL;
    LOCAL(arena) arena = {0};
    struct store_progress *rows = NULL;
    struct store_cursor cursor;
    size_t count = 0;
    enum status status = store_open(database, STORE_READ, &store, error);
    if (status == STATUS_OK) {
        store_query(store, STORE_PLANNED, run_id, &cursor, error);
        while (store_next(&cursor))
            ARENA_ADD(&arena, rows, count) = cursor.planned.progress;
        status = store_end(&cursor, STATUS_OK);
    }
    for (size_t i = 0; i < count && i < played->job_count && status == STATUS_OK; i++)
        if (rows[i].job_id > 0)
            status = choose_job(pilot, store, &rows[i], &played->jobs[i], error);
    store_close(store);
    return status;
}

/* What a pilot saw that must not be is kept: its run is added to the results. */
static enum status keep_run(const struct gate_suite *suite, const char *database, struct error *error)
{
    struct store *store = NULL;
    struct store_merge_tally tally = {0};
    const struct store_merge_options options = {.tool_version = suite->request.provenance->tool_version,
                                                .host = suite->request.provenance->host};
    enum status status = store_open(suite->request.database, STORE_WRITE, &store, error);
    THEN(status, store_merge(store, database, &options, &tally, error));
    store_close(store);
    if (status == STATUS_OK)
        gate_message(suite->request.listener, "pilot: a forbidden outcome was seen; the pilot run is added to %s\n",
                     suite->request.database);
    return status;
}

static enum status pilot_play(struct pilot *pilot, const struct run_plan *plan, const char *database, bool *done,
                              int *code, struct error *error)
{
    static const double least = 0.01, most = 0.5, part = 0.1; /* seconds of a job; part of its share */
    struct gate_suite *suite = pilot->suite;
    const struct gate_play run = {.plan = plan,
                                  .database = database,
                                  .seed = suite->request.seed,
                                  .seconds = RUN_PILOT_RESERVE * fmin(most, fmax(least, part * pilot->seconds)),
                                  .pilot = true};
    const double start = clock_seconds();
    struct run_result result;
    *done = gate_suite_play(suite, &run, &result, code);
    if (!*done)
        return STATUS_OK;
    const double busy = result.spending.building + result.spending.batches; /* the rest is overhead of each job */
    pilot->seconds -= fmin(0.5 * pilot->seconds, fmax(0, result.seconds - busy) / (double)plan->job_count);
    TRY(choose_jobs(pilot, plan, database, result.run_id, error));
    if (*code == 1 || *code == status_exit_code(STATUS_DEVICE_FAILED)) /* what is unsound, or a fault */
        TRY(keep_run(suite, database, error));
    const struct gate_listener *listener = pilot->suite->request.listener;
    gate_message(listener, "pilot: %zu job%s in %s; each now has a number of instances, for about %s\n",
                 plan->job_count, plan->job_count == 1 ? "" : "s", QUANTITY_SECONDS(clock_seconds() - start),
                 QUANTITY_SECONDS(pilot->seconds));
    if (pilot->needs.size > 0)
        gate_message(listener,
                     "pilot: too little time for %d batches, so draws are not compared one by one; needed: %s\n",
                     ENVIRONMENT_MEMBER_BATCHES, text_string(&pilot->needs));
    return STATUS_OK;
}

/* In a database of its own, since its rates are of batches of other sizes. */
static enum status play_apart(struct pilot *pilot, const struct run_plan *plan, bool *done, int *code,
                              struct error *error)
{
    LOCAL(text) database = {0};
    struct temporary_folder folder = {0};
    TRY(temporary_folder_open("pilot", &folder, error));
    text_add(&database, "%s/pilot.db", folder.path);
    const enum status status = pilot_play(pilot, plan, text_string(&database), done, code, error);
    temporary_folder_close(&folder);
    return status;
}

enum status gate_suite_pilot(struct gate_suite *suite, bool *done, int *code, struct error *error)
{
    struct pilot pilot = {.suite = suite, .seconds = suite->each};
    LOCAL(run_plan) plan = {0};
    enum status status = STATUS_OK;
    *done = true;
    *code = 0;
    if (suite->request.instances > 0)
        return STATUS_OK;
    run_plan_pick(suite->plan, lacks_extent, NULL, &plan);
    if (plan.job_count > 0)
        status = play_apart(&pilot, &plan, done, code, error);
    text_release(&pilot.needs);
    return status;
}

bool gate_suite_shrink(struct gate_suite *suite, double seconds)
{
    static const double clearly = 1.1, least = 0.2;
    const double wanted = suite->each * fmax(1, run_plan_longest(suite->plan, NULL)),
                 factor = used_share * fmax(0, wanted - suite->built) / (seconds - suite->built);
    if (suite->request.instances > 0 || seconds <= clearly * wanted)
        return false;
    if (factor < least && suite->built <= wanted / 2)
        return false;
    if (factor < least) { /* what is compiled takes its time, however little is played */
        gate_message(suite->request.listener,
                     "the run took %s instead of %s, of which compiling took %s: --budget is too small for this "
                     "suite\n",
                     QUANTITY_SECONDS(seconds), QUANTITY_SECONDS(wanted), QUANTITY_SECONDS(suite->built));
        return false;
    }
    for (size_t i = 0; i < suite->plan->job_count; i++) {
        struct job_extent *extent = &suite->plan->jobs[i].extent;
        extent->instances = (uint64_t)ceil((double)extent->instances * factor);
        extent->batch_instances = (uint64_t)ceil((double)extent->batch_instances * factor);
    }
    gate_message(suite->request.listener, "the run took %s instead of %s and is repeated with fewer instances\n",
                 QUANTITY_SECONDS(seconds), QUANTITY_SECONDS(wanted));
    return true;
}
