// SPDX-License-Identifier: Apache-2.0
/* Finding the devices that are the members of an ensemble. */
#include <stdlib.h>

#include "backends/ensemble/definition.h"
#include "backends/ensemble/session.h"

/* Devices of one backend, listed once however many members it has. */
struct listed {
    const struct backend *backend;
    struct backend_device *devices;
    size_t count;
};

static enum status list_once(struct listed lists[], const struct backend *backend, const struct listed **found,
                             struct error *error)
{
    struct listed *at = lists;
    while (at->backend && at->backend != backend)
        at++;
    *found = at;
    if (at->backend)
        return STATUS_OK;
    TRY(backend->list(&at->devices, &at->count, error));
    at->backend = backend;
    return STATUS_OK;
}

static const struct backend_device *find_host(const struct listed *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (!list->devices[i].gpu && list->devices[i].takes & BACKEND_TAKES_C11)
            return &list->devices[i];
    return NULL;
}

static enum status find_member(const struct ensemble_part *part, const struct listed *list, struct member *member,
                               struct error *error)
{
    const struct backend_device *device = part->host                  ? find_host(list)
                                          : part->index < list->count ? &list->devices[part->index]
                                                                      : NULL;
    if (!device && part->host)
        return error_set(error, STATUS_NO_DEVICE,
                         "%s has no device that can play the host: expected a CPU with C11 atomics, for example from "
                         "the package pocl-opencl-icd (PoCL)",
                         part->backend->title);
    if (!device)
        return error_set(error, STATUS_NO_DEVICE, "there is no %s:%u: %s has %zu device(s)", part->backend->name,
                         part->index, part->backend->title, list->count);
    if (!device->takes)
        return error_set(error, STATUS_UNSUPPORTED, "%s:%u (%s) takes no kernels", part->backend->name, device->index,
                         device->name);
    member->backend = part->backend;
    member->host = part->host;
    member->device = *device;
    return STATUS_OK;
}

enum status ensemble_find_members(struct ensemble_session *session, struct error *error)
{
    const struct ensemble_definition *definition = ensemble_defined();
    struct listed lists[BACKEND_MAXIMUM_MEMBERS + 1] = {{0}};
    enum status status = STATUS_OK;
    if (definition->count == 0)
        return error_set(error, STATUS_NO_DEVICE, "no ensemble is defined");
    for (size_t i = 0; status == STATUS_OK && i < definition->count; i++) {
        const struct ensemble_part *part = &definition->parts[i];
        const struct listed *list;
        session->members[i].number = (unsigned)i;
        status = list_once(lists, part->backend, &list, error);
        if (status == STATUS_OK)
            status = find_member(part, list, &session->members[i], error);
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i].devices);
    if (status == STATUS_OK)
        session->count = definition->count;
    return status;
}
