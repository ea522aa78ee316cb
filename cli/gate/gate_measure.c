// SPDX-License-Identifier: Apache-2.0
/* orchil gate calibrate: A against A on this machine. analysis/gate/gate_calibrate.c does the sums. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/quantity.h"
#include "cli/arguments.h"
#include "cli/complaint.h"
#include "cli/gate/gate_suite.h"
#include "cli/gate/gate_verbs.h"
#include "cli/tests.h"
#include "results/results.h"

enum option_key { OPTION_ALPHA = 256, OPTION_FROM, OPTION_RUNS, OPTION_TOLERANCE, OPTION_TOTAL };
enum { FEWEST_RUNS = 2, USUAL_RUNS = 6, MOST_RUNS = 40 };

struct request {
    struct gate_wish wish;
    struct calibration_options options;
    const char *from;
    uint64_t runs; /* 0: as many as there is time for */
    double total;
};

static const struct argp_option option_list[] = {
    {"runs", OPTION_RUNS, "N", 0,
     "how often the suite runs, 2 to 40 (default: as often as there is time for, 6 at least)", 0},
    {"total", OPTION_TOTAL, "S", 0, "seconds for all runs together, or with m or h behind it (default: 10m)", 0},
    {"from", OPTION_FROM, "FILE", 0, "run nothing: take all runs that are stored there, of one driver", 0},
    {"tolerance", OPTION_TOLERANCE, "FACTOR", 0, "that of the gate (default: 1.1)", 0},
    {"alpha", OPTION_ALPHA, "P", 0, "that of the gate (default: 0.05)", 0},
    {0}};

static error_t parse_runs(const struct argp_state *state, const char *value, uint64_t *runs)
{
    return quantity_parse_count(value, runs) && *runs >= FEWEST_RUNS && *runs <= MOST_RUNS
               ? 0
               : argument_bad(state, "runs", "a whole number from 2 to 40", value);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &request->wish;
        return 0;
    case OPTION_RUNS:
        return parse_runs(state, value, &request->runs);
    case OPTION_TOTAL:
        return argument_seconds(state, "total", value, &request->total);
    case OPTION_FROM:
        request->from = value;
        return 0;
    case OPTION_TOLERANCE:
        return argument_number(state, "tolerance", value, 1, 1000, &request->options.compare.tolerance);
    case OPTION_ALPHA:
        return argument_number(state, "alpha", value, 0, 1, &request->options.compare.alpha);
    case ARGP_KEY_END:
        if (request->from && request->wish.test_count > 0)
            argp_error(state, "--from takes what is stored: TEST does not go with it");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

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
static uint64_t count_runs(const struct request *request, const struct gate_suite *suite)
{
    const double jobs = (double)gate_suite_jobs(suite);
    const double each = suite->wish.seconds > 0 ? jobs * suite->wish.seconds : suite->wish.budget;
    const double fitting = request->total / each;
    if (request->runs > 0)
        return request->runs;
    if (suite->wish.instances > 0 || fitting < USUAL_RUNS)
        return USUAL_RUNS;
    return fitting > MOST_RUNS ? MOST_RUNS : (uint64_t)fitting;
}

static enum status run_suite(const struct request *request, int argc, char **argv, struct measured *measured, int *code,
                             struct error *error)
{
    struct gate_suite suite;
    bool done = true;
    enum status status = gate_suite_make(&request->wish, NULL, &suite, error);
    if (status == STATUS_OK && suite.chosen_count != 1)
        status =
            error_set(error, STATUS_USAGE, "--device means %zu devices: calibrate them one by one", suite.chosen_count);
    const uint64_t runs = status == STATUS_OK ? count_runs(request, &suite) : 0;
    if (status == STATUS_OK)
        gate_suite_share(&suite);
    while (done && measured->count < runs) {
        const uint64_t own = measured->count % 3 == 2 ? measured->count : 0;
        (void)fprintf(stderr, "run %zu of %" PRIu64 ", %s\n", measured->count + 1, runs,
                      own ? "a seed of its own" : "the common seed");
        done = gate_suite_run(&suite, (suite.wish.seed + own) & INT64_MAX, argc, argv, &measured->runs[measured->count],
                              code);
        measured->count += done;
    }
    if (done)
        *code = 0; /* what the runs showed is counted below */
    measured->unread_count = suite.selection.unread_count;
    gate_suite_release(&suite);
    return status;
}

/* False where there are too many. */
static bool add_run(struct measured *measured, int64_t run)
{
    for (size_t i = 0; i < measured->count; i++)
        if (measured->runs[i] == run)
            return true;
    measured->many = measured->count == MOST_RUNS;
    if (!measured->many)
        measured->runs[measured->count++] = run;
    return !measured->many;
}

static enum status find_runs(const char *file, struct measured *measured, struct error *error)
{
    struct store *store = NULL;
    struct store_cursor jobs;
    TRY(store_open(file, STORE_READ, &store, error));
    store_query(store, STORE_JOBS, 0, &jobs, error);
    while (store_next(&jobs) && add_run(measured, jobs.job.run_id))
        ;
    const enum status status = store_end(&jobs, STATUS_OK);
    store_close(store);
    if (status == STATUS_OK && measured->many)
        (void)fprintf(stderr, "%s: only the first %d runs are taken\n", file, MOST_RUNS);
    return status;
}

/* ---- the sums ---- */

static enum status print(const struct request *request, const struct calibration *calibration, struct error *error)
{
    struct text text = {0};
    enum status status = STATUS_OK;
    if (request->wish.json)
        calibration_print_json(calibration, &text);
    else
        calibration_print_text(calibration, &text);
    if (status == STATUS_OK && text.failed)
        status = error_set(error, STATUS_MEMORY, "no memory for the calibration's text");
    if (status == STATUS_OK)
        (void)fputs(text_string(&text), stdout); /* main says what is wrong with standard output */
    text_release(&text);
    return status;
}

static enum status calibrate_runs(const struct request *request, const struct measured *measured, int *code,
                                  struct error *error)
{
    struct side *sides = calloc(measured->count + 1, sizeof *sides);
    struct calibration calibration = {.rates = NULL};
    enum status status = sides ? STATUS_OK : error_set(error, STATUS_MEMORY, "no memory for %zu runs", measured->count);
    for (size_t i = 0; status == STATUS_OK && i < measured->count; i++) {
        const struct selector selector = {.database = request->from ? request->from : request->wish.database,
                                          .run = measured->runs[i]};
        status = side_read(&selector, &sides[i], error);
    }
    if (status == STATUS_OK)
        status = calibrate(sides, measured->count, &request->options, &calibration, error);
    if (status == STATUS_OK)
        status = print(request, &calibration, error);
    if (status == STATUS_OK)
        *code = calibration.unsound > 0 ? 1 : calibration.rate_count == 0 ? 3 : 0;
    calibration_release(&calibration);
    for (size_t i = 0; sides && i < measured->count; i++)
        side_release(&sides[i]);
    free(sides);
    return status;
}

int gate_verb_calibrate(int argc, char **argv)
{
    static const struct argp_child children[] = {{&gate_wish_argp, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    const struct argp argp = {option_list, parse_option, "[TEST...]\n--from FILE", documentation, children, NULL, NULL};
    struct request request = {.wish = gate_usual_wish(), .options = calibration_usual_options(), .total = 600};
    struct measured measured = {.count = 0};
    struct error error = {0};
    int code = 0;
    char name[] = "orchil gate calibrate";
    argv[0] = name;
    if (argp_parse(&argp, argc, argv, 0, NULL, &request) != 0)
        return status_exit_code(STATUS_USAGE);
    enum status status = request.from ? find_runs(request.from, &measured, &error)
                                      : run_suite(&request, argc, argv, &measured, &code, &error);
    if (status == STATUS_OK && code == 0)
        status = calibrate_runs(&request, &measured, &code, &error);
    return status == STATUS_OK ? tests_exit_code(measured.unread_count, code) : complain(name, &error);
}
