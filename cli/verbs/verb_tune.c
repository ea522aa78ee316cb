// SPDX-License-Identifier: Apache-2.0
/* orchil tune: the command line. The search is in runner/tune. */
#include "base/random.h"
#include "base/terminal/table.h"
#include "cli/atomics.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "hunt/tune/tune.h"
#include "runner/protocol/device.h"
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

static void add_spec(const struct argp_state *state, const struct option_row *row, const char *value, void *data)
{
    struct tune_request *request = data;
    if (request->spec_count == MAXIMUM_SPECS)
        options_error(state, "--%s: at most %d", row->name, MAXIMUM_SPECS);
    request->specs[request->spec_count++] = value;
}

#define AT(member) offsetof(struct tune_request, member)

static const struct option_row option_rows[] = {
    {"device", 0, "SPEC", OPTION_OTHER, .read = add_spec},
    {"portable", 0, NULL, OPTION_SET, .offset = AT(portable)},
    {"time", 0, "S", OPTION_SECONDS, .offset = AT(options.seconds), "2m"},
    {"trials", 0, "N", OPTION_COUNT, .offset = AT(options.trials)},
    {ROW_SEED(AT(options.seed), AT(seeded))},
    {ROW_PROFILE(AT(options.profile))},
    {ROW_HOME(AT(options.homes))},
    {ROW_OUT("FILE", AT(options.out)), .usual = "tuned.ini", .file = OPTION_FILE_WRITTEN, .replaces = "profile"},
    {ROW_DATABASE(AT(options.database))},
    {"no-controls", 0, NULL, OPTION_CLEAR, .offset = AT(controls)},
    {ROW_BUILD_LIMIT(AT(options.limits))},
    {ROW_BATCH_LIMIT(AT(options.limits), "10")},
    ATOMICS_ROWS,
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
        const size_t k = INDEX_OF(device, chosen->devices, chosen->count, *device == found[i]);
        if (k == chosen->count)
            chosen->devices[chosen->count++] = found[i];
    }
    free(found);
    return STATUS_OK;
}

static enum status choose_devices(const struct tune_request *request, struct chosen_devices *chosen,
                                  struct error *error)
{
    LOCAL(text) specs = {0};
    for (size_t i = 0; i < request->spec_count; i++)
        text_add(&specs, "%s%s", i > 0 ? "," : "", request->specs[i]);
    const enum status status =
        devices_find_for(request->spec_count > 0 ? text_string(&specs) : NULL, &chosen->list, error);
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

/* ---- what the search prints ---- */

enum { EXIT_ALARM = 1, EXIT_INCONCLUSIVE = 3, EXIT_FAILED = 4 };

static const struct trial *tune_find_start(const struct tune_report *report)
{
    return FIRST_OF(final, report->finals, report->final_count,
                    final->number == 0 && final->fate == TUNE_MEASURED && final->score > 0);
}

/* The candidates that were measured again. */
static void print_finals(const struct tune_report *report)
{
    const struct trial *start = tune_find_start(report);
    const size_t pairs = report->bench->pair_count;
    struct table table = {0};
    table_columns(&table, ">trial|>search|>again|>to start|controls|~");
    FOR_EACH(const struct trial, trial, report->finals, report->final_count) {
        table_add(&table, "%" PRIu64, trial->number);
        TABLE_ADD_TEXTS(&table, QUANTITY_SHORT(tune_mean(report->trials[trial->number].score, pairs)),
                        QUANTITY_SHORT(tune_mean(trial->score, pairs)));
        if (start)
            table_add(&table, "%.2f", exp((trial->score - start->score) / (double)pairs));
        else
            table_add(&table, "-");
        if (trial->fate == TUNE_CONDEMNED || trial->control_instances == 0)
            table_add(&table, "%s", trial->fate == TUNE_CONDEMNED ? "REJECTED" : "none");
        else
            table_add(&table, "0 in %s", QUANTITY_COUNT(trial->control_instances));
        const bool fell = trial->fate != TUNE_MEASURED && trial->fate != TUNE_INTERRUPTED;
        table_add(&table, "%s%s", trial->number == 0 ? report->start : "", fell ? " rejected when measured again" : "");
    }
    terminal_print(stdout, "\nWitnesses/s%s, in the search and measured again:\n",
                   pairs > 1 ? " (geometric mean)" : "");
    table_print(&table, stdout, 2);
}

/* A rate with its interval, or a dash if the start could not be measured. */
static void tune_add_side(struct table *table, const struct tune_duel *duel, enum tune_side side, size_t pair)
{
    char interval[TUNE_INTERVAL_SIZE];
    if (side == TUNE_START && duel->verdict == TUNE_VERDICT_ALONE)
        table_add(table, "-");
    else
        table_add(table, "%s", tune_repeats_print(&duel->rates[side][pair], interval));
}

/* The best candidate and the start, test by test. */
static void print_duel(const struct tune_report *report)
{
    const struct tune_duel *duel = report->duel;
    const unsigned repeats = duel->rates[TUNE_CANDIDATE][0].count;
    char interval[TUNE_INTERVAL_SIZE];
    LOCAL(text) columns = {0};
    struct table table = {0};
    text_add(&columns, "test|device|>trial %" PRIu64 "|>%s", duel->sides[TUNE_CANDIDATE].number, report->start);
    table_columns(&table, text_string(&columns));
    for (size_t i = 0; i < report->bench->pair_count; i++) {
        const struct planned_job *job = report->bench->pairs[i].job;
        TABLE_ADD_TEXTS(&table, job->test->test->name, device_address(job->device).text);
        tune_add_side(&table, duel, TUNE_CANDIDATE, i);
        tune_add_side(&table, duel, TUNE_START, i);
    }
    terminal_print(stdout, "\nWitnesses/s, measured in turn %u times each (95 %% intervals):\n", repeats);
    table_print(&table, stdout, 2);
    if (duel->verdict != TUNE_VERDICT_ALONE)
        terminal_print(stdout, "  trial %" PRIu64 " has %s times the rate of %s%s\n",
                       duel->sides[TUNE_CANDIDATE].number, tune_repeats_print(&duel->ratio, interval), report->start,
                       report->bench->pair_count > 1 ? " (geometric mean)" : "");
}

static void print_fates(const struct tune_report *report)
{
    size_t by_fate[TUNE_FATE_COUNT] = {0};
    const char *reasons[TUNE_FATE_COUNT] = {NULL};
    for (size_t i = 0; i < report->trial_count; i++)
        if (by_fate[report->trials[i].fate]++ == 0)
            reasons[report->trials[i].fate] = report->trials[i].why;
    terminal_print(stdout, "%zu candidate%s in %s:\n", report->trial_count, report->trial_count == 1 ? "" : "s",
                   QUANTITY_SECONDS(report->seconds));
    for (size_t fate = 0; fate < TUNE_FATE_COUNT; fate++) {
        const bool explain = fate != TUNE_MEASURED && fate != TUNE_ABANDONED && fate != TUNE_INTERRUPTED;
        if (by_fate[fate] > 0)
            terminal_print(stdout, "  %zu %s%s%s%s\n", by_fate[fate], tune_fate_text((enum tune_fate)fate),
                           explain ? " (" : "", explain ? reasons[fate] : "", explain ? ")" : "");
    }
}

/* Why no profile was written, if none was compared with the start. */
static void print_none(const struct tune_report *report)
{
    const struct trial *rejected =
        FIRST_OF(final, report->finals, report->final_count, final->number > 0 && final->why[0] != '\0');
    if (rejected)
        terminal_print(stdout,
                       "\nNo profile is written: each candidate was rejected when measured again (trial %" PRIu64
                       ": %s).\n",
                       rejected->number, rejected->why);
    else if (tune_find_start(report))
        terminal_print(stdout, "\nNo profile is written: no candidate came near the old profile, %s, which is kept.\n",
                       report->start);
    else if (report->final_count > 0 && report->finals[0].why[0] != '\0')
        terminal_print(stdout, "\nNo profile is written: %s was rejected when measured again (%s).\n", report->start,
                       report->finals[0].why);
    else
        terminal_print(stdout, "\nNo profile is written: no candidate showed a witness without fault.\n");
}

/* ---- the listener ---- */

static void tune_show_progress(const struct tune_progress *progress, void *context)
{
    struct progress_line *shown = context;
    const double left = progress->seconds_left;
    LOCAL(text) line = {0};
    if (!progress_due(shown, stderr))
        return;
    if (progress->finals > 0)
        text_add(&line, "measuring the best %zu again", progress->finals);
    else
        text_add(&line, "trial %zu", progress->trials);
    if (progress->best)
        text_add(&line, ", best so far: trial %" PRIu64 " with %s witnesses/s", progress->best->number,
                 QUANTITY_SHORT(tune_mean(progress->best->score, progress->pairs)));
    text_add(&line, ", %s left", QUANTITY_SECONDS(left > 1 ? ceil(left) : 1));
    progress_show(shown, stderr, text_string(&line));
}

static void tune_print_alarm(const struct trial *trial, void *context)
{
    progress_clear(context, stderr);
    terminal_print(stderr,
                   "orchil tune: trial %" PRIu64
                   " is rejected: %s. Suspect orchil first, then the device; the environment "
                   "is stored as %.12s\n",
                   trial->number, trial->why, trial->hash);
}

static void print_end(const struct tune_report *report, void *context)
{
    progress_clear(context, stderr);
    const enum tune_verdict verdict = report->duel->verdict;
    print_fates(report);
    if (report->final_count > 0)
        print_finals(report);
    if (verdict != TUNE_VERDICT_NOT_COMPARED && report->duel->rates[TUNE_CANDIDATE][0].count > 0)
        print_duel(report);
    if (report->best) {
        terminal_print(stdout, "\n");
        if (report->best->number > 0)
            terminal_print(stdout, "Trial %" PRIu64 " is %s.\n", report->best->number, tune_verdict_text(verdict));
        terminal_print(stdout, "The profile is in %s; orchil run --profile %s uses it.\n", report->out, report->out);
    } else if (verdict == TUNE_VERDICT_NOT_COMPARED)
        print_none(report);
    else {
        /* Why the candidate that was compared with the start was not written. */
        const struct trial *candidate = &report->duel->sides[TUNE_CANDIDATE];
        terminal_print(stdout, "\nTrial %" PRIu64 " is %s.\n", candidate->number,
                       tune_verdict_text(report->duel->verdict));
        if (candidate->fate != TUNE_MEASURED && candidate->why[0] != '\0')
            terminal_print(stdout, "  %s\n", candidate->why);
        terminal_print(stdout, "%s is not written; the old profile is %s.\n", report->out, report->start);
    }
    terminal_print(stdout,
                   "Stored as run %" PRId64 " in %s, the trials as profiles 'trial 0', 'trial 1', ...; seed %" PRIu64
                   ".\n",
                   report->bench->run_id, report->database, report->bench->seed);
}

/* The first that applies. */
static int exit_code(const struct tune_result *result)
{
    if (result->signal > 0)
        return 128 + result->signal;
    if (result->status != STATUS_OK)
        return status_exit_code(result->status);
    if (result->alarms > 0)
        return EXIT_ALARM;
    if (result->found)
        return 0;
    return result->failed ? EXIT_FAILED : EXIT_INCONCLUSIVE;
}

/* Searches and prints what happens. Returns the exit code of the process. */
static int search_and_print(const struct tune_options *options, const struct run_plan *plan)
{
    struct progress_line progress = {0};
    const struct tune_listener listener = {
        .went_on = tune_show_progress, .alarm = tune_print_alarm, .ended = print_end, .context = &progress};
    struct tune_result result;
    tune_run(options, plan, &listener, &result);
    progress_clear(&progress, stderr);
    if (result.status != STATUS_OK)
        (void)complain("orchil tune", &result.error);
    return exit_code(&result);
}

static enum status tune_execute(void *data, struct verb_call *call, struct error *error)
{
    struct tune_request *request = data;
    struct chosen_devices chosen = {0};
    LOCAL(run_plan) plan = {0};
    request->options.provenance = verb_provenance(call);
    TRY(tests_take(call, &request->tests, NULL, error));
    for (size_t i = 0; i < call->selection.count; i++)
        if (litmus_forbids_witness(call->selection.tests[i].test))
            return error_set(
                error, STATUS_USAGE,
                "%s says that its witness must never appear: tune with a test whose witness is allowed; the "
                "tests that it names in Control= run with it",
                call->selection.tests[i].test->name);
    if (!request->seeded)
        TRY(random_seed(&request->options.seed, error));
    enum status status = choose_devices(request, &chosen, error);
    THEN(status, run_plan_make(&call->selection, chosen.devices, chosen.count, NULL, request->options.homes,
                               RUN_LOWERING_USUAL, request->controls, &plan, error));
    if (status == STATUS_OK) {
        /* Gives advice for the first test that its device cannot run. */
        struct text instead = {0};
        for (size_t i = 0; i < plan.job_count && instead.size == 0; i++)
            siblings_add_hint(plan.jobs[i].test->test, plan.jobs[i].device, &instead);
        terminal_end(stderr, &instead);
        call->code = search_and_print(&request->options, &plan);
    }
    free(chosen.devices);
    devices_release(&chosen.list);
    return status;
}

VERB_ENTRY(tune, tests, (.options = {.limits = {.open = OPEN_SECONDS}}),
           .no_arguments = "expected a TEST whose witness is allowed, such as SB+relaxed");
