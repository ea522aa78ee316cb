// SPDX-License-Identifier: Apache-2.0
/* Finding how many work-groups run at the same time. */
#include "runner/worker/job_play.h"

enum { PROBE_POLLS = 1 << 13, PROBE_POLLS_CPU = 1 << 26, PROBE_GROUPS = 64 /* for each compute unit of a GPU */ };

/* The work-groups of a probe. A CPU holds one for each compute unit, so a probe seeks no more there
 * and may wait long for them; a GPU is offered more than it can hold. */
struct probe {
    uint32_t group_size;
    size_t local_bytes;
};

static enum status no_group(const struct backend_device *device, struct error *error)
{
    return error_set(error, STATUS_DEVICE_FAILED, "%s ran no work-group of the probe", device->name);
}

/* Lets the device count the work-groups that it runs at once. */
static enum status probe_resident(struct job_play *running, const struct probe *probe, struct error *error)
{
    const struct backend_device *device = &running->session->device;
    struct draw draw;
    double seconds;
    draw_probe(&running->kernels[0], device->gpu ? PROBE_GROUPS * device->compute_units : device->compute_units,
               device->gpu ? UINT32_MAX : device->compute_units, probe->group_size,
               device->gpu ? PROBE_POLLS : PROBE_POLLS_CPU, &draw);
    if (draw.local_bytes > device->local_bytes)
        draw.local_bytes = device->local_bytes;
    const enum status status =
        job_play_launch(running, &draw, STEP_PROBE, 0, true, running->kernels[0].counter_words, &seconds, error);
    draw_release(&draw);
    running->limits.resident_groups = running->counters[COUNTER_PROBE_JOINED];
    return status == STATUS_OK && running->limits.resident_groups == 0 ? no_group(device, error) : status;
}

/* How many work-groups a member, or the device, holds at once according to the driver, in any
 * clusters that may be drawn; 0 if the driver cannot say. One number for all cluster sizes, so that
 * a draw can be repeated from it. */
static uint32_t ask_resident(struct job_play *running, unsigned member, const struct probe *probe)
{
    const struct job_session *session = running->session;
    const struct environment *environment = &running->job->environment;
    const uint32_t own = running->kernels[0].cluster_groups;
    const uint32_t asked = environment_highest(environment, PARAMETER_cluster_groups);
    const uint32_t largest = asked < running->limits.max_cluster_groups ? asked : running->limits.max_cluster_groups;
    const bool draws =
        own == 1 && running->agents < 2 && environment_highest(environment, PARAMETER_cluster_chance) > 0;
    uint32_t least = session->backend->resident(session->session, running->program, member, probe->group_size, own,
                                                probe->local_bytes);
    for (uint32_t size = 2; draws && size <= largest; size++) {
        const uint32_t resident = session->backend->resident(session->session, running->program, member,
                                                             probe->group_size, size, probe->local_bytes);
        if (resident < least)
            least = resident;
    }
    return least;
}

/* Finds the number for a single device. */
static enum status find_device(struct job_play *running, const struct probe *probe, struct error *error)
{
    struct job_session *session = running->session;
    running->limits.resident_groups = session->resident_groups[0];
    if (running->limits.resident_groups == 0)
        running->limits.resident_groups = ask_resident(running, 0, probe);
    if (running->limits.resident_groups == 0)
        TRY(probe_resident(running, probe, error));
    /* A busy machine may start a CPU's second thread too late for a probe, which should find all
     * compute units. */
    for (int again = 0; again < 2 && !session->device.gpu && session->resident_groups[0] == 0 &&
                        running->limits.resident_groups < session->device.compute_units;
         again++) {
        const uint32_t found = running->limits.resident_groups;
        TRY(probe_resident(running, probe, error));
        if (running->limits.resident_groups < found)
            running->limits.resident_groups = found;
    }
    if (!session->device.gpu)
        session->resident_groups[0] = running->limits.resident_groups;
    if (running->job->extent.resident_groups > 0 &&
        running->limits.resident_groups > running->job->extent.resident_groups)
        running->limits.resident_groups = running->job->extent.resident_groups;
    running->resident_groups = running->limits.resident_groups;
    return STATUS_OK;
}

/* ---- ensembles ---- */

/* The processors of an ensemble share the machine's compute units. */
static uint32_t units_of_processor(const struct backend_device *ensemble, const struct backend_device *member)
{
    uint32_t processors = 0;
    for (unsigned k = 0; k < ensemble->member_count; k++)
        processors += !ensemble->members[k].gpu;
    return member->compute_units > processors ? member->compute_units / processors : 1;
}

/* Probes the members whose drivers cannot say, all at the same time. */
static enum status probe_members(struct job_play *running, const struct probe *probe, struct error *error)
{
    const struct backend_device *device = &running->session->device;
    const size_t words = running->kernels[0].counter_words;
    uint32_t groups[BACKEND_MAXIMUM_MEMBERS] = {0}, sought[BACKEND_MAXIMUM_MEMBERS] = {0};
    struct draw draw;
    double seconds;
    bool processors = false;
    for (unsigned k = 0; k < device->member_count; k++) {
        const struct backend_device *member = &device->members[k];
        const bool asked = running->limits.member_groups[k] == 0;
        processors |= asked && !member->gpu;
        groups[k] = !asked        ? 1
                    : member->gpu ? PROBE_GROUPS * member->compute_units
                                  : units_of_processor(device, member);
        sought[k] = !asked ? 1 : member->gpu ? UINT32_MAX : groups[k];
    }
    draw_probe_members(&running->kernels[0], groups, sought, probe->group_size,
                       processors ? PROBE_POLLS_CPU : PROBE_POLLS, &draw);
    const enum status status = job_play_launch(running, &draw, STEP_PROBE, 0, true, words, &seconds, error);
    draw_release(&draw);
    for (unsigned k = 0; k < device->member_count && status == STATUS_OK; k++) {
        const uint32_t joined = running->counters[k * words + COUNTER_PROBE_JOINED];
        if (running->limits.member_groups[k] > 0)
            continue;
        if (joined == 0)
            return no_group(&device->members[k], error);
        running->limits.member_groups[k] = joined;
    }
    return status;
}

/* All GPUs of an ensemble take as many groups as the GPU that holds fewest, so that one number
 * gives the sizes of a draw: a control, for which the GPUs may hold other numbers, gets its test's.
 * Each processor keeps its own number, the same for every kernel. */
static void even_members(struct job_play *running)
{
    const struct backend_device *device = &running->session->device;
    uint32_t *groups = running->limits.member_groups, least = UINT32_MAX, most = 0;
    for (unsigned k = 0; k < device->member_count; k++) {
        if (device->members[k].gpu && groups[k] < least)
            least = groups[k];
        if (groups[k] > most)
            most = groups[k];
    }
    if (running->job->extent.resident_groups > 0 && least > running->job->extent.resident_groups)
        least = running->job->extent.resident_groups;
    for (unsigned k = 0; k < device->member_count; k++)
        if (device->members[k].gpu)
            groups[k] = least;
    running->resident_groups = device->gpu ? least : most;
}

static enum status find_members(struct job_play *running, const struct probe *probe, struct error *error)
{
    struct job_session *session = running->session;
    const struct backend_device *device = &session->device;
    uint32_t *found = running->limits.member_groups;
    bool all = true;
    for (unsigned k = 0; k < device->member_count; k++) {
        found[k] = session->resident_groups[k];
        if (found[k] == 0)
            found[k] = ask_resident(running, k, probe);
        all &= found[k] > 0;
    }
    if (!all)
        TRY(probe_members(running, probe, error));
    for (unsigned k = 0; k < device->member_count; k++)
        if (!device->members[k].gpu)
            session->resident_groups[k] = found[k];
    even_members(running);
    return STATUS_OK;
}

enum status job_play_find_resident(struct job_play *running, struct error *error)
{
    const struct job_session *session = running->session;
    const struct environment *environment = &running->job->environment;
    const struct kernel *kernel = &running->kernels[0];
    const uint32_t drawn = environment_highest(environment, PARAMETER_group_size);
    const uint32_t group_size = drawn < running->limits.max_group_size ? drawn : running->limits.max_group_size;
    uint32_t stride = environment_highest(environment, PARAMETER_local_stride);
    while (stride > 1 && 4 * kernel_local_words(kernel, group_size, stride) > session->device.local_bytes)
        stride--; /* as in a draw */
    const bool copies = running->limits.copies && environment_highest(environment, PARAMETER_stress_copy_chance) > 0;
    size_t local_bytes = draw_local_bytes(kernel, group_size, stride,
                                          copies ? environment_highest(environment, PARAMETER_stress_copy_bytes) : 0);
    if (local_bytes > session->device.local_bytes)
        local_bytes = session->device.local_bytes;
    const struct probe probe = {group_size, local_bytes};
    return running->agents > 1 ? find_members(running, &probe, error) : find_device(running, &probe, error);
}
