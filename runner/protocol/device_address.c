// SPDX-License-Identifier: Apache-2.0
/* Addresses of devices and of ensembles. */
#include "runner/protocol/device_address.h"

#include <stdio.h>

#include "backends/ensemble/ensemble.h"

/* Appends a member after `used` bytes; returns how many bytes it takes. */
static size_t add_member(struct device_address *address, size_t used, const char *backend, unsigned index, bool host)
{
    char *end = address->text + used;
    const size_t room = sizeof address->text - used;
    const char *plus = used > 0 ? "+" : "";
    const int length =
        host ? snprintf(end, room, "%shost", plus) : snprintf(end, room, "%s%s:%u", plus, backend, index);
    return (size_t)length < room ? (size_t)length : room - 1;
}

struct device_address device_address(const struct backend_device *device)
{
    struct device_address address = {""};
    size_t used = 0;
    if (device->member_count == 0)
        (void)add_member(&address, 0, device->backend, device->index, false);
    for (unsigned k = 0; k < device->member_count; k++)
        used += add_member(&address, used, device->members[k].backend, device->members[k].index,
                           device->host && k == device->member_count - 1);
    return address;
}

struct device_address device_worker_argument(const struct backend_device *device)
{
    struct device_address argument = device_address(device);
    if (device->member_count == 0)
        (void)snprintf(argument.text, sizeof argument.text, "%u", device->index);
    return argument;
}

enum status device_address_read(const char *spec, struct device_address *address, struct error *error)
{
    struct ensemble_definition definition;
    struct error own = {0};
    size_t used = 0;
    const enum status status = ensemble_parse(spec, &definition, &own);
    if (status != STATUS_OK)
        return error_set(error, status, "--device %s", own.text);
    *address = (struct device_address){""};
    for (size_t i = 0; i < definition.count; i++)
        used += add_member(address, used, definition.parts[i].backend->name, definition.parts[i].index,
                           definition.parts[i].host);
    return STATUS_OK;
}
