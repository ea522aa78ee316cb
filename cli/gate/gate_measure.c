// SPDX-License-Identifier: Apache-2.0
/* orchil gate calibrate: A against A on this machine. analysis/gate/gate_calibrate.c does the sums. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "cli/complaint.h"
#include "cli/gate/gate_suite.h"
#include "cli/gate/gate_verbs.h"
#include "cli/judged_again.h"
#include "cli/page_file.h"
#include "cli/tests.h"
#include "results/results.h"

enum { FEWEST_RUNS = 2, USUAL_RUNS = 6, MOST_RUNS = 40 };

struct calibrate_command {
    struct gate_request request;
    struct calibration_options options;
    const char *from;
    uint64_t runs; /* 0: as many as there is time for */
    double total;
};

static void calibrate_check(const struct argp_state *state, const void *data)
{
    const struct calibrate_command *command = data;
    if (command->from && command->request.tests.count > 0)
        argp_error(state, "--from takes what is stored: TEST does not go with it");
}

#define AT(member) offsetof(struct calibrate_command, member)

static const struct option_row calibrate_rows[] = {
    {"runs", 0, "N", OPTION_COUNT, AT(runs), .low = FEWEST_RUNS, .high = MOST_RUNS,
     .help = "how often the suite runs, 2 to 40 (default: as often as there is time for, 6 at least)"},
    {"total", 0, "S", OPTION_SECONDS, AT(total), "10m",
     .help = "seconds for all runs together, or with m or h behind it (default: %s)"},
    {"from", 0, "FILE", OPTION_TEXT, AT(from),
     .help = "run nothing: take all runs that are stored there, of one driver"},
    {ROW_TOLERANCE(AT(options.compare)), .help = "that of the gate (default: %s)"},
    {ROW_ALPHA(AT(options.compare)), .help = "that of the gate (default: %s)"},
#include "cli/gate/gate_rows.inc"
    {0}};

static const char documentation[] =
    "Runs a suite several times on one device and compares the runs with each other, A against A: prints how much each "
    "rate varies, the smallest change that this machine can detect in the given time, and how often a gate would "
    "have raised a false alarm.\v"
    "--budget is the time of one run, as a gate has it (default: the suite's; the suite is @ci unless TEST says "
    "otherwise). Of three runs, two have equal seeds, so that their draws are equal, as a gate's are with its "
    "baseline's; the third has its own. The smallest change is found by simulation with the measured counts "
    "(analysis/README.md). All runs are stored: `orchil gate baseline --from` makes a baseline of them.\n\n"
    "Examples:\n"
    "  orchil gate calibrate --device cuda --db calibration.db\n"
    "  orchil gate calibrate --runs 12 --budget 30 --db calibration.db\n"
    "  orchil gate calibrate --from calibration.db --tolerance 1.2\n\n"
    "Exit codes: 0 calibrated; 1 an outcome was seen that must never appear, or a job ended in a fault; 2 wrong usage, or "
    "a file that cannot be read or parsed; 3 no test showed its witness; 4 no device, or the database failed; 130, "
    "143 interrupted, with everything finished already stored.";

/* ---- runs ---- */

struct measured {
    int64_t runs[MOST_RUNS];
    size_t count;
    bool many;           /* more were stored than are taken */
    size_t unread_count; /* files of the selection that cannot be read */
};

/* How many runs there is time for. */
static uint64_t calibrate_count_runs(const struct calibrate_command *command, const struct gate_suite *suite)
{
    const double jobs = (double)gate_suite_jobs(suite);
    const double each = suite->request.seconds > 0 ? jobs * suite->request.seconds : suite->request.budget;
    const double fitting = command->total / each;
    if (command->runs > 0)
        return command->runs;
    if (suite->request.instances > 0 || fitting < USUAL_RUNS)
        return USUAL_RUNS;
    return fitting > MOST_RUNS ? MOST_RUNS : (uint64_t)fitting;
}

static enum status calibrate_run(const struct calibrate_command *command, int argc, char **argv,
                                 struct measured *measured, int *code, struct error *error)
{
    struct gate_suite suite;
    bool done = true;
    enum status status = gate_suite_make(&command->request, NULL, &suite, error);
    if (status == STATUS_OK && suite.chosen_count != 1)
        status =
            error_set(error, STATUS_USAGE, "--device means %zu devices: calibrate them one by one", suite.chosen_count);
    const uint64_t runs = status == STATUS_OK ? calibrate_count_runs(command, &suite) : 0;
    if (status == STATUS_OK)
        gate_suite_share(&suite);
    while (done && measured->count < runs) {
        const uint64_t own = measured->count % 3 == 2 ? measured->count : 0;
        (void)fprintf(stderr, "run %zu of %" PRIu64 ", %s\n", measured->count + 1, runs,
                      own ? "a seed of its own" : "the common seed");
        done = gate_suite_run(&suite, (suite.request.seed + own) & INT64_MAX, argc, argv,
                              &measured->runs[measured->count], code);
        measured->count += done;
    }
    if (done)
        *code = 0; /* what the runs showed is counted below */
    measured->unread_count = suite.selection.unread_count;
    gate_suite_release(&suite);
    return status;
}

/* False where there are too many. */
static bool calibrate_add_run(struct measured *measured, int64_t run)
{
    for (size_t i = 0; i < measured->count; i++)
        if (measured->runs[i] == run)
            return true;
    measured->many = measured->count == MOST_RUNS;
    if (!measured->many)
        measured->runs[measured->count++] = run;
    return !measured->many;
}

static enum status calibrate_find_runs(const char *file, struct measured *measured, struct error *error)
{
    struct store *store = NULL;
    struct store_cursor jobs;
    TRY(store_open(file, STORE_READ, &store, error));
    store_query(store, STORE_JOBS, 0, &jobs, error);
    while (store_next(&jobs) && calibrate_add_run(measured, jobs.job.run_id))
        ;
    const enum status status = store_end(&jobs, STATUS_OK);
    store_close(store);
    if (status == STATUS_OK && measured->many)
        (void)fprintf(stderr, "%s: only the first %d runs are taken\n", file, MOST_RUNS);
    return status;
}

/* ---- the sums ---- */

static enum status calibrate_print(const struct calibrate_command *command, const struct calibration *calibration,
                                   struct error *error)
{
    struct text text = {0};
    if (command->request.json)
        calibration_print_json(calibration, &text);
    else
        calibration_print_text(calibration, &text);
    const enum status status = page_text_check(&text, "the calibration", error);
    if (status == STATUS_OK)
        (void)fputs(text_string(&text), stdout); /* main says what is wrong with standard output */
    text_release(&text);
    return status;
}

static enum status calibrate_compare(const struct calibrate_command *command, const struct measured *measured,
                                     int *code, struct error *error)
{
    struct side *sides = memory_take(measured->count, sizeof *sides);
    struct calibration calibration = {.rates = NULL};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < measured->count; i++) {
        const struct selector selector = {.database = command->from ? command->from : command->request.database,
                                          .run = measured->runs[i],
                                          .prepare = judged_again_prepare};
        status = side_read(&selector, &sides[i], error);
    }
    if (status == STATUS_OK)
        status = calibrate(sides, measured->count, &command->options, &calibration, error);
    if (status == STATUS_OK)
        status = calibrate_print(command, &calibration, error);
    if (status == STATUS_OK)
        *code = calibration.unsound > 0 ? 1 : calibration.rate_count == 0 ? 3 : 0;
    calibration_release(&calibration);
    for (size_t i = 0; i < measured->count; i++)
        side_release(&sides[i]);
    free(sides);
    return status;
}

static int calibrate_main(int argc, char **argv)
{
    struct calibrate_command command = {.request = {.limits = {.open = OPEN_SECONDS}},
                                        .options = calibration_usual_options()};
    struct measured measured = {.count = 0};
    struct error error = {0};
    int code = 0;
    options_parse(&verb_gate_calibrate, argc, argv, &command);
    enum status status = command.from ? calibrate_find_runs(command.from, &measured, &error)
                                      : calibrate_run(&command, argc, argv, &measured, &code, &error);
    if (status == STATUS_OK && code == 0)
        status = calibrate_compare(&command, &measured, &code, &error);
    return status == STATUS_OK ? tests_exit_code(measured.unread_count, code) : complain(argv[0], &error);
}

const struct verb verb_gate_calibrate = {.name = "calibrate",
                                         .usage = "[TEST...]\n--from FILE",
                                         .documentation = documentation,
                                         .options = calibrate_rows,
                                         .arguments = AT(request.tests),
                                         .check = calibrate_check,
                                         .run = calibrate_main};
