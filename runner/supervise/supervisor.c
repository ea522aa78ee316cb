// SPDX-License-Identifier: Apache-2.0
/* One device's worker, from job to job. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "litmus/language/user_atomics.h"
#include "runner/protocol/device.h"
#include "runner/supervise/claims.h"
#include "runner/supervise/supervisor.h"

/* ---- canaries of one device and of ensembles ---- */

static const char one_device[] = "OPENCL canary\n"
                                 "{ x=0; }\n"
                                 "P0@wg 0, dev 0 (global atomic_int* x) {\n"
                                 "  atomic_store_explicit(x, 42, memory_order_relaxed, memory_scope_device);\n"
                                 "  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
                                 "}\n"
                                 "exists (0:r0=42)\n";

static bool is_host(const struct backend_device *device, unsigned member)
{
    return device->host && member == device->member_count - 1;
}

static void add_start(const struct backend_device *device, const char *dialect, struct text *text)
{
    text_add(text, "%s canary\n{", dialect);
    for (unsigned k = 0; k < device->member_count; k++)
        text_add(text, " x%u=0;", k);
    for (unsigned k = 0; k < device->member_count && dialect[0] == 'P'; k++)
        text_add(text, " P%u:r0=0;", k);
    text_add(text, " }\n");
}

static void add_condition(const struct backend_device *device, struct text *text)
{
    text_add(text, "exists (");
    for (unsigned k = 0; k < device->member_count; k++)
        text_add(text, "%s%u:r0=42 /\\ [x%u]=42", k > 0 ? " /\\ " : "", k, k);
    text_add(text, ")\n");
}

static void add_opencl(const struct backend_device *device, struct text *text)
{
    add_start(device, "OPENCL", text);
    for (unsigned k = 0; k < device->member_count; k++) {
        if (is_host(device, k))
            text_add(text, "P%u@host", k);
        else
            text_add(text, "P%u@wg 0, dev %u", k, k);
        text_add(text,
                 " (global atomic_int* x%u) {\n"
                 "  atomic_store_explicit(x%u, 42, memory_order_relaxed, memory_scope_all_svm_devices);\n"
                 "  int r0 = atomic_load_explicit(x%u, memory_order_relaxed, memory_scope_all_svm_devices);\n"
                 "}\n",
                 k, k, k);
    }
    add_condition(device, text);
}

static void add_ptx(const struct backend_device *device, struct text *text)
{
    add_start(device, "PTX", text);
    for (unsigned line = 0; line < 3; line++) {
        for (unsigned k = 0; k < device->member_count; k++) {
            text_add(text, "%s", k > 0 ? " | " : "");
            /* Each member's column has three lines: a head and two instructions. */
            const bool host = is_host(device, k);
            if (line == 0 && host)
                text_add(text, "P%u@host", k);
            else if (line == 0)
                text_add(text, "P%u@cta 0,gpu %u", k, k);
            else if (line == 1)
                text_add(text, host ? "atomic_store_explicit(x%u, 42, memory_order_relaxed)" : "st.relaxed.sys x%u, 42",
                         k);
            else
                text_add(text, host ? "r0 = atomic_load_explicit(x%u, memory_order_relaxed)" : "ld.relaxed.sys r0, x%u",
                         k);
        }
        text_add(text, " ;\n");
    }
    add_condition(device, text);
}

/* Seconds that a worker gets to end by itself. */
enum { END_SECONDS = 2 };

/* Seconds after a job's own limits until its worker is asked to stop: on a busy machine the worker may check them
 * late. */
static const double overtime_seconds = 2;

/* The state of a job whose worker ended it with a status. */
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

/* ---- an exchange ---- */

/* An exchange with a worker about a job. Times are of clock_seconds. */
struct talk {
    struct supervisor *supervisor;
    const struct job_listener *listener; /* NULL while the device is opened */
    struct job_result *result;
    struct claims claims;
    const char *phase;       /* of the worker, for error messages */
    double limit;            /* seconds allowed until its next message */
    double heard;            /* when its last message came, or the talk began */
    double over_at;          /* when the job should have ended: then the worker is asked to stop */
    double stopped_at;       /* when it was asked to stop */
    size_t backlog;          /* bytes that it had written by then and that were not read yet */
    unsigned batches_behind; /* batches that it reported after them */
    bool stopping;           /* it was asked to stop */
    bool stale;              /* before answering this order it answered an earlier one, or exited */
    bool over;
};

/* Seconds until there is something to do even without a message. */
static double patience(const struct talk *talk, double now)
{
    const double silence = talk->heard + talk->limit;
    const double end = talk->stopping ? talk->stopped_at + talk->limit : talk->over_at;
    return fmax(0, fmin(silence, end) - now);
}

/* ---- the end of a worker ---- */

/* Ends the worker, waiting `patience` seconds for it to exit by itself, and keeps the end of its standard error.
 * Returns its wait status. */
static int end_worker(struct supervisor *supervisor, double patience, struct job_result *result)
{
    int wait_status = 0;
    if (!child_finish(&supervisor->child, patience, &wait_status)) {
        supervisor->retired = true;
        (void)snprintf(supervisor->why_retired, sizeof supervisor->why_retired,
                       "its worker cannot be killed: the driver does not return");
    }
    if (result && result->detail[0] == '\0')
        keep_detail(result, text_string(&supervisor->child.error_tail));
    child_release(&supervisor->child);
    supervisor->running = false;
    return wait_status;
}

/* The worker's output has ended. True if it exited by itself, as it does after the last order. */
static bool worker_crashed(struct supervisor *supervisor, const char *phase, struct job_result *result)
{
    char fate[96];
    const bool too_long = supervisor->child.too_long;
    const int wait_status = end_worker(supervisor, too_long ? 0 : END_SECONDS, result);
    if (too_long)
        set_result(result, JOB_INVALID, "the worker sent a line of more than %d MiB while %s",
                   CHILD_LINE_MAXIMUM / (1024 * 1024), phase);
    else if (supervisor->child.stopped)
        set_result(result, JOB_CRASH, "the worker closed its output while %s, and was killed", phase);
    else
        set_result(result, JOB_CRASH, "the worker %s while %s", child_fate(wait_status, fate), phase);
    supervisor->suspect = true;
    return !too_long && !supervisor->child.stopped && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
}

/* The worker's messages about the job cannot be trusted. */
static void worker_disbelieved(struct supervisor *supervisor, const char *why, struct job_result *result)
{
    set_result(result, JOB_INVALID, "%s", why);
    (void)end_worker(supervisor, 0, result);
    supervisor->suspect = true;
}

static void ask_to_stop(struct talk *talk)
{
    struct error ignored; /* a worker that no longer reads is about to end, which is noticed later */
    if (talk->stopping)
        return;
    talk->stopping = talk->claims.stopping = true;
    (void)child_send(&talk->supervisor->child, "stop", &ignored);
    talk->stopped_at = clock_seconds();
    talk->backlog = child_backlog(&talk->supervisor->child);
}

/* When the job's own time limits end it. */
static double end_of(const struct job *job, double now)
{
    double end = INFINITY;
    if (job->extent.seconds > 0)
        end = now + fmax(0, job->extent.seconds - job->done_seconds);
    if (job->deadline > 0)
        end = fmin(end, job->deadline);
    return end + overtime_seconds;
}

/* Whether the worker ignores a request to stop. It checks for one after each batch, so it may report one more batch
 * after the request. */
static bool supervisor_goes_on(struct talk *talk, size_t size)
{
    if (!talk->stopping)
        return false;
    if (talk->backlog > size)
        talk->backlog -= size + 1;
    else {
        talk->backlog = 0;
        talk->batches_behind++;
    }
    return talk->batches_behind > 1;
}

static void hear_built(struct talk *talk, const struct build *build)
{
    talk->phase = "running a batch";
    talk->limit = talk->supervisor->limits.batch;
    const bool supervisor_goes_on = talk->listener->built(build, talk->listener->context);
    talk->heard = clock_seconds(); /* the listener may have judged the test */
    talk->over_at = end_of(talk->claims.job, talk->heard);
    if (!supervisor_goes_on)
        ask_to_stop(talk);
}

static void hear_ended(struct talk *talk, const struct worker_event *event)
{
    struct job_result *result = talk->result;
    const struct error *ending = &event->ending;
    talk->over = true;
    result->circumstances = event->circumstances;
    set_result(result, state_of_status(ending->status), "%s", ending->text);
    keep_detail(result, ending->detail);
    if (ending->status == STATUS_OK && talk->stopping && talk->supervisor->stop->count > 0)
        set_result(result, JOB_INTERRUPTED, "stopped by a signal");
}

/* Ends a worker that ignores a request to stop. */
static void worker_goes_on(struct talk *talk)
{
    talk->over = true;
    if (talk->supervisor->stop->count > 0)
        set_result(talk->result, JOB_INTERRUPTED, "stopped by a signal; the worker did not stop, and was killed");
    else
        set_result(talk->result, JOB_HANG, "the worker did not stop when asked, and was killed");
    (void)end_worker(talk->supervisor, 0, talk->result);
    talk->supervisor->suspect = true;
}

static void hear_event(struct talk *talk, const char *line)
{
    struct worker_event event;
    struct error error;
    const size_t size = talk->supervisor->child.line_size;
    const bool first = talk->claims.phase == CLAIMS_BUILDING;
    talk->heard = clock_seconds();
    const enum claims_verdict verdict = claims_hear(&talk->claims, line, size, talk->heard, &event, &error);
    if (verdict != CLAIMS_FINE) {
        talk->over = true;
        talk->stale = verdict == CLAIMS_STALE && first;
        worker_disbelieved(talk->supervisor, error.text, talk->result);
        return;
    }
    if (event.kind == WORKER_OPENED)
        talk->over = true;
    else if (event.kind == WORKER_BUILT)
        hear_built(talk, &event.build);
    else if (event.kind == WORKER_ENDED)
        hear_ended(talk, &event);
    else if (supervisor_goes_on(talk, size))
        worker_goes_on(talk);
    else if (!talk->listener->batch(&event.batch, talk->listener->context))
        ask_to_stop(talk);
    worker_event_release(&event);
}

static void hear_signal(struct talk *talk)
{
    struct supervisor *supervisor = talk->supervisor;
    stop_signals_read(supervisor->stop);
    if (supervisor->stop->count <= 1 && talk->claims.phase == CLAIMS_RUNNING) {
        ask_to_stop(talk);
        return;
    }
    talk->over = true;
    set_result(talk->result, JOB_INTERRUPTED, "stopped by a signal while %s", talk->phase);
    (void)end_worker(supervisor, 0, talk->result);
}

/* Time limits that a worker cannot extend by sending messages. False if one ended the talk. */
static bool is_in_time(struct talk *talk, double now)
{
    if (now >= talk->over_at)
        ask_to_stop(talk);
    if (!talk->stopping || now < talk->stopped_at + talk->limit)
        return true;
    worker_goes_on(talk);
    return false;
}

/* Handles events until the job, or the opening of the device, is over. */
static void converse(struct talk *talk)
{
    struct supervisor *supervisor = talk->supervisor;
    double now = clock_seconds();
    talk->heard = now;
    talk->over_at = INFINITY;
    for (; !talk->over && is_in_time(talk, now); now = clock_seconds()) {
        const char *line = NULL;
        switch (child_next(&supervisor->child, supervisor->stop->descriptor, patience(talk, now), &line)) {
        case CHILD_LINE:
            hear_event(talk, line);
            break;
        case CHILD_TIMEOUT:
            if (clock_seconds() < talk->heard + talk->limit)
                break;
            set_result(talk->result, JOB_HANG, "no message from the worker for %g s while %s", talk->limit,
                       talk->phase);
            (void)end_worker(supervisor, 0, talk->result);
            supervisor->suspect = true;
            return;
        case CHILD_ENDED:
            talk->stale =
                worker_crashed(supervisor, talk->phase, talk->result) && talk->claims.phase == CLAIMS_BUILDING;
            return;
        case CHILD_INTERRUPT:
            hear_signal(talk);
            break;
        }
    }
}

/* ---- workers and canaries ---- */

static bool start_worker(struct supervisor *supervisor, struct job_result *result)
{
    const struct backend_device *device = supervisor->device;
    struct device_address which = device_worker_argument(device);
    char backend[sizeof supervisor->device->backend];
    struct error error;
    (void)snprintf(backend, sizeof backend, "%s", device->backend);
    char name[] = "orchil", verb[] = "worker", serve[] = "--serve";
    /* execv does not change these. */
    char *cache = (char *)(uintptr_t)(supervisor->cache ? supervisor->cache : "");
    char *frozen = (char *)(uintptr_t)frozen_option(supervisor->frozen.use);
    char *folder = (char *)(uintptr_t)(supervisor->frozen.path ? supervisor->frozen.path : "");
    char *atomics = (char *)(uintptr_t)user_atomics_argument();
    char *arguments[] = {name, verb, serve, backend, which.text, cache, frozen, folder, atomics, NULL};
    struct talk talk = {.supervisor = supervisor,
                        .result = result,
                        .claims = claims_of_opening(),
                        .phase = "opening the device",
                        .limit = fmin(supervisor->limits.open, supervisor->limits.build)};

    if (child_start(&supervisor->child, arguments, &error) != STATUS_OK) {
        set_result(result, JOB_NOT_RUN, "%s", error.text);
        return false;
    }
    supervisor->running = true;
    result->state = JOB_COMPLETED;
    converse(&talk);
    if (result->state != JOB_COMPLETED && supervisor->running) {
        (void)end_worker(supervisor, END_SECONDS, result);
        supervisor->suspect = result->state != JOB_UNSUPPORTED; /* every job then gets this error */
    }
    return supervisor->running;
}

/* After a job, its worker must send nothing until it gets the next. */
static bool is_silent(struct supervisor *supervisor)
{
    const char *line;
    const enum child_event event = child_next(&supervisor->child, -1, 0, &line);
    return event != CHILD_LINE && !supervisor->child.too_long && child_backlog(&supervisor->child) == 0;
}

static bool invents_seconds(const struct supervisor *supervisor)
{
    const struct backend *backend = backend_find(supervisor->device->backend);
    return backend && backend->invents_seconds;
}

/* False if the worker answered an earlier order, or exited by itself, before it answered this one. */
static bool serve_job(struct supervisor *supervisor, const struct job *job, const char *test_text, const char *file,
                      const struct job_listener *listener, struct job_result *result)
{
    struct error error;
    struct talk talk = {.supervisor = supervisor,
                        .listener = listener,
                        .result = result,
                        .phase = "building the kernel",
                        .limit = supervisor->limits.build};
    FREED char *request = protocol_request(++supervisor->order, job, test_text, file);
    talk.claims = claims_of_job(supervisor->order, job, clock_seconds(), invents_seconds(supervisor));
    if (child_send(&supervisor->child, request, &error) != STATUS_OK)
        talk.stale = worker_crashed(supervisor, "waiting for a job", result);
    else
        converse(&talk);
    if (supervisor->running && !is_silent(supervisor))
        worker_disbelieved(supervisor, "invalid message from the worker, after the end of the job", result);
    if (result->state == JOB_DEVICE_LOST && supervisor->running) {
        (void)end_worker(supervisor, END_SECONDS, result);
        supervisor->suspect = true;
    }
    return !talk.stale;
}

enum { CANARY_INSTANCES = 100000 };

struct canary {
    uint64_t instances, right;
};

static bool canary_built(UNUSED const struct build *build, UNUSED void *context)
{
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
    struct job job = {
        .seed = 1,
        .key = 1,
        .extent = {.instances = CANARY_INSTANCES, .batch_instances = CANARY_INSTANCES / ENVIRONMENT_BATCHES}};
    const struct job_listener listener = {canary_built, canary_batch, canary};
    struct litmus_test *test = NULL;
    struct error error;
    LOCAL(text) text = {0};
    *canary = (struct canary){0};
    *result = (struct job_result){.state = JOB_COMPLETED};
    environment_default(supervisor->device, &job.environment);
    /* A thread stores 42 and loads it: every instance must end in 42. On an ensemble each member has a thread that does
     * this in its own location, and every member that counts must find 42 there. In OPENCL if all members take it. */
    if (supervisor->device->member_count == 0)
        text_add(&text, "%s", one_device);
    else if (!ANY_OF(member, supervisor->device->members, supervisor->device->member_count,
                     !(member->takes & BACKEND_TAKES_C11)))
        add_opencl(supervisor->device, &text);
    else
        add_ptx(supervisor->device, &text);
    if (litmus_parse("canary", text_string(&text), text.size, &test, &error) != STATUS_OK)
        set_result(result, JOB_CRASH, "%s", error.text);
    job.test = test;
    job.lowering = user_atomics_loaded() && test ? kernel_built_in_lowering(test, supervisor->device) : NULL;
    if (test && (supervisor->running || start_worker(supervisor, result)))
        (void)serve_job(supervisor, &job, text_string(&text), "canary", &listener, result);
    litmus_release(test);
    supervisor->canary_unsaved = false;
}

/* True if a fresh worker passes the canary; else the device is retired. */
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

/* Drops a worker that has ended or sent something since its last job, so that the next job does not fail for it. */
static void drop_bad_worker(struct supervisor *supervisor)
{
    const char *line;
    if (!supervisor->running ||
        (child_next(&supervisor->child, -1, 0, &line) == CHILD_TIMEOUT && child_backlog(&supervisor->child) == 0))
        return;
    (void)end_worker(supervisor, END_SECONDS, NULL);
    supervisor->suspect = true;
}

/* Whether there is a worker that can be trusted with a job; else *result says why not. */
static bool find_worker(struct supervisor *supervisor, struct job_result *result)
{
    drop_bad_worker(supervisor);
    if (supervisor->canary_unsaved) {
        struct canary canary;
        struct job_result ignored; /* the job will meet any fault of the device as well */
        run_canary(supervisor, &canary, &ignored);
        if (ignored.state == JOB_INTERRUPTED) {
            *result = ignored;
            return false;
        }
    }
    if (!supervisor->retired && supervisor->suspect && !canary_lives(supervisor, result) && !supervisor->retired)
        return false;
    if (supervisor->retired) {
        set_result(result, JOB_NOT_RUN, "%s", supervisor->why_retired);
        return false;
    }
    return supervisor->running || start_worker(supervisor, result);
}

void supervisor_run(struct supervisor *supervisor, const struct job *job, const char *test_text, const char *file,
                    const struct job_listener *listener, struct job_result *result)
{
    bool again = true;
    for (bool served = false; !served; again = false) {
        *result = (struct job_result){.state = JOB_NOT_RUN};
        if (!find_worker(supervisor, result))
            return;
        /* A late message or exit after an earlier job is not this job's fault: the job gets another worker, once. */
        served = serve_job(supervisor, job, test_text, file, listener, result) || !again;
    }
}

void supervisor_settle(struct supervisor *supervisor)
{
    struct job_result ignored = {.state = JOB_NOT_RUN}; /* after a signal the device stays suspect */
    drop_bad_worker(supervisor);
    if (!supervisor->retired && supervisor->suspect)
        (void)canary_lives(supervisor, &ignored);
}

void supervisor_stop(struct supervisor *supervisor)
{
    if (!supervisor->running)
        return;
    (void)end_worker(supervisor, END_SECONDS, NULL);
}
