// SPDX-License-Identifier: Apache-2.0
/* Runs of a gate's suite, or of a part of it. */
#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "runner/gate/gate_suite.h"

static void report_end(const struct gate_suite *suite, const struct gate_play *play)
{
    const time_t end = time(NULL) + (time_t)ceil(play->allowance);
    struct tm local;
    char clock[16];
    if (play->allowance > 0 && localtime_r(&end, &local) && strftime(clock, sizeof clock, "%H:%M:%S", &local) > 0)
        gate_message(suite->request.listener, "budget: this run ends by about %s\n", clock);
}

/* What was in progress at the end of the time, else time spent neither building nor running. */
static void report_overrun(const struct gate_suite *suite, const struct gate_play *play,
                           const struct run_result *result)
{
    const struct gate_listener *listener = suite->request.listener;
    const struct run_spending *spending = &result->spending;
    const double over = result->seconds - play->allowance;
    if (over < fmax(0.5, 0.1 * play->allowance))
        return;
    if (spending->overran[0] != '\0')
        gate_message(listener, "budget: overrun by %s: %s\n", QUANTITY_SECONDS(over), spending->overran);
    else
        gate_message(listener, "budget: overrun by %s: starting, judging and storing took %s\n", QUANTITY_SECONDS(over),
                     QUANTITY_SECONDS(fmax(0, result->seconds - spending->building - spending->batches)));
}

static void report_spending(const struct gate_suite *suite, const struct gate_play *play,
                            const struct run_result *result)
{
    const struct gate_listener *listener = suite->request.listener;
    const struct run_spending *spending = &result->spending;
    gate_message(listener, "budget: the run took %s of %s: building %s, batches %s\n",
                 QUANTITY_SECONDS(result->seconds), QUANTITY_SECONDS(play->allowance),
                 QUANTITY_SECONDS(spending->building), QUANTITY_SECONDS(spending->batches));
    report_overrun(suite, play, result);
    if (spending->unstarted > 0)
        gate_message(listener, "budget: spent before %zu job%s could start: they are not run\n", spending->unstarted,
                     spending->unstarted == 1 ? "" : "s");
}

bool gate_suite_play(const struct gate_suite *suite, const struct gate_play *play, struct run_result *result, int *code)
{
    const struct gate_request *request = &suite->request;
    const struct run_options options = {
        .device = request->device,
        .profile = request->profile,
        .database = play->database ? play->database : request->database,
        .instances = request->instances,
        .seconds = request->instances > 0 ? 0
                   : play->seconds > 0    ? play->seconds
                                          : suite->each,
        .deadline = play->allowance > 0 ? clock_seconds() + play->allowance : 0,
        .pilot = play->pilot,
        .seed = play->seed,
        .seeded = true,
        .controls = true,
        .strict = request->strict,
        .cache = true,
        .frozen = {.use = request->kernels ? FROZEN_REPLAY : FROZEN_NONE, .path = request->kernels},
        .builders = -1,
        .limits = request->limits,
        .provenance = request->provenance};
    report_end(suite, play);
    *code = request->listener->run(&options, play->plan, result);
    const bool ended = result->status == STATUS_OK && result->signal == 0;
    if (ended && play->allowance > 0)
        report_spending(suite, play, result);
    return ended;
}

bool gate_suite_run(const struct gate_suite *suite, uint64_t seed, int64_t *run_id, int *code)
{
    const struct gate_play play = {.plan = suite->plan, .seed = seed, .allowance = suite->allowance};
    struct run_result result;
    const bool done = gate_suite_play(suite, &play, &result, code);
    *run_id = result.run_id;
    return done;
}

bool gate_suite_run_some(const struct gate_suite *suite, bool (*wanted)(const struct planned_job *job, void *context),
                         void *context, uint64_t seed, double allowance, int64_t *run_id, int *code)
{
    struct run_plan picked;
    run_plan_pick(suite->plan, wanted, context, &picked);
    const struct gate_play play = {.plan = &picked, .seed = seed, .allowance = allowance};
    struct run_result result = {.run_id = 0};
    *code = 0;
    const bool done = picked.job_count > 0 && gate_suite_play(suite, &play, &result, code);
    *run_id = result.run_id;
    run_plan_release(&picked);
    return done;
}

size_t gate_suite_jobs(const struct gate_suite *suite)
{
    return run_plan_longest(suite->plan);
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
