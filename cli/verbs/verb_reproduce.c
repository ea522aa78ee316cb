// SPDX-License-Identifier: Apache-2.0
/* orchil reproduce: a standalone program that shows an outcome. */
#include <sys/stat.h>

#include "base/random.h"
#include "cli/atomics.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "hunt/minimise/minimise.h"
#include "hunt/reproduce/recall.h"
#include "runner/protocol/device.h"
#include "version.h"

enum { EXIT_UNSEEN = 3 };

struct reproduce_request {
    uint64_t job, seed;
    bool seeded, as_it_is;
    double seconds;
    const char *outcome, *folder, *device, *profile;
    struct supervisor_limits limits;
    struct verb_arguments arguments;
};

#define AT(member) offsetof(struct reproduce_request, member)

static const struct option_row option_rows[] = {
    {"job", 0, "N", OPTION_COUNT, .offset = AT(job), .expected = "the number of a job"},
    {"outcome", 0, "LABEL", OPTION_TEXT, .offset = AT(outcome)},
    {ROW_OUT("FOLDER", AT(folder)), .file = OPTION_FILE_FOLDER},
    {"time", 0, "S", OPTION_SECONDS, .offset = AT(seconds), "5m"},
    {"as-it-is", 0, NULL, OPTION_SET, .offset = AT(as_it_is)},
    {ROW_DEVICE(AT(device))},
    {ROW_PROFILE(AT(profile))},
    {ROW_SEED(AT(seed), AT(seeded))},
    {ROW_BUILD_LIMIT(AT(limits))},
    {ROW_BATCH_LIMIT(AT(limits), "10")},
    ATOMICS_ROWS,
    {0}};

static void reproduce_check_options(const struct argp_state *state, const void *data)
{
    const struct reproduce_request *request = data;
    const size_t count = request->arguments.count;
    if (!request->folder)
        options_error(state, "expected -o FOLDER, the folder for the program");
    else if (request->job > 0 && count > 1)
        options_error(state, "expected one DATABASE, found also '%s'", request->arguments.list[1]);
    else if (request->job > 0 && (request->device || request->profile))
        options_error(state, "--device and --profile apply to a TEST; a job has its own");
    else if (request->job == 0 && count != 1)
        options_error(state,
                      count == 0 ? "expected DATABASE --job N, or a TEST" : "expected one TEST, or DATABASE --job N");
    else if (request->job == 0 && request->as_it_is)
        options_error(state, "--as-it-is needs --job");
}

/* ---- writing ---- */

static enum status write_file(const char *folder, const struct reproduced_file *file, struct error *error)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, file->name) >= (int)sizeof path)
        return error_set(error, STATUS_USAGE, "%s: the path is too long", folder);
    return file_write_whole(path, text_string(&file->text), file->text.size, error);
}

/* Existing files are not replaced. */
static enum status check_folder(const char *folder, struct error *error)
{
    static const char *const names[] = {
        "reproduce.cu", "reproduce.cl", "reproduce.comp", "reproduce.c", "Makefile", "README.md", NULL};
    for (const char *const *name = names; *name; name++) {
        char path[PATH_MAX];
        struct stat found;
        if (snprintf(path, sizeof path, "%s/%s", folder, *name) < (int)sizeof path && stat(path, &found) == 0)
            return error_set(error, STATUS_USAGE, "%s already exists: choose another folder with -o", path);
    }
    return STATUS_OK;
}

static enum status write_all(const struct reproduce_request *request, const struct reproduce_facts *facts,
                             struct error *error)
{
    struct reproducer reproducer;
    enum status status = reproduce_write(facts, &reproducer, error);
    THEN(status, file_make_folders(request->folder, 0777, error));
    for (size_t i = 0; status == STATUS_OK && i < reproducer.file_count; i++)
        status = write_file(request->folder, &reproducer.files[i], error);
    if (status == STATUS_OK) {
        terminal_print(stdout, "%s: %s on %s\n", facts->test->name, facts->outcome, facts->device->name);
        for (size_t i = 0; i < reproducer.file_count; i++)
            terminal_print(stdout, "  %s/%s\n", request->folder, reproducer.files[i].name);
        terminal_print(stdout, "Wrote a program of %u lines%s. Three runs take %s.", reproducer.lines,
                       reproducer.lines > REPRODUCE_LINES ? ", more than usual" : "",
                       QUANTITY_SECONDS(reproducer.seconds));
        if (facts->seen > 0)
            terminal_print(stdout, " At the measured rate (%s of %s), each should show the outcome within %s.",
                           QUANTITY_COUNT(facts->seen), QUANTITY_COUNT(facts->instances),
                           QUANTITY_SECONDS(fmax(reproducer.expected, 0.1)));
        terminal_print(stdout, "\nTo build and run it: make -C %s run\n", request->folder);
    }
    reproduce_release(&reproducer);
    if (status == STATUS_UNSUPPORTED) /* whatever the device does, there is nothing to write */
        status = error->status = STATUS_USAGE;
    return status;
}

/* ---- minimising ---- */

/* All about one reproducer. */
struct reproducing {
    const struct reproduce_request *request;
    struct reproduce_job job; /* its facts are used for a TEST too */
    struct selection selection;
    struct device_list devices;
    struct minimal minimal;
    struct environment environment; /* of a TEST */
    struct text needed;
    const char *command; /* as typed */
    char *witness;       /* of a TEST */
    char day[CLOCK_DAY_SIZE];
    int code; /* if it ended early without an error; else 0 */
};

/* ---- the steps of a minimisation, and its result ---- */

/* Prints each step on standard error, for minimise. */
extern const struct minimise_listener minimise_output;

static void tried(const struct minimise_step *step, double seconds_left, UNUSED void *context)
{
    terminal_print(stderr, "%s: %s: %s", minimise_stage_title(step->stage), step->what, step->result);
    if (step->trial_count > 0)
        terminal_print(stderr, " (%s per second; %s left)", QUANTITY_SHORT(step->rate), QUANTITY_SECONDS(seconds_left));
    terminal_print(stderr, "\n");
}

const struct minimise_listener minimise_output = {tried, NULL};

/* The result of minimising: whether there is something to write. */
static enum status judge_end(struct reproducing *reproducing, int signal, struct error *error)
{
    const struct minimal *minimal = &reproducing->minimal;
    if (minimal->end == MINIMISE_END_FAILED && signal == 0)
        return error_set(error, STATUS_DEVICE_FAILED, "%s", minimal->why);
    if (signal != 0)
        reproducing->code = 128 + signal;
    else if (minimal->end == MINIMISE_END_UNSEEN || minimal->rate <= 0)
        reproducing->code = EXIT_UNSEEN;
    if (reproducing->code != 0)
        terminal_print(stderr, "orchil reproduce: nothing is written: %s%s%s\n",
                       minimise_end_title(signal != 0 ? MINIMISE_END_STOPPED : minimal->end),
                       minimal->why[0] && signal == 0 ? ": " : "", signal == 0 ? minimal->why : "");
    else {
        /* Prints how it ended and what is needed, on standard output. */
        LOCAL(text) needed = {0};
        minimal_print_needed(minimal, &needed);
        terminal_print(stdout, "Minimised in %s, %s.\n  Needed: %s.\n", QUANTITY_SECONDS(minimal->seconds),
                       minimise_end_title(minimal->end), text_string(&needed));
        if (minimal->reduced)
            terminal_print(stdout, "  What is left of the test is %s.\n", minimal->test->name);
        for (unsigned i = 0; i < minimal->run_count; i++)
            terminal_print(stdout, "  run %u: seen %" PRIu64 " of %" PRIu64 " in %s\n", i + 1, minimal->runs[i].seen,
                           minimal->runs[i].instances, QUANTITY_SECONDS(minimal->runs[i].seconds));
    }
    return STATUS_OK;
}

static enum status reproduce_reduce(struct reproducing *reproducing, const struct backend_device *device,
                                    struct error *error)
{
    const struct reproduce_request *request = reproducing->request;
    struct reproduce_facts *facts = &reproducing->job.facts;
    struct minimise_options options = {.test = facts->test,
                                       .device = device,
                                       .environment = facts->environment,
                                       .outcome = facts->outcome,
                                       .seed = facts->seed,
                                       .seconds = request->seconds,
                                       .limits = request->limits};
    int signal = 0;
    TRY(reproduce_minimise(&options, &minimise_output, &reproducing->minimal, &signal, error));
    TRY(judge_end(reproducing, signal, error));
    if (reproducing->code == 0)
        reproduce_take_minimal(&reproducing->minimal, &reproducing->needed, facts);
    return STATUS_OK;
}

/* ---- a job, or a test ---- */

static enum status start_from_job(struct reproducing *reproducing, struct error *error)
{
    const struct reproduce_request *request = reproducing->request;
    const char *database = request->arguments.count > 0 ? request->arguments.list[0] : "orchil.db";
    struct reproduce_job *job = &reproducing->job;
    struct store *store = NULL;
    TRY(store_open(database, STORE_READ, &store, error));
    const enum status status = reproduce_recall(store, (int64_t)request->job, request->outcome, job, error);
    store_close(store);
    if (status != STATUS_OK || request->as_it_is)
        return status;
    TRY(devices_find(job->device.backend, &reproducing->devices, error));
    const struct backend_device *device = reproduce_find_device(&reproducing->devices, &job->device);
    if (request->seeded)
        job->facts.seed = request->seed;
    if (device && !job->facts.lowering)
        return reproduce_reduce(reproducing, device, error);
    if (device)
        terminal_print(stderr, "Not minimised: minimising uses the default lowering, and the job has --lowering %s\n",
                       job->facts.lowering);
    else
        terminal_print(stderr, "Not minimised: %s (%s) is not on this machine\n", device_address(&job->device).text,
                       job->device.name);
    return STATUS_OK;
}

static enum status start_from_test(struct reproducing *reproducing, struct error *error)
{
    const struct reproduce_request *request = reproducing->request;
    struct reproduce_facts *facts = &reproducing->job.facts;
    TRY(tests_select(request->arguments.list, request->arguments.count, &reproducing->selection, error));
    if (reproducing->selection.count != 1)
        return error_set(error, STATUS_USAGE,
                         "'%s' selects %zu tests: expected one, with its dialect, like ptx:MP+relaxed",
                         request->arguments.list[0], reproducing->selection.count);
    facts->test = reproducing->selection.tests[0].test;
    TRY(reproduce_check_test(facts->test, error));
    facts->seed = request->seed;
    if (!request->seeded)
        TRY(random_seed(&facts->seed, error));
    TRY(devices_find_one(request->device, &reproducing->devices, &facts->device, error));
    TRY(reproduce_check_device(facts->device, error));
    TRY(kernel_check_agents(facts->test, facts->device, NULL, error)); /* before a model searches for the witness */
    if (!request->outcome)
        TRY(reproduce_choose_witness(facts->test, &reproducing->witness, error));
    facts->outcome = request->outcome ? request->outcome : reproducing->witness;
    environment_default(facts->device, &reproducing->environment);
    if (request->profile)
        TRY(environment_load(request->profile, facts->device, &reproducing->environment, error));
    facts->environment = &reproducing->environment;
    return reproduce_reduce(reproducing, facts->device, error);
}

static enum status reproduce_execute(void *data, struct verb_call *call, struct error *error)
{
    struct reproduce_request *request = data;
    struct reproducing reproducing = {.request = request, .command = call->typed};
    enum status status = check_folder(request->folder, error);
    THEN(status, request->job > 0 ? start_from_job(&reproducing, error) : start_from_test(&reproducing, error));
    /* The origin of the program, and its date. */
    struct reproduce_facts *facts = &reproducing.job.facts;
    facts->tool = "orchil " ORCHIL_VERSION;
    facts->command = reproducing.command;
    facts->when = clock_today(reproducing.day);
    if (status == STATUS_OK && reproducing.code == 0)
        status = write_all(request, &reproducing.job.facts, error);
    call->code = reproducing.code;
    if (status == STATUS_UNSUPPORTED) { /* nothing is written */
        (void)complain(call->name, error);
        call->code = status_exit_code(STATUS_USAGE);
        status = STATUS_OK;
    }
    minimal_release(&reproducing.minimal);
    devices_release(&reproducing.devices);
    selection_release(&reproducing.selection);
    reproduce_forget(&reproducing.job);
    text_release(&reproducing.needed);
    free(reproducing.witness);
    return status;
}

VERB_ENTRY(reproduce, arguments, (.limits = {.open = OPEN_SECONDS}), .check = reproduce_check_options);
