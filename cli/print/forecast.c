// SPDX-License-Identifier: Apache-2.0
/* Forecasts of runs, in words and as JSON. */
#include "cli/print/forecast.h"

#include "base/field.h"
#include "base/terminal/table.h"
#include "cli/output.h"
#include "runner/protocol/device.h"

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
    FREED double *left = memory_take(plan->job_count, sizeof *left);
    bool begun = false;
    *forecast = (struct forecast){.jobs = plan->job_count,
                                  .devices = plan->device_count,
                                  .builds = options->frozen.use != FROZEN_REPLAY,
                                  .at_most = options->instances > 0 || options->until != UNTIL_LIMITS ||
                                             options->confidence > 0};
    LOCAL(hash_index) tests = {0};
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
    for (size_t i = 0; i < plan->job_count; i++)
        forecast->refused += plan->jobs[i].refused;
    for (size_t i = 0; i < plan->job_count; i++) {
        left[i] = share_left(options, &plan->jobs[i]);
        forecast->left += !plan->jobs[i].begun || !plan->jobs[i].begun->finished;
        begun |= left[i] < 1;
    }
    const double jobs = run_plan_longest(plan, begun ? left : NULL);
    forecast->seconds = options->seconds > 0 || jobs <= 0 ? jobs * options->seconds : -1;
}

/* ---- words ---- */

static void run_add_count(struct text *text, const char *before, size_t count, const char *what)
{
    text_add(text, "%s%s %s%s", before, QUANTITY_COUNT(count), what, count == 1 ? "" : "s");
}

void forecast_add_time(const struct forecast *forecast, struct text *text)
{
    if (forecast->seconds > 0)
        text_add(text, ", %s %s%s", forecast->at_most ? "at most" : "about", QUANTITY_ABOUT(forecast->seconds),
                 forecast->builds ? " plus builds" : "");
}

/* Appends "168 tests with 153 controls on 1 device: 321 jobs, 2.0 s each, about 11 min plus builds", on two lines if
 * one would be longer than 80 columns. */
static void forecast_text(const struct forecast *forecast, const struct run_options *options, struct text *text)
{
    const bool ends_early = options->until != UNTIL_LIMITS || options->confidence > 0;
    run_add_count(text, "", forecast->tests, "test");
    if (forecast->controls > 0)
        run_add_count(text, " with ", forecast->controls, "control");
    run_add_count(text, " on ", forecast->devices, "device");
    run_add_count(text, ": ", forecast->jobs, "job");
    if (forecast->refused > 0)
        text_add(text, " (%s unsupported)", QUANTITY_COUNT(forecast->refused));
    if (forecast->refused < forecast->jobs) {
        /* "1,000,000 instances or 2.0 s each". */
        const bool both = options->instances > 0 && options->seconds > 0;
        text_add(text, ", %s", ends_early && !both ? "up to " : "");
        if (options->instances > 0)
            text_add(text, "%s instances%s", QUANTITY_COUNT(options->instances), both ? " or " : "");
        if (options->seconds > 0)
            text_add(text, "%s", QUANTITY_SECONDS(options->seconds));
        text_add(text, options->instances > 0 || options->seconds > 0 ? " each" : "the baseline's draws");
    }
    forecast_add_time(forecast, text);
}

void forecast_print(const struct run_options *options, const struct run_plan *plan, bool dry)
{
    struct forecast forecast;
    LOCAL(text) words = {0};
    /* Reports which profiles were chosen by name or attributes, except the default profiles of GPUs and CPUs. */
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct environment *environment = &plan->environments[d];
        const struct backend_device *device = plan->devices[d].device;
        if (environment->why[0] != '\0' && strcmp(environment->name, "gpu") != 0 &&
            strcmp(environment->name, "cpu") != 0)
            terminal_print(stderr, "%s: profile %s, %s\n", device_address(device).text, environment->name,
                           environment->why);
    }
    if (plan->job_count < 2)
        return;
    forecast_make(options, plan, &forecast);
    forecast_text(&forecast, options, &words);
    text_add(&words, "\n");
    if (!dry)
        terminal_write(stderr, text_string(&words));
    if (forecast.seconds >= long_seconds) {
        /* Advice for a run that takes longer than a person may have expected. */
        const bool colours = terminal_has_colours(stderr);
        terminal_print(stderr,
                       "%sThat is long.%s --time 1 gives each job 1 s, --budget 30m shares 30 min among all jobs,\n"
                       "and @quick is a suite of a few minutes. To stop: Ctrl-C; to go on later: --resume last.\n",
                       terminal_style(colours, TERMINAL_WARNING), terminal_style(colours, TERMINAL_PLAIN));
    }
}

/* How many equal devices share the jobs of a group. */
static size_t count_sharing(const struct run_plan *plan, size_t group)
{
    return SUM_OF(size_t, device, plan->devices, plan->device_count, device->group == group);
}

/* ---- for people ---- */

static void run_add_row(const struct planned_job *job, size_t sharing, struct table *table)
{
    const struct litmus_test *test = job->test->test;
    LOCAL(text) device = {0};
    text_add(&device, "%s", device_address(job->device).text);
    if (sharing > 1)
        text_add(&device, " (of %zu)", sharing);
    table_add(table, "%s%s", job->controlled ? "  " : "", test->name);
    TABLE_ADD_TEXTS(table, litmus_dialect_name(test->dialect), text_string(&device), job->environment->name);
    const bool source = lowering_is(job->lowering, "source");
    table_add(table, "%s%s%s%s%s%s", source ? "source" : "", source && job->controlled ? ", " : "",
              job->controlled ? "control" : "", (source || job->controlled) && job->refused ? ", " : "",
              job->refused ? "unsupported: " : "", job->refused ? job->refusal : "");
}

/* Values that all rows share are printed once, above them. */
static void print_common(struct table *table)
{
    static const struct {
        size_t column;
        const char *name;
    } columns[] = {{1, "dialect"}, {2, "device"}, {3, "profile"}};
    LOCAL(text) common = {0};
    for (size_t i = 0; i < COUNT(columns); i++) {
        const char *said = table_settle(table, columns[i].column);
        if (said)
            terminal_add(&common, "%s%s %s", common.size > 0 ? ", " : "All jobs: ", columns[i].name, said);
    }
    if (common.size > 0)
        terminal_print(stdout, "%s\n\n", text_string(&common));
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

static void run_print_table(const struct run_options *options, const struct run_plan *plan,
                            const struct forecast *forecast)
{
    LOCAL(table) table = {0};
    struct text words = {0};
    table_columns(&table, "test|dialect|device|profile|");
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t i = plan->units[u].first; i < plan->units[u].end && !is_refused(plan, &plan->units[u]); i++)
            run_add_row(&plan->jobs[i], count_sharing(plan, plan->units[u].group), &table);
    if (table.count > table.columns) { /* more than its titles */
        print_common(&table);
        table_print(&table, stdout, 0);
        terminal_write(stdout, "\n");
    }
    /* Tests that do not run at all have no row in the table: many share one reason. */
    struct refusals refusals = {0};
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t i = plan->units[u].first; i < plan->units[u].end && is_refused(plan, &plan->units[u]); i++)
            count_refusal(&refusals, plan->jobs[i].refusal);
    for (size_t i = 0; i < refusals.count; i++)
        terminal_add(&words, "%s unsupported: %s\n", QUANTITY_COUNT(refusals.items[i].jobs), refusals.items[i].reason);
    if (refusals.count > 0)
        text_add(&words, "\n");
    arena_release(&refusals.arena);
    forecast_text(forecast, options, &words);
    text_add(&words, ".\nNothing was run, and nothing was stored.\n");
    terminal_end(stdout, &words);
}

/* ---- for machines ---- */

#define PLANNED_MEMBERS(X)                                                                                             \
    X("test", test, NULL, job->test->test->name)                                                                       \
    X("dialect", dialect, NULL, litmus_dialect_name(job->test->test->dialect))                                         \
    X("file", text_or_null, "the path of the test's file", job->test->file)                                            \
    X("backend", backend, NULL, job->device->backend)                                                                  \
    X("index", count, "the number of the device within its backend", job->device->index)                               \
    X("device", device, NULL, job->device->name)                                                                       \
    X("driver", driver, NULL, job->device->driver)                                                                     \
    X("devices_sharing", count, "the number of equal devices that share the job", sharing)                             \
    X("profile", text_or_null, "the name of the profile", job->environment->name)                                      \
    X("lowering", lowering, NULL, job->lowering)                                                                       \
    X("control", boolean, "whether the job is a control", job->controlled != NULL)                                     \
    X("controls", text_or_null, "the name of the test that it controls",                                               \
      job->controlled ? job->controlled->name : NULL)                                                                  \
    X("unsupported", text_or_null, "why the device does not support the test", job->refusal)
FIELD_RECORD(planned_job, PLANNED_MEMBERS, const struct planned_job *job, size_t sharing)

static const struct field_type field_planned_jobs_type = {.shape = FIELD_IS_ARRAY, .of = &field_planned_job_type};
static json_t *field_planned_jobs(const struct run_plan *plan)
{
    json_t *jobs = json_array();
    for (size_t u = 0; u < plan->unit_count; u++)
        for (size_t i = plan->units[u].first; i < plan->units[u].end; i++)
            json_append(jobs, field_planned_job(&plan->jobs[i], count_sharing(plan, plan->units[u].group)));
    return jobs;
}

#define HOW_MANY "how many the run has; a test on several devices counts once"
#define PLAN_MEMBERS(X)                                                                                                \
    X("tests", count, HOW_MANY, forecast->tests)                                                                       \
    X("controls", count, HOW_MANY, forecast->controls)                                                                 \
    X("devices", count, HOW_MANY, forecast->devices)                                                                   \
    X("unsupported", count, "the number of jobs with a test that the device does not support", forecast->refused)      \
    X("seconds", number_or_null, "the estimated duration, not counting builds; null if unknown",                       \
      forecast->seconds >= 0 ? forecast->seconds : NAN)                                                                \
    X("at_most", boolean, "whether `seconds` is an upper bound because jobs may end earlier", forecast->at_most)       \
    X("job_seconds", duration_or_null, "the limit of a job in seconds, or null", options->seconds)                     \
    X("job_instances", positive_or_null, "the limit of a job in instances, or null", options->instances)               \
    X("jobs", planned_jobs, "the planned jobs", plan)
FIELD_DOCUMENT(document_run_dry_run, PLAN_MEMBERS, const struct run_options *options, const struct run_plan *plan,
               const struct forecast *forecast)

enum status forecast_print_plan(const struct run_options *options, const struct run_plan *plan, double seconds,
                                bool json, struct error *error)
{
    struct forecast forecast;
    forecast_make(options, plan, &forecast);
    if (seconds >= 0)
        forecast.seconds = seconds;
    if (!json)
        run_print_table(options, plan, &forecast);
    else if (!json_print(JSON_RUN_DRY_RUN, field_document_run_dry_run(options, plan, &forecast)))
        return error_set(error, STATUS_SYSTEM, "standard output cannot be written");
    return STATUS_OK;
}
