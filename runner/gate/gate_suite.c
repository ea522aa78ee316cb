// SPDX-License-Identifier: Apache-2.0
/* The suite of a gate: chosen from its request and baseline. */
#include "runner/gate/gate_suite.h"
#include "runner/run/siblings.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/random.h"
#include "base/terminal/terminal.h"
#include "runner/protocol/device.h"

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

/* ---- how much is played ---- */

/* A device this much slower is judged by its time; beyond that a job is cut short. */
static const double slower_at_most = 4, least_limit = 5;

static enum status refuse_budget(const struct gate_suite *suite, double needed, struct error *error)
{
    return error_set(
        error, STATUS_USAGE,
        "--budget %s is too little: the baseline's draws take about %s, without reruns; give --budget %.0f, "
        "or name fewer TESTs",
        QUANTITY_SECONDS(suite->request.budget), QUANTITY_SECONDS(needed), ceil(1.2 * needed));
}

/* The draws of the source are repeated, however long they take. Time limits only stop faults. */
static enum status suite_take_extents(struct gate_suite *suite, const struct gate_source *source, struct error *error)
{
    struct run_plan *plan = suite->plan;
    const struct gate_request *request = &suite->request;
    struct source_extent found;
    size_t known = 0;
    double *needs = memory_take(plan->job_count, sizeof *needs);
    for (size_t i = 0; i < plan->job_count; i++) {
        struct planned_job *job = &plan->jobs[i];
        if (job->refused || !gate_source_extent(source, job, &found))
            continue;
        if (request->instances == 0 || request->instances == found.extent.instances)
            job->extent = found.extent;
        job->extent.resident_groups = found.extent.resident_groups;
        job->extent.seconds = request->seconds > 0 ? slower_at_most * request->seconds
                                                   : fmax(least_limit, slower_at_most * found.seconds);
        needs[i] = found.seconds + found.build_seconds;
        known++;
    }
    const double needed = run_plan_longest_left(plan, needs);
    free(needs);
    for (size_t u = 0; u < plan->unit_count; u++) /* a control that the source has not, too, plays its test's draws */
        for (size_t i = plan->units[u].first; i < plan->units[u].end; i++)
            if (plan->jobs[i].extent.instances == 0)
                plan->jobs[i].extent = plan->jobs[plan->units[u].first].extent;
    suite->allowance = request->budget;
    if (request->instances > 0 || known == 0)
        return STATUS_OK;
    if (request->budget > 0 && needed > request->budget)
        return refuse_budget(suite, needed, error);
    gate_message(request->listener,
                 "draws: those of the baseline, about %s; a job that takes %g times as long, and "
                 "more than %s, is cut short\n",
                 QUANTITY_SECONDS(needed), slower_at_most, QUANTITY_SECONDS(least_limit));
    return STATUS_OK;
}

/* The seconds of each job of which the number of instances is not known yet. */
static double suite_share(const struct gate_suite *suite)
{
    static const double usable = 0.95; /* the rest: reading, deciding */
    const struct gate_request *request = &suite->request;
    return request->seconds > 0 ? request->seconds
                                : usable * request->budget / fmax(1, (double)run_plan_longest(suite->plan));
}

static void suite_report_refused(const struct gate_suite *suite)
{
    size_t refused = 0;
    struct text instead = {0};
    for (size_t i = 0; i < suite->plan->job_count; i++)
        if (suite->plan->jobs[i].refused && refused++ == 0)
            siblings_add_hint(suite->plan->jobs[i].test->test, suite->plan->jobs[i].device, &instead);
    if (refused > 0)
        gate_message(suite->request.listener, "%zu job%s: the device cannot run %s\n", refused, refused == 1 ? "" : "s",
                     refused == 1 ? "it" : "them");
    suite->request.listener->message(text_string(&instead));
    text_release(&instead);
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
    suite_report_refused(suite);
    if (source)
        TRY(suite_take_extents(suite, source, error));
    if (suite->request.confidence <= 0)
        suite->request.confidence = suite->selection.confidence > 0 ? suite->selection.confidence : 0.99999;
    if (suite->request.budget <= 0)
        suite->request.budget = suite->selection.budget > 0 ? suite->selection.budget : usual_budget;
    suite->each = suite_share(suite);
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
