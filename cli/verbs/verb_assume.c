// SPDX-License-Identifier: Apache-2.0
/* orchil assume: the command line. gate/assume runs the tests and answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "base/random.h"
#include "base/terminal/terminal.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/print/run_output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "gate/assume/assume_run.h"
#include "runner/supervise/devices.h"
#include "version.h"

enum { USUAL_WIDTH = 80 }; /* of text that goes elsewhere, mostly into an issue */

struct assume_request {
    struct run_options run;
    const char *html; /* a file, or NULL */
    bool json;
    struct verb_arguments tests;
};

#define AT(member) offsetof(struct assume_request, member)

static const struct option_row option_rows[] = {
    {ROW_DEVICE(AT(run.device)), .help = "one device, as in `orchil run` (default: the first GPU)"},
    {"time", 0, "S", OPTION_SECONDS, AT(run.seconds), "10",
     .help = "time for each assumption in seconds, or with the suffix m or h (default: %s)"},
    {ROW_SEED(AT(run.seed), AT(run.seeded)), .help = "the seed of all random choices (default: a new one)"},
    {ROW_PROFILE(AT(run.profile)), .help = "the environment, as in `orchil run` (default: chosen for the device)"},
    {ROW_DATABASE(AT(run.database)), .help = "the database to store results in (default: %s)"},
    {ROW_JSON(AT(json)), .help = "print one JSON object and nothing else"},
    {"html", 0, "FILE", OPTION_TEXT, AT(html), .file = OPTION_FILE_WRITTEN,
     .help = "also write an HTML page (-: to standard output, and nothing else)"},
    {ROW_BUILD_LIMIT(AT(run.limits))},
    {ROW_BATCH_LIMIT(AT(run.limits), "30")},
    {0}};

static const char documentation[] =
    "Test whether assumptions that programs rely on, and that no specification promises, hold on this machine: "
    "whether a 16-byte store is atomic, or whether one fence is enough for a lock. The result is one page that can "
    "be pasted into an issue.\v"
    "TEST is as in `orchil run` (default: @assumptions); tests without Planted= metadata are skipped. Each "
    "assumption has a sibling with a planted violation, such as two stores instead of one, which shows that the "
    "test can detect a violation. All planted violations run first, each until it is seen and for at most a "
    "second; then the assumptions, each for the given time. Both are runs of the database.\n\n"
    "holds so far: the violation was never seen, so its rate is below the bound per instance with 95 % confidence. The "
    "planted violation was seen. This does not prove the assumption.\n\n"
    "broken: the violation was seen. The page says how often.\n\n"
    "cannot tell: the violation was never seen, but the planted violation was not seen either, or the compiler did not "
    "keep the test.\n\n"
    "unsupported: the device cannot run the test; the reason is given.\n\n"
    "failed: a hang, a crash, a failed build, or an outcome that no execution of the test has.\n\n"
    "If the specification does promise the assumption, the page says so; a violation is then a fault of the device.";

static const char *const examples[] = {
    "orchil assume", "orchil assume --device cuda:1 --time 1m --json > assumptions.json",
    "orchil assume --html assumptions.html 'assume-tma*'", "orchil assume my-assumption.litmus", NULL};

static const struct exit_code exit_codes[] = {
    {"0", "all supported assumptions hold so far"},
    {"1", "an assumption is broken"},
    {"2", "wrong usage, or a file that cannot be read, parsed or written"},
    {"3", "none is broken, but at least one could not be decided, or none is supported"},
    {"4", "no device, the database failed, or a job ended in a hang, a crash, a failed build or a lost device"},
    {"130, 143", "interrupted; what is known so far is printed"},
    {0}};

/* ---- the tests to run ---- */

struct prepared_assumptions {
    struct assume_tests tests;
    struct device_list devices;
    const struct backend_device **chosen;
};

static enum status assume_prepare(struct assume_request *request, struct verb_call *call,
                                  struct prepared_assumptions *prepared, struct error *error)
{
    char *suite[] = {(char[]){"@assumptions"}};
    const struct verb_arguments usual = {suite, 1}, *tests = request->tests.count > 0 ? &request->tests : &usual;
    struct run_options *options = &request->run;
    size_t count = 0;
    TRY(tests_take(call, tests, NULL, error));
    TRY(assume_choose(&call->selection, &prepared->tests, error));
    if (!options->seeded)
        TRY(random_seed(&options->seed, error));
    options->seeded = true;
    TRY(devices_find_for(options->device, &prepared->devices, error));
    TRY(devices_select(&prepared->devices, options->device, &prepared->chosen, &count, error));
    if (count > 1)
        return error_set(error, STATUS_USAGE, "--device selects %zu devices, expected one", count);
    return STATUS_OK;
}

static void print_forecast(const struct assume_request *request, const struct prepared_assumptions *prepared)
{
    const struct backend_device *device = prepared->chosen[0];
    char about[QUANTITY_SIZE];
    terminal_print(stderr, "%zu assumption%s on %s %s: about %s\n", prepared->tests.count,
                   prepared->tests.count == 1 ? "" : "s", device_address(device).text, device->name,
                   quantity_about((double)prepared->tests.count * (request->run.seconds + 1), about));
}

/* ---- the page ---- */

static enum status assume_print_results(const struct assume_request *request, const struct assumptions *assumptions,
                                        struct error *error)
{
    const unsigned width = terminal_width(stdout) > 0 ? terminal_width(stdout) : USUAL_WIDTH;
    struct output output = {.what = "the page", .source = request->json, .path = request->html};
    if (request->json)
        assumptions_print_json(assumptions, &output.text);
    else
        assumptions_print_text(assumptions, terminal_has_colours(stdout), width, &output.text);
    if (request->html)
        assumptions_print_page(assumptions, &output.page);
    return output_end(&output, error);
}

/* On standard error, in one line. */
static void assume_show_progress(const struct run_progress *progress, enum assume_half half, void *context)
{
    struct progress_line *shown = context;
    struct text line = {0};
    if (!progress_due(shown, stderr))
        return;
    run_output_progress(progress, half == ASSUME_PLANTED ? "planted violations" : "", terminal_width(stderr), &line);
    progress_show(shown, stderr, text_string(&line));
    text_release(&line);
}

/* Runs one half of the pairs. */
static enum status play_role(const struct assume_request *request, struct prepared_assumptions *prepared,
                             enum assume_half half, struct assumptions *assumptions, struct run_result *result,
                             struct error *error)
{
    struct progress_line shown = {0};
    const struct assume_listener listener = {.went_on = assume_show_progress, .context = &shown};
    const enum status status = assume_run(&prepared->tests, half, prepared->chosen[0], &request->run, &listener, result,
                                          &assumptions->profile, &assumptions->environment, error);
    progress_clear(&shown, stderr);
    return status;
}

static enum status test_assumptions(const struct assume_request *request, struct prepared_assumptions *prepared,
                                    int *code, struct error *error)
{
    const struct backend_device *device = prepared->chosen[0];
    struct run_result planted = {.signal = 0}, itself = {.signal = 0};
    char day[CLOCK_DAY_SIZE];
    struct assumptions assumptions = {.list = prepared->tests.list,
                                      .count = prepared->tests.count,
                                      .tool = "orchil " ORCHIL_VERSION,
                                      .when = clock_today(day),
                                      .backend = device->backend,
                                      .index = device->index,
                                      .device = device->name,
                                      .architecture = device->architecture,
                                      .driver = device->driver,
                                      .compiler = device->compiler,
                                      .platform = device->platform,
                                      .database = request->run.database,
                                      .seconds = request->run.seconds,
                                      .seed = request->run.seed};
    TRY(play_role(request, prepared, ASSUME_PLANTED, &assumptions, &planted, error));
    if (planted.signal == 0)
        TRY(play_role(request, prepared, ASSUME_ITSELF, &assumptions, &itself, error));
    assumptions.planted_run = planted.run_id;
    assumptions.run = itself.run_id;
    assumptions.signal = planted.signal > 0 ? planted.signal : itself.signal;
    *code = assumptions_exit_code(&assumptions);
    return assume_print_results(request, &assumptions, error);
}

static enum status assume_execute(void *data, struct verb_call *call, struct error *error)
{
    struct assume_request *request = data;
    struct prepared_assumptions prepared = {.chosen = NULL};
    request->run.provenance = verb_provenance(call);
    enum status status = assume_prepare(request, call, &prepared, error);
    if (status == STATUS_OK) {
        print_forecast(request, &prepared);
        status = test_assumptions(request, &prepared, &call->code, error);
    }
    free(prepared.chosen);
    devices_release(&prepared.devices);
    assume_release(&prepared.tests);
    return status;
}

const struct verb verb_assume = {
    .name = "assume",
    .summary = "test common assumptions that no specification guarantees",
    .usage = "[TEST...]",
    VERB_PARTS,
    .arguments = AT(tests),
    VERB_REQUEST(struct assume_request, .run = {.builders = -1, .cache = true, .limits = {.open = OPEN_SECONDS}}),
    .run = assume_execute};
