// SPDX-License-Identifier: Apache-2.0
/* The plan of a run, as a table and as JSON. */
#include "cli/print/dry_run.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/terminal/table.h"
#include "base/terminal/terminal.h"
#include "cli/print/forecast.h"
#include "runner/protocol/device_address.h"

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

enum status dry_run_print(const struct run_options *options, const struct run_plan *plan, bool json,
                          struct error *error)
{
    struct forecast forecast;
    forecast_make(options, plan, &forecast);
    if (!json)
        print_table(options, plan, &forecast);
    else if (!json_print(plan_object(options, plan, &forecast)))
        return error_set(error, STATUS_SYSTEM, "standard output cannot be written");
    return STATUS_OK;
}
