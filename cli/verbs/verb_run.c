// SPDX-License-Identifier: Apache-2.0
/* orchil run: the command line. plan_run.c plans the run, run_jobs.c runs it. */
#include "base/random.h"
#include "cli/atomics.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/print/forecast.h"
#include "cli/print/notices.h"
#include "cli/print/run_output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "gate/last_failed.h"
#include "litmus/language/user_atomics.h"
#include "runner/protocol/device.h"
#include "runner/run/builders.h"
#include "runner/run/plan_store.h"
#include "runner/run/provenance.h"
#include "runner/run/resume_lock.h"
#include "runner/run/run_jobs.h"
#include "runner/supervise/devices.h"

static const double default_seconds = 2; /* of a job */

/* The command line. */
struct run_request {
    struct run_options run;
    uint64_t runs;      /* how often all of it is run */
    const char *resume; /* the run to resume, or NULL */
    char begun[24];     /* the number of the run that --resume auto has found; resume points here */
    bool verbose;       /* a block for each job, however many */
    bool json;          /* objects instead of words */
    bool dry;           /* the plan is printed, and nothing is run */
    bool last_failed;   /* only tests that failed in the newest run of the database */
    enum run_lowering lowering;
    double budget; /* seconds that all jobs share; 0: what suites say */
    struct verb_arguments tests;
    struct exclusions exclude;
};

static void read_kernels(const struct argp_state *state, const struct option_row *row, const char *folder,
                         void *request)
{
    struct frozen_folder *frozen = &((struct run_request *)request)->run.frozen;
    const enum frozen_use use = strcmp(row->name, "kernels") == 0 ? FROZEN_REPLAY : FROZEN_SAVE;
    if (frozen->use != FROZEN_NONE && frozen->use != use)
        options_error(state, "--save-kernels and --kernels exclude each other: expected one of them");
    if (folder[0] == '\0')
        options_refuse(state, row, "a folder", folder);
    *frozen = (struct frozen_folder){use, folder};
}

/* Whether to begin a new run unless this command line has begun one. */
static bool is_auto(const struct run_request *request)
{
    return request->resume && strcmp(request->resume, "auto") == 0;
}

static void run_check_options(const struct argp_state *state, const void *data)
{
    const struct run_request *request = data;
    const char *decided = options_decided(state);
    const bool resumes = request->resume && !is_auto(request);
    if (resumes && decided)
        options_error(state, "--resume continues a run with its own options and takes no --%s", decided);
    else if (resumes && request->tests.count > 0)
        options_error(state, "--resume continues a run with its own tests and takes no TEST, found '%s'",
                      request->tests.list[0]);
    else if (!resumes && !request->last_failed && request->tests.count == 0)
        options_error(state, "%s", tests_none);
    else if (request->budget > 0 && request->run.seconds > 0)
        options_error(state, "--budget and --time exclude each other: a job's time is its share of the budget");
}

static const struct option_word lowering_words[] = {
    {"ptx", RUN_LOWERING_USUAL}, {"source", RUN_LOWERING_SOURCE}, {"both", RUN_LOWERING_BOTH}, {0}};
static const struct option_word until_words[] = {{"witness", UNTIL_WITNESS}, {"forbidden", UNTIL_FORBIDDEN}, {0}};

#define AT(member) offsetof(struct run_request, member)

static const struct option_row option_rows[] = {
    {ROW_DEVICE(AT(run.device))},
    {ROW_INSTANCES(AT(run.instances))},
    {ROW_TIME(AT(run.seconds))},
    {"budget", 0, "S", OPTION_SECONDS, .offset = AT(budget), .decided = true},
    {"until", 0, "WHAT", OPTION_WORD, .offset = AT(run.until), .words = until_words, .decided = true},
    {"confidence", 0, "C", OPTION_NUMBER, .offset = AT(run.confidence), .low = 0, .high = 1, .decided = true,
     .expected = "a number between 0 and 1, like 0.99999"},
    {ROW_SEED(AT(run.seed), AT(run.seeded))},
    {"runs", 0, "N", OPTION_COUNT, .offset = AT(runs), "1", .low = 1, .high = 1000, .decided = true},
    {ROW_SHARD(AT(run.shard), AT(run.shards))},
    {ROW_PROFILE(AT(run.profile))},
    {ROW_HOME(AT(run.homes))},
    {"lowering", 0, "WHAT", OPTION_WORD, .offset = AT(lowering), .words = lowering_words, .decided = true},
    ATOMICS_ROWS,
    {ROW_EXCLUDE(AT(exclude))},
    {ROW_LAST_FAILED(AT(last_failed))},
    {ROW_DRY_RUN(AT(dry))},
    {"resume", 0, "RUN", OPTION_TEXT, .offset = AT(resume)},
    {ROW_DATABASE(AT(run.database))},
    {ROW_JSON(AT(json))},
    {ROW_VERBOSE(AT(verbose))},
    {"no-controls", 0, NULL, OPTION_CLEAR, .offset = AT(run.controls), .decided = true},
    {ROW_STRICT(AT(run.strict))},
    {"builders", 0, "N", OPTION_WHOLE, .offset = AT(run.builders), .low = 0, .high = BUILDERS_MAXIMUM},
    {"save-kernels", 0, "DIR", OPTION_OTHER, .file = OPTION_FILE_FOLDER, .read = read_kernels},
    {"kernels", 0, "DIR", OPTION_OTHER, .file = OPTION_FILE_READ, .read = read_kernels},
    {"no-cache", 0, NULL, OPTION_CLEAR, .offset = AT(run.cache)},
    {ROW_BUILD_LIMIT(AT(run.limits))},
    {ROW_BATCH_LIMIT(AT(run.limits), "30")},
    {0}};

/* If no option says how long a job runs, all successive jobs, controls included, share the budget. */
static void set_time(const struct run_request *request, const struct selection *selection, const struct run_plan *plan,
                     struct run_options *options)
{
    const double budget = request->budget > 0 ? request->budget : selection->budget;
    const size_t count = (size_t)run_plan_longest(plan, NULL);
    if (options->seconds > 0 || (options->instances > 0 && request->budget <= 0))
        return;
    if (budget <= 0 || count == 0) {
        options->seconds = default_seconds;
        return;
    }
    options->seconds = budget / (double)count;
    terminal_print(stderr, "budget: %s shared by %s job%s%s, %s each\n", QUANTITY_SECONDS(budget),
                   QUANTITY_COUNT(count), count == 1 ? "" : "s", plan->device_count > 1 ? " per device" : "",
                   QUANTITY_SECONDS(options->seconds));
}

/* A shard is the same part of the same jobs on every machine: the limits belong to all of them. */
static void take_shard(const struct run_request *request, struct run_plan *plan)
{
    const struct run_options *options = &request->run;
    const size_t all = plan->unit_count;
    if (options->shards == 0)
        return;
    run_plan_shard(plan, options->shard, options->shards);
    char seed[96] = "";
    if (!request->dry)
        (void)snprintf(seed, sizeof seed, ", seed %" PRIu64 "%s", options->seed,
                       options->seeded ? "" : ", which the other shards need too (--seed)");
    terminal_print(stderr, "shard %u of %u: %zu of %zu tests%s\n", options->shard, options->shards, plan->unit_count,
                   all, seed);
}

/* The data of a run until it has ended. */
struct prepared_run {
    struct selection selection;
    struct device_list devices;
    const struct backend_device **chosen;
    struct run_plan plan;
    struct resume_lock hold; /* of a resumed run */
    bool none;               /* --last-failed found no test and reported it */
};

static void take_unread(const struct selection *selection, struct run_options *options)
{
    options->unread = selection->unread;
    options->unread_count = selection->unread_count;
}

/* --last-failed: the named tests that failed, or all that failed, with their stored texts. If there
 * are none, reports it and sets *none. */
static enum status select_failed(const struct run_request *request, struct selection *selection, bool *none,
                                 struct error *error)
{
    struct last_failed found;
    enum status status = last_failed_find(request->run.database, &found, error);
    if (status == STATUS_OK && request->tests.count > 0) {
        status = tests_select(request->tests.list, request->tests.count, selection, error);
        if (status == STATUS_OK)
            last_failed_narrow(&found, selection);
    } else if (status == STATUS_OK) {
        *selection = found.selection;
        found.selection = (struct selection){0};
    }
    if (status == STATUS_OK && found.failed == 0)
        terminal_print(stderr, "run %" PRId64 ": none of its %zu tests failed: there is nothing to run\n", found.run,
                       found.tests);
    else if (status == STATUS_OK)
        terminal_print(stderr, "run %" PRId64 ": %zu of %zu tests failed or were not run%s\n", found.run, found.failed,
                       found.tests, selection->count > 0 ? "" : ", none of those named: there is nothing to run");
    *none = status == STATUS_OK && selection->count == 0;
    selection_release(&found.selection);
    return status;
}

static enum status select_tests(const struct run_request *request, struct selection *selection, bool *none,
                                struct error *error)
{
    *none = false;
    if (request->last_failed)
        TRY(select_failed(request, selection, none, error));
    else
        TRY(tests_select(request->tests.list, request->tests.count, selection, error));
    return *none ? STATUS_OK : exclude_tests(&request->exclude, selection, error);
}

static enum status run_prepare(struct run_request *request, struct prepared_run *prepared, struct error *error)
{
    struct run_options *options = &request->run;
    struct run_plan *plan = &prepared->plan;
    size_t chosen_count = 0;
    TRY(select_tests(request, &prepared->selection, &prepared->none, error));
    take_unread(&prepared->selection, options);
    options->score = prepared->selection.score;
    if (prepared->none)
        return STATUS_OK;
    if (options->frozen.use != FROZEN_NONE && user_atomics_loaded())
        return error_set(error, STATUS_USAGE, "%s and --atomics exclude each other: a saved kernel has no header",
                         frozen_option(options->frozen.use));
    if (!options->seeded)
        TRY(random_seed(&options->seed, error));
    TRY(devices_find_for(options->device, &prepared->devices, error));
    TRY(devices_select(&prepared->devices, options->device, &prepared->chosen, &chosen_count, error));
    for (size_t d = 0; d < chosen_count; d++)
        if (prepared->chosen[d]->member_count > 0 && options->frozen.use != FROZEN_NONE)
            return error_set(error, STATUS_USAGE,
                             "%s: kernels for several devices cannot be saved or replayed; remove %s",
                             device_address(prepared->chosen[d]).text, frozen_option(options->frozen.use));
    TRY(run_plan_make(&prepared->selection, prepared->chosen, chosen_count, options->profile, options->homes,
                      request->lowering, options->controls, plan, error));
    if (devices_shared(options->device))
        run_plan_share(plan);
    run_plan_refuse(plan);
    set_time(request, &prepared->selection, plan, options);
    take_shard(request, plan);
    return STATUS_OK;
}

static enum status run_recall(const char *run, struct store *store, struct run_options *options,
                              struct prepared_run *prepared, struct error *error)
{
    LOCAL(text) specs = {0};
    TRY(plan_find_run(store, run, &options->resume, error));
    TRY(resume_lock_take(options->database, options->resume, &prepared->hold, error));
    enum status status = plan_recall_specs(store, options->resume, &specs, error);
    THEN(status, devices_find_for(specs.size > 0 ? text_string(&specs) : NULL, &prepared->devices, error));
    if (status != STATUS_OK)
        return status;
    TRY(plan_recall(store, options->resume, &prepared->devices, options, &prepared->plan, error));
    TRY(plan_recall_unread(store, options->resume, &prepared->selection, error));
    tests_print_unread(&prepared->selection);
    take_unread(&prepared->selection, options);
    run_plan_refuse(&prepared->plan);
    struct forecast forecast;
    LOCAL(text) time = {0};
    forecast_make(options, &prepared->plan, &forecast);
    forecast_add_time(&forecast, &time);
    if (forecast.left > 0)
        terminal_print(stderr, "run %" PRId64 ": %zu of %zu jobs are left to do%s\n", options->resume, forecast.left,
                       prepared->plan.job_count, text_string(&time));
    else
        terminal_print(stderr, "run %" PRId64 " has all its %zu jobs: nothing is left to do\n", options->resume,
                       prepared->plan.job_count);
    return STATUS_OK;
}

static enum status prepare_resumed(const char *run, struct run_options *options, struct prepared_run *prepared,
                                   struct error *error)
{
    struct store *store = NULL;
    if (access(options->database, F_OK) != 0)
        return error_set(error, STATUS_USAGE, "--resume %s: there is no database %s; use --db to name another", run,
                         options->database);
    enum status status = store_open(options->database, STORE_RESUME, &store, error);
    THEN(status, run_recall(run, store, options, prepared, error));
    store_close(store);
    return status;
}

/* Runs the plan, or prints it for --dry-run. done: how often it has been run. */
static enum status run_perform(const struct run_request *request, struct prepared_run *prepared, uint64_t done,
                               int *code, struct error *error)
{
    const struct run_options *options = &request->run;
    struct run_output output = {.json = request->json, .verbose = request->verbose};
    struct run_result result;
    *code = tests_exit_code(options->unread_count, 0);
    if (prepared->none)
        return STATUS_OK;
    if (request->runs > 1 && !request->dry)
        terminal_print(stderr, "run %" PRIu64 " of %" PRIu64 "\n", done + 1, request->runs);
    if (!request->resume && done == 0)
        forecast_print(options, &prepared->plan, request->dry);
    if (request->dry)
        return forecast_print_plan(options, &prepared->plan, -1, request->json, error);
    notices_print(&prepared->plan);
    *code = run_output_run(&output, options, &prepared->plan, &result);
    return STATUS_OK;
}

/* --resume auto: looks for the run, and sets request->resume as if its number had been given, or to NULL for a new run.
 * A run that was killed before it had a plan starts again under its number. With --runs, completed ones count. */
static enum status find_begun(struct run_request *request, struct prepared_run *prepared, uint64_t *done,
                              struct error *error)
{
    struct run_options *options = &request->run;
    struct begun_run *begun = NULL;
    LOCAL(arena) arena = {0};
    struct store *store = NULL;
    size_t count = 0;
    request->resume = NULL;
    if (access(options->database, F_OK) != 0) {
        options->only = true;
        return STATUS_OK;
    }
    enum status status = store_open(options->database, STORE_RESUME, &store, error);
    THEN(status, plan_list_begun(store, options->provenance->command_line, 0, &arena, &begun, &count, error));
    store_close(store);
    options->only = count == 0;
    if (status == STATUS_OK && count > 0) {
        const struct begun_run last = begun[count - 1];
        *done = count - 1;
        options->seed = last.seed;
        options->seeded = true;
        if (last.completed && count < request->runs) {
            *done = count;
        } else if (last.planned) {
            (void)snprintf(request->begun, sizeof request->begun, "%" PRId64, last.run_id);
            request->resume = request->begun;
        } else {
            options->resume = last.run_id;
            options->unplanned = true;
            status = resume_lock_take(options->database, last.run_id, &prepared->hold, error);
        }
    }
    return status;
}

/* All runs; with --resume auto the next of them, which may be left to be finished. *done: how many there are. */
static enum status run_some(const struct run_request *asked, uint64_t *done, int *code, struct error *error)
{
    struct run_request request = *asked;
    struct prepared_run prepared = {.hold = {.path = NULL}};
    const bool one = is_auto(asked) || asked->dry;
    int now = 0;
    enum status status = is_auto(asked) ? find_begun(&request, &prepared, done, error) : STATUS_OK;
    THEN(status, request.resume ? prepare_resumed(request.resume, &request.run, &prepared, error)
                                : run_prepare(&request, &prepared, error));
    do {
        THEN(status, run_perform(&request, &prepared, *done, &now, error));
        *code = tests_graver_code(*code, now);
        ++*done;
    } while (status == STATUS_OK && !one && !prepared.none && now < 128 && *done < asked->runs);
    resume_lock_release(&prepared.hold);
    run_plan_release(&prepared.plan);
    free(prepared.chosen);
    devices_release(&prepared.devices);
    selection_release(&prepared.selection);
    return status;
}

static enum status run_execute(void *data, struct verb_call *call, struct error *error)
{
    struct run_request *request = data;
    enum status status = STATUS_OK;
    uint64_t done = 0;
    request->run.provenance = verb_provenance(call);
    do
        status = run_some(request, &done, &call->code, error);
    while (status == STATUS_OK && is_auto(request) && !request->dry && call->code < 128 && done < request->runs);
    return status;
}

VERB_ENTRY(run, tests, (.run = {.builders = -1, .limits = {.open = OPEN_SECONDS}}), .check = run_check_options);

/* ---- orchil assume: the suite of assumptions ---- */

/* The others are of `orchil run`. */
static const struct option_row assume_rows[] = {{ROW_DEVICE(AT(run.device))},
                                                {ROW_TIME(AT(run.seconds))},
                                                {ROW_SEED(AT(run.seed), AT(run.seeded))},
                                                {ROW_DATABASE(AT(run.database))},
                                                {ROW_JSON(AT(json))},
                                                {ROW_VERBOSE(AT(verbose))},
                                                {ROW_BUILD_LIMIT(AT(run.limits))},
                                                {ROW_BATCH_LIMIT(AT(run.limits), "30")},
                                                {0}};

static enum status assume_execute(void *data, struct verb_call *call, struct error *error)
{
    static char suite[] = "@assumptions", *list[] = {suite};
    struct run_request *request = data;
    if (request->tests.count == 0)
        request->tests = (struct verb_arguments){list, 1};
    return run_execute(data, call, error);
}

const struct verb verb_assume = {.name = "assume",
                                 .like = &verb_run,
                                 .options = assume_rows,
                                 .arguments = AT(tests),
                                 VERB_REQUEST(struct run_request, .runs = 1,
                                              .run = {.cache = true, .builders = -1, .limits = {.open = OPEN_SECONDS}}),
                                 .run = assume_execute};
