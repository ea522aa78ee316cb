// SPDX-License-Identifier: Apache-2.0
/* What a search for an environment prints. */
#include "cli/print/tune_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/quantity.h"
#include "base/terminal/table.h"
#include "cli/complaint.h"

enum { EXIT_ALARM = 1, EXIT_INCONCLUSIVE = 3, EXIT_FAILED = 4 };

static const struct trial *find_start(const struct tune_report *report)
{
    for (size_t i = 0; i < report->final_count; i++)
        if (report->finals[i].number == 0 && report->finals[i].fate == TUNE_MEASURED && report->finals[i].score > 0)
            return &report->finals[i];
    return NULL;
}

/* The candidates that were measured again. */
static void print_finals(const struct tune_report *report)
{
    const struct trial *start = find_start(report);
    const size_t pairs = report->bench->pair_count;
    struct table table = {0};
    table_columns(&table, ">trial|>search|>again|>to start|controls|~");
    for (size_t i = 0; i < report->final_count; i++) {
        const struct trial *trial = &report->finals[i];
        char before[QUANTITY_SIZE], again[QUANTITY_SIZE], instances[QUANTITY_SIZE];
        table_add(&table, "%" PRIu64, trial->number);
        table_add(&table, "%s", quantity_short(tune_mean(report->trials[trial->number].score, pairs), before));
        table_add(&table, "%s", quantity_short(tune_mean(trial->score, pairs), again));
        if (start)
            table_add(&table, "%.2f", exp((trial->score - start->score) / (double)pairs));
        else
            table_add(&table, "-");
        if (trial->fate == TUNE_CONDEMNED || trial->control_instances == 0)
            table_add(&table, "%s", trial->fate == TUNE_CONDEMNED ? "REJECTED" : "none");
        else
            table_add(&table, "0 in %s", quantity_count(trial->control_instances, instances));
        const bool fell = trial->fate != TUNE_MEASURED && trial->fate != TUNE_INTERRUPTED;
        table_add(&table, "%s%s%s", trial == report->best ? "<- the profile " : "",
                  trial->number == 0 ? report->start : "", fell ? " rejected when measured again" : "");
    }
    terminal_print(stdout, "\nWitnesses/s%s, in the search and measured again:\n",
                   pairs > 1 ? " (geometric mean)" : "");
    table_print(&table, stdout, 2);
    table_release(&table);
}

/* The rates of the best, where there are several. */
static void print_pairs(const struct tune_report *report)
{
    struct table table = {0};
    if (report->bench->pair_count == 1)
        return;
    table_columns(&table, "test|device|>witnesses/s|>instances/s");
    for (size_t i = 0; i < report->bench->pair_count; i++) {
        const struct planned_job *job = report->bench->pairs[i].job;
        const struct tune_rate *rate = &report->best->rates[i];
        char witnesses[QUANTITY_SIZE], instances[QUANTITY_SIZE];
        table_add(&table, "%s", job->test->test->name);
        table_add(&table, "%s:%u", job->device->backend, job->device->index);
        table_add(&table, "%s", quantity_short(tune_rate_value(rate), witnesses));
        table_add(&table, "%s",
                  quantity_short(rate->seconds > 0 ? (double)rate->instances / rate->seconds : 0, instances));
    }
    terminal_print(stdout, "\nTrial %" PRIu64 " by test:\n", report->best->number);
    table_print(&table, stdout, 2);
    table_release(&table);
}

static void print_fates(const struct tune_report *report)
{
    size_t by_fate[TUNE_FATE_COUNT] = {0};
    const char *reasons[TUNE_FATE_COUNT] = {NULL};
    char seconds[QUANTITY_SIZE];
    for (size_t i = 0; i < report->trial_count; i++)
        if (by_fate[report->trials[i].fate]++ == 0)
            reasons[report->trials[i].fate] = report->trials[i].why;
    terminal_print(stdout, "%zu candidates in %s:\n", report->trial_count, quantity_seconds(report->seconds, seconds));
    for (size_t fate = 0; fate < TUNE_FATE_COUNT; fate++) {
        const bool explain = fate != TUNE_MEASURED && fate != TUNE_ABANDONED && fate != TUNE_INTERRUPTED;
        if (by_fate[fate] > 0)
            terminal_print(stdout, "  %zu %s%s%s%s\n", by_fate[fate], tune_fate_text((enum tune_fate)fate),
                           explain ? " (" : "", explain ? reasons[fate] : "", explain ? ")" : "");
    }
}

static void print_report(const struct tune_report *report)
{
    print_fates(report);
    if (report->final_count > 0)
        print_finals(report);
    if (report->best) {
        print_pairs(report);
        terminal_print(stdout, "\nThe profile is in %s; orchil run --profile %s uses it.\n", report->out, report->out);
    } else if (report->final_count > 0 && report->finals[0].why[0] != '\0')
        terminal_print(stdout,
                       "\nNo profile is written: each of these was rejected when measured again (the first: %s).\n",
                       report->finals[0].why);
    else
        terminal_print(stdout, "\nNo profile is written: no candidate showed a witness without fault.\n");
    terminal_print(stdout,
                   "Stored as run %" PRId64 " in %s, the trials as profiles 'trial 0', 'trial 1', ...; seed %" PRIu64
                   ".\n",
                   report->bench->run_id, report->database, report->bench->seed);
}

/* ---- the listener ---- */

static void show_progress(const struct tune_progress *progress, void *context)
{
    struct progress *shown = context;
    const double left = progress->seconds_left;
    struct text line = {0};
    char best[QUANTITY_SIZE], seconds[QUANTITY_SIZE];
    if (!progress_due(shown, stderr))
        return;
    if (progress->finals > 0)
        text_add(&line, "measuring the best %zu again", progress->finals);
    else
        text_add(&line, "trial %zu", progress->trials);
    if (progress->best)
        text_add(&line, ", best so far: trial %" PRIu64 " with %s witnesses/s", progress->best->number,
                 quantity_short(tune_mean(progress->best->score, progress->pairs), best));
    text_add(&line, ", %s left", quantity_seconds(left > 1 ? ceil(left) : 1, seconds));
    progress_show(shown, stderr, text_string(&line));
    text_release(&line);
}

static void print_alarm(const struct trial *trial, void *context)
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
    print_report(report);
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

int tune_output_run(const struct tune_options *options, const struct run_plan *plan, int argc, char **argv)
{
    struct progress progress = {0};
    const struct tune_listener listener = {
        .went_on = show_progress, .alarm = print_alarm, .ended = print_end, .context = &progress};
    struct tune_result result;
    tune_run(options, plan, &listener, argc, argv, &result);
    progress_clear(&progress, stderr);
    if (result.status != STATUS_OK)
        (void)complain("orchil tune", &result.error);
    return exit_code(&result);
}
