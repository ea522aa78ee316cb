// SPDX-License-Identifier: Apache-2.0
/* The pilot of a suite: how much of each job fits into its share of the time. */
#include "runner/gate/gate_pilot.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/temporary_folder.h"
#include "base/terminal/terminal.h"

/* ---- one job ---- */

/* Kept free for what varies: draws, clocks, and the work between batches. */
static const double used_share = 0.9;

/* Fewer and larger batches must give this many times the instances: where a batch costs more than its
 * instances do. */
static const double worth_fewer = 2;

/* A larger batch does not take less time: what looks so was a disturbance of the smaller one. */
static double time_of(const struct pilot_batch *batches, size_t count, size_t at)
{
    double least = batches[at].seconds;
    for (size_t i = at + 1; i < count; i++)
        if (batches[i].instances >= batches[at].instances)
            least = fmin(least, batches[i].seconds);
    return fmax(least, 1e-9);
}

/* The largest batch that takes at most `seconds`; count if even the first takes longer. */
static size_t largest_within(const struct pilot_batch *batches, size_t count, double seconds)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (time_of(batches, count, i) <= seconds && (best == count || batches[i].instances >= batches[best].instances))
            best = i;
    return best;
}

/* At a batch, and over the turn that ends with it: the members of a portfolio have their own speeds. */
static double speed_at(const struct pilot_batch *batches, size_t count, size_t at, size_t turn)
{
    const size_t first = at + 1 >= turn ? at + 1 - turn : 0;
    double instances = 0, seconds = 0;
    for (size_t i = first; i <= at; i++) {
        instances += (double)batches[i].instances;
        seconds += time_of(batches, count, i);
    }
    return fmin((double)batches[at].instances / time_of(batches, count, at), instances / seconds);
}

/* At this speed: a job of so many seconds, in `parts` batches or more. */
static struct pilot_choice choose_at(const struct pilot_batch *batches, double speed, double seconds, uint64_t parts)
{
    const double instances = fmin(seconds * speed, (double)STORE_JOB_INSTANCES_MAX / 4);
    const double batch = fmax(instances / (double)parts, (double)batches[0].instances);
    return (struct pilot_choice){.instances = (uint64_t)fmax(instances, (double)parts * (double)batches[0].instances),
                                 .batch = (uint64_t)batch};
}

struct pilot_choice pilot_choose(const struct pilot_batch *batches, size_t count, double seconds,
                                 const struct environment *environment)
{
    const size_t turn = environment_least_batches(environment, 1);
    const uint64_t fewest = environment_least_batches(environment, ENVIRONMENT_MEMBER_BATCHES);
    const uint64_t usual = fewest > ENVIRONMENT_BATCHES ? fewest : ENVIRONMENT_BATCHES;
    const double used = used_share * seconds;
    if (count == 0)
        return (struct pilot_choice){.instances = 0};
    const size_t of_usual = largest_within(batches, count, used / (double)usual);
    const size_t of_fewest = largest_within(batches, count, used / (double)fewest);
    if (of_fewest < count) {
        const struct pilot_choice few = choose_at(batches, speed_at(batches, count, of_fewest, turn), used, fewest);
        const struct pilot_choice many = of_usual < count
                                             ? choose_at(batches, speed_at(batches, count, of_usual, turn), used, usual)
                                             : (struct pilot_choice){0};
        return (double)many.instances * worth_fewer >= (double)few.instances ? many : few;
    }
    const double each = time_of(batches, count, 0);
    const double fitting = fmax(1, floor(used / each));
    return (struct pilot_choice){.instances = (uint64_t)fitting * batches[0].instances,
                                 .batch = batches[0].instances,
                                 .needed = (double)fewest * each / used_share};
}

/* ---- the suite ---- */

/* A pilot in progress. */
struct pilot {
    struct gate_suite *suite;
    double seconds;    /* of each job of the suite */
    struct text needs; /* the tests that need more, with their seconds */
};

static bool lacks_extent(const struct planned_job *job, void *context)
{
    (void)context;
    return job->extent.instances == 0 && !job->refused;
}

/* The batches of a job, each with its part of the time between batches. The caller frees them. */
static enum status read_batches(struct store *store, const struct store_progress *job, struct pilot_batch **batches,
                                size_t *count, struct error *error)
{
    struct store_cursor cursor;
    size_t room = 0;
    double sum = 0;
    *batches = NULL;
    *count = 0;
    store_query(store, STORE_BATCHES, job->job_id, &cursor, error);
    while (store_next(&cursor)) {
        LIST_ADD(*batches, *count, room) = (struct pilot_batch){cursor.batch.instances, cursor.batch.seconds};
        sum += cursor.batch.seconds;
    }
    for (size_t i = 0; i < *count; i++)
        (*batches)[i].seconds += fmax(0, job->seconds - sum) / (double)*count;
    return store_end(&cursor, STATUS_OK);
}

/* A test and its controls play the same draws, so the slowest of them decides. */
static void give(struct run_plan *plan, const struct planned_job *played, const struct pilot_choice *choice)
{
    for (size_t u = 0; u < plan->unit_count; u++) {
        const struct planned_unit *unit = &plan->units[u];
        const struct planned_job *first = &plan->jobs[unit->first];
        const struct litmus_test *test = played->controlled ? played->controlled : played->test->test;
        if (first->test->test != test || first->device != played->device || first->lowering != played->lowering)
            continue;
        for (size_t i = unit->first; i < unit->end; i++) {
            struct job_extent *extent = &plan->jobs[i].extent;
            if (extent->instances > 0 && extent->instances <= choice->instances)
                continue;
            extent->instances = choice->instances;
            extent->batch_instances = choice->batch;
        }
    }
}

static enum status choose_job(struct pilot *pilot, struct store *store, const struct store_progress *played,
                              const struct planned_job *job, struct error *error)
{
    struct pilot_batch *batches;
    size_t count;
    const enum status status = read_batches(store, played, &batches, &count, error);
    const struct pilot_choice choice = pilot_choose(batches, count, pilot->seconds, job->environment);
    free(batches);
    if (status != STATUS_OK || choice.instances == 0)
        return status;
    if (choice.needed > 0)
        terminal_add(&pilot->needs, "%s%s (%s)", pilot->needs.size > 0 ? ", " : "", job->test->test->name,
                     QUANTITY_SECONDS(choice.needed));
    give(pilot->suite->plan, job, &choice);
    return STATUS_OK;
}

/* The jobs of the pilot's run are those of its plan, in their order. */
static enum status choose_jobs(struct pilot *pilot, const struct run_plan *played, const char *database, int64_t run_id,
                               struct error *error)
{
    struct store *store = NULL;
    struct arena arena = {0};
    struct store_progress *rows = NULL;
    struct store_cursor cursor;
    size_t count = 0;
    enum status status = store_open(database, STORE_READ, &store, error);
    if (status == STATUS_OK) {
        store_query(store, STORE_PLANNED, run_id, &cursor, error);
        while (store_next(&cursor))
            ARENA_ADD(&arena, rows, count) = cursor.planned.progress;
        status = store_end(&cursor, STATUS_OK);
    }
    for (size_t i = 0; i < count && i < played->job_count && status == STATUS_OK; i++)
        if (rows[i].job_id > 0)
            status = choose_job(pilot, store, &rows[i], &played->jobs[i], error);
    arena_release(&arena);
    store_close(store);
    return status;
}

/* What a pilot saw that must not be is kept: its run is added to the results. */
static enum status keep_run(const struct gate_suite *suite, const char *database, struct error *error)
{
    struct store *store = NULL;
    struct store_merge_tally tally = {0};
    const struct store_merge_options options = {.tool_version = suite->request.provenance->tool_version,
                                                .host = suite->request.provenance->host};
    enum status status = store_open(suite->request.database, STORE_WRITE, &store, error);
    if (status == STATUS_OK)
        status = store_merge(store, database, &options, &tally, error);
    store_close(store);
    if (status == STATUS_OK)
        gate_message(suite->request.listener, "pilot: it saw what must not be; its run is added to %s\n",
                     suite->request.database);
    return status;
}

static void report(const struct pilot *pilot, const struct run_plan *played, double seconds)
{
    const struct gate_listener *listener = pilot->suite->request.listener;
    gate_message(listener, "pilot: %zu job%s in %s; each now has a number of instances, for about %s\n",
                 played->job_count, played->job_count == 1 ? "" : "s", QUANTITY_SECONDS(seconds),
                 QUANTITY_SECONDS(pilot->seconds));
    if (pilot->needs.size > 0)
        gate_message(listener,
                     "pilot: too little time for %d batches, so their draws are not compared one by one; needed: %s\n",
                     ENVIRONMENT_MEMBER_BATCHES, text_string(&pilot->needs));
}

/* What a job takes besides its build and its batches comes out of its share. */
static void leave_overhead(struct pilot *pilot, const struct run_result *result, size_t jobs)
{
    const double busy = result->spending.building + result->spending.batches;
    pilot->seconds -= fmin(0.5 * pilot->seconds, fmax(0, result->seconds - busy) / (double)jobs);
}

/* What is unsound, or a fault. */
static bool is_grave(int code)
{
    return code == 1 || code == status_exit_code(STATUS_DEVICE_FAILED);
}

static enum status play(struct pilot *pilot, const struct run_plan *plan, const char *database, bool *done, int *code,
                        struct error *error)
{
    static const double least = 0.01, most = 0.5, part = 0.1; /* seconds of a job; part of its share */
    const struct gate_suite *suite = pilot->suite;
    const struct gate_play run = {.plan = plan,
                                  .database = database,
                                  .seed = suite->request.seed,
                                  .seconds = RUN_PILOT_RESERVE * fmin(most, fmax(least, part * pilot->seconds)),
                                  .pilot = true};
    const double start = clock_seconds();
    struct run_result result;
    *done = gate_suite_play(suite, &run, &result, code);
    if (!*done)
        return STATUS_OK;
    leave_overhead(pilot, &result, plan->job_count);
    TRY(choose_jobs(pilot, plan, database, result.run_id, error));
    if (is_grave(*code))
        TRY(keep_run(suite, database, error));
    report(pilot, plan, clock_seconds() - start);
    return STATUS_OK;
}

/* In a database of its own, since its rates are of batches of other sizes. */
static enum status play_apart(struct pilot *pilot, const struct run_plan *plan, bool *done, int *code,
                              struct error *error)
{
    struct text database = {0};
    struct temporary_folder folder = {0};
    TRY(temporary_folder_open("pilot", &folder, error));
    text_add(&database, "%s/pilot.db", folder.path);
    const enum status status = play(pilot, plan, text_string(&database), done, code, error);
    temporary_folder_close(&folder);
    text_release(&database);
    return status;
}

enum status gate_suite_pilot(struct gate_suite *suite, bool *done, int *code, struct error *error)
{
    struct pilot pilot = {.suite = suite, .seconds = suite->each};
    struct run_plan plan;
    enum status status = STATUS_OK;
    *done = true;
    *code = 0;
    if (suite->request.instances > 0)
        return STATUS_OK;
    run_plan_pick(suite->plan, lacks_extent, NULL, &plan);
    if (plan.job_count > 0)
        status = play_apart(&pilot, &plan, done, code, error);
    run_plan_release(&plan);
    text_release(&pilot.needs);
    return status;
}

bool gate_suite_shrink(struct gate_suite *suite, double seconds)
{
    static const double clearly = 1.1, least = 0.2;
    const double wanted = suite->each * fmax(1, (double)gate_suite_jobs(suite)), factor = used_share * wanted / seconds;
    if (suite->request.instances > 0 || seconds <= clearly * wanted || factor < least)
        return false;
    for (size_t i = 0; i < suite->plan->job_count; i++) {
        struct job_extent *extent = &suite->plan->jobs[i].extent;
        extent->instances = (uint64_t)ceil((double)extent->instances * factor);
        extent->batch_instances = (uint64_t)ceil((double)extent->batch_instances * factor);
    }
    gate_message(suite->request.listener, "the run took %s instead of %s: it is played again with fewer instances\n",
                 QUANTITY_SECONDS(seconds), QUANTITY_SECONDS(wanted));
    return true;
}
