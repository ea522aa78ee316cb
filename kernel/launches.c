// SPDX-License-Identifier: Apache-2.0
/* Tests of several launches: which slots each plays, and what the kernel knows about the others. */
#include "kernel/launches.h"

bool kernel_has_launches(const struct kernel *kernel)
{
    return kernel->launches.count > 1;
}

unsigned kernel_beside(const struct kernel *kernel, unsigned launch)
{
    unsigned beside = 0;
    for (unsigned other = 0; other < kernel->launches.count; other++)
        if (other != launch && !litmus_launch_precedes(&kernel->launches, other, launch) &&
            !litmus_launch_precedes(&kernel->launches, launch, other))
            beside |= 1U << other;
    return beside;
}

unsigned kernel_beside_count(const struct kernel *kernel)
{
    unsigned count = 0;
    for (unsigned launch = 0; launch < kernel->launches.count; launch++)
        count += kernel_beside(kernel, launch) != 0;
    return count;
}

bool kernel_counts_overlap(const struct kernel *kernel)
{
    for (unsigned launch = 0; launch < kernel->launches.count; launch++)
        if (kernel->contends[launch])
            return true;
    return false;
}

unsigned kernel_slots_at_once(const struct kernel *kernel)
{
    unsigned slots[LITMUS_MAXIMUM_LAUNCHES] = {0}, most = 0;
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        if (++slots[kernel->launch_of_slot[slot]] > most)
            most = slots[kernel->launch_of_slot[slot]];
    return most;
}

/* The device with the edges between launches of two agents: the member if both are the same, else
 * the device. */
static const struct backend_device *device_between(const struct backend_device *device, unsigned a, unsigned b)
{
    return a == b && device->member_count > 0 ? &device->members[a] : device;
}

static enum status check_edge(const struct backend_device *device, enum launch_edge edge, struct error *error)
{
    if (device->edges >> edge & 1U)
        return STATUS_OK;
    return edge == LAUNCH_EDGE_BESIDE
               ? error_set(error, STATUS_UNSUPPORTED, "%s cannot run launches at the same time", device->name)
               : error_set(error, STATUS_UNSUPPORTED, "%s cannot order launches by %s", device->name,
                           launch_edge_word(edge));
}

enum status launches_check(const struct litmus_test *test, const struct backend_device *device, struct error *error)
{
    struct kernel kernel = {0};
    struct error why;
    const struct litmus_launch *launches = kernel.launches.launches;
    if (litmus_find_launches(test, &kernel.launches, &why) != STATUS_OK)
        return error_set(error, STATUS_UNSUPPORTED, "%s", why.text);
    for (unsigned b = 0; b < kernel.launches.count; b++)
        for (unsigned a = 0; a < b; a++) {
            const struct backend_device *of = device_between(device, launches[a].agent, launches[b].agent);
            if (launches[b].after >> a & 1)
                TRY(check_edge(of, launches[b].edges[a], error));
            if (kernel_beside(&kernel, b) >> a & 1)
                TRY(check_edge(of, LAUNCH_EDGE_BESIDE, error));
        }
    return STATUS_OK;
}

static unsigned find_contending(const struct litmus_test *test, const struct kernel *kernel, unsigned launch)
{
    const struct litmus_launch *launches = kernel->launches.launches;
    unsigned contending = 0;
    for (unsigned other = 0; other < kernel->launches.count; other++)
        if (launches[launch].agent == launches[other].agent && (kernel_beside(kernel, launch) >> other & 1) &&
            litmus_launches_conflict(test, &kernel->launches, launch, other))
            contending |= 1U << other;
    return contending;
}

enum status launches_place(struct allocation *allocation, struct error *error)
{
    struct kernel *kernel = allocation->kernel;
    TRY(litmus_find_launches(allocation->test, &kernel->launches, error));
    for (unsigned body = 0; body < allocation->test->body_count; body++)
        kernel->launch_of_slot[kernel->slot_of[body]] = kernel->launches.of_body[body];
    for (unsigned launch = 0; launch < kernel->launches.count; launch++)
        kernel->contends[launch] = find_contending(allocation->test, kernel, launch);
    return STATUS_OK;
}

/* "#define NAME(launch) ((launch) == 0u ? 0u : 1u)": a number for each launch. */
static void write_table(const char *name, const char *of, const unsigned *numbers, unsigned count, struct text *text)
{
    text_add(text, "#define %s(%s) (", name, of);
    for (unsigned i = 0; i + 1 < count; i++)
        text_add(text, "(%s) == %uu ? %uu : ", of, i, numbers[i]);
    text_add(text, "%uu)\n", numbers[count - 1]);
}

void launches_write(const struct kernel *kernel, struct text *text)
{
    const struct litmus_launches *launches = &kernel->launches;
    unsigned of_slot[KERNEL_MAXIMUM_SLOTS] = {0}, after[LITMUS_MAXIMUM_LAUNCHES] = {0};
    unsigned slots = 0, own = 0;
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        if (kernel->agent_of_slot[slot] == kernel->agent)
            of_slot[slots++] = kernel->launch_of_slot[slot];
    for (unsigned launch = 0; launch < launches->count; launch++)
        own |= launches->launches[launch].agent == kernel->agent ? 1U << launch : 0;
    for (unsigned launch = 0; launch < launches->count; launch++) {
        for (unsigned other = 0; other < launch; other++)
            after[launch] |= litmus_launch_precedes(launches, other, launch) ? 1U << other : 0;
        after[launch] &= own; /* this agent does not see the counts of another agent's launches */
    }
    text_add(text, "#define LAUNCHES %uu\n", launches->count);
    write_table("LAUNCH_OF", "slot", of_slot, slots, text);
    write_table("AFTER_OF", "launch", after, launches->count, text);
    write_table("CONTENDS_OF", "launch", kernel->contends, launches->count, text);
}

bool kernel_starts_at_ticks(const struct kernel *kernel)
{
    return kernel->slots > 1 && kernel->agents < 2 && !kernel_has_launches(kernel);
}

bool kernel_takes_paths(const struct kernel *kernel)
{
    return kernel->paths & (BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE | BACKEND_PATH_SURFACE | BACKEND_PATH_CONSTANT |
                            BACKEND_PATH_READ_ONLY);
}
