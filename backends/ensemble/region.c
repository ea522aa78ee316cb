// SPDX-License-Identifier: Apache-2.0
/* Memory that all members of an ensemble reach. */
#include "backends/ensemble/session.h"

#include <string.h>

#include "backends/host_memory.h"

static enum status share_work(struct member *member, void *argument, struct error *error)
{
    struct region *region = argument;
    if (!member->backend->share)
        return error_set(error, STATUS_UNSUPPORTED, "%s devices cannot share memory with other devices",
                         member->backend->title);
    TRY(member->backend->share(member->session, region->words * sizeof(uint32_t), &region->shared, error));
    region->addresses[member->number] = region->shared.address;
    return STATUS_OK;
}

static enum status reach_work(struct member *member, void *argument, struct error *error)
{
    struct region *region = argument;
    if (!member->backend->reach)
        return error_set(error, STATUS_UNSUPPORTED, "%s devices cannot reach memory of other devices",
                         member->backend->title);
    return member->backend->reach(member->session, &region->shared, &region->addresses[member->number], error);
}

static enum status forget_work(struct member *member, void *argument, struct error *error)
{
    const struct region *region = argument;
    (void)error;
    member->backend->forget(member->session, &region->shared);
    return STATUS_OK;
}

static enum status make_home(struct ensemble_session *session, struct region *region, struct error *error)
{
    const size_t bytes = region->words * sizeof(uint32_t);
    if (region->home < session->count) {
        TRY(member_do(&session->members[region->home], share_work, region, error));
        region->reached |= 1u << region->home;
        return STATUS_OK;
    }
    region->shared = (struct backend_shared){.host = host_memory_take(bytes), .bytes = bytes};
    return region->shared.host ? STATUS_OK
                               : error_set(error, STATUS_SYSTEM, "the host has no memory left for %zu bytes", bytes);
}

static enum status make_region(struct ensemble_session *session, struct region *region, struct error *error)
{
    TRY(make_home(session, region, error));
    for (unsigned i = 0; i < session->count; i++) {
        if (i == region->home)
            continue;
        TRY(member_do(&session->members[i], reach_work, region, error));
        region->reached |= 1u << i;
    }
    return STATUS_OK;
}

/* The owner forgets last. */
void region_release(struct ensemble_session *session, struct region *region)
{
    for (unsigned i = 0; i < session->count; i++)
        if (i != region->home && (region->reached >> i & 1))
            (void)member_do(&session->members[i], forget_work, region, NULL);
    if (region->home < session->count && (region->reached >> region->home & 1))
        (void)member_do(&session->members[region->home], forget_work, region, NULL);
    if (region->home == session->count)
        host_memory_release(region->shared.host, region->shared.bytes);
    *region = (struct region){.home = region->home};
}

enum status region_grow(struct ensemble_session *session, struct region *region, size_t words, struct error *error)
{
    if (words <= region->words)
        return STATUS_OK;
    region_release(session, region);
    region->words = words;
    const enum status status = make_region(session, region, error);
    if (status != STATUS_OK)
        region_release(session, region);
    return status;
}

struct zeroing {
    uint64_t address;
    size_t words;
};

static enum status zero_work(struct member *member, void *argument, struct error *error)
{
    const struct zeroing *zeroing = argument;
    return member->backend->zero_shared(member->session, zeroing->address, zeroing->words, error);
}

enum status region_zero(struct ensemble_session *session, struct region *region, size_t words, struct error *error)
{
    struct zeroing zeroing = {.words = words};
    if (words == 0)
        return STATUS_OK;
    if (region->shared.host) {
        memset(region->shared.host, 0, words * sizeof(uint32_t));
        return STATUS_OK;
    }
    zeroing.address = region->shared.address;
    return member_do(&session->members[region->home], zero_work, &zeroing, error);
}

struct description {
    const struct region *region;
    struct text *text;
    bool atomic;
};

static enum status describe_work(struct member *member, void *argument, struct error *error)
{
    struct description *description = argument;
    (void)error;
    description->atomic =
        member->backend->describe_link(member->session, &description->region->shared, description->text);
    return STATUS_OK;
}

bool region_describe_link(struct ensemble_session *session, const struct region *region, unsigned member,
                          struct text *text)
{
    struct description description = {.region = region, .text = text};
    (void)member_do(&session->members[member], describe_work, &description, NULL);
    return description.atomic;
}
