// SPDX-License-Identifier: Apache-2.0
/* orchil tune: the command line. The search is in runner/tune. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "cli/arguments.h"
#include "cli/complaint.h"
#include "cli/output_path.h"
#include "cli/print/tune_output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "runner/supervise/devices.h"

enum option_key {
    OPTION_BATCH_LIMIT = 256,
    OPTION_BUILD_LIMIT,
    OPTION_DB,
    OPTION_DEVICE,
    OPTION_NO_CONTROLS,
    OPTION_OUT,
    OPTION_PORTABLE,
    OPTION_PROFILE,
    OPTION_SEED,
    OPTION_TIME,
    OPTION_TRIALS
};

enum { MAXIMUM_SPECS = 16 };

struct command {
    struct tune_options options;
    const char *specs[MAXIMUM_SPECS];
    size_t spec_count;
    bool seeded, portable, controls;
    char **tests;
    size_t test_count;
};

static const struct argp_option option_list[] = {
    {"device", OPTION_DEVICE, "SPEC", 0, "as in orchil run; with --portable it may be given several times", 0},
    {"portable", OPTION_PORTABLE, NULL, 0, "find one profile for several devices: the sum of the logarithms counts", 0},
    {"time", OPTION_TIME, "S", 0, "seconds for everything, or with m or h behind it (default: 2m)", 0},
    {"trials", OPTION_TRIALS, "N", 0, "candidates at most (default: as many as there is time for)", 0},
    {"seed", OPTION_SEED, "N", 0, "of the candidates and of all launches (default: a new one)", 0},
    {"profile", OPTION_PROFILE, "NAME|FILE", 0,
     "the profile that the search starts from, and is compared with (default: the built-in one that fits)", 0},
    {"out", OPTION_OUT, "FILE", 0, "the profile to write (default: tuned.ini); an older file is replaced", 0},
    {"db", OPTION_DB, "FILE", 0, "the database to store every trial in (default: orchil.db)", 0},
    {"no-controls", OPTION_NO_CONTROLS, NULL, 0, "leave the controls of the tests out: nothing then guards the harness",
     0},
    {"build-limit", OPTION_BUILD_LIMIT, "S", 0, "seconds that building a kernel may take (default: 120)", 0},
    {"batch-limit", OPTION_BATCH_LIMIT, "S", 0, "seconds that a batch may take (default: 10)", 0},
    {0}};

static error_t add_spec(const struct argp_state *state, const char *value, struct command *command)
{
    if (command->spec_count == MAXIMUM_SPECS) {
        argp_error(state, "--device: more than %d of them", MAXIMUM_SPECS);
        return EINVAL;
    }
    command->specs[command->spec_count++] = value;
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct command *command = state->input;
    switch (key) {
    case OPTION_DEVICE:
        return add_spec(state, value, command);
    case OPTION_PORTABLE:
        command->portable = true;
        return 0;
    case OPTION_NO_CONTROLS:
        command->controls = false;
        return 0;
    case OPTION_PROFILE:
        command->options.profile = value;
        return 0;
    case OPTION_OUT:
        command->options.out = value;
        return 0;
    case OPTION_DB:
        command->options.database = value;
        return 0;
    case OPTION_SEED:
        command->seeded = true;
        return argument_seed(state, value, &command->options.seed);
    case OPTION_TIME:
        return argument_seconds(state, "time", value, &command->options.seconds);
    case OPTION_BUILD_LIMIT:
        return argument_seconds(state, "build-limit", value, &command->options.limits.build);
    case OPTION_BATCH_LIMIT:
        return argument_seconds(state, "batch-limit", value, &command->options.limits.batch);
    case OPTION_TRIALS:
        return quantity_parse_count(value, &command->options.trials)
                   ? 0
                   : argument_bad(state, "trials", "a positive whole number", value);
    case ARGP_KEY_ARGS:
        return argument_tests(state, &command->tests, &command->test_count);
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected a TEST whose witness is allowed, such as SB+relaxed");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char documentation[] =
    "Searches for an environment in which the witnesses of tests are frequent, and writes it as a profile for orchil "
    "run.\v"
    "TEST is as in orchil run; its witness must be allowed. The rates of several tests count by the sum of their "
    "logarithms. A candidate in which a control shows its witness is told of and rejected. Every trial is stored. Equal "
    "seeds draw equal candidates, as long as equal ones turn out best. SIGINT ends the search and keeps the best.\n\n"
    "Examples:\n"
    "  orchil tune opencl:SB+relaxed\n"
    "  orchil tune --device cuda --time 10m --out h100.ini 'ptx:?B+relaxed'\n"
    "  orchil tune --portable --device all --out portable.ini SB+relaxed\n"
    "  orchil run --profile h100.ini 'SB*'\n\n"
    "Exit codes: 0 a profile was written; 1 an outcome was seen that must never appear; 2 wrong usage, or a file that "
    "cannot be read (of a folder, the rest is used), parsed or written; 3 no candidate showed a witness; 4 no device, the database failed, or the device "
    "did; 130, 143 interrupted, with the best so far written, if there was any.";

/* ---- devices ---- */

struct chosen {
    struct device_list list;
    const struct backend_device **devices; /* into list */
    size_t count;
};

/* Adds the devices of a SPEC, each once. chosen->devices has room for all of the list. */
static enum status add_devices(struct chosen *chosen, const char *spec, struct error *error)
{
    const struct backend_device **found;
    size_t count;
    TRY(devices_select(&chosen->list, spec, &found, &count, error));
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < chosen->count && chosen->devices[k] != found[i])
            k++;
        if (k == chosen->count)
            chosen->devices[chosen->count++] = found[i];
    }
    free(found);
    return STATUS_OK;
}

static enum status choose_devices(const struct command *command, struct chosen *chosen, struct error *error)
{
    const char *backend = command->spec_count == 1 ? devices_backend(command->specs[0]) : NULL;
    TRY(devices_find(backend, &chosen->list, error));
    chosen->devices = calloc(chosen->list.count + 1, sizeof *chosen->devices);
    if (!chosen->devices)
        return error_set(error, STATUS_MEMORY, "no memory for the selected devices");
    if (command->spec_count == 0)
        TRY(add_devices(chosen, NULL, error));
    for (size_t i = 0; i < command->spec_count; i++)
        TRY(add_devices(chosen, command->specs[i], error));
    if (chosen->count > 1 && !command->portable)
        return error_set(error, STATUS_USAGE,
                         "--device means %zu devices: tune them one by one, or --portable for one profile of them all",
                         chosen->count);
    return STATUS_OK;
}

static enum status check_tests(const struct selection *selection, struct error *error)
{
    for (size_t i = 0; i < selection->count; i++)
        if (plan_forbids(selection->tests[i].test))
            return error_set(
                error, STATUS_USAGE,
                "%s says that its witness must never appear: tune with a test whose witness is allowed; the "
                "tests that it names in Control= run along",
                selection->tests[i].test->name);
    return STATUS_OK;
}

int verb_tune(int argc, char **argv)
{
    const struct argp argp = {option_list, parse_option, "TEST...", documentation, NULL, NULL, NULL};
    struct command command = {
        .options = {.database = "orchil.db", .out = "tuned.ini", .seconds = 120, .limits = {60, 120, 10}},
        .controls = true};
    struct selection selection = {0};
    struct chosen chosen = {0};
    struct run_plan plan = {0};
    struct error error;

    argp_err_exit_status = 2;
    if (argp_parse(&argp, argc, argv, 0, NULL, &command) != 0)
        return 2;
    enum status status = tests_select(command.tests, command.test_count, &selection, &error);
    if (status == STATUS_OK)
        status = check_tests(&selection, &error);
    if (status == STATUS_OK && !command.seeded)
        status = argument_new_seed(&command.options.seed, &error);
    if (status == STATUS_OK)
        status = choose_devices(&command, &chosen, &error);
    if (status == STATUS_OK)
        status = run_plan_make(&selection, chosen.devices, chosen.count, NULL, command.controls, &plan, &error);
    if (status == STATUS_OK)
        status = output_path_check("out", command.options.out, command.options.database, &error);
    const int code =
        status == STATUS_OK ? tune_output_run(&command.options, &plan, argc, argv) : complain("orchil tune", &error);
    const int result = tests_exit_code(selection.unread_count, code);
    run_plan_release(&plan);
    free(chosen.devices);
    devices_release(&chosen.list);
    selection_release(&selection);
    return result;
}
