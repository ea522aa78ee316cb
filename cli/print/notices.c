// SPDX-License-Identifier: Apache-2.0
/* Notices before results: what makes those of a CPU device say less than those of a GPU, and which verdicts were judged
 * again; and CUDA tests that race. */
#include "cli/print/notices.h"

#include <time.h>

#include "analysis/sides/side.h"
#include "litmus/language/order.h"
#include "models/races.h"
#include "runner/run/rejudge.h"

enum { STAT_SIZE = 512, MEASURED_MILLISECONDS = 300 };

/* The ticks of all cores together, and those in which a core was idle or waited for a disk. */
static bool read_ticks(const char *stat, uint64_t *all, uint64_t *idle)
{
    uint64_t ticks[8] = {0};
    if (sscanf(stat, "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
               &ticks[0], &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]) < 5)
        return false;
    *all = 0;
    for (size_t i = 0; i < COUNT(ticks); i++)
        *all += ticks[i];
    *idle = ticks[3] + ticks[4];
    return true;
}

double notices_busy(const char *before, const char *after, unsigned cores)
{
    uint64_t all[2], idle[2];
    if (!read_ticks(before, &all[0], &idle[0]) || !read_ticks(after, &all[1], &idle[1]) || all[1] <= all[0] ||
        idle[1] < idle[0])
        return -1;
    const double share = (double)(idle[1] - idle[0]) / (double)(all[1] - all[0]);
    return share < 1 ? cores * (1 - share) : 0;
}

bool notices_takes_turns(const struct litmus_test *test, const struct backend_device *device)
{
    if (device->gpu || strcmp(device->backend, "opencl") != 0 || test->thread_count < 2)
        return false;
    const struct litmus_placement *first = &test->threads[0].placement;
    return !ANY_OF(thread, test->threads, test->body_count,
                   !scope_includes(LITMUS_WORK_GROUP, first, &thread->placement));
}

static void print_busy(void)
{
    char before[STAT_SIZE], after[STAT_SIZE];
    const struct timespec moment = {.tv_nsec = MEASURED_MILLISECONDS * 1000000L};
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 1 || file_read_start("/proc/stat", before, sizeof before) == 0)
        return;
    (void)nanosleep(&moment, NULL);
    if (file_read_start("/proc/stat", after, sizeof after) == 0)
        return;
    const double busy = notices_busy(before, after, (unsigned)cores);
    if (busy >= 0.5 * (double)cores)
        terminal_print(stderr,
                       "note: other programs keep %.1f of %ld cores busy; on a busy CPU the threads of a test rarely "
                       "overlap, so weak outcomes rarely show\n",
                       busy, cores);
}

/* Not of controls, which are broken on purpose. */
static void print_races(const struct run_plan *plan)
{
    struct races *races = races_open();
    const char *first = NULL;
    size_t count = 0;
    FOR_EACH(const struct planned_job, job, plan->jobs, plan->job_count) {
        struct race race;
        if (job->refused || job->controlled || job->device != plan->jobs[0].device)
            continue;
        race_find(races, job->test->test, false, &race);
        first = !first && race.kind == RACE_LASTING ? job->test->test->name : first;
        count += race.kind == RACE_LASTING;
        race_release(&race);
    }
    if (first)
        terminal_print(stderr,
                       "note: %zu CUDA job%s (%s%s) %s a data race in CUDA C++, so a compiler may break such code; "
                       "`orchil check TEST` names the race\n",
                       count, count == 1 ? "" : "s", first, count == 1 ? "" : ", ...", count == 1 ? "has" : "have");
    races_close(races);
}

void notices_print(const struct run_plan *plan)
{
    bool cpu = false;
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct backend_device *device = plan->devices[d].device;
        cpu |= !device->gpu && strcmp(device->backend, "opencl") == 0;
    }
    if (cpu)
        print_busy();
    const struct planned_job *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < plan->job_count; i++) {
        if (plan->jobs[i].refused || !notices_takes_turns(plan->jobs[i].test->test, plan->jobs[i].device))
            continue;
        first = first ? first : &plan->jobs[i];
        count++;
    }
    if (first)
        terminal_print(
            stderr,
            "note: %s runs the threads of one work-group in turn, so %zu job%s (%s%s) can show no outcome in "
            "which they overlap; what %s not show proves nothing\n",
            first->device->name, count, count == 1 ? "" : "s", first->test->test->name, count == 1 ? "" : ", ...",
            count == 1 ? "it does" : "they do");
    print_races(plan);
}

/* ---- verdicts that are judged again ---- */

static const double test_seconds = 10, all_seconds = 120;

static void show_progress(size_t done, size_t all, void *context)
{
    progress_say(context, stderr, "judging again because a model has changed: %zu of %zu tests", done, all);
}

enum status judged_again_prepare(struct store *store, int64_t run, struct error *error)
{
    struct progress_line progress = {.last = clock_seconds()}; /* none if it is done soon */
    const struct rejudge options = {.run = run,
                                    .test_seconds = test_seconds,
                                    .seconds = all_seconds,
                                    .went_on = show_progress,
                                    .context = &progress};
    size_t count;
    const enum status status = rejudge(store, &options, error);
    progress_clear(&progress, stderr);
    const struct store_change *changes = store_changes(store, &count);
    struct text lines = {0};
    LOCAL(text) start = {0};
    terminal_add_safe(&start, store_path(store));
    text_add(&start, ": ");
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        side_describe_change(&changes[i], text_string(&start), &lines);
    terminal_end(stderr, &lines);
    return status;
}
