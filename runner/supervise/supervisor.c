// SPDX-License-Identifier: Apache-2.0
/* One device's worker, from job to job. */
#include "runner/supervise/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/worker/protocol.h"

/* Seconds that a worker gets to end by itself, and then after SIGTERM. */
enum { END_SECONDS = 2, TERM_SECONDS = 1 };

/* The state of a job that its worker ended with a status. */
static enum job_state state_of_status(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return JOB_COMPLETED;
    case STATUS_UNSUPPORTED:
    case STATUS_LIMIT:
        return JOB_UNSUPPORTED;
    case STATUS_BUILD_FAILED:
        return JOB_BUILD_FAILED;
    case STATUS_DEVICE_FAILED:
    case STATUS_DEVICE_LOST:
    case STATUS_NO_DEVICE:
        return JOB_DEVICE_LOST;
    default:
        return JOB_CRASH;
    }
}

static void set_result(struct job_result *result, enum job_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void set_result(struct job_result *result, enum job_state state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    result->state = state;
    (void)vsnprintf(result->reason, sizeof result->reason, format, arguments);
    va_end(arguments);
}

static void keep_detail(struct job_result *result, const char *text)
{
    struct error kept;
    error_set_detail(&kept, text);
    memcpy(result->detail, kept.detail, sizeof result->detail);
}

void supervisor_start(struct supervisor *supervisor, const struct backend_device *device,
                      const struct supervisor_limits *limits, const char *cache, struct stop_signals *stop)
{
    *supervisor = (struct supervisor){.device = device, .limits = *limits, .cache = cache, .stop = stop};
}

void supervisor_freeze(struct supervisor *supervisor, const struct frozen_folder *frozen)
{
    supervisor->frozen = *frozen;
    supervisor->canary_unsaved = frozen->use == FROZEN_SAVE;
}

/* ---- the end of a worker ---- */

/* Ends the worker, waiting `patience` seconds for it to go by itself, and keeps the end of its standard error. */
static void end_worker(struct supervisor *supervisor, double patience, struct job_result *result, int *wait_status)
{
    *wait_status = 0;
    if (!child_finish(&supervisor->child, patience, TERM_SECONDS, wait_status)) {
        supervisor->retired = true;
        (void)snprintf(supervisor->why_retired, sizeof supervisor->why_retired,
                       "its worker cannot be killed: the driver does not return");
    }
    if (result && result->detail[0] == '\0')
        keep_detail(result, text_string(&supervisor->child.error_tail));
    child_release(&supervisor->child);
    supervisor->running = false;
}

static void worker_hung(struct supervisor *supervisor, const char *phase, double limit, struct job_result *result)
{
    int wait_status;
    set_result(result, JOB_HANG, "nothing came from the worker for %g s while %s", limit, phase);
    end_worker(supervisor, 0, result, &wait_status);
    supervisor->suspect = true;
}

static void worker_crashed(struct supervisor *supervisor, const char *phase, struct job_result *result)
{
    char fate[96];
    int wait_status;
    end_worker(supervisor, END_SECONDS, result, &wait_status);
    set_result(result, JOB_CRASH, "the worker %s while %s", child_fate(wait_status, fate), phase);
    supervisor->suspect = true;
}

/* ---- a conversation ---- */

/* What a job's events lead to. */
struct talk {
    struct supervisor *supervisor;
    const struct job_listener *listener;
    struct job_result *result;
    const char *phase; /* what the worker is doing, for messages */
    double limit;      /* seconds until its next word */
    bool stopping;     /* it was asked to stop */
    bool over;
};

static void ask_to_stop(struct talk *talk)
{
    struct error ignored; /* a worker that reads no more is about to end, and that will be seen */
    if (!talk->stopping)
        (void)child_send(&talk->supervisor->child, "stop", &ignored);
    talk->stopping = true;
}

static enum status hear_batch(struct talk *talk, const json_t *event, struct error *error)
{
    struct batch batch;
    const enum status status = protocol_read_batch(event, &batch, error);
    if (status == STATUS_OK && !talk->listener->batch(&batch, talk->listener->context))
        ask_to_stop(talk);
    protocol_release_batch(&batch);
    return status;
}

static enum status hear_built(struct talk *talk, const json_t *event, struct error *error)
{
    struct build build;
    TRY(protocol_read_built(event, &build, error));
    talk->phase = "running a batch";
    talk->limit = talk->supervisor->limits.batch;
    if (!talk->listener->built(&build, talk->listener->context))
        ask_to_stop(talk);
    return STATUS_OK;
}

static enum status hear_ended(struct talk *talk, const json_t *event, struct error *error)
{
    struct error told;
    struct job_result *result = talk->result;
    TRY(protocol_read_ended(event, &told, &result->circumstances, error));
    talk->over = true;
    set_result(result, state_of_status(told.status), "%s", told.text);
    keep_detail(result, told.detail);
    if (told.status == STATUS_OK && talk->stopping && talk->supervisor->stop->count > 0)
        set_result(result, JOB_INTERRUPTED, "stopped by a signal");
    return STATUS_OK;
}

static void hear_event(struct talk *talk, const char *line)
{
    struct error error = {.status = STATUS_INTERNAL, .text = "the worker said something that is no event"};
    enum status status = STATUS_INTERNAL;
    json_t *event = json_loads(line, 0, NULL);
    const char *kind = protocol_kind(event);
    const bool opening = talk->listener == NULL; /* then nothing is built, and no batch is run */
    if (!opening && strcmp(kind, "batch") == 0)
        status = hear_batch(talk, event, &error);
    else if (!opening && strcmp(kind, "built") == 0)
        status = hear_built(talk, event, &error);
    else if (strcmp(kind, "ended") == 0)
        status = hear_ended(talk, event, &error);
    else if (opening && strcmp(kind, "opened") == 0) {
        talk->over = true;
        status = STATUS_OK;
    }
    json_decref(event);
    if (status != STATUS_OK) {
        int wait_status;
        talk->over = true;
        set_result(talk->result, JOB_CRASH, "%s", error.text);
        end_worker(talk->supervisor, 0, talk->result, &wait_status);
        talk->supervisor->suspect = true;
    }
}

/* Listens until the job, or the opening of the device, is over. */
static void converse(struct talk *talk)
{
    struct supervisor *supervisor = talk->supervisor;
    while (!talk->over) {
        const char *line = NULL;
        switch (child_next(&supervisor->child, supervisor->stop->descriptor, talk->limit, &line)) {
        case CHILD_LINE:
            hear_event(talk, line);
            break;
        case CHILD_TIMEOUT:
            worker_hung(supervisor, talk->phase, talk->limit, talk->result);
            return;
        case CHILD_ENDED:
            worker_crashed(supervisor, talk->phase, talk->result);
            return;
        case CHILD_INTERRUPT:
            stop_signals_read(supervisor->stop);
            if (supervisor->stop->count > 1 || strcmp(talk->phase, "running a batch") != 0) {
                int wait_status;
                set_result(talk->result, JOB_INTERRUPTED, "stopped by a signal while %s", talk->phase);
                end_worker(supervisor, 0, talk->result, &wait_status);
                return;
            }
            ask_to_stop(talk);
            break;
        }
    }
}

/* ---- workers and canaries ---- */

static bool start_worker(struct supervisor *supervisor, struct job_result *result)
{
    char index[16];
    char backend[sizeof supervisor->device->backend];
    struct error error;
    (void)snprintf(index, sizeof index, "%u", supervisor->device->index);
    (void)snprintf(backend, sizeof backend, "%s", supervisor->device->backend);
    char name[] = "orchil", verb[] = "worker", serve[] = "--serve";
    /* execv changes these no more than the others. */
    char *cache = (char *)(uintptr_t)(supervisor->cache ? supervisor->cache : "");
    char *frozen = (char *)(uintptr_t)frozen_option(supervisor->frozen.use);
    char *folder = (char *)(uintptr_t)supervisor->frozen.path;
    char *arguments[] = {name, verb, serve, backend, index, cache, folder ? frozen : NULL, folder, NULL};
    struct talk talk = {
        .supervisor = supervisor, .result = result, .phase = "opening the device", .limit = supervisor->limits.open};

    if (child_start(&supervisor->child, arguments, &error) != STATUS_OK) {
        set_result(result, JOB_NOT_RUN, "%s", error.text);
        return false;
    }
    supervisor->running = true;
    result->state = JOB_COMPLETED;
    converse(&talk);
    if (result->state != JOB_COMPLETED && supervisor->running) {
        int wait_status;
        end_worker(supervisor, END_SECONDS, result, &wait_status);
        supervisor->suspect = result->state != JOB_UNSUPPORTED; /* which every job will be told alike */
    }
    return supervisor->running;
}

static void serve_job(struct supervisor *supervisor, const struct job *job, const char *test_text, const char *file,
                      const struct job_listener *listener, struct job_result *result)
{
    struct error error;
    struct talk talk = {.supervisor = supervisor,
                        .listener = listener,
                        .result = result,
                        .phase = "building the kernel",
                        .limit = supervisor->limits.build};
    char *request = protocol_request(job, test_text, file);
    if (child_send(&supervisor->child, request, &error) != STATUS_OK)
        worker_crashed(supervisor, "waiting for a job", result);
    else
        converse(&talk);
    free(request);
    if (result->state == JOB_DEVICE_LOST && supervisor->running) {
        int wait_status;
        end_worker(supervisor, END_SECONDS, result, &wait_status);
        supervisor->suspect = true;
    }
}

/* One thread stores 42 and loads it: every instance must end in 42. */
static const char canary_text[] = "OPENCL canary\n"
                                  "{ x=0; }\n"
                                  "P0@wg 0, dev 0 (global atomic_int* x) {\n"
                                  "  atomic_store_explicit(x, 42, memory_order_relaxed, memory_scope_device);\n"
                                  "  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
                                  "}\n"
                                  "exists (0:r0=42)\n";
enum { CANARY_INSTANCES = 100000 };

struct canary {
    uint64_t instances, right;
};

static bool canary_built(const struct build *build, void *context)
{
    (void)build;
    (void)context;
    return true;
}

static bool canary_batch(const struct batch *batch, void *context)
{
    struct canary *canary = context;
    canary->instances += batch->instances;
    for (size_t i = 0; i < batch->outcome_count && !batch->invalid; i++)
        if (batch->outcomes[i].witness)
            canary->right += batch->outcomes[i].count;
    return true;
}

static void run_canary(struct supervisor *supervisor, struct canary *canary, struct job_result *result)
{
    struct job job = {.seed = 1, .key = 1, .instances = CANARY_INSTANCES};
    const struct job_listener listener = {canary_built, canary_batch, canary};
    *canary = (struct canary){0};
    *result = (struct job_result){.state = JOB_COMPLETED};
    environment_default(supervisor->device, &job.environment);
    if (supervisor->running || start_worker(supervisor, result))
        serve_job(supervisor, &job, canary_text, "canary", &listener, result);
    supervisor->canary_unsaved = false;
}

/* True if a fresh worker gets the canary right; else the device is retired. */
static bool canary_lives(struct supervisor *supervisor, struct job_result *result)
{
    struct canary canary;
    struct job_result canary_result;
    run_canary(supervisor, &canary, &canary_result);
    if (canary_result.state == JOB_INTERRUPTED) {
        *result = canary_result;
        return false;
    }
    if (canary_result.state == JOB_COMPLETED && canary.instances > 0 && canary.right == canary.instances) {
        supervisor->suspect = false;
        return true;
    }
    supervisor->retired = true;
    (void)snprintf(supervisor->why_retired, sizeof supervisor->why_retired,
                   "the device was retired: after a fault its canary test %s (%.120s)",
                   canary_result.state == JOB_COMPLETED ? "gave a wrong result" : "did not complete",
                   canary_result.state == JOB_COMPLETED ? "expected 42 in every instance" : canary_result.reason);
    return false;
}

/* A worker that has ended since its last job must not be blamed on the next one. */
static void drop_dead_worker(struct supervisor *supervisor)
{
    const char *line;
    int wait_status;
    if (!supervisor->running || child_next(&supervisor->child, -1, 0, &line) != CHILD_ENDED)
        return;
    end_worker(supervisor, END_SECONDS, NULL, &wait_status);
    supervisor->suspect = true;
}

void supervisor_run(struct supervisor *supervisor, const struct job *job, const char *test_text, const char *file,
                    const struct job_listener *listener, struct job_result *result)
{
    *result = (struct job_result){.state = JOB_NOT_RUN};
    drop_dead_worker(supervisor);
    if (supervisor->canary_unsaved) {
        struct canary canary;
        struct job_result ignored; /* what goes wrong with the device, the job will meet, too */
        run_canary(supervisor, &canary, &ignored);
        if (ignored.state == JOB_INTERRUPTED) {
            *result = ignored;
            return;
        }
    }
    if (!supervisor->retired && supervisor->suspect && !canary_lives(supervisor, result) && !supervisor->retired)
        return;
    if (supervisor->retired) {
        set_result(result, JOB_NOT_RUN, "%s", supervisor->why_retired);
        return;
    }
    if (!supervisor->running && !start_worker(supervisor, result))
        return;
    serve_job(supervisor, job, test_text, file, listener, result);
}

void supervisor_settle(struct supervisor *supervisor)
{
    struct job_result ignored = {.state = JOB_NOT_RUN}; /* a signal that ends it leaves the device suspect */
    drop_dead_worker(supervisor);
    if (!supervisor->retired && supervisor->suspect)
        (void)canary_lives(supervisor, &ignored);
}

void supervisor_stop(struct supervisor *supervisor)
{
    int wait_status;
    if (!supervisor->running)
        return;
    end_worker(supervisor, END_SECONDS, NULL, &wait_status);
}
