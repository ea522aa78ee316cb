// SPDX-License-Identifier: Apache-2.0
/* One job on one open device: launches and batches. */
#include "runner/worker/job_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/escape/escape.h"
#include "base/memory.h"
#include "runner/worker/job_play.h"

struct backend_launch job_play_describe(const struct job_play *running, const struct draw *draw, uint64_t batch,
                                        bool first, size_t read_words)
{
    struct backend_launch call = {
        .groups = draw->groups,
        .group_size = draw->group_size,
        .cluster_groups = draw->cluster_groups,
        .local_bytes = draw->local_bytes,
        .draw = draw->words,
        .draw_words = draw->word_count,
        .memory_words = draw->memory_words,
        .meeting_words = draw->meeting_words,
        .home_words = draw->home_words,
        .homes = draw->homes,
        .homes_place = draw->homes_place,
        .scratch_words = draw->scratch_words,
        .counter_words = draw->counter_words,
        .clear_counters = first,
        .counters = running->counters,
        .read_words = read_words,
        .instances = draw->instances,
        .batch = batch,
        .seed = running->job->seed ^ running->job->key,
    };
    memcpy(call.member_groups, draw->member_groups, sizeof call.member_groups);
    return call;
}

enum status job_play_launch(struct job_play *running, struct draw *draw, unsigned steps, uint64_t batch, bool first,
                            size_t read_words, double *seconds, struct error *error)
{
    const struct backend_launch call = job_play_describe(running, draw, batch, first, read_words);
    draw->words[DRAW_STEPS] = steps;
    return running->session->backend->launch(running->session->session, running->program, &call, seconds, error);
}

/* An empty launch in the first batch's shape: some drivers compile for a shape when they first see
 * it, and this belongs to the build. */
static enum status warm_up(struct job_play *running, struct error *error)
{
    struct draw draw;
    double seconds;
    TRY(draw_make(&running->job->environment, &running->kernels[0], &running->limits, running->job->seed,
                  running->job->key, 0, &draw, error));
    draw.words[DRAW_ROUNDS] = 0;
    draw.words[DRAW_STRESS_LIMIT] = 0;
    const enum status status = job_play_launch(running, &draw, 0, 0, false, 0, &seconds, error);
    draw_release(&draw);
    return status;
}

/* The limits of the next batch. A pilot's first batch takes microseconds on any device, and the last
 * about as long as all before it. */
static void limit_batch(struct job_play *running, uint64_t number, uint64_t instances)
{
    enum { FIRST = 16, DOUBLINGS = 40 };
    const struct job *job = running->job;
    running->limits.batch_instances =
        job->pilot ? (uint64_t)FIRST << (number < DOUBLINGS ? number : DOUBLINGS) : job->extent.batch_instances;
    running->limits.remaining_instances = job->extent.instances > 0 ? job->extent.instances - instances : 0;
}

static void set_limits(struct job_play *running)
{
    const struct backend_device *device = &running->session->device;
    const unsigned limit = running->session->backend->group_limit(running->session->session, running->program);
    running->limits.max_group_size = limit > 0 && limit < device->max_group_size ? limit : device->max_group_size;
    running->limits.sub_group_size = device->sub_group_size ? device->sub_group_size : 1;
    running->limits.max_cluster_groups = job_play_is_for_any(running) ? 0 : device->max_cluster_groups;
    running->limits.copies = !job_play_is_for_any(running) && draw_device_copies(device);
    running->limits.shared_clock = device->shared_clock;
    running->limits.local_bytes = device->local_bytes;
    limit_batch(running, 0, 0);
    running->limits.homes = device->homes;
    running->limits.atomic_homes = device->atomic_homes;
    for (unsigned k = 0; k < device->member_count; k++)
        running->limits.cpus |= device->members[k].gpu ? 0 : 1U << k;
}

static enum status build(struct job_play *running, struct text *log, struct text *binary, struct error *error)
{
    TRY(job_play_build(running, log, binary, error));
    running->counters =
        memory_take((size_t)running->agents * running->kernels[0].counter_words, sizeof *running->counters);
    set_limits(running);
    TRY(job_play_find_resident(running, error));
    return warm_up(running, error);
}

/* Adds the texts that were compiled. */
static void add_sources(const struct job_play *running, struct text *text)
{
    const struct backend_device *device = &running->session->device;
    if (job_play_is_replay(running))
        text_add(text, "%s", text_string(&running->frozen.source));
    else if (running->agents < 2)
        text_add(text, "%s%s", running->session->backend->prelude, running->kernels[0].source);
    for (unsigned k = 0; running->agents > 1 && k < running->agents; k++) {
        const struct backend_device *member = &device->members[k];
        text_add(text, "// member %u: ", k);
        (void)escape_add_line(text, ESCAPE_COMMENT, member->name);
        text_add(text, "\n%s%s", backend_find(member->backend)->prelude, running->kernels[k].source);
    }
}

static unsigned find_marks(const struct job_play *running)
{
    unsigned marks = job_play_is_replay(running) ? MARK_FROZEN : 0;
    for (unsigned k = 0; k < running->agents; k++)
        marks |= running->kernels[k].undeclared ? MARK_UNDECLARED : 0;
    if (running->agents < 2 && kernel_slots_at_once(&running->kernels[0]) > running->limits.resident_groups)
        marks |= MARK_NOT_CO_RESIDENT;
    if (kernel_counts_overlap(&running->kernels[0]))
        marks |= MARK_NOT_OVERLAPPED; /* until a batch overlaps */
    return marks;
}

static enum status prepare(struct job_play *running, struct error *error)
{
    struct text log = {0}, binary = {0}, kernel = {0}, reason = {0};
    const double start = clock_seconds();
    const enum status status = build(running, &log, &binary, error);

    if (status == STATUS_OK) {
        add_sources(running, &kernel);
        const struct build told = {
            .kernel = text_string(&kernel),
            .binary = text_string(&binary),
            .log = text_string(&log),
            .seconds = clock_seconds() - start,
            .resident_groups = running->resident_groups,
            .marks = find_marks(running),
            .lowering = kernel_lowering_name(&running->kernels[0]),
            .kept = job_play_find_kept(running, text_string(&binary), &reason),
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

/* The outcome with this label, if another member of an ensemble has already counted some. */
static struct count *find_outcome(const struct job_play *running, const char *label)
{
    for (size_t i = 0; running->agents > 1 && i < running->outcome_count; i++)
        if (strcmp(running->outcomes[i].label, label) == 0)
            return &running->outcomes[i];
    return NULL;
}

static void collect_outcome(const int64_t *values, uint64_t count, void *context)
{
    struct job_play *running = context;
    const struct litmus_test *test = running->job->test;
    struct text label = {0};
    if (!litmus_passes_filter(test, values)) {
        running->filtered += count;
        return;
    }
    litmus_print_outcome(test, values, &label);
    struct count *known = find_outcome(running, text_string(&label));
    if (known)
        known->count += count;
    else
        LIST_ADD(running->outcomes, running->outcome_count, running->outcome_room) =
            (struct count){arena_copy(&running->labels, text_string(&label)), count, litmus_is_witness(test, values)};
    text_release(&label);
}

static void drop_outcomes(struct job_play *running)
{
    running->outcome_count = 0;
    running->filtered = 0;
    arena_release(&running->labels);
}

static size_t collect_voids(const struct job_play *running, struct count voids[VOID_REASON_COUNT])
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

/* Groups that missed a meeting left the playing launch, so their instances still have the stamp of
 * an earlier batch. The counting launch cannot know this. */
static void tell_unmet(uint32_t *counters)
{
    if (counters[COUNTER_LEFT] == 0)
        return;
    counters[COUNTER_UNMET] += counters[COUNTER_STALE];
    counters[COUNTER_STALE] = 0;
}

static enum status play_batch(struct job_play *running, struct draw *draw, uint64_t number, double *seconds,
                              struct error *error)
{
    const size_t words = running->kernels[0].counter_words;
    if (draw->launches > 0)
        return job_play_launches(running, draw, number, seconds, error);
    if (!draw->detached && !draw->separate) {
        const unsigned steps = STEP_INITIALISE | STEP_PLAY | STEP_MEET | STEP_COUNT;
        return job_play_launch(running, draw, steps, number, true, words, seconds, error);
    }
    double part = 0;
    *seconds = 0;
    TRY(job_play_launch(running, draw, STEP_INITIALISE, number, true, 0, &part, error));
    *seconds += part;
    /* Stressing groups run until all groups of their launch have ended, so the count of ended
     * groups starts again. */
    TRY(job_play_launch(running, draw, draw->detached ? STEP_PLAY : STEP_PLAY | STEP_MEET, number, draw->separate, 0,
                        &part, error));
    *seconds += part;
    TRY(job_play_launch(running, draw, STEP_COUNT, number, false, words, &part, error));
    *seconds += part;
    if (draw->separate)
        tell_unmet(running->counters);
    return STATUS_OK;
}

/* Why a batch is invalid, or NULL. */
static const char *why_invalid(const struct job_play *running, const struct draw *draw, uint64_t sum, uint64_t voids)
{
    const uint32_t *counters = running->counters;
    if (sum != draw->instances)
        return "outcomes and voids do not add up to the instances launched";
    if (counters[COUNTER_STALE] > 0)
        return "a result of another round was found: the harness or the device failed";
    if (counters[COUNTER_EARLY] > 0 ||
        (counters[COUNTER_OVERLAPPED] > 0 && kernel_beside_count(&running->kernels[0]) == 0))
        return "a launch began before the launch it comes after had ended: the driver or the harness broke the order";
    if (voids == draw->instances && counters[COUNTER_UNMET] > 0)
        return "no instance was completed: the partners never met";
#define INERT(name, counter, parameter, title, label)                                                                  \
    if (draw->requested[DRAW_##name##_REQUESTED] && counters[COUNTER_##counter] == 0)                                  \
        return "the requested " title " did nothing";
    MECHANISM_LIST(INERT)
#undef INERT
    return NULL;
}

/* Prints a batch's liveness as a JSON object. */
static void print_liveness(const struct job_play *running, struct text *text)
{
    const uint32_t *counters = running->counters;
    text_add(text, "{\"rounds\":%u,\"left\":%u", counters[COUNTER_ROUNDS], counters[COUNTER_LEFT]);
#define PRINT_LIVENESS(name, counter, parameter, title, label)                                                         \
    text_add(text, ",\"" label "\":%u", counters[COUNTER_##counter]);
    MECHANISM_LIST(PRINT_LIVENESS)
#undef PRINT_LIVENESS
    if (kernel_has_launches(&running->kernels[0]))
        text_add(text, ",\"" BATCH_OVERLAPPED "\":%u", counters[COUNTER_OVERLAPPED]);
    text_add(text, "}");
}

/* Collects the outcomes that each agent has counted, and adds all agents' fixed counters to the
 * first agent's. */
static void collect_counters(struct job_play *running)
{
    const size_t words = running->kernels[0].counter_words;
    for (unsigned k = 0; k < running->agents; k++)
        kernel_outcomes(running->job->test, &running->kernels[k], running->counters + k * words, collect_outcome,
                        running);
    for (unsigned k = 1; k < running->agents; k++)
        for (size_t i = 0; i < COUNTER_HISTOGRAM; i++) {
            uint32_t *sum = &running->counters[i];
            *sum = __builtin_add_overflow(*sum, running->counters[k * words + i], sum) ? UINT32_MAX : *sum;
        }
}

/* False if the listener stops the job. */
static bool tell_batch(struct job_play *running, const struct draw *draw, struct batch *batch)
{
    struct text liveness = {0};
    struct count voids[VOID_REASON_COUNT];
    uint64_t sum = 0, void_sum = 0;

    collect_counters(running);
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
    print_liveness(running, &liveness);
    batch->liveness = text_string(&liveness);
    batch->overlapped = running->counters[COUNTER_OVERLAPPED] > 0;
    const bool go_on = running->listener->batch(batch, running->listener->context);
    text_release(&liveness);
    return go_on;
}

/* begun: when the first batch began. */
static void observe_batch(struct job_play *running, double begun)
{
    struct job_session *session = running->session;
    observe(&session->observer, session->backend, session->session, begun);
    session->circumstances = session->observer.last;
}

static bool is_late(const struct job *job)
{
    return job->deadline > 0 && clock_seconds() >= job->deadline;
}

static enum status run_batches(struct job_play *running, struct error *error)
{
    const struct job *job = running->job;
    const double begun = clock_seconds(), start = begun - job->done_seconds;
    uint64_t instances = job->done_instances;
    bool go_on = true;
    for (uint64_t number = job->done_batches; go_on && !is_late(job); number++) {
        struct draw draw;
        struct batch batch = {.number = number, .started = clock_seconds() - start};
        limit_batch(running, number, instances);
        TRY(draw_make(&job->environment, &running->kernels[0], &running->limits, job->seed, job->key, number, &draw,
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
        if ((job->extent.instances > 0 && instances >= job->extent.instances) ||
            (job->extent.seconds > 0 && clock_seconds() - start >= job->extent.seconds))
            go_on = false;
    }
    return STATUS_OK;
}

enum status job_run(struct job_session *session, const struct job *job, const struct job_listener *listener,
                    struct error *error)
{
    struct job_play running = {.session = session, .job = job, .listener = listener};
    session->circumstances = (struct circumstances){0};
    enum status status = prepare(&running, error);
    if (status == STATUS_OK && !running.stopped)
        status = run_batches(&running, error);
    if (running.program && status != STATUS_DEVICE_LOST) /* then only close may be called */
        session->backend->release(session->session, running.program);
    drop_outcomes(&running);
    free(running.outcomes);
    free(running.counters);
    frozen_release(&running.frozen);
    job_play_release_kernels(&running);
    return status;
}
