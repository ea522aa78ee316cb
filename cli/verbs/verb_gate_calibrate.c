// SPDX-License-Identifier: Apache-2.0
/* orchil gate calibrate: what can be gated on this machine. gate/calibrate does the sums. */
#include "analysis/compare/compare.h"
#include "analysis/sides/side.h"
#include "base/terminal/terminal.h"
#include "cli/output.h"
#include "cli/print/notices.h"
#include "cli/tests.h"
#include "cli/verbs/verb_gate.h"
#include "gate/calibrate/calibrate.h"
#include "gate/decide/gate.h"
#include "gate/gate_suite.h"
#include "results/results.h"

enum { USUAL_RUNS = 8, MOST_RUNS = 40 };

struct calibrate_command {
    struct gate_request request;
    struct verb_arguments tests;
    struct calibration_options options;
    const char *from, *out;
    uint64_t runs; /* 0: as many as there is time for */
    double total;
};

static void gate_calibrate_check_options(const struct argp_state *state, const void *data)
{
    const struct calibrate_command *command = data;
    if (command->from && command->tests.count > 0)
        options_error(state, "--from uses stored runs and takes no TEST");
}

#define AT(member) offsetof(struct calibrate_command, member)

static const struct option_row option_rows[] = {
    {"runs", 0, "N", OPTION_COUNT, AT(runs), .low = CALIBRATE_FEWEST, .high = MOST_RUNS,
     .help = "how often to run the suite, 4 to 40 (default: as often as there is time for, at least 8)"},
    {"total", 0, "S", OPTION_SECONDS, AT(total), "10m",
     .help = "time for all runs together, in seconds or with the suffix m or h (default: %s)"},
    {"from", 0, "FILE", OPTION_TEXT, AT(from), .file = OPTION_FILE_READ,
     .help = "run nothing: use the runs that are stored there, of one driver"},
    {"out", 0, "FILE", OPTION_TEXT, AT(out), .file = OPTION_FILE_DATABASE,
     .help = "also write a baseline of the runs, with what was learned; the file must not exist"},
    {ROW_TOLERANCE(AT(options.compare)), .project = "", .help = "the tolerance of the gate (default: %s)"},
    {ROW_ALPHA(AT(options.compare)), .project = "", .help = "the level of the gate (default: %s)"},
    GATE_ROWS(AT),
    {0}};

static const char documentation[] =
    "Run a suite several times on one device and compare the runs with each other: print how often a gate would "
    "raise a false alarm, and for each test how much its runs differ and the smallest change that would be found.\v"
    "--budget is the time of one run, as for a gate (default: the suite's; the suite is @ci unless TEST is given). "
    "All runs use the same seed, so they make the same random choices, as a gate and its baseline do. The runs are "
    "split into a baseline of three and a candidate in all possible ways, or in 2,000 random ones, and each split is "
    "decided as a gate decides. Tests whose runs differ too much are listed; their rates are not gated, and the "
    "tolerance of other tests does not grow.\n\n"
    "What was learned is stored with the runs. A baseline made from them, by --out or by `orchil gate baseline "
    "--from`, has it, and a gate uses it without further options.";

static const char *const examples[] = {"orchil gate calibrate --device cuda --db calibration.db --out base.db",
                                       "orchil gate calibrate --runs 12 --budget 30 --db calibration.db",
                                       "orchil gate calibrate --from calibration.db --tolerance 1.2", NULL};

static const struct exit_code exit_codes[] = {
    {"0", "calibrated"},
    {"1", "an outcome was seen that must never appear, or a job ended in a fault"},
    {"2", "wrong usage, or a file that cannot be read, parsed or written"},
    {"3", "no test showed its witness"},
    {"4", "no device, or the database failed"},
    {"130, 143", "interrupted; everything that was finished is stored"},
    {0}};

/* ---- runs ---- */

struct measured {
    int64_t runs[MOST_RUNS]; /* with --from: none means all */
    size_t count;
    size_t unread_count; /* files of the selection that cannot be read */
};

/* The number of runs for which there is time. */
static uint64_t calibrate_count_runs(const struct calibrate_command *command, const struct gate_suite *suite)
{
    const double jobs = run_plan_longest(suite->plan, NULL);
    const double each = suite->request.seconds > 0 ? jobs * suite->request.seconds : suite->request.budget;
    const double fitting = command->total / each;
    if (command->runs > 0)
        return command->runs;
    if (suite->request.instances > 0 || fitting < USUAL_RUNS)
        return USUAL_RUNS;
    return fitting > MOST_RUNS ? MOST_RUNS : (uint64_t)fitting;
}

static enum status gate_calibrate_run_suite(const struct calibrate_command *command, struct measured *measured,
                                            int *code, struct error *error)
{
    struct gate_suite suite;
    bool done = true;
    enum status status = gate_suite_make(&command->request, NULL, &suite, error);
    if (status == STATUS_OK && suite.chosen_count != 1)
        status = error_set(error, STATUS_USAGE, "--device selects %zu devices: calibrate them one by one",
                           suite.chosen_count);
    const uint64_t runs = status == STATUS_OK ? calibrate_count_runs(command, &suite) : 0;
    if (status == STATUS_OK)
        status = gate_suite_pilot(&suite, &done, code, error);
    done &= status == STATUS_OK;
    while (done && measured->count < runs) {
        terminal_print(stderr, "run %zu of %" PRIu64 "\n", measured->count + 1, runs);
        done = gate_suite_run(&suite, suite.request.seed, &measured->runs[measured->count], code);
        measured->count += done;
    }
    if (done)
        *code = 0; /* the results of the runs are reported below */
    measured->unread_count = suite.selection.unread_count;
    gate_suite_release(&suite);
    return status;
}

/* ---- results ---- */

static enum status print(const struct calibrate_command *command, const struct calibration *calibration,
                         struct error *error)
{
    struct output output = {.what = "the calibration", .source = command->request.json};
    if (output.source)
        calibration_print_json(calibration, &output.text);
    else
        calibration_document(calibration, &output.document);
    return output_end(&output, error);
}

/* Stores what was learned with the runs, unless the file is only read, and in the baseline. */
static enum status store(const struct calibrate_command *command, const struct measured *measured,
                         const struct calibration *calibration, struct error *error)
{
    const struct baseline_content content = {.from = command->from ? command->from : command->request.database,
                                             .runs = measured->runs,
                                             .run_count = measured->count,
                                             .provenance = command->request.provenance,
                                             .notes = &calibration->notes};
    struct store_merge_tally tally = {0};
    struct text text = {0};
    if (!command->from)
        TRY(notes_write(content.from, &calibration->notes, error));
    if (!command->out)
        return STATUS_OK;
    TRY(baseline_file_write(command->out, &content, &tally, error));
    const enum status status = baseline_file_describe(command->out, &tally, &text, error);
    terminal_end(stderr, &text);
    return status;
}

static int exit_code_of(const struct calibration *calibration)
{
    bool seen = false;
    for (size_t i = 0; i < calibration->test_count; i++)
        seen |= !calibration->tests[i].is_control && calibration->tests[i].rate > 0;
    return calibration->health.alarm_count > 0 ? 1 : seen ? 0 : 3;
}

static enum status compare_runs(const struct calibrate_command *command, const struct measured *measured, int *code,
                                struct error *error)
{
    const struct selector selector = {.database = command->from ? command->from : command->request.database,
                                      .runs = measured->count > 0 ? measured->runs : NULL,
                                      .run_count = measured->count,
                                      .prepare = judged_again_prepare};
    struct side side = {.title = ""};
    struct calibration calibration = {.runs = 0};
    enum status status = side_read(&selector, &side, error);
    if (status == STATUS_OK)
        status = calibrate(&side, &command->options, &calibration, error);
    if (status == STATUS_OK)
        status = store(command, measured, &calibration, error);
    if (status == STATUS_OK)
        status = print(command, &calibration, error);
    if (status == STATUS_OK)
        *code = exit_code_of(&calibration);
    calibration_release(&calibration);
    side_release(&side);
    return status;
}

static enum status gate_calibrate_execute(void *data, struct verb_call *call, struct error *error)
{
    struct calibrate_command *command = data;
    struct measured measured = {.count = 0};
    verb_gate_attach(&command->request, &command->tests, call);
    if (command->out)
        TRY(baseline_file_check(command->out, error));
    if (!command->from)
        TRY(gate_calibrate_run_suite(command, &measured, &call->code, error));
    if (call->code == 0)
        TRY(compare_runs(command, &measured, &call->code, error));
    call->unread = measured.unread_count;
    return STATUS_OK;
}

const struct verb verb_gate_calibrate = {.name = "calibrate",
                                         .summary = "measure which changes a gate on this machine can detect",
                                         .usage = "[TEST...]\n--from FILE",
                                         VERB_PARTS,
                                         .arguments = AT(tests),
                                         .check = gate_calibrate_check_options,
                                         .project = verb_gate_family,
                                         VERB_REQUEST(struct calibrate_command,
                                                      .request = {.limits = {.open = OPEN_SECONDS}},
                                                      .options = {CALIBRATION_USUAL}),
                                         .run = gate_calibrate_execute};
