// SPDX-License-Identifier: Apache-2.0
/* The suite of a gate: chosen from its request and baseline, and run. */
#include "runner/gate/gate_suite.h"
#include "runner/run/siblings.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/random.h"
#include "base/terminal/terminal.h"
#include "runner/protocol/device_address.h"

static char usual_suite[] = "@ci";
static const double usual_budget = 60; /* seconds: what a stage of a CI pipeline can spare */

void gate_message(const struct gate_listener *listener, const char *format, ...)
{
    struct text line = {0};
    va_list arguments;
    va_start(arguments, format);
    terminal_add_list(&line, format, arguments);
    va_end(arguments);
    listener->message(text_string(&line));
    text_release(&line);
}

/* ---- devices ---- */

/* The error for a baseline none of whose devices is here: what it has, what is here, and which
 * listing failed. Another device would be judged only by its name. */
static enum status suite_refuse_others(const struct gate_source *source, const struct device_list *chosen,
                                       struct error *error)
{
    struct text text = {0}, findings = {0};
    struct device_list here;
    struct error ignored;
    text_add(&text, "no device of the baseline is here: it has ");
    gate_source_add_devices(source, &text);
    devices_add_findings(chosen, &findings);
    if (devices_find(NULL, &here, &ignored) == STATUS_OK) {
        text_add(&text, "; here: ");
        devices_add_names(&here, &text);
        devices_release(&here);
    }
    text_add(&text, "; to judge another device, name it with --device");
    const enum status status = error_set(error, STATUS_NO_DEVICE, "%s", text_string(&text));
    error_set_detail(error, text_string(&findings));
    text_release(&text);
    text_release(&findings);
    return status;
}

/* The devices of the command line, or those of the source; without a source, the default one. */
static enum status suite_choose_devices(struct gate_suite *suite, const struct gate_source *source, struct error *error)
{
    const char *spec = suite->request.device;
    struct text specs = {0};
    if (!spec && source)
        gate_source_specs(source, &specs);
    const enum status status = devices_find_for(specs.size > 0 ? text_string(&specs) : spec, &suite->devices, error);
    text_release(&specs);
    if (status != STATUS_OK)
        return status;
    if (spec || !source)
        return devices_select(&suite->devices, spec, &suite->chosen, &suite->chosen_count, error);
    suite->chosen = memory_take(suite->devices.count, sizeof *suite->chosen);
    for (size_t i = 0; i < suite->devices.count; i++)
        if (gate_source_has(source, &suite->devices.devices[i]))
            suite->chosen[suite->chosen_count++] = &suite->devices.devices[i];
    return suite->chosen_count > 0 ? STATUS_OK : suite_refuse_others(source, &suite->devices, error);
}

/* ---- environments and seeds ---- */

/* Keys depend on the environment, and draws on keys. */
static enum status suite_take_environments(struct gate_suite *suite, const struct gate_source *source,
                                           struct error *error)
{
    struct run_plan *plan = suite->plan;
    for (size_t i = 0; i < suite->chosen_count; i++) {
        TRY(gate_source_environment(source, suite->chosen[i], &plan->environments[i], error));
        TRY(plan_set_homes(&plan->environments[i], suite->chosen[i], suite->request.homes, error));
    }
    for (size_t i = 0; i < plan->job_count; i++) {
        struct planned_job *job = &plan->jobs[i];
        plan_job_key(job->controlled ? job->controlled : job->test->test, job->environment, 0, job->key);
    }
    return STATUS_OK;
}

static enum status suite_choose_seed(struct gate_request *request, const struct gate_source *source,
                                     struct error *error)
{
    if (request->seeded)
        return STATUS_OK;
    request->seeded = true;
    if (source) {
        request->seed = gate_source_seed(source);
        gate_message(request->listener, "seed: %" PRIu64 ", the baseline's, so that its draws are repeated\n",
                     request->seed);
        return STATUS_OK;
    }
    return random_seed(&request->seed, error);
}

/* ---- the suite ---- */

enum status gate_suite_make(const struct gate_request *request, const struct gate_source *source,
                            struct gate_suite *suite, struct error *error)
{
    char *const usual[] = {usual_suite};
    *suite = (struct gate_suite){.request = *request, .started = clock_seconds()};
    if (source && gate_source_names(source, request->tests, request->test_count))
        TRY(gate_source_select(source, request->tests, request->test_count, &suite->selection, error));
    else if (request->test_count > 0)
        TRY(request->listener->select(request->tests, request->test_count, &suite->selection, error));
    else
        TRY(request->listener->select(usual, 1, &suite->selection, error));
    TRY(suite_choose_seed(&suite->request, source, error));
    TRY(suite_choose_devices(suite, source, error));
    suite->plan = memory_take(1, sizeof *suite->plan);
    TRY(run_plan_make(&suite->selection, suite->chosen, suite->chosen_count, request->profile, request->homes,
                      source ? gate_source_lowering(source) : RUN_LOWERING_USUAL, true, suite->plan, error));
    if (source && !request->profile)
        TRY(suite_take_environments(suite, source, error));
    run_plan_refuse(suite->plan);
    if (suite->request.confidence <= 0)
        suite->request.confidence = suite->selection.confidence > 0 ? suite->selection.confidence : 0.99999;
    if (suite->request.budget <= 0)
        suite->request.budget = suite->selection.budget > 0 ? suite->selection.budget : usual_budget;
    request->listener->planned(suite->plan);
    return STATUS_OK;
}

void gate_suite_release(struct gate_suite *suite)
{
    if (suite->plan)
        run_plan_release(suite->plan);
    free(suite->plan);
    free(suite->chosen);
    devices_release(&suite->devices);
    selection_release(&suite->selection);
    *suite = (struct gate_suite){.chosen = NULL};
}

size_t gate_suite_jobs(const struct gate_suite *suite)
{
    return run_plan_longest(suite->plan);
}

/* Reports the suite's time, and how it is shared. */
static void suite_report_share(const struct gate_suite *suite, size_t jobs, double each)
{
    const struct gate_listener *listener = suite->request.listener;
    size_t refused = 0;
    struct text instead = {0};
    char count[QUANTITY_SIZE];
    for (size_t i = 0; i < suite->plan->job_count; i++)
        if (suite->plan->jobs[i].refused && refused++ == 0)
            siblings_add_hint(suite->plan->jobs[i].test->test, suite->plan->jobs[i].device, &instead);
    if (suite->allowance > 0)
        gate_message(listener, "budget: %s for %s job%s: %s each, including builds\n",
                     QUANTITY_SECONDS(suite->request.budget), quantity_count(jobs, count), jobs == 1 ? "" : "s",
                     QUANTITY_SECONDS(each));
    else if (each > 0)
        gate_message(listener, "time: %s job%s of %s: %s plus builds\n", quantity_count(jobs, count),
                     jobs == 1 ? "" : "s", QUANTITY_SECONDS(each), QUANTITY_SECONDS((double)jobs * each));
    if (refused > 0)
        gate_message(listener, "%zu more job%s: the device cannot run %s, so no time is reserved\n", refused,
                     refused == 1 ? "" : "s", refused == 1 ? "it" : "them");
    listener->message(text_string(&instead));
    text_release(&instead);
}

void gate_suite_share(struct gate_suite *suite)
{
    struct gate_request *request = &suite->request;
    const size_t jobs = gate_suite_jobs(suite);
    const double spent = clock_seconds() - suite->started;
    const double closing = fmin(1, 0.1 * request->budget) + 0.02 * request->budget; /* reading and deciding */
    if (request->seconds <= 0 && request->instances == 0) {
        suite->allowance = fmax(request->budget - spent - closing, 0.1 * request->budget);
        request->seconds = suite->allowance / fmax(1, (double)jobs);
    }
    suite_report_share(suite, jobs, request->seconds);
}

/* How a run of the suite's jobs differs from others. */
struct suite_run {
    const struct gate_listener *listener;
    const struct run_plan *plan;
    uint64_t instances, seed; /* instances, seconds: of each job, if not 0 */
    double seconds;
    double allowance; /* 0: as long as the jobs take */
    bool fills;       /* it takes all of its allowance */
};

static void suite_report_end(const struct suite_run *run)
{
    const time_t end = time(NULL) + (time_t)ceil(run->allowance);
    struct tm local;
    char clock[16];
    if (run->allowance > 0 && localtime_r(&end, &local) && strftime(clock, sizeof clock, "%H:%M:%S", &local) > 0)
        gate_message(run->listener, "budget: this run ends by about %s\n", clock);
}

/* What the time beyond the limit went into: what was in progress at its end, else time spent
 * neither building nor running. */
static void suite_report_overrun(const struct suite_run *run, const struct run_result *result)
{
    const struct run_spending *spending = &result->spending;
    const double over = result->seconds - run->allowance;
    if (over < fmax(0.5, 0.1 * run->allowance))
        return;
    if (spending->overran[0] != '\0')
        gate_message(run->listener, "budget: overrun by %s: %s\n", QUANTITY_SECONDS(over), spending->overran);
    else
        gate_message(run->listener, "budget: overrun by %s: starting, judging and storing took %s\n",
                     QUANTITY_SECONDS(over),
                     QUANTITY_SECONDS(fmax(0, result->seconds - spending->building - spending->batches)));
}

static void suite_report_unstarted(const struct suite_run *run, const struct run_result *result)
{
    const size_t unstarted = result->spending.unstarted;
    size_t able = 0;
    for (size_t i = 0; i < run->plan->job_count; i++)
        able += !run->plan->jobs[i].refused;
    if (unstarted == 0)
        return;
    gate_message(run->listener, "budget: spent before %zu of %zu jobs could start: they are not run\n", unstarted,
                 able);
    if (unstarted < able)
        gate_message(run->listener, "budget: at this rate all jobs need about %s\n",
                     QUANTITY_SECONDS(result->seconds * (double)able / (double)(able - unstarted)));
}

static void suite_report_spending(const struct suite_run *run, const struct run_result *result)
{
    const struct run_spending *spending = &result->spending;
    gate_message(run->listener, "budget: the run took %s of %s: building %s, batches %s\n",
                 QUANTITY_SECONDS(result->seconds), QUANTITY_SECONDS(run->allowance),
                 QUANTITY_SECONDS(spending->building), QUANTITY_SECONDS(spending->batches));
    suite_report_overrun(run, result);
    suite_report_unstarted(run, result);
}

static bool suite_run(const struct gate_suite *suite, const struct suite_run *run, int64_t *run_id, int *code)
{
    const struct gate_request *request = &suite->request;
    const struct run_options options = {
        .device = request->device,
        .profile = request->profile,
        .database = request->database,
        .instances = run->instances,
        .seconds = run->seconds,
        .deadline = run->allowance > 0 ? clock_seconds() + run->allowance : 0,
        .fills = run->fills,
        .seed = run->seed,
        .seeded = true,
        .controls = true,
        .strict = request->strict,
        .cache = true,
        .frozen = {.use = request->kernels ? FROZEN_REPLAY : FROZEN_NONE, .path = request->kernels},
        .builders = -1,
        .limits = request->limits,
        .provenance = request->provenance};
    struct run_result result;
    suite_report_end(run);
    *code = run->listener->run(&options, run->plan, &result);
    *run_id = result.run_id;
    const bool ended = result.status == STATUS_OK && result.signal == 0;
    if (ended && run->allowance > 0)
        suite_report_spending(run, &result);
    return ended;
}

bool gate_suite_run(const struct gate_suite *suite, uint64_t seed, int64_t *run_id, int *code)
{
    const struct suite_run run = {.listener = suite->request.listener,
                                  .plan = suite->plan,
                                  .instances = suite->request.instances,
                                  .seconds = suite->request.seconds,
                                  .seed = seed,
                                  .allowance = suite->allowance,
                                  .fills = suite->allowance > 0};
    return suite_run(suite, &run, run_id, code);
}

/* ---- a part of it ---- */

bool gate_suite_run_some(const struct gate_suite *suite, bool (*wanted)(const struct planned_job *job, void *context),
                         void *context, uint64_t seed, double seconds_each_job, double allowance, int64_t *run_id,
                         int *code)
{
    struct run_plan picked;
    run_plan_pick(suite->plan, wanted, context, &picked);
    const struct suite_run run = {.listener = suite->request.listener,
                                  .plan = &picked,
                                  .instances = suite->request.instances,
                                  .seconds = seconds_each_job > 0 ? seconds_each_job : suite->request.seconds,
                                  .seed = seed,
                                  .allowance = allowance};
    *code = 0;
    *run_id = 0;
    const bool done = picked.job_count > 0 && suite_run(suite, &run, run_id, code);
    run_plan_release(&picked);
    return done;
}

size_t gate_suite_count_some(const struct gate_suite *suite,
                             bool (*wanted)(const struct planned_job *job, void *context), void *context)
{
    struct run_plan picked;
    run_plan_pick(suite->plan, wanted, context, &picked);
    const size_t count = run_plan_longest(&picked);
    run_plan_release(&picked);
    return count;
}
