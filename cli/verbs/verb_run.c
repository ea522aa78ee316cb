// SPDX-License-Identifier: Apache-2.0
/* orchil run: the command line. plan_run.c plans the run, run_jobs.c runs it. */
#include <math.h>
#include <unistd.h>

#include "base/field.h"
#include "base/hash_index.h"
#include "base/random.h"
#include "base/terminal/table.h"
#include "base/terminal/terminal.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/print/notices.h"
#include "cli/print/run_output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "gate/last_failed.h"
#include "runner/protocol/device.h"
#include "runner/run/builders.h"
#include "runner/run/plan_store.h"
#include "runner/run/provenance.h"
#include "runner/run/resume_lock.h"
#include "runner/run/run_jobs.h"
#include "runner/supervise/devices.h"

struct forecast {
    size_t tests, controls; /* each counted once, on however many devices it runs */
    size_t jobs, refused;   /* on all devices; refused ones are among the jobs */
    size_t left;            /* jobs that no earlier part of the run has finished, refused ones too */
    size_t devices;
    double seconds; /* time without building; negative if only the instances of a job are known */
    bool at_most;   /* a job may end before its limit */
    bool builds;    /* kernels are built, if no cache has them */
};

/* What a run will do, and about how long it takes: in a few words, or, for `run --dry-run`, job by job. */

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

/* Counts the plan. `refused` is valid only after run_plan_refuse. */
static void forecast_make(const struct run_options *options, const struct run_plan *plan, struct forecast *forecast)
{
    double *left = memory_take(plan->job_count, sizeof *left);
    bool begun = false;
    *forecast = (struct forecast){.jobs = plan->job_count,
                                  .devices = plan->device_count,
                                  .builds = options->frozen.use != FROZEN_REPLAY,
                                  .at_most = options->instances > 0 || options->until != UNTIL_LIMITS ||
                                             options->confidence > 0};
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
    for (size_t i = 0; i < plan->job_count; i++) {
        left[i] = share_left(options, &plan->jobs[i]);
        forecast->left += !plan->jobs[i].begun || !plan->jobs[i].begun->finished;
        begun |= left[i] < 1;
    }
    const double jobs = run_plan_longest(plan, begun ? left : NULL);
    forecast->seconds = options->seconds > 0 || jobs <= 0 ? jobs * options->seconds : -1;
    free(left);
}

/* ---- words ---- */

static void run_add_count(struct text *text, const char *before, size_t count, const char *what)
{
    text_add(text, "%s%s %s%s", before, QUANTITY_COUNT(count), what, count == 1 ? "" : "s");
}

/* Appends ", about 40 s plus builds" for the rest, or nothing if that is not known. */
static void forecast_add_time(const struct forecast *forecast, struct text *text)
{
    struct text time = {0};
    /* "about 11 min plus builds"; nothing if that is not known. */
    if (forecast->seconds > 0)
        text_add(&time, "%s %s%s", forecast->at_most ? "at most" : "about", QUANTITY_ABOUT(forecast->seconds),
                 forecast->builds ? " plus builds" : "");
    if (time.size > 0)
        text_add(text, ", %s", text_string(&time));
    text_release(&time);
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
        text_add(text, " each");
    }
    forecast_add_time(forecast, text);
}

/* Reports on standard error which profile was chosen for a device by its name or attributes, what will run, and what to
 * do if it takes hours. For a single job, only the profile: its time is given by the options. For a dry run, which
 * reports the profile itself, only what will run. */
static void forecast_print(const struct run_options *options, const struct run_plan *plan, bool dry)
{
    struct forecast forecast;
    struct text words = {0};
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

static void run_add_row(const struct planned_job *job, size_t sharing, struct table *table)
{
    const struct litmus_test *test = job->test->test;
    struct text device = {0};
    text_add(&device, "%s", device_address(job->device).text);
    if (sharing > 1)
        text_add(&device, " (of %zu)", sharing);
    table_add(table, "%s%s", job->controlled ? "  " : "", test->name);
    TABLE_ADD_TEXTS(table, litmus_dialect_name(test->dialect), text_string(&device), job->environment->name);
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

static void run_print_table(const struct run_options *options, const struct run_plan *plan,
                            const struct forecast *forecast)
{
    struct table table = {0};
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
    table_release(&table);
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
    X("unsupported", text_or_null, "why its device does not support it", job->refusal)
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

#define HOW_MANY "the number of them; each test counts once, on however many devices it runs"
#define PLAN_MEMBERS(X)                                                                                                \
    X("tests", count, HOW_MANY, forecast->tests)                                                                       \
    X("controls", count, HOW_MANY, forecast->controls)                                                                 \
    X("devices", count, HOW_MANY, forecast->devices)                                                                   \
    X("unsupported", count, "the number of jobs that their device does not support", forecast->refused)                \
    X("seconds", number_or_null, "the estimated duration without builds; null if unknown",                             \
      forecast->seconds >= 0 ? forecast->seconds : NAN)                                                                \
    X("at_most", boolean, "whether jobs may end earlier", forecast->at_most)                                           \
    X("job_seconds", duration_or_null, "the limit of a job in seconds, or null", options->seconds)                     \
    X("job_instances", positive_or_null, "the limit of a job in instances, or null", options->instances)               \
    X("jobs", planned_jobs, "each planned job", plan)
FIELD_DOCUMENT(document_run_dry_run, PLAN_MEMBERS, const struct run_options *options, const struct run_plan *plan,
               const struct forecast *forecast)

/* Prints the plan to standard output, as a table or as one JSON object. */
static enum status forecast_print_plan(const struct run_options *options, const struct run_plan *plan, bool json,
                                       struct error *error)
{
    struct forecast forecast;
    forecast_make(options, plan, &forecast);
    if (!json)
        run_print_table(options, plan, &forecast);
    else if (!json_print(JSON_RUN_DRY_RUN, field_document_run_dry_run(options, plan, &forecast)))
        return error_set(error, STATUS_SYSTEM, "standard output cannot be written");
    return STATUS_OK;
}

static const double default_seconds = 2; /* of a job */

enum { MAXIMUM_SHARDS = 10000 };

/* The command line. */
struct run_request {
    struct run_options run;
    const char *resume; /* the run to resume, or NULL */
    char begun[24];     /* the number of the run that --resume auto has found; resume points here */
    const char *log;    /* a file to append log blocks to, or NULL */
    bool verbose;       /* a block for each job, however many */
    bool json;          /* objects instead of words */
    bool dry;           /* the plan is printed, and nothing is run */
    bool last_failed;   /* only tests that failed in the newest run of the database */
    enum run_lowering lowering;
    double budget; /* seconds that all jobs share; 0: what suites say */
    struct verb_arguments tests;
    struct exclusions exclude;
};

static void read_shard(const struct argp_state *state, const struct option_row *row, const char *value, void *request)
{
    struct run_options *options = &((struct run_request *)request)->run;
    if (!options_read_shard(value, &options->shard, &options->shards) || options->shards > MAXIMUM_SHARDS)
        options_refuse(state, row, "I/N, the part and how many there are, from 1/1 to 10000/10000", value);
}

static void read_kernels(const struct argp_state *state, const struct option_row *row, const char *folder,
                         void *request)
{
    struct frozen_folder *frozen = &((struct run_request *)request)->run.frozen;
    const enum frozen_use use = strcmp(row->name, "kernels") == 0 ? FROZEN_REPLAY : FROZEN_SAVE;
    if (frozen->use != FROZEN_NONE && frozen->use != use)
        options_error(state, "--save-kernels and --kernels exclude each other: expected one of them");
    if (folder[0] == '\0')
        options_refuse(state, row, "a folder", folder);
    *frozen = (struct frozen_folder){use, folder};
}

/* Whether to begin a new run unless this command line has begun one. */
static bool is_auto(const struct run_request *request)
{
    return request->resume && strcmp(request->resume, "auto") == 0;
}

static void run_check_options(const struct argp_state *state, const void *data)
{
    const struct run_request *request = data;
    const char *decided = options_decided(state);
    const bool resumes = request->resume && !is_auto(request);
    if (resumes && decided)
        options_error(state, "--resume continues a run with its own options and takes no --%s", decided);
    else if (resumes && request->tests.count > 0)
        options_error(state, "--resume continues a run with its own tests and takes no TEST, found '%s'",
                      request->tests.list[0]);
    else if (!resumes && !request->last_failed && request->tests.count == 0)
        options_error(state, "%s", tests_none);
    else if (request->budget > 0 && request->run.seconds > 0)
        options_error(state, "--budget and --time exclude each other: a job's time is its share of the budget");
}

static const struct option_word lowering_words[] = {
    {"ptx", RUN_LOWERING_USUAL}, {"source", RUN_LOWERING_SOURCE}, {"both", RUN_LOWERING_BOTH}, {0}};
static const struct option_word until_words[] = {{"witness", UNTIL_WITNESS}, {"forbidden", UNTIL_FORBIDDEN}, {0}};

#define AT(member) offsetof(struct run_request, member)

static const struct option_row option_rows[] = {
    {ROW_DEVICE(AT(run.device)),
     .help =
         "the devices to run on: an address (cuda:0, opencl:1), a backend (cuda, opencl, vulkan), a part of a "
         "device's name, both (cuda:H200), a UUID (cuda:UUID), all, or cuda:all; several separated by commas; devices that run each test together joined "
         "by a plus, as in cuda:0+cuda:1 or cuda:0+host (default: the first GPU, CUDA before OpenCL, else the "
         "first device)"},
    {ROW_INSTANCES(AT(run.instances)),
     .help = "minimum number of instances of each test, with an optional suffix k, M, G or T"},
    {ROW_TIME(AT(run.seconds)),
     .help = "time for each test in seconds, or with the suffix m or h in minutes or hours; with --instances, the "
             "first limit that is reached ends the test (default: a share of the budget, else 2 unless --instances is "
             "given)"},
    {"budget", 0, "S", OPTION_SECONDS, AT(budget), .decided = true,
     .help = "time for the whole run, shared by all jobs, in seconds or with the suffix m or h (default: the budget of "
             "the suites that are named)"},
    {"until", 0, "WHAT", OPTION_WORD, AT(run.until), .words = until_words, .decided = true,
     .help = "end each test early, at its first witness (`witness`) or at the first outcome that its model forbids "
             "(`forbidden`)"},
    {"confidence", 0, "C", OPTION_NUMBER, AT(run.confidence), .low = 0, .high = 1, .decided = true,
     .expected = "a number between 0 and 1, like 0.99999",
     .help = "end each test early, once its witness was seen often enough for the confidence C (3 times for 0.95, 12 "
             "times for 0.99999), and each of its controls after as many instances"},
    {ROW_SEED(AT(run.seed), AT(run.seeded)),
     .help = "the seed of all random choices; equal seeds give equal launches (default: a new one)"},
    {"shard", 0, "I/N", OPTION_OTHER, .read = read_shard, .decided = true,
     .help = "run part I of N; the N parts with one seed make up the whole run"},
    {ROW_PROFILE(AT(run.profile)),
     .help = "the environment: a built-in profile (cpu, gpu, h100, hopper, hunt, oclgrind, pocl, portable, progress), "
             "`rule`, or an INI file (default: the profile measured for the device, else `rule`, which chooses cpu, "
             "gpu or oclgrind by its attributes; `orchil devices` shows which)"},
    {ROW_HOME(AT(run.homes)), .help = HELP_HOME " (default: drawn for each batch)"},
    {"lowering", 0, "WHAT", OPTION_WORD, AT(lowering), .words = lowering_words, .decided = true,
     .help = "how CUDA tests are compiled for CUDA devices: `ptx`, inline PTX with one instruction for each access "
             "(the default); `source`, the CUDA C++ of the test (cuda::atomic_ref, atomicAdd, __threadfence) with "
             "libcu++; `both`, each in a job of its own"},
    {ROW_EXCLUDE(AT(exclude))},
    {"last-failed", 0, NULL, OPTION_SET, AT(last_failed), .decided = true,
     .help = "run only the tests that failed in the newest run of the database"},
    {"dry-run", 0, NULL, OPTION_SET, AT(dry), .decided = true,
     .help = "print the plan and how long it would take, and run nothing; with --json, as one JSON object"},
    {"resume", 0, "RUN", OPTION_TEXT, AT(resume),
     .help =
         "resume an interrupted run of the database, given by its number, `last` or `auto`, with its tests, devices, "
         "seed and limits"},
    {ROW_DATABASE(AT(run.database)), .help = "the database to store results in (default: %s)"},
    {"log", 0, "FILE", OPTION_TEXT, AT(log), .file = OPTION_FILE_WRITTEN,
     .help = "also append litmus7 log blocks, for mcompare7; tests that differ only in dialect are logged as "
             "NAME+DIALECT"},
    {ROW_JSON(AT(json)), .help = "print one JSON object per line and job, and nothing else"},
    {"verbose", 'v', NULL, OPTION_SET, AT(verbose),
     .help =
         "print the histogram of each job; without it, a run of more than 4 tests prints the histograms only of jobs "
         "that failed or showed a forbidden outcome"},
    {"no-controls", 0, NULL, OPTION_CLEAR, AT(run.controls), .help = "do not run the controls of the tests",
     .decided = true},
    {ROW_STRICT(AT(run.strict))},
    {"builders", 0, "N", OPTION_WHOLE, AT(run.builders), .low = 0, .high = BUILDERS_MAXIMUM,
     .help = "number of processes that compile the next kernels while the device runs, 0 to 16 (default: one less than "
             "the number of cores)"},
    {"save-kernels", 0, "DIR", OPTION_OTHER, .file = OPTION_FILE_FOLDER, .read = read_kernels,
     .help = "save what the compiler produced (PTX, OpenCL binaries) in DIR, for the oldest devices and drivers that "
             "can run it"},
    {"kernels", 0, "DIR", OPTION_OTHER, .file = OPTION_FILE_READ, .read = read_kernels,
     .help = "compile nothing: replay the kernels that --save-kernels saved in DIR; needs no compiler"},
    {"no-cache", 0, NULL, OPTION_CLEAR, AT(run.cache),
     .help = "compile every kernel again, and do not store it for later runs"},
    {ROW_BUILD_LIMIT(AT(run.limits))},
    {ROW_BATCH_LIMIT(AT(run.limits), "30")},
    {0}};

static const char documentation[] =
    "Run litmus tests under stress, print the histogram of their outcomes, and store every batch.\v"
    "TEST is a name, a family or a glob in the catalogue (see `orchil list`), a path to a .litmus file, a "
    "directory, or an @index. The controls of a test run after it with the same random choices; their witnesses "
    "must never appear.\n\n"
    "Devices run at the same time unless they are the same hardware. With `--device all` or `cuda:all`, devices "
    "that are equal except for their UUID share the tests. Several devices in a list, as in `--device cuda:0,cuda:1`, "
    "each run all tests.\n\n"
    "Devices joined by a plus, as in `--device cuda:0+cuda:1`, run each test together and share memory: threads of "
    "`dev 0` or `gpu 0` run on the first device, threads of `dev 1` on the second, and threads of `host` on the "
    "machine's processor (`cuda:0+host`). They run only tests for that number of devices. Where a location is "
    "stored matters more than stress: it is drawn for each batch, and rates are printed for each placement; --home "
    "fixes it.\n\n"
    "Before it starts, a run prints the number of tests, controls and jobs and how long they take. --dry-run "
    "prints this and every job, with the reason for those that a device does not support, and runs nothing.\n\n"
    "--exclude takes the same arguments as TEST. Excluding a test also excludes its controls; an excluded control "
    "still runs for the tests that it controls (see --no-controls).\n\n"
    "--last-failed selects the tests that failed in the newest run of the database. A test failed if, on any "
    "device, a job of it or of one of its controls showed an outcome that must never appear, ended as "
    "build-failed, hang, crash, device-lost, invalid, interrupted or not-run, was not kept by the compiler, or "
    "never started. TESTs restrict the selection. Without TESTs, each test runs with the text that is stored in "
    "the database. If no test failed, nothing runs, and the exit code is 0.\n\n"
    "--resume continues a run that was interrupted by a signal or a power failure: what it stored is kept, the "
    "interrupted job continues with its next batch, and the finished run has what an uninterrupted one would have "
    "had.\n\n"
    "--resume auto is for commands that a batch system starts again. It resumes the newest run of the database that "
    "the same command line started, and starts a run if there is none. If that run has completed, nothing runs, and "
    "its results are printed.\n\n"
    "A test that the compiler did not keep is reported but does not change the exit code: a compiler may merge "
    "weak accesses. `orchil gate` fails if a test that was kept no longer is.";

static const char *const examples[] = {"orchil run MP+relaxed",
                                       "orchil run --time 60 --device cuda 'opencl:SB+*' --exclude '*+wg*'",
                                       "orchil run --dry-run --budget 10m 'SB*' 'LB*'",
                                       "orchil run --instances 10G --json my-test.litmus",
                                       "orchil run --device cuda --lowering both 'cuda:MP*'",
                                       "orchil run --device cuda --save-kernels kernels @quick",
                                       "orchil run --device cuda --kernels kernels --db old-driver.db @quick",
                                       "orchil run --device all --seed 7 --shard 2/4 --db part2.db @standard",
                                       "orchil run --resume last --db part2.db",
                                       "orchil run --resume auto --shard 2/4 --seed 7 --db part2.db @standard",
                                       "orchil run --device cuda:0+cuda:1 --home x=1,y=0 my-test.litmus",
                                       "orchil run --last-failed --time 60",
                                       NULL};

static const struct exit_code exit_codes[] = {
    {"0", "nothing went wrong"},
    {"1", "an outcome was seen that must never appear"},
    {"2", "wrong usage, or a file that cannot be read or parsed: nothing ran, unless the file is one of a folder, a "
          "glob or an index: these are listed, and the rest runs"},
    {"3", "inconclusive: nothing completed, no time was left for a job, or a batch was invalid"},
    {"4", "no device, the database failed, or a job ended in a hang, a crash, a failed build or a lost device"},
    {"130, 143", "interrupted; everything that was finished is stored"},
    {0}};

/* If no option says how long a job runs, all successive jobs, controls included, share the budget. */
static void set_time(const struct run_request *request, const struct selection *selection, const struct run_plan *plan,
                     struct run_options *options)
{
    const double budget = request->budget > 0 ? request->budget : selection->budget;
    const size_t count = (size_t)run_plan_longest(plan, NULL);
    if (options->seconds > 0 || (options->instances > 0 && request->budget <= 0))
        return;
    if (budget <= 0 || count == 0) {
        options->seconds = default_seconds;
        return;
    }
    options->seconds = budget / (double)count;
    terminal_print(stderr, "budget: %s shared by %s job%s%s, %s each\n", QUANTITY_SECONDS(budget),
                   QUANTITY_COUNT(count), count == 1 ? "" : "s", plan->device_count > 1 ? " per device" : "",
                   QUANTITY_SECONDS(options->seconds));
}

/* A shard is the same part of the same jobs on every machine: the limits belong to all of them. */
static void take_shard(const struct run_request *request, struct run_plan *plan)
{
    const struct run_options *options = &request->run;
    const size_t all = plan->unit_count;
    if (options->shards == 0)
        return;
    run_plan_shard(plan, options->shard, options->shards);
    char seed[96] = "";
    if (!request->dry)
        (void)snprintf(seed, sizeof seed, ", seed %" PRIu64 "%s", options->seed,
                       options->seeded ? "" : ", which the other shards need too (--seed)");
    terminal_print(stderr, "shard %u of %u: %zu of %zu tests%s\n", options->shard, options->shards, plan->unit_count,
                   all, seed);
}

/* The data of a run until it has ended. */
struct prepared_run {
    struct selection selection;
    struct device_list devices;
    const struct backend_device **chosen;
    struct run_plan plan;
    struct resume_lock hold; /* of a resumed run */
    bool none;               /* --last-failed found no test and reported it */
};

static void take_unread(const struct selection *selection, struct run_options *options)
{
    options->unread = selection->unread;
    options->unread_count = selection->unread_count;
}

/* --last-failed: the named tests that failed, or all that failed, with their stored texts. If there
 * are none, reports it and sets *none. */
static enum status select_failed(const struct run_request *request, struct selection *selection, bool *none,
                                 struct error *error)
{
    struct last_failed found;
    enum status status = last_failed_find(request->run.database, &found, error);
    if (status == STATUS_OK && request->tests.count > 0) {
        status = tests_select(request->tests.list, request->tests.count, selection, error);
        if (status == STATUS_OK)
            last_failed_narrow(&found, selection);
    } else if (status == STATUS_OK) {
        *selection = found.selection;
        found.selection = (struct selection){0};
    }
    if (status == STATUS_OK && found.failed == 0)
        terminal_print(stderr, "run %" PRId64 ": none of its %zu tests failed: there is nothing to run\n", found.run,
                       found.tests);
    else if (status == STATUS_OK)
        terminal_print(stderr, "run %" PRId64 ": %zu of %zu tests failed or were not run%s\n", found.run, found.failed,
                       found.tests, selection->count > 0 ? "" : ", none of those named: there is nothing to run");
    *none = status == STATUS_OK && selection->count == 0;
    selection_release(&found.selection);
    return status;
}

static enum status select_tests(const struct run_request *request, struct selection *selection, bool *none,
                                struct error *error)
{
    *none = false;
    if (request->last_failed)
        TRY(select_failed(request, selection, none, error));
    else
        TRY(tests_select(request->tests.list, request->tests.count, selection, error));
    return *none ? STATUS_OK : exclude_tests(&request->exclude, selection, error);
}

static enum status run_prepare(struct run_request *request, struct prepared_run *prepared, struct error *error)
{
    struct run_options *options = &request->run;
    struct run_plan *plan = &prepared->plan;
    size_t chosen_count = 0;
    TRY(select_tests(request, &prepared->selection, &prepared->none, error));
    take_unread(&prepared->selection, options);
    options->score = prepared->selection.score;
    if (prepared->none)
        return STATUS_OK;
    if (!options->seeded)
        TRY(random_seed(&options->seed, error));
    TRY(devices_find_for(options->device, &prepared->devices, error));
    TRY(devices_select(&prepared->devices, options->device, &prepared->chosen, &chosen_count, error));
    for (size_t d = 0; d < chosen_count; d++)
        if (prepared->chosen[d]->member_count > 0 && options->frozen.use != FROZEN_NONE)
            return error_set(error, STATUS_USAGE,
                             "%s: kernels for several devices cannot be saved or replayed; remove %s",
                             device_address(prepared->chosen[d]).text, frozen_option(options->frozen.use));
    TRY(run_plan_make(&prepared->selection, prepared->chosen, chosen_count, options->profile, options->homes,
                      request->lowering, options->controls, plan, error));
    if (devices_shared(options->device))
        run_plan_share(plan);
    run_plan_refuse(plan);
    set_time(request, &prepared->selection, plan, options);
    take_shard(request, plan);
    return STATUS_OK;
}

static enum status run_recall(const char *run, struct store *store, struct run_options *options,
                              struct prepared_run *prepared, struct error *error)
{
    struct text specs = {0};
    TRY(plan_find_run(store, run, &options->resume, error));
    TRY(resume_lock_take(options->database, options->resume, &prepared->hold, error));
    enum status status = plan_recall_specs(store, options->resume, &specs, error);
    if (status == STATUS_OK)
        status = devices_find_for(specs.size > 0 ? text_string(&specs) : NULL, &prepared->devices, error);
    text_release(&specs);
    if (status != STATUS_OK)
        return status;
    TRY(plan_recall(store, options->resume, &prepared->devices, options, &prepared->plan, error));
    TRY(plan_recall_unread(store, options->resume, &prepared->selection, error));
    tests_print_unread(&prepared->selection);
    take_unread(&prepared->selection, options);
    run_plan_refuse(&prepared->plan);
    struct forecast forecast;
    struct text time = {0};
    forecast_make(options, &prepared->plan, &forecast);
    forecast_add_time(&forecast, &time);
    if (forecast.left > 0)
        terminal_print(stderr, "run %" PRId64 ": %zu of %zu jobs are left to do%s\n", options->resume, forecast.left,
                       prepared->plan.job_count, text_string(&time));
    else
        terminal_print(stderr, "run %" PRId64 " has all its %zu jobs: nothing is left to do\n", options->resume,
                       prepared->plan.job_count);
    text_release(&time);
    return STATUS_OK;
}

static enum status prepare_resumed(const char *run, struct run_options *options, struct prepared_run *prepared,
                                   struct error *error)
{
    struct store *store = NULL;
    if (access(options->database, F_OK) != 0)
        return error_set(error, STATUS_USAGE, "--resume %s: there is no database %s; use --db to name another", run,
                         options->database);
    enum status status = store_open(options->database, STORE_WRITE, &store, error);
    if (status == STATUS_OK)
        status = run_recall(run, store, options, prepared, error);
    store_close(store);
    return status;
}

/* Runs the plan, or prints it for --dry-run. */
static enum status run_perform(const struct run_request *request, struct prepared_run *prepared, int *code,
                               struct error *error)
{
    const struct run_options *options = &request->run;
    struct run_output output = {.json = request->json, .verbose = request->verbose};
    struct run_result result;
    *code = tests_exit_code(options->unread_count, 0);
    if (prepared->none)
        return STATUS_OK;
    if (!request->dry && request->log)
        TRY(litmus7_log_open(&output.log, request->log, error));
    if (!request->resume)
        forecast_print(options, &prepared->plan, request->dry);
    if (request->dry)
        return forecast_print_plan(options, &prepared->plan, request->json, error);
    notices_print(&prepared->plan);
    *code = run_output_run(&output, options, &prepared->plan, &result);
    return STATUS_OK;
}

/* --resume auto: looks for the run, and sets request->resume as if its number had been given, or to
 * NULL for a new run. A run that was killed before it had a plan starts again under its number. */
static enum status find_begun(struct run_request *request, struct prepared_run *prepared, struct error *error)
{
    struct run_options *options = &request->run;
    struct begun_run begun = {.run_id = 0};
    struct store *store = NULL;
    request->resume = NULL;
    options->only = true;
    if (access(options->database, F_OK) != 0)
        return STATUS_OK;
    enum status status = store_open(options->database, STORE_WRITE, &store, error);
    if (status == STATUS_OK)
        status = plan_find_begun(store, options->provenance->command_line, &begun, error);
    store_close(store);
    if (status != STATUS_OK || begun.run_id == 0)
        return status;
    if (begun.planned) {
        (void)snprintf(request->begun, sizeof request->begun, "%" PRId64, begun.run_id);
        request->resume = request->begun;
        return STATUS_OK;
    }
    options->resume = begun.run_id;
    options->seed = begun.seed;
    options->unplanned = options->seeded = true;
    return resume_lock_take(options->database, begun.run_id, &prepared->hold, error);
}

static enum status run_execute(void *data, struct verb_call *call, struct error *error)
{
    struct run_request *request = data;
    struct prepared_run prepared = {.hold = {.path = NULL}};
    request->run.provenance = verb_provenance(call);
    enum status status = is_auto(request) ? find_begun(request, &prepared, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = request->resume ? prepare_resumed(request->resume, &request->run, &prepared, error)
                                 : run_prepare(request, &prepared, error);
    if (status == STATUS_OK)
        status = run_perform(request, &prepared, &call->code, error);
    resume_lock_release(&prepared.hold);
    run_plan_release(&prepared.plan);
    free(prepared.chosen);
    devices_release(&prepared.devices);
    selection_release(&prepared.selection);
    return status;
}

const struct verb verb_run = {
    .name = "run",
    .summary = "run litmus tests on devices and store every outcome",
    .usage = "TEST...\n--last-failed [TEST...]\n--resume RUN\n--resume auto TEST...",
    VERB_PARTS,
    .arguments = AT(tests),
    .check = run_check_options,
    VERB_REQUEST(struct run_request, .run = {.builders = -1, .limits = {.open = OPEN_SECONDS}}),
    .run = run_execute};
