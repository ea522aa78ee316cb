// SPDX-License-Identifier: Apache-2.0
/* orchil gate: whether a device, or a stored run, passes against a baseline. analysis/gate/gate.c decides; gate_suite.c runs. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "cli/complaint.h"
#include "cli/gate/gate_output.h"
#include "cli/gate/gate_suite.h"
#include "cli/gate/gate_verbs.h"
#include "cli/judged_again.h"
#include "cli/tests.h"
#include "cli/verbs/verb.h"
#include "runner/supervise/stop_signals.h"

struct gate_command {
    struct gate_request request;
    struct gate_files files;
    struct compare_options compare;
    const char *baseline, *expect;
    bool stored;
};

static void gate_check(const struct argp_state *state, const void *data)
{
    const struct gate_command *command = data;
    if (command->stored && command->baseline)
        argp_error(state, "--stored and --baseline exclude each other");
    else if (command->stored && command->request.tests.count != 2)
        argp_error(state, "--stored: expected two arguments, A and B, found %zu", command->request.tests.count);
    else if (!command->stored && !command->baseline)
        argp_error(state, "expected --baseline FILE, which `orchil gate baseline` makes, or --stored A B");
}

#define AT(member) offsetof(struct gate_command, member)

static const struct option_row gate_rows[] = {
    {"baseline", 0, "FILE[:RUN]", OPTION_TEXT, AT(baseline), .help = "the database that the device is compared with"},
    {"stored", 0, NULL, OPTION_SET, AT(stored),
     .help = "run nothing: judge the stored jobs B against A, each FILE, FILE:RUN or RUN"},
    {"expect", 0, "FILE", OPTION_TEXT, AT(expect), .help = "what is known, flaky or skipped, each with a reason"},
    {ROW_TOLERANCE(AT(compare)), .help = HELP_TOLERANCE},
    {ROW_ALPHA(AT(compare)), .help = HELP_ALPHA},
    {"confidence", 0, "C", OPTION_NUMBER, AT(request.confidence), .low = 0, .high = 1,
     .help = "with which a rerun must see a mutant again (default: the suite's, else 0.99999: 12 sightings)"},
    {ROW_STRICT(AT(request.strict))},
    {"junit", 0, "FILE", OPTION_TEXT, AT(files.junit), .help = "also write JUnit XML"},
    {"markdown", 0, "FILE", OPTION_TEXT, AT(files.markdown), .help = "also write Markdown"},
#include "cli/gate/gate_rows.inc"
    {0}};

static const char documentation[] =
    "Decides whether a device passes: runs a suite, compares it with a baseline batch by batch, and ends with an exit code "
    "that a pipeline can use.\v"
    "Fails: an outcome that a model forbids, a control's witness, a hang, a crash, a failed build, support that is gone, a "
    "lost or a new outcome, a rate beyond the tolerance. Inconclusive: whatever makes a pass mean nothing, with the "
    "time that would do: a mutant that was not seen often enough, too little data, stress that was not alive, a canary "
    "that failed, tests that did not run. An outcome that only one side has seen is always listed; where too little data "
    "proves nothing, it does not fail.\n\n" HELP_JUDGED_AGAIN
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
static enum status gate_check_apart(const struct gate_place *place, const char *database, struct error *error)
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
struct decision {
    struct gate_place place[SIDES];
    struct selector selector[SIDES];
    struct side side[SIDES];
    struct gate_source source;
    struct gate_suite suite;
    struct comparison comparison;
    struct expectations expectations;
    struct gate gate;
};

static void gate_choose_stored(const struct gate_command *command, struct decision *decision)
{
    for (int side = 0; side < SIDES; side++) {
        gate_place_read(command->request.tests.list[side], command->request.database, &decision->place[side]);
        decision->selector[side] =
            (struct selector){.database = decision->place[side].file, .run = decision->place[side].run};
    }
}

/* Runs the suite, so that side B is there. *code is not 0 where there is nothing to decide on. */
static enum status gate_run_suite(const struct gate_command *command, int argc, char **argv, struct decision *decision,
                                  int *code, struct error *error)
{
    char seconds[QUANTITY_SIZE];
    int64_t run_id;
    gate_place_read(command->baseline, NULL, &decision->place[SIDE_A]);
    TRY(gate_check_apart(&decision->place[SIDE_A], command->request.database, error));
    TRY(gate_source_read(&decision->place[SIDE_A], &decision->source, error));
    TRY(gate_suite_make(&command->request, &decision->source, &decision->suite, error));
    gate_suite_share(&decision->suite);
    if (!gate_suite_run(&decision->suite, decision->suite.request.seed, argc, argv, &run_id, code)) {
        if (*code >= 128)
            (void)fprintf(stderr, "orchil gate: interrupted: nothing is decided\n");
        return STATUS_OK;
    }
    *code = 0;
    (void)fprintf(stderr, "stored as run %lld in %s, %s\n", (long long)run_id, command->request.database,
                  quantity_seconds(clock_seconds() - decision->suite.started, seconds));
    decision->selector[SIDE_A] =
        (struct selector){.database = decision->place[SIDE_A].file, .run = decision->place[SIDE_A].run};
    decision->selector[SIDE_B] = (struct selector){.database = command->request.database, .run = run_id};
    gate_source_narrow(&decision->source, decision->suite.chosen, decision->suite.chosen_count,
                       &decision->selector[SIDE_A]);
    return STATUS_OK;
}

/* ---- the decision ---- */

static enum status gate_reach_decision(const struct gate_command *command, struct decision *decision,
                                       struct error *error)
{
    const double confidence = command->stored ? command->request.confidence : decision->suite.request.confidence;
    struct compare_options compare = command->compare;
    const struct gate_options options = {.strict = command->request.strict,
                                         .assurance = confidence > 0 ? confidence : 0.99999,
                                         .chosen = !command->stored && command->request.tests.count > 0};
    compare.dimensions = DIMENSION_DRIVER; /* what a gate is about */
    stop_signals_forget();                 /* what is left can be asked again */
    for (int side = 0; side < SIDES; side++) {
        decision->selector[side].prepare = judged_again_prepare;
        TRY(side_read(&decision->selector[side], &decision->side[side], error));
    }
    compare_sides(&decision->side[SIDE_A], &decision->side[SIDE_B], &compare, &decision->comparison);
    gate_decide(&decision->comparison, &options, command->expect ? &decision->expectations : NULL, &decision->gate);
    return STATUS_OK;
}

/* A report that cannot be written hides no failure. */
static int gate_report(const struct gate_command *command, const struct decision *decision)
{
    struct error error;
    const int code = gate_exit_code(decision->gate.verdict);
    if (gate_output_print(&decision->gate, &command->files, &error) == STATUS_OK)
        return code;
    const int failed = complain("orchil gate", &error);
    return decision->gate.verdict == GATE_FAIL ? code : failed;
}

static int gate_judge(const struct gate_command *command, int argc, char **argv, struct decision *decision)
{
    struct error error = {0};
    int code = 0;
    enum status status = gate_output_check(&command->files, &error);
    if (status == STATUS_OK && command->expect)
        status = expectations_read(command->expect, &decision->expectations, &error);
    if (status == STATUS_OK && command->stored)
        gate_choose_stored(command, decision);
    else if (status == STATUS_OK)
        status = gate_run_suite(command, argc, argv, decision, &code, &error);
    if (status == STATUS_OK && code != 0)
        return code;
    if (status == STATUS_OK)
        status = gate_reach_decision(command, decision, &error);
    return status == STATUS_OK ? gate_report(command, decision) : complain("orchil gate", &error);
}

static void decision_release(struct decision *decision)
{
    gate_release(&decision->gate);
    expectations_release(&decision->expectations);
    comparison_release(&decision->comparison);
    for (int side = 0; side < SIDES; side++) {
        side_release(&decision->side[side]);
        gate_place_release(&decision->place[side]);
    }
    gate_suite_release(&decision->suite);
    gate_source_release(&decision->source);
}

static int gate_main(int argc, char **argv)
{
    struct gate_command command = {.request = {.limits = {.open = OPEN_SECONDS}}, .compare = compare_usual_options()};
    struct decision decision = {.source = {.file = ""}};
    options_parse(&verb_gate, argc, argv, &command);
    command.files.json = command.request.json;
    const int judged = gate_judge(&command, argc, argv, &decision);
    const int code = tests_exit_code(decision.suite.selection.unread_count, judged);
    decision_release(&decision);
    return code;
}

static const struct verb *const gate_verbs[] = {&verb_gate_baseline, &verb_gate_calibrate, NULL};

const struct verb verb_gate = {.name = "gate",
                               .summary = "decides whether a device passes against a baseline, for pipelines",
                               .usage = "--baseline FILE [TEST...]\n--stored A B",
                               .documentation = documentation,
                               .options = gate_rows,
                               .arguments = AT(request.tests),
                               .check = gate_check,
                               .below = gate_verbs,
                               .run = gate_main};
