// SPDX-License-Identifier: Apache-2.0
/* Addresses of devices and of ensembles. */
#include "runner/supervise/device_address.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char host_word[] = "host";

struct device_address device_address(const struct backend_device *device)
{
    struct device_address address = {""};
    size_t length = 0;
    if (device->member_count == 0)
        (void)snprintf(address.text, sizeof address.text, "%s:%u", device->backend, device->index);
    for (unsigned k = 0; k < device->member_count && length < sizeof address.text; k++) {
        const struct backend_device *member = &device->members[k];
        char *end = address.text + length;
        const size_t room = sizeof address.text - length;
        const bool host = device->host && k == device->member_count - 1;
        length += (size_t)(host ? snprintf(end, room, "%s%s", k > 0 ? "+" : "", host_word)
                                : snprintf(end, room, "%s%s:%u", k > 0 ? "+" : "", member->backend, member->index));
    }
    return address;
}

/* The backend that a member's SPEC of length bytes names before its ':', or NULL. */
static const struct backend *backend_of(const char *spec, size_t length)
{
    char name[16];
    const char *colon = memchr(spec, ':', length);
    const size_t size = colon ? (size_t)(colon - spec) : length;
    if (size >= sizeof name)
        return NULL;
    (void)snprintf(name, sizeof name, "%.*s", (int)size, spec);
    return backend_find(name);
}

static bool is_host(const char *spec, size_t length)
{
    return length == sizeof host_word - 1 && strncasecmp(spec, host_word, length) == 0;
}

bool device_address_joins(const char *spec)
{
    const char *plus = spec ? strchr(spec, '+') : NULL;
    return plus && (backend_of(spec, (size_t)(plus - spec)) || is_host(spec, (size_t)(plus - spec)));
}

/* Writes one member as device_address does; false where it names no device by number. */
static bool read_member(const char *spec, size_t length, struct device_address *member)
{
    const struct backend *backend = backend_of(spec, length);
    unsigned index;
    int read = 0;
    if (is_host(spec, length)) {
        (void)snprintf(member->text, sizeof member->text, "%s", host_word);
        return true;
    }
    const char *colon = memchr(spec, ':', length);
    if (!backend || !colon || colon[1] < '0' || colon[1] > '9' || sscanf(colon + 1, "%9u%n", &index, &read) != 1 ||
        colon + 1 + read != spec + length)
        return false;
    (void)snprintf(member->text, sizeof member->text, "%s:%u", backend->name, index);
    return true;
}

static enum status refuse(const char *spec, const char *what, struct error *error)
{
    return error_set(
        error, STATUS_USAGE,
        "--device %.128s: %s; expected 2 to %d devices by number, with '+' between them, like cuda:0+cuda:1, "
        "or cuda:0+host, the host last",
        spec, what, BACKEND_MAXIMUM_MEMBERS);
}

enum status device_address_read(const char *spec, struct device_address *address, struct error *error)
{
    struct device_address members[BACKEND_MAXIMUM_MEMBERS];
    char what[64 + DEVICE_ADDRESS_SIZE];
    size_t count = 0, used = 0;
    for (const char *rest = spec; rest; count++) {
        const size_t length = strcspn(rest, "+");
        if (count == BACKEND_MAXIMUM_MEMBERS)
            return refuse(spec, "these are too many", error);
        if (!read_member(rest, length, &members[count])) {
            (void)snprintf(what, sizeof what, "'%.*s' is not one device", length < 64 ? (int)length : 64, rest);
            return refuse(spec, what, error);
        }
        rest = rest[length] == '+' ? rest + length + 1 : NULL;
        if (rest && strcmp(members[count].text, host_word) == 0)
            return refuse(spec, "the host is not last", error);
        for (size_t i = 0; i < count; i++)
            if (strcmp(members[i].text, members[count].text) == 0) {
                (void)snprintf(what, sizeof what, "%.64s is there twice", members[i].text);
                return refuse(spec, what, error);
            }
    }
    if (count < 2)
        return refuse(spec, "this is one device", error);
    address->text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(address->text + used, sizeof address->text - used, "%s%s", i > 0 ? "+" : "",
                                 members[i].text);
    return STATUS_OK;
}
