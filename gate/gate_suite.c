// SPDX-License-Identifier: Apache-2.0
/* The suite of a gate: chosen from its request and baseline, played, and measured by a pilot. */
#include "gate/gate_suite.h"

#include <math.h>
#include <stdarg.h>
#include <time.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "base/terminal/terminal.h"
#include "runner/protocol/device.h"
#include "runner/run/siblings.h"

static char usual_suite[] = "@ci";
static const double usual_budget = 60; /* seconds: what a stage of a CI pipeline can spare */

void gate_message(const struct gate_listener *listener, const char *format, ...)
{
    struct text line = {0};
    va_list arguments;
    va_start(arguments, format);
    terminal_add_list(&line, format, arguments);
    va_end(arguments);
    listener->message(text_string(&line));
    text_release(&line);
}

/* ---- devices ---- */

/* The error for a baseline none of whose devices is here: what it has, what is here, and which listing failed. Another
 * device would be judged only by its name. */
static enum status suite_refuse_others(const struct gate_source *source, const struct device_list *chosen,
                                       struct error *error)
{
    struct text text = {0}, findings = {0};
    struct device_list here;
    struct error ignored;
    text_add(&text, "no device of the baseline is here: it has ");
    gate_source_add_devices(source, &text);
    devices_add_findings(chosen, &findings);
    if (devices_find(NULL, &here, &ignored) == STATUS_OK) {
        text_add(&text, "; here: ");
        devices_add_names(&here, &text);
        devices_release(&here);
    }
    text_add(&text, "; to judge another device, name it with --device");
    const enum status status = error_set(error, STATUS_NO_DEVICE, "%s", text_string(&text));
    error_set_detail(error, text_string(&findings));
    text_release(&text);
    text_release(&findings);
    return status;
}

/* Takes a device for one of the source that a driver's update has renamed, and says so. */
static void suite_adopt(const struct gate_suite *suite, struct gate_source *source, const struct backend_device *device,
                        bool named)
{
    const char *before = gate_source_adopt(source, device, named);
    if (before)
        gate_message(suite->request.listener, "%s, %s, is taken for the baseline's %s: %s\n",
                     device_address(device).text, device->name, before,
                     named ? "it is named, and its draws are repeated"
                           : "each is the only one of its backend, and they are alike (--device names another)");
}

/* The only device of its backend here; NULL if it has others. */
static const struct backend_device *alone(const struct device_list *here, const struct backend_device *device)
{
    for (size_t i = 0; i < here->count; i++)
        if (&here->devices[i] != device && strcmp(here->devices[i].backend, device->backend) == 0)
            return NULL;
    return device;
}

/* The devices of the command line, or those of the source; without a source, the default one. */
static enum status suite_choose_devices(struct gate_suite *suite, struct gate_source *source, struct error *error)
{
    const char *spec = suite->request.device;
    struct text specs = {0};
    if (!spec && source)
        gate_source_specs(source, &specs);
    const enum status status = devices_find_for(specs.size > 0 ? text_string(&specs) : spec, &suite->devices, error);
    text_release(&specs);
    if (status != STATUS_OK)
        return status;
    if (spec || !source) {
        TRY(devices_select(&suite->devices, spec, &suite->chosen, &suite->chosen_count, error));
        if (source && suite->chosen_count == 1)
            suite_adopt(suite, source, suite->chosen[0], true);
        return STATUS_OK;
    }
    for (size_t i = 0; i < suite->devices.count; i++)
        if (alone(&suite->devices, &suite->devices.devices[i]))
            suite_adopt(suite, source, &suite->devices.devices[i], false);
    suite->chosen = memory_take(suite->devices.count, sizeof *suite->chosen);
    for (size_t i = 0; i < suite->devices.count; i++)
        if (gate_source_has(source, &suite->devices.devices[i]))
            suite->chosen[suite->chosen_count++] = &suite->devices.devices[i];
    return suite->chosen_count > 0 ? STATUS_OK : suite_refuse_others(source, &suite->devices, error);
}

/* ---- environments and seeds ---- */

/* Keys depend on the environment, and draws on keys. */
static enum status suite_take_environments(struct gate_suite *suite, const struct gate_source *source,
                                           struct error *error)
{
    struct run_plan *plan = suite->plan;
    for (size_t i = 0; i < suite->chosen_count; i++) {
        TRY(gate_source_environment(source, suite->chosen[i], &plan->environments[i], error));
        TRY(plan_set_homes(&plan->environments[i], suite->chosen[i], suite->request.homes, error));
    }
    for (size_t i = 0; i < plan->job_count; i++) {
        struct planned_job *job = &plan->jobs[i];
        plan_job_key(job->controlled ? job->controlled : job->test->test, job->environment, 0, job->key);
    }
    return STATUS_OK;
}

static enum status suite_choose_seed(struct gate_request *request, const struct gate_source *source,
                                     struct error *error)
{
    if (request->seeded)
        return STATUS_OK;
    request->seeded = true;
    if (source) {
        request->seed = gate_source_seed(source);
        gate_message(request->listener, "seed: %" PRIu64 ", the baseline's, so that its draws are repeated\n",
                     request->seed);
        return STATUS_OK;
    }
    return random_seed(&request->seed, error);
}

/* ---- how much is played ---- */

/* A device this much slower is judged by its time; beyond that a job is cut short. */
static const double slower_at_most = 4, least_limit = 5;

static enum status refuse_budget(const struct gate_suite *suite, double needed, struct error *error)
{
    return error_set(
        error, STATUS_USAGE,
        "--budget %s is too little: the baseline's draws take about %s, without reruns; give --budget %.0f, "
        "or name fewer TESTs",
        QUANTITY_SECONDS(suite->request.budget), QUANTITY_SECONDS(needed), ceil(1.2 * needed));
}

/* The draws of the source are repeated, however long they take. Time limits only stop faults. */
static enum status suite_take_extents(struct gate_suite *suite, const struct gate_source *source, struct error *error)
{
    struct run_plan *plan = suite->plan;
    const struct gate_request *request = &suite->request;
    struct source_extent found;
    size_t known = 0;
    double *needs = memory_take(plan->job_count, sizeof *needs);
    for (size_t i = 0; i < plan->job_count; i++) {
        struct planned_job *job = &plan->jobs[i];
        if (job->refused || !gate_source_extent(source, job, &found))
            continue;
        if (request->instances == 0 || request->instances == found.extent.instances)
            job->extent = found.extent;
        job->extent.resident_groups = found.extent.resident_groups;
        job->extent.seconds = request->seconds > 0 ? slower_at_most * request->seconds
                                                   : fmax(least_limit, slower_at_most * found.seconds);
        needs[i] = found.seconds + found.build_seconds;
        known++;
    }
    const double needed = run_plan_longest(plan, needs);
    free(needs);
    for (size_t u = 0; u < plan->unit_count; u++) /* a control that the source has not, too, plays its test's draws */
        for (size_t i = plan->units[u].first; i < plan->units[u].end; i++)
            if (plan->jobs[i].extent.instances == 0)
                plan->jobs[i].extent = plan->jobs[plan->units[u].first].extent;
    suite->allowance = request->budget;
    if (request->instances > 0 || known == 0)
        return STATUS_OK;
    if (request->budget > 0 && needed > request->budget)
        return refuse_budget(suite, needed, error);
    gate_message(request->listener,
                 "draws: those of the baseline, about %s; a job that takes %g times as long, and "
                 "more than %s, is cut short\n",
                 QUANTITY_SECONDS(needed), slower_at_most, QUANTITY_SECONDS(least_limit));
    return STATUS_OK;
}

static void suite_report_refused(const struct gate_suite *suite)
{
    size_t refused = 0;
    struct text instead = {0};
    for (size_t i = 0; i < suite->plan->job_count; i++)
        if (suite->plan->jobs[i].refused && refused++ == 0)
            siblings_add_hint(suite->plan->jobs[i].test->test, suite->plan->jobs[i].device, &instead);
    if (refused > 0)
        gate_message(suite->request.listener, "%zu job%s: the device cannot run %s\n", refused, refused == 1 ? "" : "s",
                     refused == 1 ? "it" : "them");
    suite->request.listener->message(text_string(&instead));
    text_release(&instead);
}

/* ---- the suite ---- */

enum status gate_suite_make(const struct gate_request *request, struct gate_source *source, struct gate_suite *suite,
                            struct error *error)
{
    char *const usual[] = {usual_suite};
    *suite = (struct gate_suite){.request = *request, .started = clock_seconds()};
    if (source && gate_source_names(source, request->tests, request->test_count))
        TRY(gate_source_select(source, request->tests, request->test_count, &suite->selection, error));
    else if (request->test_count > 0)
        TRY(request->listener->select(request->tests, request->test_count, &suite->selection, error));
    else
        TRY(request->listener->select(usual, 1, &suite->selection, error));
    TRY(suite_choose_seed(&suite->request, source, error));
    TRY(suite_choose_devices(suite, source, error));
    suite->plan = memory_take(1, sizeof *suite->plan);
    TRY(run_plan_make(&suite->selection, suite->chosen, suite->chosen_count, request->profile, request->homes,
                      source ? gate_source_lowering(source) : RUN_LOWERING_USUAL, true, suite->plan, error));
    if (source && !request->profile)
        TRY(suite_take_environments(suite, source, error));
    run_plan_refuse(suite->plan);
    suite_report_refused(suite);
    if (source)
        TRY(suite_take_extents(suite, source, error));
    if (suite->request.confidence <= 0)
        suite->request.confidence = suite->selection.confidence > 0 ? suite->selection.confidence : 0.99999;
    if (suite->request.budget <= 0)
        suite->request.budget = suite->selection.budget > 0 ? suite->selection.budget : usual_budget;
    static const double usable = 0.95; /* the rest: reading, deciding */
    suite->each = suite->request.seconds > 0
                      ? suite->request.seconds
                      : usable * suite->request.budget / fmax(1, run_plan_longest(suite->plan, NULL));
    request->listener->planned(suite->plan);
    return STATUS_OK;
}

void gate_suite_release(struct gate_suite *suite)
{
    if (suite->plan)
        run_plan_release(suite->plan);
    free(suite->plan);
    free(suite->chosen);
    devices_release(&suite->devices);
    selection_release(&suite->selection);
    *suite = (struct gate_suite){.chosen = NULL};
}

/* ---- runs of the suite, or of a part of it ---- */

/* What was in progress at the end of the time, else time spent neither building nor running. */
static void report_overrun(const struct gate_suite *suite, const struct gate_play *gate_suite_play_runs,
                           const struct run_result *result)
{
    const struct gate_listener *listener = suite->request.listener;
    const struct run_spending *spending = &result->spending;
    const double over = result->seconds - gate_suite_play_runs->allowance;
    if (over < fmax(0.5, 0.1 * gate_suite_play_runs->allowance))
        return;
    if (spending->overran[0] != '\0')
        gate_message(listener, "budget: overrun by %s: %s\n", QUANTITY_SECONDS(over), spending->overran);
    else
        gate_message(listener, "budget: overrun by %s: starting, judging and storing took %s\n", QUANTITY_SECONDS(over),
                     QUANTITY_SECONDS(fmax(0, result->seconds - spending->building - spending->batches)));
}

static void report_spending(const struct gate_suite *suite, const struct gate_play *gate_suite_play_runs,
                            const struct run_result *result)
{
    const struct gate_listener *listener = suite->request.listener;
    const struct run_spending *spending = &result->spending;
    gate_message(listener, "budget: the run took %s of %s: building %s, batches %s\n",
                 QUANTITY_SECONDS(result->seconds), QUANTITY_SECONDS(gate_suite_play_runs->allowance),
                 QUANTITY_SECONDS(spending->building), QUANTITY_SECONDS(spending->batches));
    report_overrun(suite, gate_suite_play_runs, result);
    if (spending->unstarted > 0)
        gate_message(listener, "budget: spent before %zu job%s could start: they are not run\n", spending->unstarted,
                     spending->unstarted == 1 ? "" : "s");
}

/* Plays it, quietly, and tells when it will end, where the time went, and, if so, why it took longer than allowed and
 * how many jobs it left out. False if there is nothing to go on with: it was interrupted, or could not be stored; then
 * *code is the process's exit code. */
static bool gate_suite_play(const struct gate_suite *suite, const struct gate_play *gate_suite_play_runs,
                            struct run_result *result, int *code)
{
    const struct gate_request *request = &suite->request;
    const struct run_options options = {
        .device = request->device,
        .profile = request->profile,
        .database = gate_suite_play_runs->database ? gate_suite_play_runs->database : request->database,
        .instances = request->instances,
        .seconds = request->instances > 0              ? 0
                   : gate_suite_play_runs->seconds > 0 ? gate_suite_play_runs->seconds
                                                       : suite->each,
        .deadline = gate_suite_play_runs->allowance > 0 ? clock_seconds() + gate_suite_play_runs->allowance : 0,
        .pilot = gate_suite_play_runs->pilot,
        .seed = gate_suite_play_runs->seed,
        .seeded = true,
        .controls = true,
        .strict = request->strict,
        .cache = true,
        .frozen = {.use = request->kernels ? FROZEN_REPLAY : FROZEN_NONE, .path = request->kernels},
        .builders = -1,
        .limits = request->limits,
        .provenance = request->provenance};
    const time_t end = time(NULL) + (time_t)ceil(gate_suite_play_runs->allowance);
    struct tm local;
    char clock[16];
    if (gate_suite_play_runs->allowance > 0 && localtime_r(&end, &local) &&
        strftime(clock, sizeof clock, "%H:%M:%S", &local) > 0)
        gate_message(suite->request.listener, "budget: this run ends by about %s\n", clock);
    *code = request->listener->run(&options, gate_suite_play_runs->plan, result);
    const bool ended = result->status == STATUS_OK && result->signal == 0;
    if (ended && gate_suite_play_runs->allowance > 0)
        report_spending(suite, gate_suite_play_runs, result);
    return ended;
}

bool gate_suite_run(const struct gate_suite *suite, uint64_t seed, int64_t *run_id, int *code)
{
    const struct gate_play gate_suite_play_runs = {.plan = suite->plan, .seed = seed, .allowance = suite->allowance};
    struct run_result result;
    const bool done = gate_suite_play(suite, &gate_suite_play_runs, &result, code);
    *run_id = result.run_id;
    return done;
}

bool gate_suite_run_some(const struct gate_suite *suite, bool (*wanted)(const struct planned_job *job, void *context),
                         void *context, uint64_t seed, double allowance, int64_t *run_id, int *code)
{
    struct run_plan picked;
    run_plan_pick(suite->plan, wanted, context, &picked);
    const struct gate_play gate_suite_play_runs = {.plan = &picked, .seed = seed, .allowance = allowance};
    struct run_result result = {.run_id = 0};
    *code = 0;
    const bool done = picked.job_count > 0 && gate_suite_play(suite, &gate_suite_play_runs, &result, code);
    *run_id = result.run_id;
    run_plan_release(&picked);
    return done;
}

size_t gate_suite_count_some(const struct gate_suite *suite,
                             bool (*wanted)(const struct planned_job *job, void *context), void *context)
{
    struct run_plan picked;
    run_plan_pick(suite->plan, wanted, context, &picked);
    const size_t count = (size_t)run_plan_longest(&picked, NULL);
    run_plan_release(&picked);
    return count;
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

static bool lacks_extent(const struct planned_job *job, void *context)
{
    (void)context;
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
    for (size_t u = 0; u < pilot->suite->plan->unit_count; u++) {
        const struct planned_unit *unit = &pilot->suite->plan->units[u];
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
    struct arena arena = {0};
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
    arena_release(&arena);
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
    if (status == STATUS_OK)
        status = store_merge(store, database, &options, &tally, error);
    store_close(store);
    if (status == STATUS_OK)
        gate_message(suite->request.listener, "pilot: it saw what must not be; its run is added to %s\n",
                     suite->request.database);
    return status;
}

static enum status gate_suite_play_runs(struct pilot *pilot, const struct run_plan *plan, const char *database,
                                        bool *done, int *code, struct error *error)
{
    static const double least = 0.01, most = 0.5, part = 0.1; /* seconds of a job; part of its share */
    const struct gate_suite *suite = pilot->suite;
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
                     "pilot: too little time for %d batches, so their draws are not compared one by one; needed: %s\n",
                     ENVIRONMENT_MEMBER_BATCHES, text_string(&pilot->needs));
    return STATUS_OK;
}

/* In a database of its own, since its rates are of batches of other sizes. */
static enum status play_apart(struct pilot *pilot, const struct run_plan *plan, bool *done, int *code,
                              struct error *error)
{
    struct text database = {0};
    struct temporary_folder folder = {0};
    TRY(temporary_folder_open("pilot", &folder, error));
    text_add(&database, "%s/pilot.db", folder.path);
    const enum status status = gate_suite_play_runs(pilot, plan, text_string(&database), done, code, error);
    temporary_folder_close(&folder);
    text_release(&database);
    return status;
}

enum status gate_suite_pilot(struct gate_suite *suite, bool *done, int *code, struct error *error)
{
    struct pilot pilot = {.suite = suite, .seconds = suite->each};
    struct run_plan plan;
    enum status status = STATUS_OK;
    *done = true;
    *code = 0;
    if (suite->request.instances > 0)
        return STATUS_OK;
    run_plan_pick(suite->plan, lacks_extent, NULL, &plan);
    if (plan.job_count > 0)
        status = play_apart(&pilot, &plan, done, code, error);
    run_plan_release(&plan);
    text_release(&pilot.needs);
    return status;
}

bool gate_suite_shrink(struct gate_suite *suite, double seconds)
{
    static const double clearly = 1.1, least = 0.2;
    const double wanted = suite->each * fmax(1, run_plan_longest(suite->plan, NULL)),
                 factor = used_share * wanted / seconds;
    if (suite->request.instances > 0 || seconds <= clearly * wanted || factor < least)
        return false;
    for (size_t i = 0; i < suite->plan->job_count; i++) {
        struct job_extent *extent = &suite->plan->jobs[i].extent;
        extent->instances = (uint64_t)ceil((double)extent->instances * factor);
        extent->batch_instances = (uint64_t)ceil((double)extent->batch_instances * factor);
    }
    gate_message(suite->request.listener, "the run took %s instead of %s: it is played again with fewer instances\n",
                 QUANTITY_SECONDS(seconds), QUANTITY_SECONDS(wanted));
    return true;
}
