// SPDX-License-Identifier: Apache-2.0
#include "cli/gate/gate_suite.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "cli/arguments.h"
#include "cli/print/run_output.h"
#include "cli/tests.h"

static char usual_suite[] = "@ci";
static const double usual_budget = 60; /* seconds: what a stage of a CI pipeline can spare */

/* ---- the command line ---- */

enum wish_key {
    WISH_BATCH_LIMIT = GATE_WISH_KEYS,
    WISH_BUDGET,
    WISH_BUILD_LIMIT,
    WISH_DB,
    WISH_DEVICE,
    WISH_INSTANCES,
    WISH_JSON,
    WISH_PROFILE,
    WISH_SEED,
    WISH_TIME
};

static const struct argp_option wish_options[] = {
    {"device", WISH_DEVICE, "SPEC", 0,
     "as in orchil run (default: a gate's is its baseline's, if that is here; else the first GPU)", 0},
    {"profile", WISH_PROFILE, "NAME|FILE", 0,
     "the environment (default: a gate's is its baseline's; else what fits the device)", 0},
    {"budget", WISH_BUDGET, "S", 0,
     "seconds for everything, or for each run where there are several; m or h may stand behind (default: the suite's "
     "budget, else 1m)",
     0},
    {"time", WISH_TIME, "S", 0, "seconds for each test instead", 0},
    {"instances", WISH_INSTANCES, "N", 0, "instances of each test, at least, instead; k, M, G are understood", 0},
    {"seed", WISH_SEED, "N", 0,
     "of all random choices (default: a gate's is its baseline's, whose draws it repeats and compares one by one; else a "
     "new one)",
     0},
    {"db", WISH_DB, "FILE", 0, "the database to store in (default: orchil.db)", 0},
    {"json", WISH_JSON, NULL, 0, "print one JSON object and nothing else", 0},
    {"build-limit", WISH_BUILD_LIMIT, "S", 0, "seconds that building a kernel may take (default: 120)", 0},
    {"batch-limit", WISH_BATCH_LIMIT, "S", 0, "seconds that a batch may take (default: 30)", 0},
    {0}};

static error_t parse_wish(int key, char *value, struct argp_state *state)
{
    struct gate_wish *wish = state->input;
    switch (key) {
    case WISH_DEVICE:
        wish->device = value;
        return 0;
    case WISH_PROFILE:
        wish->profile = value;
        return 0;
    case WISH_DB:
        wish->database = value;
        return 0;
    case WISH_JSON:
        wish->json = true;
        return 0;
    case WISH_SEED:
        wish->seeded = true;
        return argument_seed(state, value, &wish->seed);
    case WISH_BUDGET:
        return argument_seconds(state, "budget", value, &wish->budget);
    case WISH_TIME:
        return argument_seconds(state, "time", value, &wish->seconds);
    case WISH_BUILD_LIMIT:
        return argument_seconds(state, "build-limit", value, &wish->build_limit);
    case WISH_BATCH_LIMIT:
        return argument_seconds(state, "batch-limit", value, &wish->batch_limit);
    case WISH_INSTANCES:
        return quantity_parse_count(value, &wish->instances)
                   ? 0
                   : argument_bad(state, "instances", "a positive whole number, like 1000000, 100M or 1G", value);
    case ARGP_KEY_ARGS:
        wish->tests = state->argv + state->next;
        wish->test_count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp gate_wish_argp = {wish_options, parse_wish, NULL, NULL, NULL, NULL, NULL};

struct gate_wish gate_usual_wish(void)
{
    return (struct gate_wish){.database = "orchil.db", .build_limit = 120, .batch_limit = 30};
}

/* ---- devices ---- */

/* The devices of this machine that the source has; those of the command line, or the usual one, otherwise. */
static enum status choose_devices(struct gate_suite *suite, const struct gate_source *source, struct error *error)
{
    const char *spec = suite->wish.device;
    TRY(devices_find(spec || !source ? devices_backend(spec) : gate_source_backend(source), &suite->devices, error));
    if (spec || !source)
        return devices_select(&suite->devices, spec, &suite->chosen, &suite->chosen_count, error);
    suite->chosen = calloc(suite->devices.count + 1, sizeof *suite->chosen);
    if (!suite->chosen)
        return error_set(error, STATUS_MEMORY, "no memory for the selected devices");
    for (size_t i = 0; i < suite->devices.count; i++)
        if (gate_source_has(source, &suite->devices.devices[i]))
            suite->chosen[suite->chosen_count++] = &suite->devices.devices[i];
    if (suite->chosen_count > 0)
        return STATUS_OK;
    free(suite->chosen);
    devices_release(&suite->devices);
    TRY(devices_find(NULL, &suite->devices, error));
    TRY(devices_select(&suite->devices, NULL, &suite->chosen, &suite->chosen_count, error));
    (void)fprintf(stderr, "device: none of the baseline's is here; %s:%u, %s, is taken\n", suite->chosen[0]->backend,
                  suite->chosen[0]->index, suite->chosen[0]->name);
    return STATUS_OK;
}

/* ---- environments and seeds ---- */

/* Keys hang on the environment, and draws on keys. */
static enum status take_environments(struct gate_suite *suite, const struct gate_source *source, struct error *error)
{
    struct run_plan *plan = suite->plan;
    for (size_t i = 0; i < suite->chosen_count; i++)
        TRY(gate_source_environment(source, suite->chosen[i], &plan->environments[i], error));
    for (size_t i = 0; i < plan->job_count; i++) {
        struct planned_job *job = &plan->jobs[i];
        plan_job_key(job->controlled ? job->controlled : job->test->test, job->environment, 0, job->key);
    }
    return STATUS_OK;
}

static enum status choose_seed(struct gate_wish *wish, const struct gate_source *source, struct error *error)
{
    if (wish->seeded)
        return STATUS_OK;
    wish->seeded = true;
    if (source) {
        wish->seed = gate_source_seed(source);
        (void)fprintf(stderr, "seed: %" PRIu64 ", the baseline's, so that its draws are repeated\n", wish->seed);
        return STATUS_OK;
    }
    return argument_new_seed(&wish->seed, error);
}

/* ---- the suite ---- */

enum status gate_suite_make(const struct gate_wish *wish, const struct gate_source *source, struct gate_suite *suite,
                            struct error *error)
{
    static char *const usual_tests[] = {usual_suite};
    *suite = (struct gate_suite){.wish = *wish, .started = clock_seconds()};
    if (wish->test_count > 0)
        TRY(tests_select(wish->tests, wish->test_count, &suite->selection, error));
    else if (source)
        TRY(gate_source_select(source, &suite->selection, error));
    else
        TRY(tests_select(usual_tests, 1, &suite->selection, error));
    TRY(choose_seed(&suite->wish, source, error));
    TRY(choose_devices(suite, source, error));
    suite->plan = calloc(1, sizeof *suite->plan);
    if (!suite->plan)
        return error_set(error, STATUS_MEMORY, "no memory for the plan of a run");
    TRY(run_plan_make(&suite->selection, suite->chosen, suite->chosen_count, wish->profile, true, suite->plan, error));
    if (source && !wish->profile)
        TRY(take_environments(suite, source, error));
    if (suite->wish.confidence <= 0)
        suite->wish.confidence = suite->selection.confidence > 0 ? suite->selection.confidence : 0.99999;
    if (suite->wish.budget <= 0)
        suite->wish.budget = suite->selection.budget > 0 ? suite->selection.budget : usual_budget;
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

size_t gate_suite_jobs(const struct gate_suite *suite)
{
    return run_plan_longest(suite->plan);
}

void gate_suite_share(struct gate_suite *suite)
{
    struct gate_wish *wish = &suite->wish;
    const size_t jobs = gate_suite_jobs(suite);
    const double spent = clock_seconds() - suite->started;
    const double closing = fmin(1, 0.1 * wish->budget) + 0.02 * wish->budget; /* reading and deciding */
    char budget[QUANTITY_SIZE], share[QUANTITY_SIZE], count[QUANTITY_SIZE];
    if (wish->seconds > 0 || wish->instances > 0)
        return;
    suite->allowance = fmax(wish->budget - spent - closing, 0.1 * wish->budget);
    wish->seconds = suite->allowance / (double)jobs; /* at most: builds and starts take their part */
    (void)fprintf(stderr, "budget: %s shared by %s job%s, at most %s each\n", quantity_seconds(wish->budget, budget),
                  quantity_count(jobs, count), jobs == 1 ? "" : "s", quantity_seconds(wish->seconds, share));
}

bool gate_suite_run(const struct gate_suite *suite, uint64_t seed, int argc, char **argv, int64_t *run_id, int *code)
{
    const struct gate_wish *wish = &suite->wish;
    const struct run_options options = {.device = wish->device,
                                        .profile = wish->profile,
                                        .database = wish->database,
                                        .instances = wish->instances,
                                        .seconds = wish->seconds,
                                        .deadline = suite->allowance > 0 ? clock_seconds() + suite->allowance : 0,
                                        .seed = seed,
                                        .seeded = true,
                                        .controls = true,
                                        .strict = wish->strict,
                                        .cache = true,
                                        .builders = -1,
                                        .limits = {60, wish->build_limit, wish->batch_limit}};
    struct run_output output = {.quiet = true};
    struct run_result result;
    *code = run_output_run(&output, &options, suite->plan, argc, argv, &result);
    *run_id = result.run_id;
    return result.status == STATUS_OK && result.signal == 0;
}
