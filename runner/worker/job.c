// SPDX-License-Identifier: Apache-2.0
/* One job on one open device. */
#include "runner/worker/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"
#include "runner/inspect/ptx/compiled_ptx.h"
#include "runner/kernel/kernel.h"
#include "runner/worker/inspect_machine.h"
#include "runner/worker/kernel_cache.h"

/* Everything of a running job that outlives a batch. */
struct running {
    struct job_session *session;
    const struct job *job;
    const struct job_listener *listener;
    struct kernel kernel;
    struct frozen_kernel frozen; /* what is replayed */
    struct backend_program *program;
    struct draw_limits limits;
    uint32_t *counters;
    struct count *outcomes;
    size_t outcome_count, outcome_room;
    struct arena labels; /* of the outcomes */
    uint64_t filtered;   /* instances whose outcome the test's filter excludes */
    bool stopped;        /* the listener has heard enough */
};

/* ---- building ---- */

static bool is_replay(const struct job_session *session)
{
    return session->frozen.use == FROZEN_REPLAY;
}

/* Whether the code is such as older devices take, which know nothing of clusters, bulk copies and naps. */
static bool is_for_any(const struct job_session *session)
{
    return session->frozen.use != FROZEN_NONE;
}

bool job_has_delays(const struct environment *environment, enum frozen_use use)
{
    return use == FROZEN_NONE && environment_highest(environment, PARAMETER_delay_chance) > 0;
}

static enum status generate(const struct job_session *session, const struct job *job, struct kernel *kernel,
                            struct error *error)
{
    const bool named = job->lowering && job->lowering[0] != '\0';
    const bool delays = job_has_delays(&job->environment, session->frozen.use);
    return kernel_generate_delayed(job->test, &session->device, named ? job->lowering : NULL, delays, kernel, error);
}

/* What is known of the headers that the kernel includes; empty where it includes none. */
static void name_headers(const struct job_session *session, const struct kernel *kernel, struct backend_source *source,
                         struct text *headers)
{
    if (kernel->includes && session->backend->name_headers)
        session->backend->name_headers(session->session, headers);
    source->headers = kernel->includes ? text_string(headers) : NULL;
}

static void use_code(struct backend_source *source, const struct text *code)
{
    source->code = text_string(code);
    source->code_size = code->size;
}

static enum status no_code(const struct job_session *session, const struct backend_source *source, struct error *error)
{
    const struct backend_device *device = &session->device;
    return error_set(error, STATUS_UNSUPPORTED, "the driver %s of %s:%u (%s) gives no code of %s", device->driver,
                     device->backend, device->index, device->name, source->name);
}

/* Gives the source the code that build shall load: saved code, the cache's, or what is compiled now and put there. None
 * where the driver compiles as it builds. */
static enum status find_code(const struct job_session *session, const struct litmus_test *test,
                             const struct kernel *kernel, struct backend_source *source, struct frozen_kernel *frozen,
                             struct backend_code *code, struct error *error)
{
    const struct backend *backend = session->backend;
    const bool cached = session->cache && backend->compiles_ahead(&session->device);
    source->portable = session->frozen.use == FROZEN_SAVE;
    source->clusters = kernel->cluster_groups > 1;
    if (is_replay(session)) {
        TRY(frozen_load(session->frozen.path, &session->device, test, kernel, frozen, error));
        use_code(source, &frozen->code);
    }
    if (!cached && !source->portable)
        return STATUS_OK;
    if (!cached || !kernel_cache_read(session->cache, &session->device, source, code)) {
        TRY(backend->compile(session->session, source, code, error));
        if (code->bytes.size == 0)
            return source->portable ? no_code(session, source, error) : STATUS_OK;
        if (cached)
            (void)kernel_cache_write(session->cache, &session->device, source, code);
    }
    use_code(source, &code->bytes);
    return STATUS_OK;
}

/* A refusal of saved code says with what it was saved. */
static void name_origin(const struct frozen_kernel *frozen, struct error *error)
{
    const size_t length = strlen(error->text);
    if (frozen->code.size > 0)
        (void)snprintf(error->text + length, sizeof error->text - length, "; it was saved on %s, driver %s, made by %s",
                       frozen->device, frozen->driver, frozen->compiler[0] ? frozen->compiler : "a nameless compiler");
}

static enum status build_program(struct running *running, struct text *log, struct text *binary, struct error *error)
{
    struct backend_code code = {0};
    struct text headers = {0};
    struct job_session *session = running->session;
    struct backend_counter *counters = NULL;
    size_t counter_count = 0;
    kernel_counters(running->job->test, &running->kernel, &counters, &counter_count);
    struct backend_source source = {
        .name = running->job->test->name,
        .kernel = running->kernel.source,
        .paths = running->kernel.paths,
        .aliases = running->kernel.aliases,
        .counters = counters,
        .counter_count = counter_count,
    };
    name_headers(session, &running->kernel, &source, &headers);
    enum status status =
        find_code(session, running->job->test, &running->kernel, &source, &running->frozen, &code, error);
    text_add(log, "%s", text_string(&code.log));
    if (status == STATUS_OK)
        status = backend_build(session->backend, session->session, &source, &running->program, log, binary, error);
    if (status == STATUS_OK && session->frozen.use == FROZEN_SAVE)
        status =
            frozen_save(session->frozen.path, &session->device, running->job->test, &running->kernel, &code, error);
    else if (status == STATUS_BUILD_FAILED)
        error_set_detail(error, text_string(log));
    if (status == STATUS_BUILD_FAILED && running->kernel.undeclared && !is_replay(session))
        status = error->status = STATUS_UNSUPPORTED; /* a compiler may well refuse what its device does not declare */
    if (status == STATUS_BUILD_FAILED || status == STATUS_UNSUPPORTED)
        name_origin(&running->frozen, error);
    kernel_release_counters(counters, counter_count);
    backend_code_release(&code);
    text_release(&headers);
    return status;
}

static enum status launch(struct running *running, struct draw *draw, unsigned steps, uint64_t batch, bool first,
                          size_t read_words, double *seconds, struct error *error)
{
    const struct backend_launch call = {
        .groups = draw->groups,
        .group_size = draw->group_size,
        .cluster_groups = draw->cluster_groups,
        .local_bytes = draw->local_bytes,
        .draw = draw->words,
        .draw_words = draw->word_count,
        .memory_words = draw->memory_words,
        .scratch_words = draw->scratch_words,
        .counter_words = draw->counter_words,
        .clear_counters = first,
        .counters = running->counters,
        .read_words = read_words,
        .instances = draw->instances,
        .batch = batch,
        .seed = running->job->seed ^ running->job->key,
    };
    draw->words[DRAW_STEPS] = steps;
    return running->session->backend->launch(running->session->session, running->program, &call, seconds, error);
}

/* Lets the device count the work-groups that it runs at once. A CPU holds one per compute unit, so no more are sought
 * there, and the probe may wait long for them; a GPU is offered more than it can hold. */
static enum status probe_resident(struct running *running, uint32_t group_size, struct error *error)
{
    const struct backend_device *device = &running->session->device;
    struct draw draw;
    double seconds;
    draw_probe(&running->kernel, device->gpu ? 64 * device->compute_units : device->compute_units,
               device->gpu ? UINT32_MAX : device->compute_units, group_size, device->gpu ? 1u << 13 : 1u << 26, &draw);
    if (draw.local_bytes > device->local_bytes)
        draw.local_bytes = device->local_bytes;
    const enum status status =
        launch(running, &draw, STEP_PROBE, 0, true, running->kernel.counter_words, &seconds, error);
    draw_release(&draw);
    running->limits.resident_groups = running->counters[COUNTER_PROBE_JOINED];
    if (status == STATUS_OK && running->limits.resident_groups == 0)
        return error_set(error, STATUS_DEVICE_FAILED, "%s ran no work-group of a probe", device->name);
    return status;
}

/* How many work-groups the device holds at once by what the driver says, in any clusters that may be drawn; 0 where it cannot
 * say. One number for all of them, so that a draw can be made again by who knows it. */
static uint32_t ask_resident(struct running *running, uint32_t group_size, size_t local_bytes)
{
    const struct job_session *session = running->session;
    const struct environment *environment = &running->job->environment;
    const uint32_t own = running->kernel.cluster_groups;
    const uint32_t asked = environment_highest(environment, PARAMETER_cluster_groups);
    const uint32_t largest = asked < running->limits.max_cluster_groups ? asked : running->limits.max_cluster_groups;
    const bool draws = own == 1 && environment_highest(environment, PARAMETER_cluster_chance) > 0;
    uint32_t least = session->backend->resident(session->session, running->program, group_size, own, local_bytes);
    for (uint32_t size = 2; draws && size <= largest; size++) {
        const uint32_t resident =
            session->backend->resident(session->session, running->program, group_size, size, local_bytes);
        if (resident < least)
            least = resident;
    }
    return least;
}

/* How many work-groups of the largest size that may be drawn the device holds at once: what the driver says, else what a
 * probe finds. */
static enum status find_resident(struct running *running, struct error *error)
{
    struct job_session *session = running->session;
    const struct environment *environment = &running->job->environment;
    const uint32_t drawn = environment_highest(environment, PARAMETER_group_size);
    const uint32_t group_size = drawn < running->limits.max_group_size ? drawn : running->limits.max_group_size;
    uint32_t stride = environment_highest(environment, PARAMETER_local_stride);
    while (stride > 1 && 4 * kernel_local_words(&running->kernel, group_size, stride) > session->device.local_bytes)
        stride--; /* as a draw does */
    const bool copies = running->limits.copies && environment_highest(environment, PARAMETER_stress_copy_chance) > 0;
    size_t local_bytes = draw_local_bytes(&running->kernel, group_size, stride,
                                          copies ? environment_highest(environment, PARAMETER_stress_copy_bytes) : 0);
    if (local_bytes > session->device.local_bytes)
        local_bytes = session->device.local_bytes;

    running->limits.resident_groups = session->resident_groups;
    if (running->limits.resident_groups == 0)
        running->limits.resident_groups = ask_resident(running, group_size, local_bytes);
    if (running->limits.resident_groups == 0)
        TRY(probe_resident(running, group_size, error));
    /* A busy machine may start a CPU's second thread too late for a probe; its compute units are what it should find. */
    for (int again = 0; again < 2 && !session->device.gpu && session->resident_groups == 0 &&
                        running->limits.resident_groups < session->device.compute_units;
         again++) {
        const uint32_t found = running->limits.resident_groups;
        TRY(probe_resident(running, group_size, error));
        if (running->limits.resident_groups < found)
            running->limits.resident_groups = found;
    }
    if (!session->device.gpu)
        session->resident_groups = running->limits.resident_groups;
    if (running->job->resident_limit > 0 && running->limits.resident_groups > running->job->resident_limit)
        running->limits.resident_groups = running->job->resident_limit;
    return STATUS_OK;
}

/* A launch that does nothing, in the first batch's shape: some drivers compile for a shape when they first see it, and
 * that belongs to the build. */
static enum status warm_up(struct running *running, struct error *error)
{
    struct draw draw;
    double seconds;
    TRY(draw_make(&running->job->environment, &running->kernel, &running->limits, running->job->seed, running->job->key,
                  0, &draw, error));
    draw.words[DRAW_ROUNDS] = 0;
    draw.words[DRAW_STRESS_LIMIT] = 0;
    const enum status status = launch(running, &draw, 0, 0, false, 0, &seconds, error);
    draw_release(&draw);
    return status;
}

static void set_limits(struct running *running)
{
    const struct backend_device *device = &running->session->device;
    const unsigned limit = running->session->backend->group_limit(running->session->session, running->program);
    running->limits.max_group_size = limit > 0 && limit < device->max_group_size ? limit : device->max_group_size;
    running->limits.sub_group_size = device->sub_group_size ? device->sub_group_size : 1;
    running->limits.max_cluster_groups = is_for_any(running->session) ? 0 : device->max_cluster_groups;
    running->limits.copies = !is_for_any(running->session) && draw_device_copies(device);
    running->limits.local_bytes = device->local_bytes;
    running->limits.batch_instances = running->job->instances / JOB_MINIMUM_BATCHES;
    if (running->job->instances > 0 && running->limits.batch_instances == 0)
        running->limits.batch_instances = 1;
    running->limits.remaining_instances = running->job->instances;
}

static enum status build(struct running *running, struct text *log, struct text *binary, struct error *error)
{
    TRY(generate(running->session, running->job, &running->kernel, error));
    TRY(build_program(running, log, binary, error));
    running->counters = memory_take(running->kernel.counter_words, sizeof *running->counters);
    set_limits(running);
    TRY(find_resident(running, error));
    return warm_up(running, error);
}

/* What is known of the code that was built. */
static enum kept find_kept(const struct running *running, const char *ptx, struct text *reason)
{
    const struct job_session *session = running->session;
    const struct backend *backend = session->backend;
    const struct litmus_test *test = running->job->test;
    struct text object = {0};
    if (backend->invent_kept)
        return backend->invent_kept(session->session, running->program, reason);
    if (!is_replay(session) && compiled_ptx_is(&running->kernel, ptx))
        return inspect_machine_ptx(backend, ptx, test, &running->kernel, reason);
    if (backend->machine_code && is_replay(session)) { /* whose lines may be those of another text */
        text_add(reason, "the kernel is replayed");
        return TEST_NOT_INSPECTED;
    }
    if (backend->machine_code) {
        backend->machine_code(session->session, running->program, &object);
        const struct inspected_machine machine = {backend, &session->device, test, &running->kernel, ptx, &object};
        const enum kept kept = inspect_machine_code(&machine, session->cache, reason);
        text_release(&object);
        return kept;
    }
    text_add(reason, "orchil cannot read the code of %s", backend->title);
    return TEST_NOT_INSPECTED;
}

static enum status prepare(struct running *running, struct error *error)
{
    struct text log = {0}, binary = {0}, kernel = {0}, reason = {0};
    const double start = clock_seconds();
    const enum status status = build(running, &log, &binary, error);

    if (status == STATUS_OK) {
        if (is_replay(running->session))
            text_add(&kernel, "%s", text_string(&running->frozen.source));
        else
            text_add(&kernel, "%s%s", running->session->backend->prelude, running->kernel.source);
        const struct build told = {
            .kernel = text_string(&kernel),
            .binary = text_string(&binary),
            .log = text_string(&log),
            .seconds = clock_seconds() - start,
            .resident_groups = running->limits.resident_groups,
            .marks = (running->kernel.undeclared ? MARK_UNDECLARED : 0) |
                     (running->kernel.slots > running->limits.resident_groups ? MARK_NOT_CO_RESIDENT : 0) |
                     (is_replay(running->session) ? MARK_FROZEN : 0),
            .lowering = kernel_lowering_name(&running->kernel),
            .kept = find_kept(running, text_string(&binary), &reason),
            .kept_reason = text_string(&reason),
        };
        running->stopped = !running->listener->built(&told, running->listener->context);
    }
    text_release(&log);
    text_release(&binary);
    text_release(&kernel);
    text_release(&reason);
    return status;
}

/* ---- batches ---- */

static void collect_outcome(const int64_t *values, uint64_t count, void *context)
{
    struct running *running = context;
    const struct litmus_test *test = running->job->test;
    struct text label = {0};
    if (!litmus_passes_filter(test, values)) {
        running->filtered += count;
        return;
    }
    litmus_print_outcome(test, values, &label);
    LIST_ADD(running->outcomes, running->outcome_count, running->outcome_room) =
        (struct count){arena_copy(&running->labels, text_string(&label)), count, litmus_is_witness(test, values)};
    text_release(&label);
}

static void drop_outcomes(struct running *running)
{
    running->outcome_count = 0;
    running->filtered = 0;
    arena_release(&running->labels);
}

static size_t collect_voids(const struct running *running, struct count voids[VOID_REASON_COUNT])
{
    const uint64_t counts[VOID_REASON_COUNT] = {
        [VOID_GAVE_UP] = running->counters[COUNTER_GAVE_UP],
        [VOID_STALE] = running->counters[COUNTER_STALE],
        [VOID_UNMET] = running->counters[COUNTER_UNMET],
        [VOID_UNRECORDED] = running->counters[COUNTER_UNRECORDED],
        [VOID_FILTERED] = running->filtered,
    };
    size_t n = 0;
    for (enum void_reason reason = 0; reason < VOID_REASON_COUNT; reason++)
        if (counts[reason] > 0)
            voids[n++] = (struct count){void_reason_word(reason), counts[reason], false};
    return n;
}

/* Groups that missed a meeting of the launch that plays left it, and what they would have played has the stamp of an earlier
 * batch. The launch that counts cannot know. */
static void tell_unmet(uint32_t *counters)
{
    if (counters[COUNTER_LEFT] == 0)
        return;
    counters[COUNTER_UNMET] += counters[COUNTER_STALE];
    counters[COUNTER_STALE] = 0;
}

static enum status play_batch(struct running *running, struct draw *draw, uint64_t number, double *seconds,
                              struct error *error)
{
    const size_t words = running->kernel.counter_words;
    if (!draw->detached && !draw->separate) {
        const unsigned steps = STEP_INITIALISE | STEP_PLAY | STEP_MEET | STEP_COUNT;
        return launch(running, draw, steps, number, true, words, seconds, error);
    }
    double part = 0;
    *seconds = 0;
    TRY(launch(running, draw, STEP_INITIALISE, number, true, 0, &part, error));
    *seconds += part;
    /* Those who hit memory meanwhile do it until all groups of their launch have ended, so the count of these starts again. */
    TRY(launch(running, draw, draw->detached ? STEP_PLAY : STEP_PLAY | STEP_MEET, number, draw->separate, 0, &part,
               error));
    *seconds += part;
    TRY(launch(running, draw, STEP_COUNT, number, false, words, &part, error));
    *seconds += part;
    if (draw->separate)
        tell_unmet(running->counters);
    return STATUS_OK;
}

/* Why a batch proves nothing, or NULL. */
static const char *why_invalid(const struct running *running, const struct draw *draw, uint64_t sum, uint64_t voids)
{
    const uint32_t *counters = running->counters;
    if (sum != draw->instances)
        return "outcomes and voids do not add up to the instances launched";
    if (counters[COUNTER_STALE] > 0)
        return "a result of another round was found: the harness or the device failed";
    if (voids == draw->instances && counters[COUNTER_UNMET] > 0)
        return "no instance was played to its end: the partners never met";
#define INERT(name, counter, title, label)                                                                             \
    if (draw->requested[DRAW_##name##_REQUESTED] && counters[COUNTER_##counter] == 0)                                  \
        return "the requested " title " did nothing";
    MECHANISM_LIST(INERT)
#undef INERT
    return NULL;
}

/* How the batch went, as a JSON object. */
static void print_liveness(const uint32_t *counters, struct text *text)
{
    text_add(text, "{\"rounds\":%u,\"left\":%u", counters[COUNTER_ROUNDS], counters[COUNTER_LEFT]);
#define PRINT_LIVENESS(name, counter, title, label) text_add(text, ",\"" label "\":%u", counters[COUNTER_##counter]);
    MECHANISM_LIST(PRINT_LIVENESS)
#undef PRINT_LIVENESS
    text_add(text, "}");
}

/* Whether the listener wants more. */
static bool tell_batch(struct running *running, const struct draw *draw, struct batch *batch)
{
    struct text liveness = {0};
    struct count voids[VOID_REASON_COUNT];
    uint64_t sum = 0, void_sum = 0;

    kernel_outcomes(running->job->test, &running->kernel, running->counters, collect_outcome, running);
    batch->void_count = collect_voids(running, voids);
    for (size_t i = 0; i < running->outcome_count; i++)
        sum += running->outcomes[i].count;
    for (size_t i = 0; i < batch->void_count; i++)
        void_sum += voids[i].count;
    batch->invalid = why_invalid(running, draw, sum + void_sum, void_sum);
    batch->instances = draw->instances;
    batch->draw = text_string(&draw->json);
    batch->outcomes = running->outcomes;
    batch->outcome_count = running->outcome_count;
    batch->voids = voids;
    print_liveness(running->counters, &liveness);
    batch->liveness = text_string(&liveness);
    const bool go_on = running->listener->batch(batch, running->listener->context);
    text_release(&liveness);
    return go_on;
}

/* begun: when the first batch was. */
static void observe_batch(struct running *running, double begun)
{
    struct job_session *session = running->session;
    observe(&session->observer, session->backend, session->session, begun);
    session->circumstances = session->observer.last;
}

static bool is_late(const struct job *job)
{
    return job->deadline > 0 && clock_seconds() >= job->deadline;
}

static enum status run_batches(struct running *running, struct error *error)
{
    const struct job *job = running->job;
    const double begun = clock_seconds(), start = begun - job->done_seconds;
    uint64_t instances = job->done_instances;
    bool go_on = true;
    for (uint64_t number = job->done_batches; go_on && !is_late(job); number++) {
        struct draw draw;
        struct batch batch = {.number = number, .started = clock_seconds() - start};
        running->limits.remaining_instances = job->instances > 0 ? job->instances - instances : 0;
        TRY(draw_make(&job->environment, &running->kernel, &running->limits, job->seed, job->key, number, &draw,
                      error));
        const enum status status = play_batch(running, &draw, number, &batch.seconds, error);
        if (status == STATUS_OK)
            go_on = tell_batch(running, &draw, &batch);
        if (status == STATUS_OK)
            observe_batch(running, begun);
        drop_outcomes(running);
        instances += draw.instances;
        draw_release(&draw);
        if (status != STATUS_OK)
            return status;
        if ((job->instances > 0 && instances >= job->instances) ||
            (job->seconds > 0 && clock_seconds() - start >= job->seconds))
            go_on = false;
    }
    return STATUS_OK;
}

/* What the worker will ask of this code, so that it finds the answer in the cache. */
static void inspect_ahead(const struct job_session *session, const struct litmus_test *test,
                          const struct kernel *kernel, const struct backend_source *source)
{
    struct text ptx = {0}, object = {0}, reason = {0};
    if (session->cache && source->code && session->backend->machine_code_ahead) {
        session->backend->machine_code_ahead(source->code, source->code_size, &ptx, &object);
        const struct inspected_machine machine = {session->backend, &session->device,  test,
                                                  kernel,           text_string(&ptx), &object};
        (void)inspect_machine_code(&machine, session->cache, &reason);
    }
    text_release(&ptx);
    text_release(&object);
    text_release(&reason);
}

enum status job_compile(struct job_session *session, const struct job *job, struct error *error)
{
    struct kernel kernel;
    struct backend_code code = {0};
    struct frozen_kernel frozen = {0};
    TRY(generate(session, job, &kernel, error));
    struct backend_source source = {.name = job->test->name, .kernel = kernel.source};
    struct text headers = {0};
    name_headers(session, &kernel, &source, &headers);
    const enum status status = session->backend->compiles_ahead(&session->device)
                                   ? find_code(session, job->test, &kernel, &source, &frozen, &code, error)
                                   : STATUS_OK;
    if (status == STATUS_OK)
        inspect_ahead(session, job->test, &kernel, &source);
    backend_code_release(&code);
    frozen_release(&frozen);
    text_release(&headers);
    kernel_release(&kernel);
    return status;
}

enum status job_run(struct job_session *session, const struct job *job, const struct job_listener *listener,
                    struct error *error)
{
    struct running running = {.session = session, .job = job, .listener = listener};
    session->circumstances = (struct circumstances){0};
    enum status status = prepare(&running, error);
    if (status == STATUS_OK && !running.stopped)
        status = run_batches(&running, error);
    if (running.program && status != STATUS_DEVICE_LOST) /* then nothing but close may be called */
        session->backend->release(session->session, running.program);
    drop_outcomes(&running);
    free(running.outcomes);
    free(running.counters);
    frozen_release(&running.frozen);
    kernel_release(&running.kernel);
    return status;
}
