// SPDX-License-Identifier: Apache-2.0
/* Finding the devices of an earlier run among the present ones. */
#include "runner/run/resumed_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The memory that a driver reports may vary with the memory that other processes and the kernel
 * use, as with PoCL. No draw depends on it, and a launch reports too little memory. */
static bool is_memory_alike(uint64_t then, uint64_t now)
{
    const uint64_t difference = then > now ? then - now : now - then;
    return difference <= then / 8;
}

static bool are_again(const struct backend_device *then, const struct backend_device *now, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (!device_is_resumed(&then[k], &now[k]))
            return false;
    return true;
}

bool device_is_resumed(const struct backend_device *then, const struct backend_device *now)
{
    struct backend_device alike = *now;
    if (then->member_count == now->member_count && are_again(then->members, now->members, then->member_count))
        alike.members = then->members;
    if (is_memory_alike(then->memory_bytes, now->memory_bytes))
        alike.memory_bytes = then->memory_bytes;
    return device_is_equal(then, &alike);
}

/* A device's description as one object, without its place in the list, which changes as other
 * devices come and go. */
static json_t *describe_device(const struct backend_device *device)
{
    json_t *json = device_to_json(device);
    (void)json_object_update(json, json_object_get(json, "capabilities"));
    (void)json_object_del(json, "capabilities");
    (void)json_object_del(json, "index");
    (void)json_object_del(json, "members"); /* compared one by one */
    return json;
}

/* Adds the difference: "its driver was '1.0' and is '2.0'". whose: "its", or "member 1's". */
static void add_own_difference(const struct backend_device *then, const struct backend_device *now, const char *whose,
                               struct text *text)
{
    json_t *first = describe_device(then), *second = describe_device(now);
    const char *key;
    json_t *value;
    if (is_memory_alike(then->memory_bytes, now->memory_bytes))
        (void)json_object_del(first, "memory_bytes");
    json_object_foreach(first, key, value)
    {
        const json_t *other = json_object_get(second, key);
        if (json_equal(value, (json_t *)(uintptr_t)other))
            continue;
        char *was = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        char *is = other ? json_dumps(other, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
        text_add(text, "%s%s %s was %s and is now %s", text->size > 0 ? ", " : "", whose, key, was, is ? is : "?");
        free(was);
        free(is);
    }
    json_decref(first);
    json_decref(second);
}

static void add_difference(const struct backend_device *then, const struct backend_device *now, struct text *text)
{
    add_own_difference(then, now, "its", text);
    for (unsigned k = 0; k < then->member_count && k < now->member_count; k++) {
        char whose[24];
        (void)snprintf(whose, sizeof whose, "member %u's", k);
        add_own_difference(&then->members[k], &now->members[k], whose, text);
    }
}

enum status device_changed(const struct device_list *list, const struct backend_device *then, int64_t run_id,
                           struct error *error)
{
    struct text difference = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < list->count && difference.size == 0; i++) {
        const struct backend_device *now = &list->devices[i];
        const bool known = then->uuid[0] ? strcmp(then->uuid, now->uuid) == 0 : strcmp(then->name, now->name) == 0;
        if (known && strcmp(then->backend, now->backend) == 0)
            add_difference(then, now, &difference);
    }
    if (difference.size > 0)
        status = error_set(error, STATUS_NO_DEVICE,
                           "cannot resume run %" PRId64 ": %s %s has changed: %s; restore it, or start a new run",
                           run_id, device_address(then).text, then->name, text_string(&difference));
    else
        status = error_set(
            error, STATUS_NO_DEVICE, "cannot resume run %" PRId64 ": its device %s %s (driver %s%s%s) is not available",
            run_id, device_address(then).text, then->name, then->driver, then->uuid[0] ? ", UUID " : "", then->uuid);
    text_release(&difference);
    return status;
}

const struct backend_device *device_find_resumed(const struct device_list *list, const struct run_plan *plan,
                                                 const struct backend_device *then)
{
    const struct backend_device *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct backend_device *now = &list->devices[i];
        bool taken = false;
        for (size_t d = 0; d < plan->device_count; d++)
            taken |= plan->devices[d].device == now;
        if (!taken && device_is_resumed(then, now) && (!found || now->index == then->index))
            found = now;
    }
    return found;
}
