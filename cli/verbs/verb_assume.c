// SPDX-License-Identifier: Apache-2.0
/* orchil assume: the command line. gate/assume runs the tests and answers. */
#include "analysis/page/page.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/terminal/terminal.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/print/run_output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "gate/assume/assumptions.h"
#include "runner/run/rejudge.h"
#include "runner/supervise/devices.h"
#include "version.h"

enum { USUAL_WIDTH = 80 }; /* of text that goes elsewhere, mostly into an issue */

struct assume_request {
    struct run_options run;
    const char *page; /* a file, or NULL */
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
    {"page", 0, "FILE", OPTION_TEXT, AT(page), .file = OPTION_FILE_WRITTEN,
     .help = "also write the page of `orchil report` on the runs (-: to standard output, and nothing else)"},
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
    "orchil assume --page assumptions.html 'assume-tma*'", "orchil assume my-assumption.litmus", NULL};

static const struct exit_code exit_codes[] = {
    {"0", "all supported assumptions hold so far"},
    {"1", "an assumption is broken"},
    {"2", "wrong usage, or a file that cannot be read, parsed or written"},
    {"3", "none is broken, but at least one could not be decided, or none is supported"},
    {"4", "no device, the database failed, or a job ended in a hang, a crash, a failed build or a lost device"},
    {"130, 143", "interrupted; what is known so far is printed"},
    {0}};

/* ---- the runs ---- */

static enum status assume_prepare(struct assume_request *request, struct verb_call *call, struct device_list *devices,
                                  struct assumptions *assumptions, struct error *error)
{
    char *suite[] = {(char[]){"@assumptions"}};
    const struct verb_arguments usual = {suite, 1}, *tests = request->tests.count > 0 ? &request->tests : &usual;
    struct run_options *options = &request->run;
    TRY(tests_take(call, tests, NULL, error));
    TRY(assumptions_choose(&call->selection, assumptions, error));
    if (!options->seeded)
        TRY(random_seed(&options->seed, error));
    options->seeded = true;
    TRY(devices_find_one(options->device, devices, &assumptions->device, error));
    assumptions->database = options->database;
    assumptions->seconds = options->seconds;
    assumptions->seed = options->seed;
    return STATUS_OK;
}

/* A failure is told as the run's, and *code is its exit code. */
static enum status assume_run(const struct assume_request *request, struct assumptions *assumptions,
                              enum assumption_half half, int *code, struct error *error)
{
    struct run_options options = request->run;
    struct run_output output = {.verb = "orchil assume", .quiet = true};
    struct run_plan plan = {.job_count = 0};
    struct run_result result = {.signal = 0};
    const enum status status = assumptions_plan(assumptions, half, &options, &plan, error);
    if (status == STATUS_OK) {
        const int ended = run_output_run(&output, &options, &plan, &result);
        *code = result.status == STATUS_OK ? 0 : ended;
    }
    run_plan_release(&plan);
    assumptions->runs[half] = result.run_id;
    assumptions->signal = result.signal;
    return status;
}

/* ---- the page ---- */

/* --page: the page that `orchil report` writes of the two runs. */
static enum status assume_print_page(const struct assumptions *of, struct text *text, struct error *error)
{
    struct text title = {0};
    struct page page = {.title = ""};
    text_add(&title, "Assumptions on %s, %s %s", of->device->name, of->device->backend, of->device->driver);
    const struct selector runs = {.database = of->database, .runs = of->runs, .run_count = ASSUMPTION_HALVES};
    const struct page_request wanted = {.selectors = &runs,
                                        .count = 1,
                                        .title = text_string(&title),
                                        .judging = kernel_judge,
                                        .judging_emitted = kernel_judge_emitted};
    const enum status status = page_read(&wanted, &page, error);
    if (status == STATUS_OK)
        page_print(&page, text);
    page_release(&page);
    text_release(&title);
    return status;
}

static enum status assume_print_results(const struct assume_request *request, const struct assumptions *assumptions,
                                        struct error *error)
{
    const unsigned width = terminal_width(stdout) > 0 ? terminal_width(stdout) : USUAL_WIDTH;
    struct output output = {.what = "the page", .source = request->json, .path = request->page};
    if (request->json)
        assumptions_print_json(assumptions, &output.text);
    else
        assumptions_print_text(assumptions, terminal_has_colours(stdout), width, &output.text);
    if (request->page)
        TRY(assume_print_page(assumptions, &output.page, error));
    return output_end(&output, error);
}

static enum status assume_execute(void *data, struct verb_call *call, struct error *error)
{
    struct assume_request *request = data;
    struct device_list devices = {.count = 0};
    char day[CLOCK_DAY_SIZE];
    struct assumptions assumptions = {.tool = "orchil " ORCHIL_VERSION, .when = clock_today(day)};
    request->run.provenance = verb_provenance(call);
    enum status status = assume_prepare(request, call, &devices, &assumptions, error);
    if (status == STATUS_OK) {
        terminal_print(stderr, "%zu assumption%s on %s %s: about %s\n", assumptions.count,
                       assumptions.count == 1 ? "" : "s", device_address(assumptions.device).text,
                       assumptions.device->name, QUANTITY_ABOUT((double)assumptions.count * (assumptions.seconds + 1)));
    }
    for (int half = 0; half < ASSUMPTION_HALVES && status == STATUS_OK && call->code == 0; half++)
        if (assumptions.signal == 0)
            status = assume_run(request, &assumptions, (enum assumption_half)half, &call->code, error);
    if (status == STATUS_OK && call->code == 0)
        status = assumptions_read(&assumptions, error);
    if (status == STATUS_OK && call->code == 0) {
        call->code = assumptions_exit_code(&assumptions);
        status = assume_print_results(request, &assumptions, error);
    }
    assumptions_release(&assumptions);
    devices_release(&devices);
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
