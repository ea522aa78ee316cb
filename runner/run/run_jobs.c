// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/complaint.h"
#include "cli/output_path.h"
#include "runner/run/plan_store.h"
#include "runner/run/run.h"
#include "runner/run/run_hold.h"

void run_check(struct run *run, enum status status, const struct error *error)
{
    if (status == STATUS_OK || run->status != STATUS_OK)
        return;
    run->status = status;
    run->failure = *error;
}

void run_lock(struct run *run)
{
    (void)pthread_mutex_lock(&run->mutex); /* fails only where a thread takes what it holds */
}

void run_unlock(struct run *run)
{
    (void)pthread_mutex_unlock(&run->mutex);
}

/* Whether the run was taken up again after it had come to its end: it stays as it is. */
static bool is_complete(const struct run *run)
{
    bool left = false;
    for (size_t i = 0; i < run->plan->job_count; i++)
        left |= !run->plan->jobs[i].begun || !run->plan->jobs[i].begun->finished;
    return run->plan->completed && !left;
}

static enum status open_outputs(struct run *run, int argc, char **argv, struct error *error)
{
    const struct run_options *options = run->options;
    TRY(stop_signals_catch(&run->stop, error));
    TRY(frozen_open(&run->options->frozen, error));
    TRY(kernel_cache_open(!options->cache, &run->cache, error));
    if (options->log)
        TRY(output_path_check("log", options->log, options->database, error));
    if (options->log && !(run->log = fopen(options->log, "ae")))
        return error_set(error, STATUS_UNREADABLE, "the log %s cannot be created: %s", options->log, strerror(errno));
    run->run_id = options->resume;
    if (run->run_id > 0)
        return is_complete(run) ? store_open(options->database, STORE_WRITE, &run->store, error)
                                : record_reopen(options->database, argc, argv, run->run_id, &run->store, error);
    TRY(record_open(options->database, argc, argv, options->seed, &run->store, &run->run_id, error));
    TRY(run_hold(options->database, run->run_id, &run->hold, error));
    return plan_keep(run->store, run->run_id, options, run->plan, error);
}

/* The first that applies. */
static int exit_code(const struct run *run)
{
    if (run->stop.count > 0)
        return 128 + run->stop.first;
    if (run->status != STATUS_OK)
        return status_exit_code(run->status);
    return summary_exit_code(&run->summary);
}

void run_jobs(const struct run_options *options, const struct run_plan *plan, int argc, char **argv,
              struct run_result *result)
{
    struct run run = {.options = options,
                      .plan = plan,
                      .mutex = PTHREAD_MUTEX_INITIALIZER,
                      .stop = {.descriptor = -1},
                      .hold = -1,
                      .summary = {.empty = plan->job_count == 0, .unread = options->unread_count},
                      .started = clock_seconds()};
    struct error error;
    run_check(&run, open_outputs(&run, argc, argv, &error), &error);
    for (size_t i = 0; i < plan->job_count && run.status == STATUS_OK; i++)
        if (plan->jobs[i].begun && plan->jobs[i].begun->finished)
            run_recall_job(&run, i);
    if (run.status == STATUS_OK)
        run_lanes(&run);
    if (run.store && run.run_id > 0 && !is_complete(&run)) {
        const enum run_state state = run.stop.count > 0        ? RUN_INTERRUPTED
                                     : run.status == STATUS_OK ? RUN_COMPLETED
                                                               : RUN_FAILED;
        run_check(&run, store_finish_run(run.store, run.run_id, state, &error), &error);
    }
    if (run.status != STATUS_OK)
        (void)complain("orchil run", &run.failure);
    else if (!options->json && !options->quiet)
        summary_print(&run.summary, options->database, run.run_id, options->seed, clock_seconds() - run.started);
    *result =
        (struct run_result){.exit_code = exit_code(&run), .run_id = run.run_id, .failed = run.status != STATUS_OK};
    summary_release(&run.summary);
    kernel_cache_close(&run.cache);
    store_close(run.store);
    if (run.log && fclose(run.log) != 0)
        (void)fprintf(stderr, "orchil run: the log %s cannot be written: %s\n", options->log, strerror(errno));
    stop_signals_release(&run.stop);
    run_let_go(run.hold);
    (void)pthread_mutex_destroy(&run.mutex);
}
