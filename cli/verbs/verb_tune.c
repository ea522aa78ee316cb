// SPDX-License-Identifier: Apache-2.0
/* orchil tune: the command line. The search is in runner/tune. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/terminal/terminal.h"
#include "cli/common_rows.h"
#include "cli/complaint.h"
#include "cli/output_path.h"
#include "cli/print/tune_output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "runner/run/provenance.h"
#include "runner/run/siblings.h"
#include "runner/supervise/devices.h"

enum { MAXIMUM_SPECS = 16 };

struct tune_request {
    struct tune_options options;
    const char *specs[MAXIMUM_SPECS];
    size_t spec_count;
    bool seeded, portable, controls;
    struct verb_arguments tests;
};

static void tune_add_spec(const struct argp_state *state, const struct option_row *row, const char *value, void *data)
{
    struct tune_request *request = data;
    if (request->spec_count == MAXIMUM_SPECS)
        options_error(state, "--%s: at most %d", row->name, MAXIMUM_SPECS);
    request->specs[request->spec_count++] = value;
}

#define AT(member) offsetof(struct tune_request, member)

static const struct option_row tune_rows[] = {
    {"device", 0, "SPEC", OPTION_OTHER, .read = tune_add_spec,
     .help = "the device; may be given several times with --portable; values as in `orchil run`"},
    {"portable", 0, NULL, OPTION_SET, AT(portable),
     .help = "find one profile for several devices, by the sum of the logarithms of their rates"},
    {"time", 0, "S", OPTION_SECONDS, AT(options.seconds), "2m",
     .help = "time for everything, in seconds or with the suffix m or h (default: %s)"},
    {"trials", 0, "N", OPTION_COUNT, AT(options.trials),
     .help = "most candidates (default: as many as there is time for)"},
    {ROW_SEED(AT(options.seed), AT(seeded)),
     .help = "the seed of the candidates and of all launches (default: a new one)"},
    {ROW_PROFILE(AT(options.profile)),
     .help = "the profile to start from and to compare with (default: the built-in one for the device)"},
    {ROW_HOME(AT(options.homes)), .help = HELP_HOME " (default: the profile's, or drawn for each batch)"},
    {"out", 0, "FILE", OPTION_TEXT, AT(options.out), "tuned.ini",
     .help = "the profile to write (default: %s); an existing file is replaced"},
    {ROW_DATABASE(AT(options.database)), .help = "the database to store every trial in (default: %s)"},
    {"no-controls", 0, NULL, OPTION_CLEAR, AT(controls),
     .help = "do not run the controls of the tests; then nothing checks the harness"},
    {ROW_BUILD_LIMIT(AT(options.limits))},
    {ROW_BATCH_LIMIT(AT(options.limits), "10")},
    {0}};

static const char documentation[] =
    "Search for an environment in which the witnesses of tests are frequent, and write it as a profile for `orchil "
    "run`.\vTEST is as in `orchil run`; its witness must be allowed. With several tests, the sum of the logarithms "
    "of their rates counts. A candidate in which a control shows its witness is reported and rejected. Every trial "
    "is stored. Equal seeds give equal candidates as long as the same candidates turn out best.\n\n"
    "At the end, the best candidate and the profile that the search started from are measured alternately. The new "
    "profile is written only if its rate is higher by the 95 % interval of the ratio; otherwise the old one is "
    "kept. SIGINT ends the search and writes the best candidate so far, without this comparison.";

static const char *const examples[] = {
    "orchil tune opencl:SB+relaxed", "orchil tune --device cuda --time 10m --out h100.ini 'ptx:?B+relaxed'",
    "orchil tune --portable --device all --out portable.ini SB+relaxed", "orchil run --profile h100.ini 'SB*'", NULL};

static const struct exit_code exit_codes[] = {
    {"0", "a profile was written"},
    {"1", "an outcome was seen that must never appear"},
    {"2", "wrong usage, or a file that cannot be read (of a folder, the rest is used), parsed or written"},
    {"3", "no candidate showed a witness, or none was better than the old profile"},
    {"4", "no device, or the database or the device failed"},
    {"130, 143", "interrupted; the best candidate so far is written, if there is one"},
    {0}};

/* ---- devices ---- */

struct chosen_devices {
    struct device_list list;
    const struct backend_device **devices; /* into list */
    size_t count;
};

/* Adds the devices of a SPEC, each once. chosen->devices has room for all of the list. */
static enum status tune_add_devices(struct chosen_devices *chosen, const char *spec, struct error *error)
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

static enum status tune_choose_devices(const struct tune_request *request, struct chosen_devices *chosen,
                                       struct error *error)
{
    struct text specs = {0};
    for (size_t i = 0; i < request->spec_count; i++)
        text_add(&specs, "%s%s", i > 0 ? "," : "", request->specs[i]);
    const enum status status =
        devices_find_for(request->spec_count > 0 ? text_string(&specs) : NULL, &chosen->list, error);
    text_release(&specs);
    if (status != STATUS_OK)
        return status;
    chosen->devices = memory_take(chosen->list.count, sizeof *chosen->devices);
    if (request->spec_count == 0)
        TRY(tune_add_devices(chosen, NULL, error));
    for (size_t i = 0; i < request->spec_count; i++)
        TRY(tune_add_devices(chosen, request->specs[i], error));
    if (chosen->count > 1 && !request->portable)
        return error_set(
            error, STATUS_USAGE,
            "--device selects %zu devices: tune them one by one, or use --portable for one profile for all",
            chosen->count);
    return STATUS_OK;
}

static enum status tune_check_tests(const struct selection *selection, struct error *error)
{
    for (size_t i = 0; i < selection->count; i++)
        if (litmus_forbids_witness(selection->tests[i].test))
            return error_set(
                error, STATUS_USAGE,
                "%s says that its witness must never appear: tune with a test whose witness is allowed; the "
                "tests that it names in Control= run with it",
                selection->tests[i].test->name);
    return STATUS_OK;
}

/* Gives advice for the first test that its device cannot run. */
static void tune_print_siblings(const struct run_plan *plan)
{
    struct text instead = {0};
    for (size_t i = 0; i < plan->job_count && instead.size == 0; i++)
        siblings_add_hint(plan->jobs[i].test->test, plan->jobs[i].device, &instead);
    terminal_write(stderr, text_string(&instead));
    text_release(&instead);
}

static int tune_main(int argc, char **argv)
{
    struct tune_request request = {.options = {.limits = {.open = OPEN_SECONDS}}};
    struct selection selection = {0};
    struct chosen_devices chosen = {0};
    struct run_plan plan = {0};
    struct provenance provenance;
    struct error error;
    options_parse(&verb_tune, argc, argv, &request);
    provenance_find(argc, argv, &provenance);
    request.options.provenance = &provenance;
    enum status status = tests_select(request.tests.list, request.tests.count, &selection, &error);
    if (status == STATUS_OK)
        status = tune_check_tests(&selection, &error);
    if (status == STATUS_OK && !request.seeded)
        status = random_seed(&request.options.seed, &error);
    if (status == STATUS_OK)
        status = tune_choose_devices(&request, &chosen, &error);
    if (status == STATUS_OK)
        status = run_plan_make(&selection, chosen.devices, chosen.count, NULL, request.options.homes,
                               RUN_LOWERING_USUAL, request.controls, &plan, &error);
    if (status == STATUS_OK)
        status = output_path_check("out", request.options.out, request.options.database, &error);
    if (status == STATUS_OK)
        tune_print_siblings(&plan);
    const int code = status == STATUS_OK ? tune_output_run(&request.options, &plan) : complain(argv[0], &error);
    const int result = tests_exit_code(selection.unread_count, code);
    provenance_release(&provenance);
    run_plan_release(&plan);
    free(chosen.devices);
    devices_release(&chosen.list);
    selection_release(&selection);
    return result;
}

const struct verb verb_tune = {.name = "tune",
                               .summary = "search for an environment in which weak outcomes are frequent",
                               .usage = "TEST...",
                               .documentation = documentation,
                               .examples = examples,
                               .exit_codes = exit_codes,
                               .options = tune_rows,
                               .arguments = AT(tests),
                               .no_arguments = "expected a TEST whose witness is allowed, such as SB+relaxed",
                               .run = tune_main};
