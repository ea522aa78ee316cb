// SPDX-License-Identifier: Apache-2.0
/* A run from its plan to its end. */

#include "base/clock.h"
#include "runner/run/plan_store.h"
#include "runner/run/run.h"

/* ---- how much of a job is played, and where the time of a run with a deadline went ---- */

const char run_spent_reason[] = "the budget was spent before it could start";

/* Whether a resumed run had already ended: it stays as it is. */
static bool is_complete(const struct run *run)
{
    bool left = false;
    for (size_t i = 0; i < run->plan->job_count; i++)
        left |= !run->plan->jobs[i].begun || !run->plan->jobs[i].begun->finished;
    return run->plan->completed && !left;
}

static enum status open_run(struct run *run, struct error *error)
{
    const struct run_options *options = run->options;
    TRY(stop_signals_catch(&run->stop, error));
    TRY(frozen_open(&run->options->frozen, error));
    TRY(kernel_cache_open(!options->cache, &run->cache, error));
    run->run_id = options->resume;
    if (run->run_id > 0 && is_complete(run))
        return store_open(options->database, STORE_WRITE, &run->store, error);
    if (run->run_id > 0) {
        TRY(job_record_reopen(options->database, options->provenance, run->run_id, &run->store, error));
    } else {
        TRY(job_record_open(options->database, options->provenance, options->seed, options->only, &run->store,
                            &run->run_id, error));
        TRY(resume_lock_take(options->database, run->run_id, &run->hold, error));
    }
    if (options->resume > 0 && !options->unplanned)
        return STATUS_OK;
    return plan_keep(run->store, run->run_id, options, run->plan, error);
}

void run_jobs(const struct run_options *options, const struct run_plan *plan, const struct run_listener *listener,
              struct run_result *result)
{
    struct run run = {.options = options,
                      .plan = plan,
                      .listener = listener,
                      .mutex = PTHREAD_MUTEX_INITIALIZER,
                      .stop = {.descriptor = -1},
                      .started = clock_seconds()};
    struct error error;
    run_check(&run, open_run(&run, &error), &error);
    for (size_t i = 0; i < plan->job_count && run.status == STATUS_OK; i++)
        if (plan->jobs[i].begun && plan->jobs[i].begun->finished)
            run_report_resumed(&run, i);
    if (run.status == STATUS_OK)
        run_lanes(&run);
    if (run.store && run.run_id > 0 && !is_complete(&run)) {
        const enum run_state state = run.stop.count > 0        ? RUN_INTERRUPTED
                                     : run.status == STATUS_OK ? RUN_COMPLETED
                                                               : RUN_FAILED;
        run_check(&run, store_finish_run(run.store, run.run_id, state, &error), &error);
    }
    *result = (struct run_result){.status = run.status,
                                  .error = run.failure,
                                  .signal = run.stop.first,
                                  .run_id = run.run_id,
                                  .spending = run.spending,
                                  .seconds = clock_seconds() - run.started};
    kernel_cache_close(&run.cache);
    store_close(run.store);
    stop_signals_release(&run.stop);
    resume_lock_release(&run.hold);
    (void)pthread_mutex_destroy(&run.mutex);
}
