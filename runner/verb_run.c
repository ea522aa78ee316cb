// SPDX-License-Identifier: Apache-2.0
/* orchil run: the command line. What it asks for is planned in plan_run.c and done in run_jobs.c. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "runner/arguments.h"
#include "runner/builders.h"
#include "runner/complaint.h"
#include "runner/devices.h"
#include "runner/run_jobs.h"
#include "runner/verb.h"

enum option_key {
    OPTION_BATCH_LIMIT = 256,
    OPTION_BUILD_LIMIT,
    OPTION_BUILDERS,
    OPTION_CONFIDENCE,
    OPTION_DB,
    OPTION_DEVICE,
    OPTION_INSTANCES,
    OPTION_JSON,
    OPTION_LOG,
    OPTION_NO_CACHE,
    OPTION_NO_CONTROLS,
    OPTION_PROFILE,
    OPTION_SEED,
    OPTION_STRICT,
    OPTION_TIME,
    OPTION_UNTIL
};

static const double default_seconds = 2; /* of a job */

static const struct argp_option option_list[] = {
    {"device", OPTION_DEVICE, "SPEC", 0,
     "cuda:0, opencl:1; cuda, opencl, simulated; a part of a device's name; all. Default: the first GPU, CUDA before "
     "OpenCL, else the first device",
     0},
    {"instances", OPTION_INSTANCES, "N", 0, "instances of each test, at least; k, M, G behind a number are understood",
     0},
    {"time", OPTION_TIME, "S", 0,
     "seconds for each test, or with m or h behind it (default: a share of the suite's budget, else 2, where --instances "
     "does not say otherwise); with both, the first that is reached ends the test",
     0},
    {"until", OPTION_UNTIL, "WHAT", 0,
     "end each test at its first witness (`witness`) or at an outcome that its model forbids (`forbidden`), if that is "
     "before its limits",
     0},
    {"confidence", OPTION_CONFIDENCE, "C", 0,
     "end each test, before its limits, when its witness was seen often enough for the confidence C (0.95: 3 times, "
     "0.99999: 12 times), and each of its controls after as many instances as the test takes for that",
     0},
    {"seed", OPTION_SEED, "N", 0, "of all random choices; equal seeds give equal launches (default: a new one)", 0},
    {"profile", OPTION_PROFILE, "NAME|FILE", 0, "the environment: gpu, cpu, or an INI file (default: what fits)", 0},
    {"db", OPTION_DB, "FILE", 0, "the database to store in (default: orchil.db)", 0},
    {"log", OPTION_LOG, "FILE", 0, "also append litmus7 log blocks, which mcompare7 reads", 0},
    {"json", OPTION_JSON, NULL, 0, "print one JSON object per line and job, and nothing else", 0},
    {"no-controls", OPTION_NO_CONTROLS, NULL, 0, "leave the controls of the tests out", 0},
    {"strict", OPTION_STRICT, NULL, 0, "judge a device also by orders and scopes that it does not declare", 0},
    {"builders", OPTION_BUILDERS, "N", 0,
     "processes that compile the next kernels while the device runs, 0 to 16 (default: one less than the machine has "
     "cores)",
     0},
    {"no-cache", OPTION_NO_CACHE, NULL, 0, "compile every kernel anew, and keep none for later runs", 0},
    {"build-limit", OPTION_BUILD_LIMIT, "S", 0, "seconds that building a kernel may take (default: 120)", 0},
    {"batch-limit", OPTION_BATCH_LIMIT, "S", 0, "seconds that a batch may take (default: 30)", 0},
    {0}};

static error_t parse_builders(const struct argp_state *state, const char *value, int *builders)
{
    char *end;
    const long count = strtol(value, &end, 10);
    if (end == value || *end != '\0' || count < 0 || count > BUILDERS_MAXIMUM)
        return argument_bad(state, "builders", "a whole number from 0 to 16", value);
    *builders = (int)count;
    return 0;
}

static error_t parse_until(const struct argp_state *state, const char *value, enum run_until *until)
{
    if (strcmp(value, "witness") != 0 && strcmp(value, "forbidden") != 0)
        return argument_bad(state, "until", "witness or forbidden", value);
    *until = value[0] == 'w' ? UNTIL_WITNESS : UNTIL_FORBIDDEN;
    return 0;
}

static error_t parse_confidence(const struct argp_state *state, const char *value, double *confidence)
{
    char *end;
    *confidence = strtod(value, &end);
    if (end == value || *end != '\0' || !(*confidence > 0 && *confidence < 1))
        return argument_bad(state, "confidence", "a number between 0 and 1, like 0.99999", value);
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct run_options *options = state->input;
    switch (key) {
    case OPTION_DEVICE:
        options->device = value;
        return 0;
    case OPTION_PROFILE:
        options->profile = value;
        return 0;
    case OPTION_DB:
        options->database = value;
        return 0;
    case OPTION_LOG:
        options->log = value;
        return 0;
    case OPTION_JSON:
        options->json = true;
        return 0;
    case OPTION_NO_CACHE:
        options->cache = false;
        return 0;
    case OPTION_BUILDERS:
        return parse_builders(state, value, &options->builders);
    case OPTION_NO_CONTROLS:
        options->controls = false;
        return 0;
    case OPTION_STRICT:
        options->strict = true;
        return 0;
    case OPTION_SEED:
        options->seeded = true;
        return argument_seed(state, value, &options->seed);
    case OPTION_UNTIL:
        return parse_until(state, value, &options->until);
    case OPTION_CONFIDENCE:
        return parse_confidence(state, value, &options->confidence);
    case OPTION_TIME:
        return argument_seconds(state, "time", value, &options->seconds);
    case OPTION_BUILD_LIMIT:
        return argument_seconds(state, "build-limit", value, &options->limits.build);
    case OPTION_BATCH_LIMIT:
        return argument_seconds(state, "batch-limit", value, &options->limits.batch);
    case OPTION_INSTANCES:
        return quantity_parse_count(value, &options->instances)
                   ? 0
                   : argument_bad(state, "instances", "a positive whole number, like 1000000, 100M or 1G", value);
    case ARGP_KEY_ARGS:
        options->tests = state->argv + state->next;
        options->test_count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected a TEST, such as 'SB*' or a path to a .litmus file");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char documentation[] =
    "Runs litmus tests under stress, prints the histogram of their outcomes and stores every batch.\v"
    "TEST is a name or a glob over the catalogue (orchil list), a path to a .litmus file, a directory or an @index. A "
    "test's controls run behind it in the same draws: what they show must never appear.\n\n"
    "Examples:\n"
    "  orchil run MP+relaxed\n"
    "  orchil run --time 60 --device cuda 'SB*' 'LB*'\n"
    "  orchil run --instances 10G --json my-test.litmus\n\n"
    "Exit codes: 0 all as it should be; 1 an outcome was seen that must never appear; 2 wrong usage, or a file that "
    "cannot be read or parsed; 3 inconclusive (nothing completed, or a batch was invalid); 4 no device, the database "
    "failed, or a job ended in a hang, a crash, a failed build or a lost device; 130, 143 interrupted, with everything "
    "finished already stored.";

static enum status choose_seed(struct run_options *options, struct error *error)
{
    if (!options->seeded && getrandom(&options->seed, sizeof options->seed, 0) != (ssize_t)sizeof options->seed)
        return error_set(error, STATUS_SYSTEM, "no random seed: %s; choose one with --seed", strerror(errno));
    if (!options->seeded)
        options->seed &= UINT32_MAX; /* short enough to be typed again */
    return STATUS_OK;
}

/* Where no option says how long a job runs, the suite's budget is shared by all of them, controls too. */
static void set_time(struct run_options *options, const struct selection *selection, const struct run_plan *plan)
{
    char budget[QUANTITY_SIZE], share[QUANTITY_SIZE], jobs[QUANTITY_SIZE];
    if (options->instances > 0 || options->seconds > 0)
        return;
    if (selection->budget <= 0) {
        options->seconds = default_seconds;
        return;
    }
    options->seconds = selection->budget / (double)plan->job_count;
    (void)fprintf(stderr, "budget: %s shared by %s job%s, %s each\n", quantity_seconds(selection->budget, budget),
                  quantity_count(plan->job_count, jobs), plan->job_count == 1 ? "" : "s",
                  quantity_seconds(options->seconds, share));
}

int verb_run(int argc, char **argv)
{
    const struct argp argp = {option_list, parse_option, "TEST...", documentation, NULL, NULL, NULL};
    struct run_options options = {
        .database = "orchil.db", .controls = true, .cache = true, .builders = -1, .limits = {60, 120, 30}};
    struct selection selection = {0};
    struct device_list devices = {0};
    const struct backend_device **chosen = NULL;
    size_t chosen_count = 0;
    struct run_plan plan = {0};
    struct error error;
    int code;

    argp_err_exit_status = 2;
    if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
        return 2;
    enum status status = selection_make(options.tests, options.test_count, &selection, &error);
    if (status == STATUS_OK)
        status = choose_seed(&options, &error);
    if (status == STATUS_OK)
        status = devices_find(devices_backend(options.device), &devices, &error);
    if (status == STATUS_OK)
        status = devices_select(&devices, options.device, &chosen, &chosen_count, &error);
    if (status == STATUS_OK)
        status = run_plan_make(&selection, chosen, chosen_count, options.profile, options.controls, &plan, &error);
    if (status == STATUS_OK)
        set_time(&options, &selection, &plan);
    code = status == STATUS_OK ? run_jobs(&options, &plan, argc, argv) : complain("orchil run", &error);
    run_plan_release(&plan);
    free(chosen);
    devices_release(&devices);
    selection_release(&selection);
    return code;
}
