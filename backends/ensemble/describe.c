// SPDX-License-Identifier: Apache-2.0
/* Describes an ensemble as one device by what its members have in common. */
#include <stdio.h>
#include <string.h>

#include "backends/driver.h"
#include "backends/ensemble/definition.h"
#include "backends/ensemble/program.h"
#include "backends/steps.h"

/* Texts of devices to be joined, each value once. */
static const struct {
    size_t offset, size;
    bool repeated;
} joined_texts[] = {
#define JOINED(member, repeated)                                                                                       \
    {                                                                                                                  \
        offsetof(struct backend_device, member), sizeof((struct backend_device *)0)->member, repeated                  \
    }
    JOINED(name, true),      JOINED(vendor, false),   JOINED(driver, false),
    JOINED(platform, false), JOINED(compiler, false), JOINED(architecture, false),
#undef JOINED
};

static bool has_part(const struct text *text, const char *part)
{
    const size_t length = strlen(part);
    const char *all = text_string(text);
    for (const char *at = strstr(all, part); at && length > 0; at = strstr(at + 1, part))
        if ((at == all || (at - all >= 3 && memcmp(at - 3, " + ", 3) == 0)) &&
            (at[length] == '\0' || strncmp(at + length, " + ", 3) == 0))
            return true;
    return length == 0;
}

static void join_texts(const struct ensemble_session *session, struct backend_device *device)
{
    for (size_t i = 0; i < sizeof joined_texts / sizeof *joined_texts; i++) {
        struct text text = {0};
        for (size_t k = 0; k < session->count; k++) {
            const char *part = (const char *)&session->members[k].device + joined_texts[i].offset;
            if (joined_texts[i].repeated || !has_part(&text, part))
                text_add(&text, "%s%s", text.size > 0 ? " + " : "", part);
        }
        driver_copy((char *)device + joined_texts[i].offset, joined_texts[i].size, text_string(&text));
        text_release(&text);
    }
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static uint64_t least_bytes(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Paths to a buffer that its backend created itself; shared memory has none of them. */
enum { OWN_BUFFER_PATHS = BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE | BACKEND_PATH_SURFACE | BACKEND_PATH_CONSTANT };

/* The member that plays the host's threads has its own language; the runner asks that member about
 * it. */
static void meet_abilities(const struct backend_device *member, struct backend_device *device)
{
    device->takes &= member->takes;
    device->atomic_orders &= member->atomic_orders;
    device->atomic_scopes &= member->atomic_scopes;
    device->fence_orders &= member->fence_orders;
    device->fence_scopes &= member->fence_scopes;
    device->types &= member->types;
    device->paths &= member->paths & ~(unsigned)OWN_BUFFER_PATHS;
    device->sub_group_size = device->sub_group_size == member->sub_group_size ? member->sub_group_size : 0;
}

static void meet_limits(const struct backend_device *member, struct backend_device *device)
{
    device->gpu |= member->gpu;
    device->compute_units += member->compute_units;
    device->max_group_size = least(device->max_group_size, member->max_group_size);
    device->memory_bytes = least_bytes(device->memory_bytes, member->memory_bytes);
    device->local_bytes = least_bytes(device->local_bytes, member->local_bytes);
    device->l2_bytes = least_bytes(device->l2_bytes, member->l2_bytes);
}

/* Kernels of members on the same processor share its threads: PoCL has one thread pool for all of
 * its devices, and a thread finishes a work-group before it starts another. */
static bool is_same_processor(const struct backend_device *a, const struct backend_device *b)
{
    return strcmp(a->backend, "opencl") == 0 && strcmp(b->backend, "opencl") == 0 && !a->gpu && !b->gpu &&
           strcmp(a->platform, b->platform) == 0;
}

/* Threads left for drivers, which busy-wait for GPUs: one per GPU, as long as every member still
 * gets one. */
static unsigned busy_units(const struct ensemble_session *session, const struct backend_device *device,
                           unsigned sharers)
{
    unsigned gpus = 0;
    for (size_t i = 0; i < session->count; i++)
        gpus += session->members[i].device.gpu;
    return !device->gpu && device->compute_units >= gpus + sharers ? gpus : 0;
}

/* Gives each member its share of the processor. False, with the reason, if there are fewer threads
 * than members. */
static bool share_processor(struct ensemble_session *session, struct error *error)
{
    unsigned shares[BACKEND_MAXIMUM_MEMBERS];
    for (size_t i = 0; i < session->count; i++) {
        const struct backend_device *device = &session->members[i].device;
        unsigned sharers = 0;
        for (size_t k = 0; k < session->count; k++)
            sharers += i == k || is_same_processor(device, &session->members[k].device);
        shares[i] = (device->compute_units - busy_units(session, device, sharers)) / sharers;
        if (shares[i] == 0) {
            (void)error_set(error, STATUS_UNSUPPORTED,
                            "%u members are the same CPU and share %u thread(s), so they cannot run at the same time; "
                            "set POCL_MAX_PTHREAD_COUNT=%u (POCL_CPU_MAX_CU_COUNT from PoCL 5 on)",
                            sharers, device->compute_units, sharers);
            return false;
        }
    }
    for (size_t i = 0; i < session->count; i++)
        session->members[i].device.compute_units = shares[i];
    return true;
}

static void name_home(const struct ensemble_session *session, unsigned home, struct text *text)
{
    if (home == session->count)
        text_add(text, "host");
    else
        text_add(text, "%s:%u", session->members[home].backend->name, session->members[home].device.index);
}

/* Appends how everyone except the owner reaches a region, each way once: "peer access, native
 * atomics". Returns whether all have atomics there. */
static bool describe_links(struct ensemble_session *session, const struct region *region, struct text *text)
{
    bool atomic = true;
    for (unsigned i = 0; i < session->count; i++) {
        struct text description = {0};
        if (i != region->home)
            atomic &= region_describe_link(session, region, i, &description);
        if (!has_part(text, text_string(&description)))
            text_add(text, "%s%s", text->size > 0 ? " + " : "", text_string(&description));
        text_release(&description);
    }
    return atomic;
}

/* "cuda:0, cuda:1: peer access, native atomics; host: pinned memory": homes that are reached in the
 * same ways are listed together; then follows why others are not homes. */
static void join_links(const struct ensemble_session *session, const struct text *descriptions, unsigned homes,
                       const struct text *refusals, struct backend_device *device)
{
    struct text links = {0};
    unsigned left = homes;
    for (unsigned home = 0; home <= session->count; home++) {
        bool first = true;
        for (unsigned other = home; other <= session->count; other++) {
            if (!(left >> home & 1) || !(left >> other & 1) ||
                strcmp(text_string(&descriptions[home]), text_string(&descriptions[other])) != 0)
                continue;
            text_add(&links, "%s", !first ? ", " : links.size > 0 ? "; " : "");
            name_home(session, other, &links);
            first = false;
            if (other != home)
                left &= ~(1u << other);
        }
        if (!first)
            text_add(&links, ": %s", text_string(&descriptions[home]));
    }
    text_add(&links, "%s", text_string(refusals));
    driver_copy(device->links, sizeof device->links, text_string(&links));
    text_release(&links);
}

static void add_refusal(const struct ensemble_session *session, unsigned home, const struct error *error,
                        struct text *refusals)
{
    text_add(refusals, "; not ");
    name_home(session, home, refusals);
    text_add(refusals, ": %s", error->text);
}

/* Tries every home with a little memory. A member that plays the host reaches only the host's
 * memory, so the fact that it does not reach a GPU's is not reported. */
static void find_homes(struct ensemble_session *session, struct backend_device *device, struct error *error)
{
    struct text descriptions[BACKEND_MAXIMUM_MEMBERS + 1] = {{0}}, refusals = {0};
    const bool reports_refusals = !session->members[session->count - 1].host;
    for (unsigned home = 0; home <= session->count; home++) {
        struct region region = {.home = home};
        if (home < session->count && session->members[home].host)
            continue;
        if (region_grow(session, &region, 1, error) != STATUS_OK) {
            if (reports_refusals)
                add_refusal(session, home, error, &refusals);
            continue;
        }
        device->homes |= 1u << home;
        if (describe_links(session, &region, &descriptions[home]))
            device->atomic_homes |= 1u << home;
        region_release(session, &region);
    }
    if (device->homes != 0)
        join_links(session, descriptions, device->homes, &refusals, device);
    text_release(&refusals);
    for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++)
        text_release(&descriptions[i]);
}

static void copy_members(struct ensemble_session *session, struct backend_device *device)
{
    struct backend_device *devices = ensemble_member_devices();
    for (size_t i = 0; i < session->count; i++) {
        session->members[i].device.edges &= ~(unsigned)STEPS_MOVES_MEMORY; /* because memory is shared */
        devices[i] = session->members[i].device;
    }
    device->members = devices;
    device->member_count = (unsigned)session->count;
    device->host = session->members[session->count - 1].host;
}

void ensemble_describe(struct ensemble_session *session)
{
    struct backend_device *device = &session->device;
    struct error error = {0};
    *device = session->members[0].device;
    *device = (struct backend_device){
        .backend = "ensemble",
        .takes = device->takes,
        .atomic_orders = device->atomic_orders,
        .atomic_scopes = device->atomic_scopes,
        .fence_orders = device->fence_orders,
        .fence_scopes = device->fence_scopes,
        .types = device->types,
        .paths = device->paths,
        .sub_group_size = device->sub_group_size,
        .max_group_size = device->max_group_size,
        .memory_bytes = device->memory_bytes,
        .local_bytes = device->local_bytes,
        .l2_bytes = device->l2_bytes,
    };
    join_texts(session, device);
    if (share_processor(session, &error))
        find_homes(session, device, &error);
    for (size_t i = 0; i < session->count; i++) {
        if (!session->members[i].host)
            meet_abilities(&session->members[i].device, device);
        meet_limits(&session->members[i].device, device);
    }
    device->edges = device->homes != 0 ? ensemble_edges(session) : 0;
    copy_members(session, device);
    session->meeting_home = device->homes & 1 ? 0 : (unsigned)session->count;
    if (device->homes != 0)
        return;
    device->takes = 0;
    driver_copy(device->links, sizeof device->links, error.text);
}
