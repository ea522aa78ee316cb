// SPDX-License-Identifier: Apache-2.0
/* orchil gate: whether a device, or a stored run, passes against a baseline. analysis/gate/gate.c decides; gate_suite.c runs. */
#include <argp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "cli/arguments.h"
#include "cli/complaint.h"
#include "cli/gate/gate_output.h"
#include "cli/gate/gate_suite.h"
#include "cli/gate/gate_verbs.h"
#include "cli/tests.h"
#include "cli/verb.h"

enum option_key {
    OPTION_ALPHA = 256,
    OPTION_BASELINE,
    OPTION_CONFIDENCE,
    OPTION_EXPECT,
    OPTION_JUNIT,
    OPTION_MARKDOWN,
    OPTION_STORED,
    OPTION_STRICT,
    OPTION_TOLERANCE
};

struct request {
    struct gate_wish wish;
    struct gate_files files;
    struct compare_options compare;
    const char *baseline, *expect;
    bool stored;
};

static const struct argp_option option_list[] = {
    {"baseline", OPTION_BASELINE, "FILE[:RUN]", 0, "the database that the device is compared with", 0},
    {"stored", OPTION_STORED, NULL, 0, "run nothing: judge the stored jobs B against A, each FILE, FILE:RUN or RUN", 0},
    {"expect", OPTION_EXPECT, "FILE", 0, "what is known, flaky or skipped, each with a reason", 0},
    {"tolerance", OPTION_TOLERANCE, "FACTOR", 0, "changes of a rate within this factor do not count (default: 1.1)", 0},
    {"alpha", OPTION_ALPHA, "P", 0, "the chance of any false alarm among the rates (default: 0.05)", 0},
    {"confidence", OPTION_CONFIDENCE, "C", 0,
     "with which a rerun must see a mutant again (default: the suite's, else 0.99999: 12 sightings)", 0},
    {"strict", OPTION_STRICT, NULL, 0, "judge a device also by orders and scopes that it does not declare", 0},
    {"junit", OPTION_JUNIT, "FILE", 0, "also write JUnit XML", 0},
    {"markdown", OPTION_MARKDOWN, "FILE", 0, "also write Markdown", 0},
    {0}};

static void check_request(const struct argp_state *state, const struct request *request)
{
    if (request->stored && request->baseline)
        argp_error(state, "--stored and --baseline exclude each other");
    else if (request->stored && request->wish.test_count != 2)
        argp_error(state, "--stored: expected two arguments, A and B, found %zu", request->wish.test_count);
    else if (!request->stored && !request->baseline)
        argp_error(state, "expected --baseline FILE, which `orchil gate baseline` makes, or --stored A B");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &request->wish;
        return 0;
    case OPTION_BASELINE:
        request->baseline = value;
        return 0;
    case OPTION_STORED:
        request->stored = true;
        return 0;
    case OPTION_STRICT:
        request->wish.strict = true;
        return 0;
    case OPTION_EXPECT:
        request->expect = value;
        return 0;
    case OPTION_JUNIT:
        request->files.junit = value;
        return 0;
    case OPTION_MARKDOWN:
        request->files.markdown = value;
        return 0;
    case OPTION_CONFIDENCE:
        return argument_number(state, "confidence", value, 0, 1, &request->wish.confidence);
    case OPTION_TOLERANCE:
        return argument_number(state, "tolerance", value, 1, 1000, &request->compare.tolerance);
    case OPTION_ALPHA:
        return argument_number(state, "alpha", value, 0, 1, &request->compare.alpha);
    case ARGP_KEY_END:
        check_request(state, request);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char documentation[] =
    "Decides whether a device passes: runs a suite, compares it with a baseline batch by batch, and ends with an exit code "
    "that a pipeline can use.\v"
    "Fails: an outcome that a model forbids, a control's witness, a hang, a crash, a failed build, support that is gone, a "
    "lost or a new outcome, a rate beyond the tolerance. Inconclusive: whatever makes a pass mean nothing, with the "
    "time that would do: a mutant that was not seen often enough, too little data, stress that was not alive, a canary "
    "that failed, tests that did not run. An outcome that only one side has seen is always listed; where too little data "
    "proves nothing, it does not fail.\n\n"
    "Without TEST the tests, the environment and the seed are the baseline's. `orchil gate baseline --help` and `orchil "
    "gate calibrate --help` tell how to make a baseline, and what this machine can detect.\n\n"
    "Under GitHub Actions the findings are annotated and added to the step's summary. docs/ci/ holds ready pipelines.\n\n"
    "Examples:\n"
    "  orchil gate baseline --device cuda --out base.db\n"
    "  orchil gate --baseline base.db --junit gate.xml\n"
    "  orchil gate --baseline base.db --expect expect.ini --tolerance 1.3\n"
    "  orchil gate --stored old.db new.db:3\n\n"
    "Exit codes: 0 passed; 1 failed; 2 wrong usage, or a file that cannot be read or parsed, also one of a "
    "folder, if nothing is worse; 3 inconclusive; 4 no device, or the database failed; 130, 143 interrupted: nothing is decided, and everything finished is stored.";

/* ---- the sides ---- */

/* A baseline in the file that the run goes to would be compared with itself. */
static enum status check_apart(const struct gate_place *place, const char *database, struct error *error)
{
    struct stat a, b;
    if (place->run > 0 || stat(place->file, &a) != 0 || stat(database, &b) != 0 || a.st_dev != b.st_dev ||
        a.st_ino != b.st_ino)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "the run would be stored in its own baseline %s: choose another file with --db, or name the "
                     "baseline's run, as %s:1",
                     database, place->file);
}

/* All that a decision is made of. */
struct judging {
    struct gate_place place[SIDES];
    struct selector selector[SIDES];
    struct side side[SIDES];
    struct gate_source source;
    struct gate_suite suite;
    struct comparison comparison;
    struct expectations expectations;
    struct gate gate;
};

static void choose_stored(const struct request *request, struct judging *judging)
{
    for (int side = 0; side < SIDES; side++) {
        gate_place_read(request->wish.tests[side], request->wish.database, &judging->place[side]);
        judging->selector[side] =
            (struct selector){.database = judging->place[side].file, .run = judging->place[side].run};
    }
}

/* Runs the suite, so that side B is there. *code is not 0 where there is nothing to decide on. */
static enum status run_suite(const struct request *request, int argc, char **argv, struct judging *judging, int *code,
                             struct error *error)
{
    char seconds[QUANTITY_SIZE];
    int64_t run_id;
    gate_place_read(request->baseline, NULL, &judging->place[SIDE_A]);
    TRY(check_apart(&judging->place[SIDE_A], request->wish.database, error));
    TRY(gate_source_read(&judging->place[SIDE_A], &judging->source, error));
    TRY(gate_suite_make(&request->wish, &judging->source, &judging->suite, error));
    gate_suite_share(&judging->suite);
    if (!gate_suite_run(&judging->suite, judging->suite.wish.seed, argc, argv, &run_id, code)) {
        if (*code >= 128)
            (void)fprintf(stderr, "orchil gate: interrupted: nothing is decided\n");
        return STATUS_OK;
    }
    *code = 0;
    (void)fprintf(stderr, "stored as run %lld in %s, %s\n", (long long)run_id, request->wish.database,
                  quantity_seconds(clock_seconds() - judging->suite.started, seconds));
    judging->selector[SIDE_A] =
        (struct selector){.database = judging->place[SIDE_A].file, .run = judging->place[SIDE_A].run};
    judging->selector[SIDE_B] = (struct selector){.database = request->wish.database, .run = run_id};
    gate_source_narrow(&judging->source, judging->suite.chosen, judging->suite.chosen_count,
                       &judging->selector[SIDE_A]);
    return STATUS_OK;
}

/* ---- the decision ---- */

static enum status decide(const struct request *request, struct judging *judging, struct error *error)
{
    const double confidence = request->stored ? request->wish.confidence : judging->suite.wish.confidence;
    struct compare_options compare = request->compare;
    const struct gate_options options = {.strict = request->wish.strict,
                                         .assurance = confidence > 0 ? confidence : 0.99999,
                                         .chosen = !request->stored && request->wish.test_count > 0};
    compare.dimensions = DIMENSION_DRIVER; /* what a gate is about */
    for (int side = 0; side < SIDES; side++)
        TRY(side_read(&judging->selector[side], &judging->side[side], error));
    compare_sides(&judging->side[SIDE_A], &judging->side[SIDE_B], &compare, &judging->comparison);
    gate_decide(&judging->comparison, &options, request->expect ? &judging->expectations : NULL, &judging->gate);
    return STATUS_OK;
}

/* A report that cannot be written hides no failure. */
static int report(const struct request *request, const struct judging *judging)
{
    struct error error;
    const int code = gate_exit_code(judging->gate.verdict);
    if (gate_output_print(&judging->gate, &request->files, &error) == STATUS_OK)
        return code;
    const int failed = complain("orchil gate", &error);
    return judging->gate.verdict == GATE_FAIL ? code : failed;
}

static int judge(const struct request *request, int argc, char **argv, struct judging *judging)
{
    struct error error = {0};
    int code = 0;
    enum status status = gate_output_check(&request->files, &error);
    if (status == STATUS_OK && request->expect)
        status = expectations_read(request->expect, &judging->expectations, &error);
    if (status == STATUS_OK && request->stored)
        choose_stored(request, judging);
    else if (status == STATUS_OK)
        status = run_suite(request, argc, argv, judging, &code, &error);
    if (status == STATUS_OK && code != 0)
        return code;
    if (status == STATUS_OK)
        status = decide(request, judging, &error);
    return status == STATUS_OK ? report(request, judging) : complain("orchil gate", &error);
}

static void release(struct judging *judging)
{
    gate_release(&judging->gate);
    expectations_release(&judging->expectations);
    comparison_release(&judging->comparison);
    for (int side = 0; side < SIDES; side++) {
        side_release(&judging->side[side]);
        gate_place_release(&judging->place[side]);
    }
    gate_suite_release(&judging->suite);
    gate_source_release(&judging->source);
}

int verb_gate(int argc, char **argv)
{
    static const struct argp_child children[] = {{&gate_wish_argp, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    const struct argp argp = {
        option_list, parse_option, "--baseline FILE [TEST...]\n--stored A B", documentation, children, NULL, NULL};
    struct request request = {.wish = gate_usual_wish(), .compare = compare_usual_options()};
    struct judging judging = {.source = {.file = ""}};

    argp_err_exit_status = status_exit_code(STATUS_USAGE);
    if (argc > 1 && strcmp(argv[1], "baseline") == 0)
        return gate_verb_baseline(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "calibrate") == 0)
        return gate_verb_calibrate(argc - 1, argv + 1);
    if (argp_parse(&argp, argc, argv, 0, NULL, &request) != 0)
        return status_exit_code(STATUS_USAGE);
    request.files.json = request.wish.json;
    const int judged = judge(&request, argc, argv, &judging);
    const int code = tests_exit_code(judging.suite.selection.unread_count, judged);
    release(&judging);
    return code;
}
