// SPDX-License-Identifier: Apache-2.0
/* A run from its plan to its end: its lanes, each a thread. */
#include "runner/run/run_jobs.h"

#include <poll.h>
#include <sys/eventfd.h>

#include "runner/run/plan_store.h"
#include "runner/run/run.h"

/* ---- the jobs of a device ---- */

/* The next unit for a device of the plan; false if none is left. A retired device takes no more units unless no other
 * device can: then it reports them as not run. */
enum { LOOK_MILLISECONDS = 1000 }; /* between progress reports when no job has any */

static bool take_unit(struct run *run, size_t device, bool retired, struct planned_unit *unit)
{
    const struct planned_device *at = &run->plan->devices[device];
    struct run_group *group = &run->groups[at->group];
    bool found = false;
    run_lock(run);
    while (group->next < run->plan->unit_count &&
           (run->taken[group->next] || run->plan->units[group->next].group != at->group))
        group->next++;
    for (size_t u = group->next; u < run->plan->unit_count && !found && run->status == STATUS_OK; u++) {
        const struct planned_unit *next = &run->plan->units[u];
        const bool its = next->pinned ? next->pinned == at->device : !retired || group->live == 0;
        if (next->group != at->group || run->taken[u] || !its)
            continue;
        run->taken[u] = found = true;
        *unit = *next;
    }
    run_unlock(run);
    return found;
}

/* Builders work for all devices of a group. The first lane to enter starts them, the last to leave stops them. */
static void enter(struct run *run, size_t group_number)
{
    struct run_group *group = &run->groups[group_number];
    size_t first = 0, end = 0, groups = 0;
    run_lock(run);
    for (size_t u = 0; u < run->plan->unit_count; u++) {
        const struct planned_unit *unit = &run->plan->units[u];
        groups += u == 0 || unit->group != unit[-1].group;
        if (unit->group != group_number || run->taken[u])
            continue;
        first = end == 0 ? unit->first : first;
        end = unit->end;
    }
    if (group->inside++ == 0 && first < end) {
        const int asked = run->options->builders;
        const unsigned suited = (builders_suited(end - first) + (unsigned)groups - 1) / (unsigned)groups;
        group->builders = builders_start(run->plan, first, end, asked < 0 ? suited : (unsigned)asked, run->cache.folder,
                                         &run->options->frozen);
    }
    run_unlock(run);
}

/* Before a device takes more units that others could run: checks whether it still works. */
static void note_health(struct run *run, size_t group, struct supervisor *supervisor, bool *retired)
{
    run_lock(run);
    const bool shared = run->groups[group].live > 1;
    run_unlock(run);
    if (shared)
        supervisor_settle(supervisor);
    if (!supervisor->retired || *retired)
        return;
    *retired = true;
    run_lock(run);
    run->groups[group].live--;
    run_unlock(run);
}

static bool run_failed(struct run *run)
{
    run_lock(run);
    const bool failed = run->status != STATUS_OK;
    run_unlock(run);
    return failed;
}

static void run_device(struct lane *lane, size_t device)
{
    struct run *run = lane->run;
    const struct planned_device *at = &run->plan->devices[device];
    struct supervisor supervisor;
    struct planned_unit unit;
    bool retired = false;
    enter(run, at->group);
    supervisor_start(&supervisor, at->device, &run->options->limits, run->cache.folder, &lane->stop);
    supervisor_freeze(&supervisor, &run->options->frozen);
    while (!stop_signals_came(&lane->stop) && take_unit(run, device, retired, &unit)) {
        for (size_t i = unit.first; i < unit.end && !run_failed(run) && !stop_signals_came(&lane->stop); i++) {
            if (!run_time_is_up(run) || run->plan->jobs[i].refused)
                run->reached[i] = run_job(lane, i, device, &supervisor); /* read only after the lanes have ended */
        }
        note_health(run, at->group, &supervisor, &retired);
    }
    supervisor_stop(&supervisor); /* before the thread ends, because the worker dies with it */
    struct run_group *group = &run->groups[at->group];
    struct builders *builders = NULL;
    run_lock(run);
    if (--group->inside == 0) {
        builders = group->builders;
        group->builders = NULL;
    }
    run_unlock(run);
    builders_stop(builders);
}

/* ---- lanes ---- */

static void *run_lane(void *context)
{
    struct lane *lane = context;
    const uint64_t one = 1;
    for (size_t i = 0; i < lane->device_count; i++)
        run_device(lane, lane->devices[i]);
    run_lock(lane->run);
    lane->run->lanes_ended++;
    run_unlock(lane->run);
    (void)!write(lane->run->lane_ends, &one, sizeof one); /* succeeds: the eventfd is far below 2^64-1 */
    return NULL;
}

/* For each device of the plan, the first device of the same lane. Two devices that could run in parallel share a lane
 * if an ensemble has both. */
static size_t *first_of_lanes(const struct run_plan *plan)
{
    size_t *first = memory_take(plan->device_count, sizeof *first);
    for (size_t d = 0; d < plan->device_count; d++) {
        first[d] = d;
        for (size_t e = 0; e < d; e++) {
            if (!plan_same_hardware(plan->devices[e].device, plan->devices[d].device))
                continue;
            const size_t one = first[d], other = first[e];
            for (size_t i = 0; i <= d; i++)
                if (first[i] == one || first[i] == other)
                    first[i] = one < other ? one : other;
        }
    }
    return first;
}

static struct lane *find_lane(struct run *run, size_t first)
{
    for (size_t i = 0; i < run->lane_count; i++)
        if (run->lanes[i].devices[0] == first)
            return &run->lanes[i];
    return &run->lanes[run->lane_count];
}

/* Whether an earlier part of the run finished the unit. */
static bool is_finished(const struct run_plan *plan, const struct planned_unit *unit)
{
    for (size_t i = unit->first; i < unit->end; i++)
        if (!plan->jobs[i].begun || !plan->jobs[i].begun->finished)
            return false;
    return true;
}

static enum status fill_lanes(struct run *run, const size_t *first, struct error *error)
{
    const size_t count = run->plan->device_count;
    for (size_t d = 0; d < count; d++) {
        struct lane *lane = find_lane(run, first[d]);
        run->groups[run->plan->devices[d].group].live++;
        if (lane == &run->lanes[run->lane_count]) {
            *lane = (struct lane){.run = run, .stop_writer = -1, .devices = memory_take(count, sizeof *lane->devices)};
            run->lane_count++;
            TRY(stop_signals_follow(&lane->stop, &lane->stop_writer, error));
            if (run->stop.count > 0) /* while jobs were recalled */
                stop_signals_pass(&run->stop, lane->stop_writer);
        }
        lane->devices[lane->device_count++] = d;
    }
    return STATUS_OK;
}

static enum status make_lanes(struct run *run, struct error *error)
{
    const size_t count = run->plan->device_count;
    run->groups = memory_take(count, sizeof *run->groups);
    run->lanes = memory_take(count + 1, sizeof *run->lanes); /* find_lane may point past the last */
    run->progress = memory_take(count, sizeof *run->progress);
    run->taken = memory_take(run->plan->unit_count, sizeof *run->taken);
    run->reached = memory_take(run->plan->job_count, sizeof *run->reached);
    if ((run->lane_ends = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0)
        return error_set(error, STATUS_SYSTEM, "eventfd failed: %s", strerror(errno));
    FREED size_t *first = first_of_lanes(run->plan);
    const enum status status = fill_lanes(run, first, error);
    if (status != STATUS_OK)
        return status;
    for (size_t u = 0; u < run->plan->unit_count; u++)
        run->taken[u] = is_finished(run->plan, &run->plan->units[u]);
    return STATUS_OK;
}

static void release_lanes(struct run *run)
{
    for (size_t i = 0; i < run->lane_count; i++) {
        stop_signals_release(&run->lanes[i].stop);
        if (run->lanes[i].stop_writer >= 0)
            (void)close(run->lanes[i].stop_writer);
        free(run->lanes[i].devices);
    }
    if (run->lane_ends >= 0)
        (void)close(run->lane_ends);
    run->lane_count = 0;
    free(run->lanes);
    free(run->progress);
    free(run->groups);
    free(run->taken);
    free(run->reached);
}

/* Passes signals on and reports progress until all started lanes have ended. It also polls, because a wake may be
 * lost. */
static void attend(struct run *run, size_t started)
{
    struct pollfd polled[] = {{.fd = run->stop.descriptor, .events = POLLIN}, {.fd = run->lane_ends, .events = POLLIN}};
    for (size_t ended = 0; ended < started;) {
        uint64_t wakes;
        const int woken = poll(polled, COUNT(polled), LOOK_MILLISECONDS);
        (void)!read(run->lane_ends, &wakes, sizeof wakes);
        run_lock(run);
        if (woken == 0)
            run_notify_progress(run);
        const unsigned before = run->stop.count;
        stop_signals_read(&run->stop);
        for (unsigned signal = before; signal < run->stop.count; signal++)
            for (size_t i = 0; i < run->lane_count; i++)
                stop_signals_pass(&run->stop, run->lanes[i].stop_writer);
        ended = run->lanes_ended;
        run_unlock(run);
    }
}

/* Runs all jobs of the plan, each lane in a thread. */
static void run_lanes(struct run *run)
{
    struct error error;
    size_t started = 0;
    run->lane_ends = -1;
    run_check(run, make_lanes(run, &error), &error);
    while (!run_failed(run) && started < run->lane_count) {
        const int code = pthread_create(&run->lanes[started].thread, NULL, run_lane, &run->lanes[started]);
        run_lock(run);
        if (code == 0)
            started++;
        else
            run_check(run, error_set(&error, STATUS_SYSTEM, "cannot start a thread: %s", strerror(code)), &error);
        run_unlock(run);
    }
    attend(run, started);
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(run->lanes[i].thread, NULL);
    if (run->status == STATUS_OK && (run->stop.count > 0 || run_time_is_up(run)))
        run_skip_rest(run);
    release_lanes(run);
}

/* ---- how much of a job is played, and where the time of a run with a deadline went ---- */

const char run_spent_reason[] = "the budget was spent before the job could start";

/* Whether a resumed run had already ended: it stays as it is. */
static bool is_complete(const struct run *run)
{
    const bool left = ANY_OF(job, run->plan->jobs, run->plan->job_count, !job->begun || !job->begun->finished);
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
    TRY(job_record_open(options->database, options->provenance, options->seed, options->only, &run->store, &run->run_id,
                        error));
    if (options->resume == 0)
        TRY(resume_lock_take(options->database, run->run_id, &run->hold, error));
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
