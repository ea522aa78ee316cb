// SPDX-License-Identifier: Apache-2.0
/* orchil run: the command line. What it asks for is planned in plan_run.c and done in run_jobs.c. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "cli/arguments.h"
#include "cli/complaint.h"
#include "cli/print/run_output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "runner/run/builders.h"
#include "runner/run/plan_store.h"
#include "runner/run/run_hold.h"
#include "runner/supervise/devices.h"

enum option_key {
    OPTION_BATCH_LIMIT = 256,
    OPTION_BUILD_LIMIT,
    OPTION_BUILDERS,
    OPTION_CONFIDENCE,
    OPTION_DB,
    OPTION_DEVICE,
    OPTION_INSTANCES,
    OPTION_JSON,
    OPTION_KERNELS,
    OPTION_LOG,
    OPTION_NO_CACHE,
    OPTION_NO_CONTROLS,
    OPTION_PROFILE,
    OPTION_RESUME,
    OPTION_SAVE_KERNELS,
    OPTION_SEED,
    OPTION_SHARD,
    OPTION_STRICT,
    OPTION_TIME,
    OPTION_UNTIL
};

static const double default_seconds = 2; /* of a job */

enum { MAXIMUM_SHARDS = 10000 };

static const struct argp_option option_list[] = {
    {"device", OPTION_DEVICE, "SPEC", 0,
     "cuda:0, opencl:1; cuda, opencl, simulated; a part of a device's name; several with commas between them; all, "
     "cuda:all. Default: the first GPU, CUDA before OpenCL, else the first device",
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
    {"shard", OPTION_SHARD, "I/N", 0, "run part I of N parts; all parts with one seed are together the whole run", 0},
    {"profile", OPTION_PROFILE, "NAME|FILE", 0,
     "the environment: gpu, cpu, h100, hunt, pocl, portable, or an INI file (default: gpu or cpu, as the device is)",
     0},
    {"resume", OPTION_RESUME, "RUN", 0,
     "instead of TESTs: take up a run of the database that was cut short, by its number, or the newest (`last`), with the "
     "tests, devices, seed and limits that it had",
     0},
    {"db", OPTION_DB, "FILE", 0, "the database to store in (default: orchil.db)", 0},
    {"log", OPTION_LOG, "FILE", 0, "also append litmus7 log blocks, which mcompare7 reads", 0},
    {"json", OPTION_JSON, NULL, 0, "print one JSON object per line and job, and nothing else", 0},
    {"no-controls", OPTION_NO_CONTROLS, NULL, 0, "leave the controls of the tests out", 0},
    {"strict", OPTION_STRICT, NULL, 0, "judge a device also by orders and scopes that it does not declare", 0},
    {"builders", OPTION_BUILDERS, "N", 0,
     "processes that compile the next kernels while the device runs, 0 to 16 (default: one less than the machine has "
     "cores)",
     0},
    {"save-kernels", OPTION_SAVE_KERNELS, "DIR", 0,
     "keep in DIR what the compiler produced (PTX, OpenCL binaries), made for the oldest devices and drivers that can run it",
     0},
    {"kernels", OPTION_KERNELS, "DIR", 0,
     "compile nothing: replay the kernels that --save-kernels kept in DIR, also where there is no compiler", 0},
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

static error_t parse_shard(const struct argp_state *state, const char *value, struct run_options *options)
{
    char *end = NULL;
    const unsigned long shard = strtoul(value, &end, 10);
    const bool divided = value[0] >= '0' && value[0] <= '9' && end[0] == '/' && end[1] >= '0' && end[1] <= '9';
    const unsigned long shards = divided ? strtoul(end + 1, &end, 10) : 0;
    if (!divided || *end != '\0' || shard < 1 || shard > shards || shards > MAXIMUM_SHARDS)
        return argument_bad(state, "shard", "I/N, the part and how many there are, from 1/1 to 10000/10000", value);
    options->shard = (unsigned)shard;
    options->shards = (unsigned)shards;
    return 0;
}

static error_t parse_kernels(const struct argp_state *state, enum frozen_use use, const char *folder,
                             struct frozen_folder *frozen)
{
    if (frozen->use != FROZEN_NONE && frozen->use != use) {
        argp_error(state, "--save-kernels and --kernels exclude each other: expected one of them");
        return EINVAL;
    }
    if (folder[0] == '\0')
        return argument_bad(state, frozen_option(use) + 2, "a folder", folder);
    *frozen = (struct frozen_folder){use, folder};
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

/* The command line. */
struct command {
    struct run_options options;
    const char *log;     /* a file to append log blocks to, or NULL */
    bool json;           /* objects instead of words */
    const char *resume;  /* the run to take up, or NULL */
    const char *decides; /* the last option that a run's plan decides, or NULL */
};

/* Those that a run which is taken up brings along. */
static const char *name_of_decided(int key)
{
    static const int decided[] = {OPTION_BATCH_LIMIT, OPTION_BUILD_LIMIT, OPTION_CONFIDENCE, OPTION_DEVICE,
                                  OPTION_INSTANCES,   OPTION_NO_CONTROLS, OPTION_PROFILE,    OPTION_SEED,
                                  OPTION_SHARD,       OPTION_STRICT,      OPTION_TIME,       OPTION_UNTIL};
    for (size_t i = 0; i < sizeof decided / sizeof *decided; i++)
        for (const struct argp_option *option = option_list; option->name && decided[i] == key; option++)
            if (option->key == key)
                return option->name;
    return NULL;
}

static error_t check_command(const struct argp_state *state, const struct command *command)
{
    if (command->resume && command->decides)
        argp_error(state, "--resume takes up a run as it was begun: --%s is not for it", command->decides);
    else if (command->resume && command->options.test_count > 0)
        argp_error(state, "--resume takes up a run with the tests that it has: '%s' is not for it",
                   command->options.tests[0]);
    else if (!command->resume && command->options.test_count == 0)
        return argument_no_tests(state);
    else
        return 0;
    return EINVAL;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct command *command = state->input;
    struct run_options *options = &command->options;
    if (name_of_decided(key))
        command->decides = name_of_decided(key);
    switch (key) {
    case OPTION_RESUME:
        command->resume = value;
        return 0;
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
        command->log = value;
        return 0;
    case OPTION_SAVE_KERNELS:
        return parse_kernels(state, FROZEN_SAVE, value, &options->frozen);
    case OPTION_KERNELS:
        return parse_kernels(state, FROZEN_REPLAY, value, &options->frozen);
    case OPTION_JSON:
        command->json = true;
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
    case OPTION_SHARD:
        return parse_shard(state, value, options);
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
        return argument_tests(state, &options->tests, &options->test_count);
    case ARGP_KEY_END:
        return check_command(state, command);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char documentation[] =
    "Runs litmus tests under stress, prints the histogram of their outcomes and stores every batch.\v"
    "TEST is a name or a glob over the catalogue (orchil list), a path to a .litmus file, a directory or an @index. A "
    "test's controls run behind it in the same draws: what they show must never appear.\n\n"
    "Devices work at the same time, unless they are one piece of hardware. With `--device all` or `cuda:all`, devices that "
    "are equal in all but their UUID share the tests; those of a list, as in `--device cuda:0,cuda:1`, each run all of "
    "them.\n\n"
    "A run that was cut short, by a signal or a power cut, is taken up again with --resume: what it has is kept, the job "
    "that was cut short goes on at its next batch, and in the end the run has what it would have had.\n\n"
    "Examples:\n"
    "  orchil run MP+relaxed\n"
    "  orchil run --time 60 --device cuda 'SB*' 'LB*'\n"
    "  orchil run --instances 10G --json my-test.litmus\n"
    "  orchil run --device cuda --save-kernels kernels @quick\n"
    "  orchil run --device cuda --kernels kernels --db old-driver.db @quick\n"
    "  orchil run --device all --seed 7 --shard 2/4 --db part2.db @standard\n"
    "  orchil run --resume last --db part2.db\n\n"
    "Exit codes: 0 all as it should be; 1 an outcome was seen that must never appear; 2 wrong usage, or a file that "
    "cannot be read or parsed: nothing ran, unless it is one of a folder, a glob or an index, which are listed while the "
    "rest runs; 3 inconclusive (nothing completed, or a batch was invalid); 4 no device, the database "
    "failed, or a job ended in a hang, a crash, a failed build or a lost device; 130, 143 interrupted, with everything "
    "finished already stored.";

/* Where no option says how long a job runs, the suite's budget is shared by all that follow each other, controls too. */
static void set_time(struct run_options *options, const struct selection *selection, const struct run_plan *plan)
{
    char budget[QUANTITY_SIZE], share[QUANTITY_SIZE], jobs[QUANTITY_SIZE];
    const size_t count = run_plan_longest(plan);
    if (options->instances > 0 || options->seconds > 0)
        return;
    if (selection->budget <= 0) {
        options->seconds = default_seconds;
        return;
    }
    options->seconds = selection->budget / (double)count;
    (void)fprintf(stderr, "budget: %s shared by %s job%s%s, %s each\n", quantity_seconds(selection->budget, budget),
                  quantity_count(count, jobs), count == 1 ? "" : "s", plan->device_count > 1 ? " per device" : "",
                  quantity_seconds(options->seconds, share));
}

/* A shard is the same part of the same jobs on every machine: the limits are those of all of them. */
static void take_shard(const struct run_options *options, struct run_plan *plan)
{
    const size_t all = plan->unit_count;
    if (options->shards == 0)
        return;
    run_plan_shard(plan, options->shard, options->shards);
    (void)fprintf(stderr, "shard %u of %u: %zu of %zu tests, seed %" PRIu64 "%s\n", options->shard, options->shards,
                  plan->unit_count, all, options->seed,
                  options->seeded ? "" : ", which the other shards need too (--seed)");
}

/* What a run needs until it has ended. */
struct prepared {
    struct selection selection;
    struct device_list devices;
    const struct backend_device **chosen;
    struct run_plan plan;
    int hold; /* of a run that is taken up; -1: none */
};

static void take_unread(const struct selection *selection, struct run_options *options)
{
    options->unread = selection->unread;
    options->unread_count = selection->unread_count;
}

static enum status prepare(struct run_options *options, struct prepared *prepared, struct error *error)
{
    struct run_plan *plan = &prepared->plan;
    size_t chosen_count = 0;
    TRY(tests_select(options->tests, options->test_count, &prepared->selection, error));
    take_unread(&prepared->selection, options);
    if (!options->seeded)
        TRY(argument_new_seed(&options->seed, error));
    TRY(devices_find(devices_backend(options->device), &prepared->devices, error));
    TRY(devices_select(&prepared->devices, options->device, &prepared->chosen, &chosen_count, error));
    TRY(run_plan_make(&prepared->selection, prepared->chosen, chosen_count, options->profile, options->controls, plan,
                      error));
    if (devices_shared(options->device))
        run_plan_share(plan);
    set_time(options, &prepared->selection, plan);
    take_shard(options, plan);
    return STATUS_OK;
}

static void say_what_is_left(const struct run_options *options, const struct run_plan *plan)
{
    size_t left = 0;
    for (size_t i = 0; i < plan->job_count; i++)
        left += !plan->jobs[i].begun || !plan->jobs[i].begun->finished;
    if (left > 0)
        (void)fprintf(stderr, "run %" PRId64 ": %zu of %zu jobs are left to do\n", options->resume, left,
                      plan->job_count);
    else
        (void)fprintf(stderr, "run %" PRId64 " has all its %zu jobs: nothing is left to do\n", options->resume,
                      plan->job_count);
}

static enum status recall(const char *run, struct store *store, struct run_options *options, struct prepared *prepared,
                          struct error *error)
{
    const char *backend;
    TRY(plan_find_run(store, run, &options->resume, error));
    TRY(run_hold(options->database, options->resume, &prepared->hold, error));
    TRY(plan_recall_backend(store, options->resume, &backend, error));
    TRY(devices_find(backend, &prepared->devices, error));
    TRY(plan_recall(store, options->resume, &prepared->devices, options, &prepared->plan, error));
    TRY(plan_recall_unread(store, options->resume, &prepared->selection, error));
    tests_print_unread(&prepared->selection);
    take_unread(&prepared->selection, options);
    say_what_is_left(options, &prepared->plan);
    return STATUS_OK;
}

static enum status prepare_again(const char *run, struct run_options *options, struct prepared *prepared,
                                 struct error *error)
{
    struct store *store = NULL;
    if (access(options->database, F_OK) != 0)
        return error_set(error, STATUS_USAGE, "--resume %s: there is no database %s; --db names another", run,
                         options->database);
    enum status status = store_open(options->database, STORE_WRITE, &store, error);
    if (status == STATUS_OK)
        status = recall(run, store, options, prepared, error);
    store_close(store);
    return status;
}

int verb_run(int argc, char **argv)
{
    const struct argp argp = {option_list, parse_option, "TEST...\n--resume RUN", documentation, NULL, NULL, NULL};
    struct command command = {
        .options = {.database = "orchil.db", .controls = true, .cache = true, .builders = -1, .limits = {60, 120, 30}}};
    struct run_options *options = &command.options;
    struct prepared prepared = {.hold = -1};
    struct run_output output = {.quiet = false};
    struct run_result result;
    struct error error;

    argp_err_exit_status = 2;
    if (argp_parse(&argp, argc, argv, 0, NULL, &command) != 0)
        return 2;
    enum status status = command.resume ? prepare_again(command.resume, options, &prepared, &error)
                                        : prepare(options, &prepared, &error);
    output.json = command.json;
    if (status == STATUS_OK)
        status = run_output_log(&output, command.log, options->database, &error);
    const int code = status == STATUS_OK ? run_output_run(&output, options, &prepared.plan, argc, argv, &result)
                                         : complain("orchil run", &error);
    run_let_go(prepared.hold);
    run_plan_release(&prepared.plan);
    free(prepared.chosen);
    devices_release(&prepared.devices);
    selection_release(&prepared.selection);
    return code;
}
