// SPDX-License-Identifier: Apache-2.0
/* Compiling ahead. */
#include "runner/run/builders.h"

#include "litmus/language/user_atomics.h"
#include "runner/protocol/device.h"
#include "runner/supervise/child.h"
#include "runner/supervise/claims.h"

enum {
    AHEAD = 8, /* jobs that each builder may be ahead of the running one: an early build may go unused */
    JOBS_WORTH_IT = 4,
    SCOUTS = 3 /* builders that start at once; with a warm cache they are enough, and more would disturb the worker */
};

static const double compiling_seconds = 0.05; /* of a build that is not in the cache */
static const double end_seconds = 0.5;        /* for a builder to exit by itself; its work can be lost */

struct builder_process {
    struct child child;
    struct claims claims; /* of its last order */
    bool alive, opened, busy;
    size_t job;   /* if busy */
    double since; /* if busy: when it got the job, by clock_seconds */
};

struct builders {
    const struct run_plan *plan;
    size_t first, end;
    size_t next;  /* every job before it has been handed out */
    size_t front; /* after the last job that was begun */
    bool *begun;  /* of job first + i: whether it runs or has run */
    const char *folder;
    const struct frozen_folder *frozen;
    unsigned wanted, count;
    struct builder_process builders[BUILDERS_MAXIMUM];
};

unsigned builders_suited(size_t jobs)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = cores > 1 ? (size_t)cores - 1 : 0;
    if (jobs < JOBS_WORTH_IT)
        return 0;
    if (count > jobs)
        count = jobs;
    return (unsigned)(count > BUILDERS_MAXIMUM ? BUILDERS_MAXIMUM : count);
}

static void drop_builder(struct builder_process *builder, double patience)
{
    int wait_status;
    if (!builder->alive)
        return;
    (void)child_finish(&builder->child, patience, &wait_status);
    child_release(&builder->child);
    builder->alive = builder->busy = false;
}

struct builders *builders_start(const struct run_plan *plan, size_t first, size_t end, unsigned count,
                                const char *folder, const struct frozen_folder *frozen)
{
    const struct backend_device *device = plan->jobs[first].device;
    const struct backend *backend = backend_find(device->backend);
    if (!backend || !backend->compiles_ahead(device) || count == 0)
        return NULL;
    struct builders *builders = memory_take(1, sizeof *builders);
    *builders = (struct builders){.plan = plan,
                                  .first = first,
                                  .begun = memory_take(end - first, sizeof *builders->begun),
                                  .next = first,
                                  .end = end,
                                  .front = first,
                                  .folder = folder,
                                  .frozen = frozen,
                                  .wanted = count < BUILDERS_MAXIMUM ? count : BUILDERS_MAXIMUM};
    return builders;
}

/* Handles a builder's message: its device is open, or a request is done. */
static void hear_builder(struct builder_process *builder, const char *line)
{
    struct worker_event event;
    struct error ignored;
    if (claims_hear(&builder->claims, line, builder->child.line_size, clock_seconds(), &event, &ignored) !=
        CLAIMS_FINE) {
        drop_builder(builder, 0);
        return;
    }
    const bool opened = event.kind == WORKER_OPENED;
    worker_event_release(&event);
    if (opened)
        builder->opened = true;
    else if (builder->busy)
        builder->busy = false;
    else
        drop_builder(builder, 0); /* its device could not be opened */
}

/* Handles a builder's messages so far. */
static void listen_to(struct builder_process *builder)
{
    const char *line;
    while (builder->alive && (builder->busy || !builder->opened)) {
        switch (child_next(&builder->child, -1, 0, &line)) {
        case CHILD_LINE:
            hear_builder(builder, line);
            break;
        case CHILD_ENDED:
            drop_builder(builder, end_seconds);
            break;
        case CHILD_TIMEOUT:
        case CHILD_INTERRUPT:
            return;
        }
    }
}

/* Handles all builders' messages and gives idle builders more work. */
static void turn(struct builders *builders)
{
    FOR_EACH(struct builder_process, builder, builders->builders, builders->count) {
        listen_to(builder);
        while (builders->next < builders->end && builders->begun[builders->next - builders->first])
            builders->next++;
        if (builder->alive && builder->opened && !builder->busy && builders->next < builders->end &&
            builders->next < builders->front + (size_t)AHEAD * builders->count) {
            LOCAL(text) text = {0};
            struct error ignored;
            const struct planned_job *planned = &builders->plan->jobs[builders->next];
            const struct job job = {.test = planned->test->test,
                                    .environment = *planned->environment,
                                    .lowering = planned->lowering,
                                    .extent = {.instances = 1}};
            litmus_print(planned->test->test, &text);
            builder->claims = claims_of_compiling(builder->claims.order + 1);
            FREED char *request =
                protocol_request(builder->claims.order, &job, text_string(&text), planned->test->file);
            builder->job = builders->next++;
            builder->busy = true;
            builder->since = clock_seconds();
            if (child_send(&builder->child, request, &ignored) != STATUS_OK)
                drop_builder(builder, 0);
        }
    }
}

/* How many builders are to run: all once those that do are all compiling. */
static unsigned builders_now(const struct builders *builders)
{
    const double latest = clock_seconds() - compiling_seconds;
    if (builders->count < SCOUTS)
        return builders->wanted < SCOUTS ? builders->wanted : SCOUTS;
    return ANY_OF(builder, builders->builders, builders->count,
                  builder->alive && (!builder->busy || builder->since > latest))
               ? builders->count
               : builders->wanted;
}

void builders_turn(struct builders *builders)
{
    if (!builders)
        return;
    const unsigned wanted = builders_now(builders);
    if (builders->count < wanted) {
        const struct backend_device *device = builders->plan->jobs[builders->first].device;
        struct device_address which = device_worker_argument(device);
        char name[sizeof device->backend], cache[4096];
        char program[] = "orchil", verb[] = "worker", compile[] = "--compile";
        char *option = (char *)(uintptr_t)frozen_option(builders->frozen->use); /* execv does not change it */
        char *kernels = (char *)(uintptr_t)(builders->frozen->path ? builders->frozen->path : "");
        char *atomics = (char *)(uintptr_t)user_atomics_argument();
        char *arguments[] = {program, verb, compile, name, which.text, cache, option, kernels, atomics, NULL};
        struct error ignored; /* the worker that runs the jobs compiles as well */
        (void)snprintf(name, sizeof name, "%s", device->backend);
        (void)snprintf(cache, sizeof cache, "%s", builders->folder);
        while (builders->count < wanted) {
            struct builder_process *builder = &builders->builders[builders->count++];
            builder->alive = child_start(&builder->child, arguments, &ignored) == STATUS_OK;
            builder->claims = claims_of_opening();
        }
    }
    turn(builders);
}

bool builders_begin(struct builders *builders, size_t job)
{
    bool busy = false;
    if (!builders || job < builders->first || job >= builders->end)
        return false;
    builders->begun[job - builders->first] = true;
    if (builders->front <= job)
        builders->front = job + 1;
    turn(
        /* Starts no builder: builders_turn does, at the first batch, because a device that only one process may open
         * belongs to the worker. */
        builders);
    for (unsigned i = 0; i < builders->count; i++)
        busy |= builders->builders[i].busy && builders->builders[i].job == job;
    return busy;
}

void builders_stop(struct builders *builders)
{
    if (!builders)
        return;
    for (unsigned i = 0; i < builders->count; i++)
        drop_builder(&builders->builders[i], 0);
    free(builders->begun);
    free(builders);
}
