// SPDX-License-Identifier: Apache-2.0
/* What a run will do, and about how long it takes: in a few words, or, for `run --dry-run`, job by job. */
#include "cli/print/forecast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_index.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/terminal/table.h"
#include "base/terminal/terminal.h"
#include "runner/protocol/device_address.h"

static const double long_seconds = 2 * 3600;

/* ---- counting ---- */

/* Whether the test of a unit is one of the units before it, on another device. */
static bool has_test(const struct run_plan *plan, const struct hash_index *tests, uint64_t key, size_t unit)
{
    const struct litmus_test *test = plan->jobs[plan->units[unit].first].test->test;
    size_t item;
    for (size_t step = 0; hash_index_next(tests, key, &step, &item);) {
        const struct litmus_test *other = plan->jobs[plan->units[item].first].test->test;
        if (plan->units[item].group != plan->units[unit].group && other->dialect == test->dialect &&
            strcmp(other->name, test->name) == 0)
            return true;
    }
    return false;
}

static void count_plan(const struct run_plan *plan, struct forecast *forecast)
{
    struct hash_index tests = {0};
    for (size_t u = 0; u < plan->unit_count; u++) {
        const struct planned_unit *unit = &plan->units[u];
        const struct litmus_test *test = plan->jobs[unit->first].test->test;
        const uint64_t key = hash_index_key((int)test->dialect, test->name);
        if (!has_test(plan, &tests, key, u)) {
            forecast->tests++;
            forecast->controls += unit->end - unit->first - 1;
        }
        hash_index_add(&tests, key, u);
    }
    hash_index_release(&tests);
    for (size_t i = 0; i < plan->job_count; i++)
        forecast->refused += plan->jobs[i].refused;
}

/* The share of a job that earlier parts of the run have left, from 1 to 0. */
static double share_left(const struct run_options *options, const struct planned_job *job)
{
    if (!job->begun || options->seconds <= 0)
        return job->begun && job->begun->finished ? 0 : 1;
    const double part = job->begun->seconds / options->seconds;
    return job->begun->finished || part > 1 ? 0 : 1 - part;
}

void forecast_make(const struct run_options *options, const struct run_plan *plan, struct forecast *forecast)
{
    double *left = memory_take(plan->job_count, sizeof *left);
    bool begun = false;
    *forecast = (struct forecast){.jobs = plan->job_count,
                                  .devices = plan->device_count,
                                  .builds = options->frozen.use != FROZEN_REPLAY,
                                  .at_most = options->instances > 0 || options->until != UNTIL_LIMITS ||
                                             options->confidence > 0};
    count_plan(plan, forecast);
    for (size_t i = 0; i < plan->job_count; i++) {
        left[i] = share_left(options, &plan->jobs[i]);
        forecast->left += !plan->jobs[i].begun || !plan->jobs[i].begun->finished;
        begun |= left[i] < 1;
    }
    const double jobs = begun ? run_plan_longest_left(plan, left) : (double)run_plan_longest(plan);
    forecast->seconds = options->seconds > 0 || jobs <= 0 ? jobs * options->seconds : -1;
    free(left);
}

/* ---- words ---- */

static void add_count(struct text *text, const char *before, size_t count, const char *what)
{
    text_add(text, "%s%s %s%s", before, QUANTITY_COUNT(count), what, count == 1 ? "" : "s");
}

/* "1,000,000 instances or 2.0 s each". */
static void add_limits(const struct run_options *options, bool at_most, struct text *text)
{
    const bool both = options->instances > 0 && options->seconds > 0;
    text_add(text, ", %s", at_most && !both ? "up to " : "");
    if (options->instances > 0)
        text_add(text, "%s instances%s", QUANTITY_COUNT(options->instances), both ? " or " : "");
    if (options->seconds > 0)
        text_add(text, "%s", QUANTITY_SECONDS(options->seconds));
    text_add(text, " each");
}

/* "about 11 min plus builds"; nothing if that is not known. */
static void add_duration(const struct forecast *forecast, struct text *text)
{
    char time[QUANTITY_SIZE];
    if (forecast->seconds > 0)
        text_add(text, "%s %s%s", forecast->at_most ? "at most" : "about", quantity_about(forecast->seconds, time),
                 forecast->builds ? " plus builds" : "");
}

void forecast_add_time(const struct forecast *forecast, struct text *text)
{
    struct text time = {0};
    add_duration(forecast, &time);
    if (time.size > 0)
        text_add(text, ", %s", text_string(&time));
    text_release(&time);
}

void forecast_text(const struct forecast *forecast, const struct run_options *options, struct text *text)
{
    const bool ends_early = options->until != UNTIL_LIMITS || options->confidence > 0;
    add_count(text, "", forecast->tests, "test");
    if (forecast->controls > 0)
        add_count(text, " with ", forecast->controls, "control");
    add_count(text, " on ", forecast->devices, "device");
    add_count(text, ": ", forecast->jobs, "job");
    if (forecast->refused > 0)
        text_add(text, " (%s unsupported)", QUANTITY_COUNT(forecast->refused));
    if (forecast->refused < forecast->jobs)
        add_limits(options, ends_early, text);
    forecast_add_time(forecast, text);
}

/* Advice for a run that takes longer than a person may have expected. */
static void print_long(void)
{
    const bool colours = terminal_has_colours(stderr);
    terminal_print(stderr,
                   "%sThat is long.%s --time 1 gives each job 1 s, --budget 30m shares 30 min among all jobs,\n"
                   "and @quick is a suite of a few minutes. To stop: Ctrl-C; to go on later: --resume last.\n",
                   terminal_style(colours, TERMINAL_WARNING), terminal_style(colours, TERMINAL_PLAIN));
}

/* Reports which profiles were chosen by name or attributes, except the default profiles of GPUs and
 * CPUs. */
static void print_chosen(const struct run_plan *plan)
{
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct environment *environment = &plan->environments[d];
        const struct backend_device *device = plan->devices[d].device;
        if (environment->why[0] != '\0' && strcmp(environment->name, "gpu") != 0 &&
            strcmp(environment->name, "cpu") != 0)
            terminal_print(stderr, "%s: profile %s, %s\n", device_address(device).text, environment->name,
                           environment->why);
    }
}

void forecast_print(const struct run_options *options, const struct run_plan *plan, bool dry)
{
    struct forecast forecast;
    struct text words = {0};
    print_chosen(plan);
    if (plan->job_count < 2)
        return;
    forecast_make(options, plan, &forecast);
    forecast_text(&forecast, options, &words);
    text_add(&words, "\n");
    if (!dry)
        terminal_write(stderr, text_string(&words));
    if (forecast.seconds >= long_seconds)
        print_long();
    text_release(&words);
}

/* How many equal devices share the jobs of a group. */
static size_t count_sharing(const struct run_plan *plan, size_t group)
{
    size_t sharing = 0;
    for (size_t d = 0; d < plan->device_count; d++)
        sharing += plan->devices[d].group == group;
    return sharing;
}

/* ---- for people ---- */

static void add_row(const struct planned_job *job, size_t sharing, struct table *table)
{
    const struct litmus_test *test = job->test->test;
    struct text device = {0};
    text_add(&device, "%s", device_address(job->device).text);
    if (sharing > 1)
        text_add(&device, " (of %zu)", sharing);
    table_add(table, "%s%s", job->controlled ? "  " : "", test->name);
    table_add(table, "%s", litmus_dialect_name(test->dialect));
    table_add(table, "%s", text_string(&device));
    table_add(table, "%s", job->environment->name);
    const bool source = strcmp(job->lowering, "source") == 0;
    table_add(table, "%s%s%s%s%s%s", source ? "source" : "", source && job->controlled ? ", " : "",
              job->controlled ? "control" : "", (source || job->controlled) && job->refused ? ", " : "",
              job->refused ? "unsupported: " : "", job->refused ? job->refusal : "");
    text_release(&device);
}

/* Values that all rows share are printed once, above them. */
static void print_common(struct table *table)
{
    static const struct {
        size_t column;
        const char *name;
    } columns[] = {{1, "dialect"}, {2, "device"}, {3, "profile"}};
    struct text common = {0};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *said = table_settle(table, columns[i].column);
        if (said)
            terminal_add(&common, "%s%s %s", common.size > 0 ? ", " : "All jobs: ", columns[i].name, said);
    }
    if (common.size > 0)
        terminal_print(stdout, "%s\n\n", text_string(&common));
    text_release(&common);
}

static bool is_refused(const struct run_plan *plan, const struct planned_unit *unit)
{
    bool refused = true;
    for (size_t i = unit->first; i < unit->end; i++)
        refused &= plan->jobs[i].refused;
    return refused;
}

/* Why jobs are refused, and how many. */
struct refusals {
    struct refusal {
        const char *reason;
        size_t jobs;
    } * items;
    size_t count;
    struct arena arena;
};

static void count_refusal(struct refusals *refusals, const char *reason)
{
    for (size_t i = 0; i < refusals->count; i++)
        if (strcmp(refusals->items[i].reason, reason) == 0) {
            refusals->items[i].jobs++;
            return;
        }
    ARENA_ADD(&refusals->arena, refusals->items, refusals->count) = (struct refusal){reason, 1};
}

/* Tests that do not run at all have no row in the table: many share one reason. */
static void add_refusals(const struct run_plan *plan, struct text *words)
{
    struct refusals refusals = {0};
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t i = plan->units[u].first; i < plan->units[u].end && is_refused(plan, &plan->units[u]); i++)
            count_refusal(&refusals, plan->jobs[i].refusal);
    for (size_t i = 0; i < refusals.count; i++)
        terminal_add(words, "%s unsupported: %s\n", QUANTITY_COUNT(refusals.items[i].jobs), refusals.items[i].reason);
    if (refusals.count > 0)
        text_add(words, "\n");
    arena_release(&refusals.arena);
}

static void print_table(const struct run_options *options, const struct run_plan *plan, const struct forecast *forecast)
{
    struct table table = {0};
    struct text words = {0};
    table_columns(&table, "test|dialect|device|profile|");
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t i = plan->units[u].first; i < plan->units[u].end && !is_refused(plan, &plan->units[u]); i++)
            add_row(&plan->jobs[i], count_sharing(plan, plan->units[u].group), &table);
    if (table.count > table.columns) { /* more than its titles */
        print_common(&table);
        table_print(&table, stdout, 0);
        terminal_write(stdout, "\n");
    }
    add_refusals(plan, &words);
    forecast_text(forecast, options, &words);
    text_add(&words, ".\nNothing was run, and nothing was stored.\n");
    terminal_write(stdout, text_string(&words));
    table_release(&table);
    text_release(&words);
}

/* ---- for machines ---- */

static json_t *job_object(const struct planned_job *job, size_t sharing)
{
    const struct litmus_test *test = job->test->test;
    return json_pack("{s:s, s:s, s:o, s:s, s:I, s:o, s:o, s:I, s:o, s:s, s:b, s:s?, s:o}", "test", test->name,
                     "dialect", litmus_dialect_name(test->dialect), "file", json_text(job->test->file), "backend",
                     job->device->backend, "index", (json_int_t)job->device->index, "device",
                     json_text(job->device->name), "driver", json_text(job->device->driver), "devices_sharing",
                     (json_int_t)sharing, "profile", json_text(job->environment->name), "lowering", job->lowering,
                     "control", job->controlled != NULL, "controls", job->controlled ? job->controlled->name : NULL,
                     "unsupported", json_text(job->refusal));
}

static json_t *plan_object(const struct run_options *options, const struct run_plan *plan,
                           const struct forecast *forecast)
{
    json_t *jobs = json_array();
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t i = plan->units[u].first; i < plan->units[u].end; i++)
            json_append(jobs, job_object(&plan->jobs[i], count_sharing(plan, plan->units[u].group)));
    return json_pack("{s:I, s:I, s:I, s:I, s:o, s:b, s:o, s:o, s:o}", "tests", (json_int_t)forecast->tests, "controls",
                     (json_int_t)forecast->controls, "devices", (json_int_t)forecast->devices, "unsupported",
                     (json_int_t)forecast->refused, "seconds",
                     forecast->seconds >= 0 ? json_real(forecast->seconds) : json_null(), "at_most", forecast->at_most,
                     "job_seconds", options->seconds > 0 ? json_real(options->seconds) : json_null(), "job_instances",
                     options->instances > 0 ? json_count(options->instances) : json_null(), "jobs", jobs);
}

enum status forecast_print_plan(const struct run_options *options, const struct run_plan *plan, bool json,
                                struct error *error)
{
    struct forecast forecast;
    forecast_make(options, plan, &forecast);
    if (!json)
        print_table(options, plan, &forecast);
    else if (!json_print(JSON_RUN_DRY_RUN, plan_object(options, plan, &forecast)))
        return error_set(error, STATUS_SYSTEM, "standard output cannot be written");
    return STATUS_OK;
}
