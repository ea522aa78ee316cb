// SPDX-License-Identifier: Apache-2.0
/* One job on one open device: what is found out before its first batch, and its batches. */
#include "runner/worker/job_run.h"

#include <sched.h>

#include "base/escape/escape.h"
#include "inspect/rebuild/rebuild_test.h"

/* A batch of a test of several launches: the host initialises, plays the test's own launches with its edges, and
 * counts. */

/* ---- launches ---- */

/* Gives each step a copy of the draw with the step's launch. Returns the copies, one allocation that the caller
 * frees. */
static uint32_t *fill_steps(const struct job_play *play, const struct draw *draw, struct backend_step *steps)
{
    const struct kernel *kernel = &play->kernels[0];
    uint32_t *words = memory_take(draw->launches * draw->word_count, sizeof *words);
    for (unsigned i = 0; i < draw->launches; i++) {
        const struct litmus_launch *launch = &kernel->launches.launches[draw->order[i]];
        uint32_t *own = words + i * draw->word_count;
        memcpy(own, draw->words, draw->word_count * sizeof *own);
        own[DRAW_STEPS] = STEP_PLAY;
        own[DRAW_LAUNCH] = draw->order[i];
        steps[i] = (struct backend_step){.draw = own, .member = launch->agent};
        for (unsigned k = 0; k < i; k++)
            if (launch->after >> draw->order[k] & 1) {
                steps[i].after |= 1U << k;
                steps[i].edges[k] = launch->edges[draw->order[k]];
            }
    }
    return words;
}

/* Describes a launch of a draw to the backend. read_words: how many words of each agent's counters to read. */
static struct backend_launch job_play_describe(const struct job_play *play, const struct draw *draw, uint64_t batch,
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
        .counters = play->counters,
        .read_words = read_words,
        .instances = draw->instances,
        .batch = batch,
        .seed = play->job->seed ^ play->job->key,
    };
    memcpy(call.member_groups, draw->member_groups, sizeof call.member_groups);
    return call;
}

static enum status job_run_play(struct job_play *play, struct draw *draw, uint64_t batch, double *seconds,
                                struct error *error)
{
    const struct job_session *session = play->session;
    struct backend_step steps[BACKEND_MAXIMUM_STEPS];
    const struct backend_launch call = job_play_describe(play, draw, batch, true, 0);
    FREED uint32_t *words = fill_steps(play, draw, steps);
    double own = 0;
    const enum status status =
        session->backend->play(session->session, play->program, &call, steps, draw->launches, &own, error);
    *seconds += own;
    return status;
}

/* Plays one launch of a draw, and adds its seconds. */
static enum status job_play_launch(struct job_play *play, struct draw *draw, unsigned steps, uint64_t batch, bool first,
                                   size_t read_words, double *seconds, struct error *error)
{
    const struct backend_launch call = job_play_describe(play, draw, batch, first, read_words);
    double own = 0;
    draw->words[DRAW_STEPS] = steps;
    const enum status status =
        play->session->backend->launch(play->session->session, play->program, &call, &own, error);
    *seconds += own;
    return status;
}

/* Loads into caches the cells that threads will read by paths on which caches keep stale lines.
 * *warmed: how many cells, for each agent. */
static enum status warm(struct job_play *play, struct draw *draw, uint64_t batch, uint32_t *warmed, double *seconds,
                        struct error *error)
{
    const size_t words = play->kernels[0].counter_words;
    TRY(job_play_launch(play, draw, STEP_WARM, batch, true, words, seconds, error));
    for (unsigned k = 0; k < play->agents; k++)
        warmed[k] = play->counters[k * words + COUNTER_WARMED];
    return STATUS_OK;
}

/* Plays a batch of a test of several launches. */
static enum status job_play_launches(struct job_play *play, struct draw *draw, uint64_t batch, double *seconds,
                                     struct error *error)
{
    const size_t words = play->kernels[0].counter_words;
    uint32_t warmed[LITMUS_MAXIMUM_AGENTS] = {0};
    TRY(job_play_launch(play, draw, STEP_INITIALISE, batch, true, 0, seconds, error));
    if (draw->words[DRAW_WARM])
        TRY(warm(play, draw, batch, warmed, seconds, error));
    TRY(job_run_play(play, draw, batch, seconds, error));
    TRY(job_play_launch(play, draw, STEP_COUNT, batch, false, words, seconds, error));
    for (unsigned k = 0; k < play->agents; k++)
        play->counters[k * words + COUNTER_WARMED] = warmed[k];
    return STATUS_OK;
}

enum {
    PROBE_POLLS = 1 << 13,
    PROBE_POLLS_CPU = 1 << 26,
    PROBE_GROUPS = 64, /* for each compute unit of a GPU */
    PROBE_UNITS = 128  /* of a GPU that does not tell their number */
};

/* The work-groups of a probe. A CPU holds one for each compute unit, so a probe seeks no more there and may wait long
 * for them; a GPU is offered more than it can hold. */
static uint32_t probe_groups(const struct backend_device *device)
{
    return PROBE_GROUPS * (device->compute_units > 0 ? device->compute_units : PROBE_UNITS);
}

struct probe {
    uint32_t group_size;
    size_t local_bytes;
};

/* ---- how many groups are resident ---- */

static enum status no_group(const struct backend_device *device, struct error *error)
{
    return error_set(error, STATUS_DEVICE_FAILED, "%s ran no work-group of the probe", device->name);
}

/* Lets the device count the work-groups that it runs at once. */
static enum status probe_resident(struct job_play *play, const struct probe *probe, struct error *error)
{
    const struct backend_device *device = &play->session->device;
    LOCAL(draw) draw = {0};
    double seconds = 0;
    draw_probe(&play->kernels[0], device->gpu ? probe_groups(device) : device->compute_units,
               device->gpu ? UINT32_MAX : device->compute_units, probe->group_size,
               device->gpu ? PROBE_POLLS : PROBE_POLLS_CPU, &draw);
    if (draw.local_bytes > device->local_bytes)
        draw.local_bytes = device->local_bytes;
    const enum status status =
        job_play_launch(play, &draw, STEP_PROBE, 0, true, play->kernels[0].counter_words, &seconds, error);
    play->limits.resident_groups = play->counters[COUNTER_PROBE_JOINED];
    return status == STATUS_OK && play->limits.resident_groups == 0 ? no_group(device, error) : status;
}

/* How many work-groups a member, or the device, holds at once according to the driver, in any clusters that may be
 * drawn; 0 if the driver cannot say. One number for all cluster sizes, so that a draw can be repeated from it. */
static uint32_t ask_resident(struct job_play *play, unsigned member, const struct probe *probe)
{
    const struct job_session *session = play->session;
    const struct environment *environment = &play->job->environment;
    const uint32_t own = play->kernels[0].cluster_groups;
    const uint32_t asked = environment_highest(environment, PARAMETER_cluster_groups);
    const uint32_t largest = asked < play->limits.max_cluster_groups ? asked : play->limits.max_cluster_groups;
    const bool draws = own == 1 && play->agents < 2 && environment_highest(environment, PARAMETER_cluster_chance) > 0;
    if (!session->backend->resident)
        return 0;
    uint32_t least =
        session->backend->resident(session->session, play->program, member, probe->group_size, own, probe->local_bytes);
    for (uint32_t size = 2; draws && size <= largest; size++) {
        const uint32_t resident = session->backend->resident(session->session, play->program, member, probe->group_size,
                                                             size, probe->local_bytes);
        if (resident < least)
            least = resident;
    }
    return least;
}

/* Finds the number for a single device. */
static enum status job_run_find_device(struct job_play *play, const struct probe *probe, struct error *error)
{
    struct job_session *session = play->session;
    play->limits.resident_groups = session->resident_groups[0];
    if (play->limits.resident_groups == 0)
        play->limits.resident_groups = ask_resident(play, 0, probe);
    if (play->limits.resident_groups == 0)
        TRY(probe_resident(play, probe, error));
    /* A busy machine may start a CPU's second thread too late for a probe, which should find all compute units. */
    for (int again = 0; again < 2 && !session->device.gpu && session->resident_groups[0] == 0 &&
                        play->limits.resident_groups < session->device.compute_units;
         again++) {
        const uint32_t found = play->limits.resident_groups;
        TRY(probe_resident(play, probe, error));
        if (play->limits.resident_groups < found)
            play->limits.resident_groups = found;
    }
    if (!session->device.gpu)
        session->resident_groups[0] = play->limits.resident_groups;
    if (play->job->extent.resident_groups > 0 && play->limits.resident_groups > play->job->extent.resident_groups)
        play->limits.resident_groups = play->job->extent.resident_groups;
    play->resident_groups = play->limits.resident_groups;
    return STATUS_OK;
}

/* ---- ensembles ---- */

/* The processors of an ensemble share the machine's compute units. */
static uint32_t units_of_processor(const struct backend_device *ensemble, const struct backend_device *member)
{
    const uint32_t processors = SUM_OF(uint32_t, one, ensemble->members, ensemble->member_count, !one->gpu);
    return member->compute_units > processors ? member->compute_units / processors : 1;
}

/* Probes the members whose drivers cannot say, all at the same time. */
static enum status probe_members(struct job_play *play, const struct probe *probe, struct error *error)
{
    const struct backend_device *device = &play->session->device;
    const size_t words = play->kernels[0].counter_words;
    uint32_t groups[BACKEND_MAXIMUM_MEMBERS] = {0}, sought[BACKEND_MAXIMUM_MEMBERS] = {0};
    LOCAL(draw) draw = {0};
    double seconds = 0;
    bool processors = false;
    for (unsigned k = 0; k < device->member_count; k++) {
        const struct backend_device *member = &device->members[k];
        const bool asked = play->limits.member_groups[k] == 0;
        processors |= asked && !member->gpu;
        groups[k] = !asked ? 1 : member->gpu ? probe_groups(member) : units_of_processor(device, member);
        sought[k] = !asked ? 1 : member->gpu ? UINT32_MAX : groups[k];
    }
    draw_probe_members(&play->kernels[0], groups, sought, probe->group_size, processors ? PROBE_POLLS_CPU : PROBE_POLLS,
                       &draw);
    TRY(job_play_launch(play, &draw, STEP_PROBE, 0, true, words, &seconds, error));
    for (unsigned k = 0; k < device->member_count; k++) {
        const uint32_t joined = play->counters[k * words + COUNTER_PROBE_JOINED];
        if (play->limits.member_groups[k] > 0)
            continue;
        if (joined == 0)
            return no_group(&device->members[k], error);
        play->limits.member_groups[k] = joined;
    }
    return STATUS_OK;
}

/* All GPUs of an ensemble take as many groups as the GPU that holds fewest, so that one number gives the sizes of a
 * draw: a control, for which the GPUs may hold other numbers, gets its test's. Each processor keeps its own number, the
 * same for every kernel. */
static void even_members(struct job_play *play)
{
    const struct backend_device *device = &play->session->device;
    uint32_t *groups = play->limits.member_groups, least = UINT32_MAX, most = 0;
    for (unsigned k = 0; k < device->member_count; k++) {
        if (device->members[k].gpu && groups[k] < least)
            least = groups[k];
        if (groups[k] > most)
            most = groups[k];
    }
    if (play->job->extent.resident_groups > 0 && least > play->job->extent.resident_groups)
        least = play->job->extent.resident_groups;
    for (unsigned k = 0; k < device->member_count; k++)
        if (device->members[k].gpu)
            groups[k] = least;
    play->resident_groups = device->gpu ? least : most;
}

static enum status find_members(struct job_play *play, const struct probe *probe, struct error *error)
{
    struct job_session *session = play->session;
    const struct backend_device *device = &session->device;
    uint32_t *found = play->limits.member_groups;
    bool all = true;
    for (unsigned k = 0; k < device->member_count; k++) {
        found[k] = session->resident_groups[k];
        if (found[k] == 0)
            found[k] = ask_resident(play, k, probe);
        all &= found[k] > 0;
    }
    if (!all)
        TRY(probe_members(play, probe, error));
    for (unsigned k = 0; k < device->member_count; k++)
        if (!device->members[k].gpu)
            session->resident_groups[k] = found[k];
    even_members(play);
    return STATUS_OK;
}

/* Finds how many work-groups of the largest size that may be drawn the device, or each member of an ensemble, holds at
 * once: from the driver, else by a probe. Fills in the limits. */
static enum status job_play_find_resident(struct job_play *play, struct error *error)
{
    const struct job_session *session = play->session;
    const struct environment *environment = &play->job->environment;
    const struct kernel *kernel = &play->kernels[0];
    const uint32_t usual = environment_highest(environment, PARAMETER_group_size);
    const uint32_t of_pairs = kernel_is_pair(kernel) ? environment_highest(environment, PARAMETER_pair_group_size) : 0;
    const uint32_t drawn = usual > of_pairs ? usual : of_pairs;
    const uint32_t group_size = drawn < play->limits.max_group_size ? drawn : play->limits.max_group_size;
    uint32_t stride = environment_highest(environment, PARAMETER_local_stride);
    while (stride > 1 && 4 * kernel_local_words(kernel, group_size, stride) > session->device.local_bytes)
        stride--; /* as in a draw */
    const bool copies = play->limits.copies && environment_highest(environment, PARAMETER_stress_copy_chance) > 0;
    size_t local_bytes = draw_local_bytes(kernel, group_size, stride,
                                          copies ? environment_highest(environment, PARAMETER_stress_copy_bytes) : 0);
    if (local_bytes > session->device.local_bytes)
        local_bytes = session->device.local_bytes;
    const struct probe probe = {group_size, local_bytes};
    return play->agents > 1 ? find_members(play, &probe, error) : job_run_find_device(play, &probe, error);
}

/* ---- whether the test is kept ---- */

/* Inspects the code for one device: the job's, or a member of its ensemble. ptx: the build's output for it. */
static enum kept job_run_find_part(const struct job_play *play, const struct backend_device *device, unsigned member,
                                   const char *ptx, struct text *reason)
{
    const struct job_session *session = play->session;
    const struct backend *backend = session->backend, *its = backend_find(device->backend);
    const struct litmus_test *test = play->job->test;
    const struct kernel *kernel = &play->kernels[member];
    LOCAL(text) object = {0};
    if (its->invent_kept)
        return backend->invent_kept(session->session, play->program, member, reason);
    if (!job_is_replay(play->session) && compiled_ptx_is(kernel, ptx))
        return inspect_machine_ptx(its, device, ptx, test, kernel, reason);
    if (job_is_replay(play->session)) { /* its lines may be of another text */
        text_add(reason, "the kernel is replayed");
        return TEST_NOT_INSPECTED;
    }
    if (!its->machine_code && !device->gpu) {
        text_add(reason, "the machine code of CPUs is not read");
        return TEST_NOT_INSPECTED;
    }
    if (its->machine_code)
        backend->machine_code(session->session, play->program, member, &object);
    const struct inspected_machine machine = {its, device, test, kernel, ptx, &object};
    return inspect_machine_code(&machine, session->cache, reason);
}

/* Whether the test is kept in the code that was built; for an ensemble, in the code of all its members. binary: the
 * output of the build. */
static enum kept job_play_find_kept(const struct job_play *play, const char *binary, struct text *reason)
{
    const struct backend_device *device = &play->session->device;
    enum kept worst = TEST_KEPT;
    if (play->agents < 2)
        return job_run_find_part(play, device, 0, binary, reason);
    for (unsigned k = 0; k < play->agents; k++) {
        if (kernel_is_shared(&play->kernels[k]))
            continue;
        size_t size = 0;
        const char *part = backend_member_part(binary, k, &size);
        FREED char *ptx = memory_copy_part(part ? part : "", size);
        LOCAL(text) why = {0};
        const enum kept kept = job_run_find_part(play, &device->members[k], k, ptx, &why);
        if (kept != TEST_KEPT && (k == 0 || kept_join(kept, worst) != worst)) {
            worst = kept_join(kept, worst);
            text_clear(reason);
            text_add(reason, "member %u, %s: %s", k, device->members[k].name, text_string(&why));
        }
    }
    return worst;
}

static const double seconds_between = 1;

/* ---- circumstances ---- */

/* The clock of the processor that this thread runs on, which is not idle. */
static bool read_sysfs_clock(double *megahertz)
{
    char line[64];
    double kilohertz;
    const char *const path = PRINTED(96, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", sched_getcpu());
    if (file_read_start(path, line, sizeof line) == 0 || sscanf(line, "%lf", &kilohertz) != 1)
        return false;
    *megahertz = kilohertz / 1000;
    return true;
}

/* The clock of the first processor listed: printing all of a large machine takes milliseconds. */
static bool read_cpuinfo_clock(double *megahertz)
{
    char start[2048];
    (void)file_read_start("/proc/cpuinfo", start, sizeof start);
    const char *end = strstr(start, "\n\n"), *line = strstr(start, "cpu MHz");
    return line && (!end || line < end) && sscanf(line, "cpu MHz : %lf", megahertz) == 1;
}

void observe(struct observer *observer, const struct backend *backend, struct backend_session *session, double started)
{
    const double now = clock_seconds();
    const double in_job = observer->read_at - started; /* the job's time at the last reading */
    if (observer->read_at > 0 && (now - observer->read_at < seconds_between || now - started < 2 * in_job))
        return;
    observer->last = (struct circumstances){0};
    if (backend->is_past)
        return;
    /* Reads the load and the clock of the host. */
    double megahertz;
    char line[64];
    double load;
    if (file_read_start("/proc/loadavg", line, sizeof line) > 0 && sscanf(line, "%lf", &load) == 1)
        (void)circumstances_note(&observer->last, CIRCUMSTANCE_HOST_LOAD, load);
    if (read_sysfs_clock(&megahertz) || read_cpuinfo_clock(&megahertz))
        (void)circumstances_note(&observer->last, CIRCUMSTANCE_CPU_CLOCK, megahertz);
    if (backend->observe)
        backend->observe(session, &observer->last);
    observer->read_at = now;
}

/* ---- before the first batch ---- */

/* The limits of the next batch. A pilot's first batch takes microseconds on any device, and the last about as long as
 * all before it. */
static void limit_batch(struct job_play *play, uint64_t number, uint64_t instances)
{
    enum { FIRST = 16, DOUBLINGS = 40 };
    const struct job *job = play->job;
    const uint64_t size = number / environment_pilot_repeats(&job->environment, play->session->device.gpu);
    play->limits.batch_instances =
        job->pilot ? (uint64_t)FIRST << (size < DOUBLINGS ? size : DOUBLINGS) : job->extent.batch_instances;
    play->limits.remaining_instances = job->extent.instances > 0 ? job->extent.instances - instances : 0;
}

/* Measures the clock of the session's device for the first job that may start at its ticks, unless it is known. */
static enum status job_run_find_clock(struct job_play *play, struct error *error)
{
    struct job_session *session = play->session;
    if (session->knows_clock || !session->device.shared_clock || session->device.clock_grain == 0 ||
        session->backend->invents_seconds || !kernel_starts_at_ticks(&play->kernels[0]) ||
        environment_highest(&play->job->environment, PARAMETER_tick_chance) == 0)
        return STATUS_OK;
    session->knows_clock = true;
    return backend_measure_clock(session->backend, session->session, &session->device, error);
}

static enum status job_run_build(struct job_play *play, struct text *log, struct text *binary, struct error *error)
{
    TRY(job_play_build(play, log, binary, error));
    play->counters = memory_take((size_t)play->agents * play->kernels[0].counter_words, sizeof *play->counters);
    const struct backend_device *device = &play->session->device;
    const struct backend *backend = play->session->backend;
    const unsigned limit = backend->group_limit ? backend->group_limit(play->session->session, play->program) : 0;
    play->limits.max_group_size = limit > 0 && limit < device->max_group_size ? limit : device->max_group_size;
    play->limits.sub_group_size = device->sub_group_size ? device->sub_group_size : 1;
    play->limits.max_cluster_groups = job_is_for_any(play->session) ? 0 : device->max_cluster_groups;
    play->limits.copies = !job_is_for_any(play->session) && draw_device_copies(device);
    TRY(job_run_find_clock(play, error));
    play->limits.shared_clock = device->shared_clock;
    play->limits.clock_grain = device->clock_grain;
    play->limits.local_bytes = device->local_bytes;
    limit_batch(play, 0, 0);
    play->limits.homes = device->homes;
    play->limits.atomic_homes = device->atomic_homes;
    for (unsigned k = 0; k < device->member_count; k++)
        play->limits.cpus |= device->members[k].gpu ? 0 : 1U << k;
    TRY(job_play_find_resident(play, error));
    /* An empty launch in the first batch's shape: some drivers compile for a shape when they first see it, and this
     * belongs to the build. */
    LOCAL(draw) draw = {0};
    double seconds = 0;
    TRY(draw_make(&play->job->environment, &play->kernels[0], &play->limits, play->job->seed, play->job->key, 0, &draw,
                  error));
    draw.words[DRAW_ROUNDS] = 0;
    draw.words[DRAW_STRESS_LIMIT] = 0;
    return job_play_launch(play, &draw, 0, 0, false, 0, &seconds, error);
}

/* Adds the texts that were compiled. */
static void add_sources(const struct job_play *play, struct text *text)
{
    const struct backend_device *device = &play->session->device;
    if (job_is_replay(play->session))
        text_add(text, "%s", text_string(&play->frozen.source));
    else if (play->agents < 2)
        text_add(text, "%s%s", play->session->backend->prelude, play->kernels[0].source);
    for (unsigned k = 0; play->agents > 1 && k < play->agents; k++) {
        const struct backend_device *member = &device->members[k];
        text_add(text, "// member %u: ", k);
        (void)escape_add_line(text, ESCAPE_COMMENT, member->name);
        if (kernel_is_shared(&play->kernels[k]))
            text_add(text, ", with the kernel above\n");
        else
            text_add(text, "\n%s%s", backend_find(member->backend)->prelude, play->kernels[k].source);
    }
}

static unsigned find_marks(const struct job_play *play)
{
    unsigned marks = job_is_replay(play->session) ? MARK_FROZEN : 0;
    for (unsigned k = 0; k < play->agents; k++)
        marks |=
            (play->kernels[k].undeclared ? MARK_UNDECLARED : 0) | (play->kernels[k].user_code ? MARK_USER_CODE : 0);
    if (play->agents < 2 && kernel_slots_at_once(&play->kernels[0]) > play->limits.resident_groups)
        marks |= MARK_NOT_CO_RESIDENT;
    if (kernel_counts_overlap(&play->kernels[0]))
        marks |= MARK_NOT_OVERLAPPED; /* until a batch overlaps */
    return marks;
}

static enum status job_run_prepare(struct job_play *play, struct error *error)
{
    LOCAL(text) log = {0}, binary = {0}, kernel = {0}, reason = {0};
    const double start = clock_seconds();
    TRY(job_run_build(play, &log, &binary, error));
    add_sources(play, &kernel);
    const struct build built = {
        .kernel = text_string(&kernel),
        .binary = text_string(&binary),
        .log = text_string(&log),
        .seconds = clock_seconds() - start,
        .resident_groups = play->resident_groups,
        .marks = find_marks(play),
        .lowering = kernel_lowering_name(&play->kernels[0]),
        .kept = job_play_find_kept(play, text_string(&binary), &reason),
        .kept_reason = text_string(&reason),
    };
    play->stopped = !play->listener->built(&built, play->listener->context);
    return STATUS_OK;
}

/* ---- batches ---- */

/* The outcome with this label, if another member of an ensemble has already counted some. */
static struct count *job_run_find_outcome(const struct job_play *play, const char *label)
{
    for (size_t i = 0; play->agents > 1 && i < play->outcome_count; i++)
        if (strcmp(play->outcomes[i].label, label) == 0)
            return &play->outcomes[i];
    return NULL;
}

static void collect_outcome(const int64_t *values, uint64_t count, void *context)
{
    struct job_play *play = context;
    const struct litmus_test *test = play->job->test;
    LOCAL(text) label = {0};
    if (!litmus_passes_filter(test, values)) {
        play->filtered += count;
        return;
    }
    litmus_print_outcome(test, values, &label);
    struct count *known = job_run_find_outcome(play, text_string(&label));
    if (known)
        known->count += count;
    else
        LIST_ADD(play->outcomes, play->outcome_count, play->outcome_room) =
            (struct count){arena_copy(&play->labels, text_string(&label)), count, litmus_is_witness(test, values)};
}

static void drop_outcomes(struct job_play *play)
{
    play->outcome_count = 0;
    play->filtered = 0;
    arena_release(&play->labels);
}

static size_t collect_voids(const struct job_play *play, struct count voids[VOID_REASON_COUNT])
{
    const uint64_t counts[VOID_REASON_COUNT] = {
        [VOID_GAVE_UP] = play->counters[COUNTER_GAVE_UP],
        [VOID_STALE] = play->counters[COUNTER_STALE],
        [VOID_UNMET] = play->counters[COUNTER_UNMET],
        [VOID_UNRECORDED] = play->counters[COUNTER_UNRECORDED],
        [VOID_FILTERED] = play->filtered,
    };
    size_t n = 0;
    for (enum void_reason reason = 0; reason < VOID_REASON_COUNT; reason++)
        if (counts[reason] > 0)
            voids[n++] = (struct count){void_reason_word(reason), counts[reason], false};
    return n;
}

/* Groups that missed a meeting left the playing launch, so their instances still have the stamp of an earlier batch.
 * The counting launch cannot know this. */
static void tell_unmet(uint32_t *counters)
{
    if (counters[COUNTER_LEFT] == 0)
        return;
    counters[COUNTER_UNMET] += counters[COUNTER_STALE];
    counters[COUNTER_STALE] = 0;
}

static enum status play_batch(struct job_play *play, struct draw *draw, uint64_t number, double *seconds,
                              struct error *error)
{
    const size_t words = play->kernels[0].counter_words;
    if (draw->launches > 0)
        return job_play_launches(play, draw, number, seconds, error);
    if (!draw->detached && !draw->separate) {
        const unsigned steps = STEP_INITIALISE | STEP_PLAY | STEP_MEET | STEP_COUNT;
        return job_play_launch(play, draw, steps, number, true, words, seconds, error);
    }
    TRY(job_play_launch(play, draw, STEP_INITIALISE, number, true, 0, seconds, error));
    /* Stressing groups run until all groups of their launch have ended, so the count of ended groups starts again. */
    TRY(job_play_launch(play, draw, draw->detached ? STEP_PLAY : STEP_PLAY | STEP_MEET, number, draw->separate, 0,
                        seconds, error));
    TRY(job_play_launch(play, draw, STEP_COUNT, number, false, words, seconds, error));
    if (draw->separate)
        tell_unmet(play->counters);
    return STATUS_OK;
}

/* Why a batch is invalid, or NULL. */
static const char *why_invalid(const struct job_play *play, const struct draw *draw, uint64_t sum, uint64_t voids)
{
    const uint32_t *counters = play->counters;
    if (sum != draw->instances)
        return "outcomes and voids do not add up to the instances launched";
    if (counters[COUNTER_STALE] > 0)
        return "a result of another round was found: the harness or the device failed";
    if (counters[COUNTER_EARLY] > 0 ||
        (counters[COUNTER_OVERLAPPED] > 0 && kernel_beside_count(&play->kernels[0]) == 0))
        return "a launch began before the preceding launch had ended: the driver or the harness broke the order";
    /* Where meetings order nothing, partners that never met in time cost their instances, and show nothing else. */
    if (voids == draw->instances && counters[COUNTER_UNMET] > 0)
        return draw->separate ? NULL : "no instance was completed, because the partners never met";
#define INERT(name, counter, parameter, title, label)                                                                  \
    if (draw->requested[DRAW_##name##_REQUESTED] && counters[COUNTER_##counter] == 0)                                  \
        return "the requested " title " did nothing";
    MECHANISM_LIST(INERT)
    return NULL;
}

/* Prints a batch's liveness as a JSON object. */
static void print_liveness(const struct job_play *play, struct text *text)
{
    const uint32_t *counters = play->counters;
    text_add(text, "{\"rounds\":%u,\"left\":%u", counters[COUNTER_ROUNDS], counters[COUNTER_LEFT]);
#define PRINT_LIVENESS(name, counter, parameter, title, label)                                                         \
    text_add(text, ",\"" label "\":%u", counters[COUNTER_##counter]);
    MECHANISM_LIST(PRINT_LIVENESS)
    if (kernel_has_launches(&play->kernels[0]))
        text_add(text, ",\"" BATCH_OVERLAPPED "\":%u", counters[COUNTER_OVERLAPPED]);
    text_add(text, "}");
}

/* Collects the outcomes that each agent has counted, and adds all agents' fixed counters to the first agent's. */
static void collect_counters(struct job_play *play)
{
    const size_t words = play->kernels[0].counter_words;
    for (unsigned k = 0; k < play->agents; k++)
        kernel_outcomes(play->job->test, &play->kernels[k], play->counters + k * words, collect_outcome, play);
    for (unsigned k = 1; k < play->agents; k++)
        for (size_t i = 0; i < COUNTER_HISTOGRAM; i++) {
            uint32_t *sum = &play->counters[i];
            *sum = __builtin_add_overflow(*sum, play->counters[k * words + i], sum) ? UINT32_MAX : *sum;
        }
}

/* False if the listener stops the job. */
static bool tell_batch(struct job_play *play, const struct draw *draw, struct batch *batch)
{
    LOCAL(text) liveness = {0};
    struct count voids[VOID_REASON_COUNT];

    collect_counters(play);
    batch->void_count = collect_voids(play, voids);
    const uint64_t sum = SUM_OF(uint64_t, outcome, play->outcomes, play->outcome_count, outcome->count);
    const uint64_t void_sum = SUM_OF(uint64_t, reason, voids, batch->void_count, reason->count);
    batch->invalid = why_invalid(play, draw, sum + void_sum, void_sum);
    batch->instances = draw->instances;
    batch->draw = text_string(&draw->json);
    batch->outcomes = play->outcomes;
    batch->outcome_count = play->outcome_count;
    batch->voids = voids;
    print_liveness(play, &liveness);
    batch->liveness = text_string(&liveness);
    batch->overlapped = play->counters[COUNTER_OVERLAPPED] > 0;
    return play->listener->batch(batch, play->listener->context);
}

static enum status run_batches(struct job_play *play, struct error *error)
{
    const struct job *job = play->job;
    const double begun = clock_seconds(), start = begun - job->done_seconds;
    const bool is_past = play->session->backend->is_past;
    uint64_t instances = job->done_instances;
    double played = job->done_seconds;
    bool go_on = true;
    for (uint64_t number = job->done_batches; go_on && !(job->deadline > 0 && clock_seconds() >= job->deadline);
         number++) {
        LOCAL(draw) draw = {0};
        struct batch batch = {.number = number, .started = is_past ? played : clock_seconds() - start};
        limit_batch(play, number, instances);
        TRY(draw_make(&job->environment, &play->kernels[0], &play->limits, job->seed, job->key, number, &draw, error));
        const enum status status = play_batch(play, &draw, number, &batch.seconds, error);
        if (status == STATUS_OK)
            go_on = tell_batch(play, &draw, &batch);
        if (status == STATUS_OK) {
            /* begun: when the first batch began. */
            struct job_session *session = play->session;
            observe(&session->observer, session->backend, session->session, begun);
            session->circumstances = session->observer.last;
        }
        drop_outcomes(play);
        instances += draw.instances;
        played += batch.seconds;
        TRY(status);
        if ((job->extent.instances > 0 && instances >= job->extent.instances) ||
            (job->extent.seconds > 0 && clock_seconds() - start >= job->extent.seconds))
            go_on = false;
    }
    return STATUS_OK;
}

enum status job_run(struct job_session *session, const struct job *job, const struct job_listener *listener,
                    struct error *error)
{
    struct job_play play = {.session = session, .job = job, .listener = listener};
    session->circumstances = (struct circumstances){0};
    enum status status = job_run_prepare(&play, error);
    if (status == STATUS_OK && !play.stopped)
        status = run_batches(&play, error);
    if (play.program && status != STATUS_DEVICE_LOST) /* then only close may be called */
        session->backend->release(session->session, play.program);
    drop_outcomes(&play);
    free(play.outcomes);
    free(play.counters);
    frozen_release(&play.frozen);
    job_release_kernels(play.kernels, play.agents);
    return status;
}
