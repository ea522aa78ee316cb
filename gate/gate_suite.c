// SPDX-License-Identifier: Apache-2.0
/* The suite of a gate: chosen from its request and baseline. */
#include "gate/gate_suite.h"

#include "base/random.h"
#include "gate/last_failed.h"
#include "runner/run/rejudge.h"
#include "runner/run/siblings.h"

static char usual_suite[] = "@ci";
static const double usual_budget = 60; /* seconds: what a stage of a CI pipeline can spare */

void gate_message(const struct gate_listener *listener, const char *format, ...)
{
    LOCAL(text) line = {0};
    va_list arguments;
    va_start(arguments, format);
    terminal_add_list(&line, format, arguments);
    va_end(arguments);
    listener->message(text_string(&line));
}

/* ---- devices ---- */

/* The error for a baseline none of whose devices is here: what it has, what is here, and which listing failed. Another
 * device would be judged only by its name. */
static enum status suite_refuse_others(const struct gate_source *source, const struct device_list *chosen,
                                       struct error *error)
{
    LOCAL(text) text = {0}, findings = {0};
    struct device_list here;
    struct error ignored;
    text_add(&text, "no device of the baseline is on this machine: the baseline has ");
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
    return status;
}

/* Takes a device for one of the source that a driver's update has renamed, and says so. */
static void suite_adopt(const struct gate_suite *suite, struct gate_source *source, const struct backend_device *device,
                        bool named)
{
    const char *before = gate_source_adopt(source, device, named);
    if (before)
        gate_message(
            suite->request.listener, "%s, %s, is compared with the baseline's %s: %s\n", device_address(device).text,
            device->name, before,
            named ? "you named it, and the baseline's draws are repeated"
                  : "each is the only device of its backend, and they look identical (use --device to choose another)");
}

/* The only device of its backend here; NULL if it has others. */
static const struct backend_device *alone(const struct device_list *here, const struct backend_device *device)
{
    if (ANY_OF(one, here->devices, here->count, one != device && strcmp(one->backend, device->backend) == 0))
        return NULL;
    return device;
}

/* The devices of the command line, or those of the source; without a source, the default one. */
static enum status suite_choose_devices(struct gate_suite *suite, struct gate_source *source, struct error *error)
{
    const char *spec = suite->request.device;
    LOCAL(text) specs = {0};
    if (!spec && source)
        gate_source_specs(source, &specs);
    const enum status status = devices_find_for(specs.size > 0 ? text_string(&specs) : spec, &suite->devices, error);
    if (status != STATUS_OK)
        return status;
    if (spec || !source) {
        TRY(devices_select(&suite->devices, spec, &suite->chosen, &suite->chosen_count, error));
        if (source && suite->chosen_count == 1)
            suite_adopt(suite, source, suite->chosen[0], true);
        return STATUS_OK;
    }
    for (size_t i = 0; i < suite->devices.count; i++)
        if (alone(&suite->devices, &suite->devices.devices[i]))
            suite_adopt(suite, source, &suite->devices.devices[i], false);
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
    FOR_EACH(struct planned_job, job, plan->jobs, plan->job_count)
        plan_job_key(job->controlled ? job->controlled : job->test->test, job->environment, 0, job->key);
    return STATUS_OK;
}

static enum status suite_choose_seed(struct gate_suite *suite, const struct gate_source *source, struct error *error)
{
    struct gate_request *request = &suite->request;
    if (request->seeded)
        return STATUS_OK;
    request->seeded = true;
    if (source) {
        request->seed = gate_source_seed(source, suite->chosen, suite->chosen_count);
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
        "--budget %s is too small: the baseline's draws take about %s, without reruns; give --budget %.0f, or name "
        "fewer TESTs",
        QUANTITY_SECONDS(suite->request.budget), QUANTITY_SECONDS(needed), ceil(1.2 * needed));
}

/* The draws of the source are repeated, however long they take. Time limits only stop faults. */
static enum status suite_take_extents(struct gate_suite *suite, const struct gate_source *source, struct error *error)
{
    struct run_plan *plan = suite->plan;
    const struct gate_request *request = &suite->request;
    struct source_extent found;
    size_t known = 0;
    FREED double *needs = memory_take(plan->job_count, sizeof *needs);
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
    const double needed = run_plan_longest(plan, needs);
    for (size_t u = 0; u < plan->unit_count; u++) /* a control that the source has not, too, plays its test's draws */
        for (size_t i = plan->units[u].first; i < plan->units[u].end; i++)
            if (plan->jobs[i].extent.instances == 0)
                plan->jobs[i].extent = plan->jobs[plan->units[u].first].extent;
    suite->allowance = request->budget;
    suite->needed = known > 0 ? needed : 0;
    if (request->instances > 0 || known == 0)
        return STATUS_OK;
    if (request->budget > 0 && needed > request->budget)
        return refuse_budget(suite, needed, error);
    gate_message(request->listener,
                 "draws: the same as in the baseline, about %s; a job that takes %g times as long, and more than %s, "
                 "is cut short\n",
                 QUANTITY_SECONDS(needed), slower_at_most, QUANTITY_SECONDS(least_limit));
    return STATUS_OK;
}

static void suite_report_refused(const struct gate_suite *suite)
{
    size_t refused = 0;
    LOCAL(text) instead = {0};
    for (size_t i = 0; i < suite->plan->job_count; i++)
        if (suite->plan->jobs[i].refused && refused++ == 0)
            siblings_add_hint(suite->plan->jobs[i].test->test, suite->plan->jobs[i].device, &instead);
    if (refused > 0)
        gate_message(suite->request.listener, "%zu job%s: the device cannot run %s\n", refused, refused == 1 ? "" : "s",
                     refused == 1 ? "it" : "them");
    suite->request.listener->message(text_string(&instead));
}

/* ---- tests ---- */

static enum status keep_failed(struct gate_suite *suite, struct error *error)
{
    struct last_failed found;
    const enum status status = last_failed_find(suite->request.database, &found, error);
    if (status == STATUS_OK) {
        last_failed_narrow(&found, &suite->selection);
        gate_message(suite->request.listener, "run %" PRId64 ": %zu of %zu tests failed or were run again\n", found.run,
                     found.failed, found.tests);
    }
    selection_release(&found.selection);
    if (status == STATUS_OK && suite->selection.count == 0)
        return error_set(error, STATUS_USAGE,
                         "--last-failed: %s failed in run %" PRId64 " of %s: there is nothing to judge",
                         found.failed > 0 ? "none of these tests" : "no test", found.run, suite->request.database);
    return status;
}

static enum status suite_select(struct gate_suite *suite, const struct gate_source *source, struct error *error)
{
    const struct gate_request *request = &suite->request;
    char *const usual[] = {usual_suite};
    if (source && gate_source_names(source, request->tests, request->test_count))
        TRY(gate_source_select(source, request->tests, request->test_count, &suite->selection, error));
    else if (request->test_count > 0)
        TRY(request->listener->select(request->tests, request->test_count, &suite->selection, error));
    else
        TRY(request->listener->select(usual, 1, &suite->selection, error));
    if (request->exclude.count > 0)
        TRY(selection_exclude(&suite->selection, request->exclude.list, request->exclude.count, kernel_judge, error));
    return request->last_failed ? keep_failed(suite, error) : STATUS_OK;
}

/* ---- runs that are there ---- */

/* --resume RUN: that run comes first, also if shards were merged into it; then its reruns. */
static enum status suite_find_begun(struct gate_suite *suite, struct error *error)
{
    struct gate_ledger *ledger = &suite->ledger;
    const struct gate_request *request = &suite->request;
    struct store *store = NULL;
    int64_t first = 0;
    if (!request->resume)
        return STATUS_OK;
    const bool any = strcmp(request->resume, "auto") == 0;
    if (access(request->database, F_OK) != 0)
        return any ? STATUS_OK
                   : error_set(error, STATUS_USAGE, "--resume %s: there is no database %s; use --db to name another",
                               request->resume, request->database);
    TRY(store_open(request->database, STORE_RESUME, &store, error));
    enum status status = any ? STATUS_OK : plan_find_run(store, request->resume, &first, error);
    THEN(status, plan_list_begun(store, request->provenance->command_line, first, &ledger->arena, &ledger->runs,
                                 &ledger->count, error));
    store_close(store);
    if (status == STATUS_OK && ledger->count > 0 && ledger->runs->seed != request->seed)
        return error_set(error, STATUS_USAGE,
                         "--resume %s: run %" PRId64 " has the seed %" PRIu64 ", and this gate %" PRIu64
                         "; give --seed, or resume a run of this gate",
                         request->resume, ledger->runs->run_id, ledger->runs->seed, request->seed);
    return status;
}

/* ---- the suite ---- */

/* A shard is the same part of the same jobs on every machine. */
static void suite_take_shard(struct gate_suite *suite)
{
    const struct gate_request *request = &suite->request;
    suite->units = suite->plan->unit_count;
    if (request->shards == 0)
        return;
    run_plan_shard(suite->plan, request->shard, request->shards);
    gate_message(request->listener, "shard %u of %u: %zu of %zu tests\n", request->shard, request->shards,
                 suite->plan->unit_count, suite->units);
}

enum status gate_suite_make(const struct gate_request *request, struct gate_source *source, struct gate_suite *suite,
                            struct error *error)
{
    *suite = (struct gate_suite){.request = *request, .started = clock_seconds()};
    TRY(suite_select(suite, source, error));
    TRY(suite_choose_devices(suite, source, error));
    TRY(suite_choose_seed(suite, source, error));
    TRY(suite_find_begun(suite, error));
    suite->plan = memory_take(1, sizeof *suite->plan);
    TRY(run_plan_make(&suite->selection, suite->chosen, suite->chosen_count, request->profile, request->homes,
                      source ? gate_source_lowering(source) : RUN_LOWERING_USUAL, true, suite->plan, error));
    if (source && !request->profile)
        TRY(suite_take_environments(suite, source, error));
    suite_take_shard(suite);
    run_plan_refuse(suite->plan);
    suite_report_refused(suite);
    if (source)
        TRY(suite_take_extents(suite, source, error));
    if (suite->request.confidence <= 0)
        suite->request.confidence = suite->selection.confidence > 0 ? suite->selection.confidence : 0.99999;
    if (suite->request.budget <= 0)
        suite->request.budget = suite->selection.budget > 0 ? suite->selection.budget : usual_budget;
    static const double usable = 0.95; /* the rest: reading, deciding */
    suite->each = suite->request.seconds > 0
                      ? suite->request.seconds
                      : usable * suite->request.budget / fmax(1, run_plan_longest(suite->plan, NULL));
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
    arena_release(&suite->ledger.arena);
    *suite = (struct gate_suite){.chosen = NULL};
}
