// SPDX-License-Identifier: Apache-2.0
/* Whether a device has the agents that a test needs. */
#include "kernel/agents.h"

/* Appends the value of --device that selects what the test needs: this device and those that follow
 * it, and the host. */
static void name_devices(const struct backend_device *device, const struct litmus_agents *agents, struct text *text)
{
    const struct backend_device *first = device->member_count > 0 ? &device->members[0] : device;
    const unsigned devices = agents->count - agents->host;
    for (unsigned i = 0; i < devices; i++)
        text_add(text, "%s%s:%u", i > 0 ? "+" : "", first->backend, first->index + i);
    if (agents->host)
        text_add(text, "%shost", devices > 0 ? "+" : "");
}

/* UNSUPPORTED if only some threads are placed on a device: the others would be on one more. */
static enum status refuse_unplaced(const struct litmus_test *test, struct error *error)
{
    const struct litmus_thread *placed = NULL, *unplaced = NULL;
    const bool opencl = test->dialect == LITMUS_OPENCL;
    for (size_t i = 0; i < test->body_count; i++) {
        const struct litmus_thread *thread = &test->threads[i];
        if (!thread->placement.host && thread->placement.device != LITMUS_NONE && !placed)
            placed = thread;
        if (!thread->placement.host && thread->placement.device == LITMUS_NONE && !unplaced)
            unplaced = thread;
    }
    if (!placed || !unplaced)
        return STATUS_OK;
    const int group = unplaced->placement.work_group;
    return error_set(
        error, STATUS_UNSUPPORTED, "P%u is placed on no device, but P%u is: write, for example, P%u@%s %u, %s %d",
        unplaced->first, placed->first, unplaced->first, opencl ? "wg" : "cta",
        group == LITMUS_NONE ? unplaced->first : (unsigned)group, opencl ? "dev" : "gpu", placed->placement.device);
}

enum status agents_refuse(const struct litmus_test *test, const struct backend_device *device,
                          const struct litmus_agents *agents, struct error *error)
{
    TRY(refuse_unplaced(test, error));
    const unsigned devices = agents->count - agents->host;
    struct text names = {0};
    name_devices(device, agents, &names);
    const enum status status =
        error_set(error, STATUS_UNSUPPORTED, "the test needs %u device%s%s: --device %s", devices,
                  devices == 1 ? "" : "s", agents->host ? " and the host" : " at once", text_string(&names));
    text_release(&names);
    return status;
}

enum status agents_check(const struct litmus_test *test, const struct backend_device *device,
                         struct litmus_agents *agents, struct error *error)
{
    struct error why = {0};
    if (litmus_find_agents(test, agents, &why) != STATUS_OK)
        return error_set(error, STATUS_UNSUPPORTED, "%s", why.text);
    if (agents->count == 1 && device->member_count > 0)
        return error_set(error, STATUS_UNSUPPORTED, "the test names one device: run it with --device %s:%u",
                         device->members[0].backend, device->members[0].index);
    if (agents->count == 1 && agents->host && device->gpu)
        return error_set(error, STATUS_UNSUPPORTED, "all threads of the test belong to the host, but %s is a GPU",
                         device->name);
    if (agents->count > 1 && (agents->count != device->member_count || agents->host != device->host))
        return agents_refuse(test, device, agents, error);
    return STATUS_OK;
}

enum status agents_check_atomics(const struct backend_device *ensemble, const struct kernel *kernel,
                                 struct error *error)
{
    for (unsigned l = 0; l < kernel->locations; l++)
        if (ensemble->atomic_homes == 0 && kernel->atomic_locations && kernel->atomic_locations[l])
            return error_set(
                error, STATUS_UNSUPPORTED,
                "%s needs read-modify-writes that are atomic between devices, and the links of %s lack them (%s)",
                kernel->location_names[l], ensemble->name, ensemble->links);
    return STATUS_OK;
}

enum status agents_check_layout(const struct backend_device *ensemble, const struct kernel *first,
                                const struct kernel *other, struct error *error)
{
    bool same = first->width == other->width && first->cell_words == other->cell_words &&
                first->local_cells == other->local_cells && first->result_words == other->result_words &&
                first->counter_words == other->counter_words;
    for (unsigned body = 0; body < first->bodies; body++)
        same &= first->sub_group_of[body] == other->sub_group_of[body];
    if (same)
        return STATUS_OK;
    const struct backend_device *a = &ensemble->members[first->agent], *b = &ensemble->members[other->agent];
    return error_set(error, STATUS_UNSUPPORTED,
                     "the test places threads in sub-groups, which have %u items on %s and %u on %s: devices can play "
                     "a test together only if both lay it out the same way",
                     a->sub_group_size, a->name, b->sub_group_size, b->name);
}
