// SPDX-License-Identifier: Apache-2.0
/* Selecting devices by a SPEC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "backends/ensemble/ensemble.h"
#include "base/memory.h"
#include "runner/supervise/devices.h"

/* "cuda", "cuda:0", "cuda:all" or "cuda:H200". */
struct address {
    const struct backend *backend;
    bool indexed, all;
    unsigned index;
    const char *part; /* of a device's name; in the SPEC */
};

static bool read_address(const char *spec, struct address *address)
{
    char name[16];
    const size_t length = spec ? strcspn(spec, ":") : sizeof name;
    *address = (struct address){0};
    if (length >= sizeof name)
        return false;
    (void)snprintf(name, sizeof name, "%.*s", (int)length, spec);
    address->backend = backend_find(name);
    if (!address->backend || spec[length] == '\0')
        return address->backend != NULL;
    address->all = strcasecmp(spec + length + 1, "all") == 0;
    if (address->all)
        return true;
    const char *digits = spec + length + 1;
    const size_t count = strspn(digits, "0123456789");
    address->indexed = count > 0 && count < 10 && digits[count] == '\0';
    if (address->indexed)
        address->index = (unsigned)strtoul(digits, NULL, 10);
    else
        address->part = digits;
    return *digits != '\0';
}

bool devices_shared(const char *spec)
{
    struct address address;
    return spec && (strcasecmp(spec, "all") == 0 || (read_address(spec, &address) && address.all));
}

bool devices_next_spec(const char **rest, char spec[256])
{
    enum { SIZE = 256 };
    if (!*rest)
        return false;
    const size_t length = strcspn(*rest, ",");
    (void)snprintf(spec, SIZE, "%.*s", (int)length, *rest);
    *rest = (*rest)[length] == ',' ? *rest + length + 1 : NULL;
    return length < SIZE;
}

const char *devices_backend(const char *spec)
{
    struct address address;
    char one[256];
    const char *name = NULL;
    for (const char *rest = spec; devices_next_spec(&rest, one); name = address.backend->name)
        if (!read_address(one, &address) || (name && name != address.backend->name))
            return NULL;
    return name;
}

/* The first device of a backend, or of all devices that need not be named. */
static const struct backend_device *first_device(const struct device_list *list, const struct backend *backend)
{
    const struct backend_device *first = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct backend_device *device = &list->devices[i];
        const struct backend *its = backend_find(device->backend);
        if (!its || (backend ? its != backend : !backend_offered(its)))
            continue;
        if (device->gpu)
            return device;
        if (!first)
            first = device;
    }
    return first;
}

bool devices_is_default(const struct device_list *list, const struct backend_device *device)
{
    return first_device(list, NULL) == device;
}

void devices_add_findings(const struct device_list *list, struct text *text)
{
    for (size_t i = 0; i < list->finding_count; i++)
        if (list->findings[i].status != STATUS_OK)
            text_add(text, "%s%s: %s", text->size > 0 ? "\n" : "", list->findings[i].backend->title,
                     list->findings[i].text);
}

/* Whether a SPEC selects a device: by its backend and index or name (address, NULL for none), or by a part of its name. */
static bool means(const char *spec, const struct address *address, const struct backend_device *device)
{
    if (address)
        return strcmp(device->backend, address->backend->name) == 0 &&
               (address->all || (address->indexed && device->index == address->index) ||
                (address->part && strcasestr(device->name, address->part)));
    return devices_shared(spec) || (spec[0] != '\0' && strcasestr(device->name, spec));
}

/* Adds the devices that a SPEC selects, or all. */
static void add_devices(const struct device_list *list, const char *spec, struct text *text)
{
    struct address address;
    const bool by_address = spec && read_address(spec, &address);
    bool first = true;
    for (size_t i = 0; i < list->count; i++) {
        const struct backend_device *device = &list->devices[i];
        if (spec && !means(spec, by_address ? &address : NULL, device))
            continue;
        text_add(text, "%s%s (%s)", first ? "" : ", ", device_address(device).text, device->name);
        first = false;
    }
}

void devices_add_names(const struct device_list *list, struct text *text)
{
    if (list->count == 0)
        text_add(text, "none");
    add_devices(list, NULL, text);
}

/* The error for a missing device, with the available devices and the reasons of backends without
 * any. */
static enum status no_device(const struct device_list *list, const char *spec, struct error *error)
{
    struct text text = {0}, findings = {0};
    if (spec && list->count > 0) {
        text_add(&text, "no device matches '%s'; available: ", spec);
        add_devices(list, NULL, &text);
    } else {
        text_add(&text, "no device was found");
        if (spec)
            text_add(&text, " for '%s'", spec);
        text_add(&text, "; 'orchil doctor' says what is missing");
    }
    devices_add_findings(list, &findings);
    const enum status status = error_set(error, STATUS_NO_DEVICE, "%s", text_string(&text));
    if (findings.size > 0)
        error_set_detail(error, text_string(&findings));
    text_release(&text);
    text_release(&findings);
    return status;
}

static enum status several_devices(const struct device_list *list, const char *spec, struct error *error)
{
    struct text text = {0};
    text_add(&text, "several devices match '%s': ", spec);
    add_devices(list, spec, &text);
    text_add(&text, "; give the number of one, a list with commas, or 'all'");
    const enum status status = error_set(error, STATUS_USAGE, "%s", text_string(&text));
    text_release(&text);
    return status;
}

static void add_once(const struct backend_device *device, const struct backend_device **chosen, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (chosen[i] == device)
            return;
    chosen[(*count)++] = device;
}

/* The error for a missing ensemble. */
static enum status no_ensemble(const struct device_list *list, const char *address, struct error *error)
{
    for (size_t i = 0; i < list->finding_count; i++)
        if (strcmp(list->findings[i].ensemble.text, address) == 0 && list->findings[i].status != STATUS_OK)
            return error_set(error, STATUS_NO_DEVICE, "--device %s: %s", address, list->findings[i].text);
    return error_set(error, STATUS_NO_DEVICE, "--device %s: not found", address);
}

static enum status choose_ensemble(const struct device_list *list, const char *spec,
                                   const struct backend_device **chosen, size_t *count, struct error *error)
{
    struct device_address address;
    TRY(device_address_read(spec, &address, error));
    for (size_t i = 0; i < list->count; i++)
        if (list->devices[i].member_count > 0 && strcmp(device_address(&list->devices[i]).text, address.text) == 0) {
            add_once(&list->devices[i], chosen, count);
            return STATUS_OK;
        }
    return no_ensemble(list, address.text, error);
}

/* Adds the devices of one SPEC to chosen, which has room for all devices. */
static enum status choose(const struct device_list *list, const char *spec, const struct backend_device **chosen,
                          size_t *count, struct error *error)
{
    struct address address;
    size_t found = 0;
    if (ensemble_is_address(spec))
        return choose_ensemble(list, spec, chosen, count, error);
    const bool by_address = read_address(spec, &address);
    if (!spec || (by_address && !address.indexed && !address.all && !address.part)) {
        const struct backend_device *device = first_device(list, address.backend);
        if (device)
            add_once(device, chosen, count);
        return device ? STATUS_OK : no_device(list, spec, error);
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct backend_device *device = &list->devices[i];
        if (!means(spec, by_address ? &address : NULL, device))
            continue;
        add_once(device, chosen, count);
        found++;
    }
    if (found > 1 && !devices_shared(spec))
        return several_devices(list, spec, error);
    return found > 0 ? STATUS_OK : no_device(list, spec, error);
}

static bool names_a_device(const struct device_list *list, const char *part)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcasestr(list->devices[i].name, part))
            return true;
    return false;
}

static enum status choose_all(const struct device_list *list, const char *spec, const struct backend_device **chosen,
                              size_t *count, struct error *error)
{
    char one[256];
    if (!spec || !strchr(spec, ',') || names_a_device(list, spec))
        return choose(list, spec, chosen, count, error);
    for (const char *rest = spec; rest;) {
        if (!devices_next_spec(&rest, one))
            return no_device(list, spec, error);
        if (devices_shared(one))
            return error_set(error, STATUS_USAGE,
                             "--device %s: '%s' cannot be part of a list: equal devices share the tests then, but each "
                             "device of a list runs all of them",
                             spec, one);
        TRY(choose(list, one, chosen, count, error));
    }
    return STATUS_OK;
}

enum status devices_select(const struct device_list *list, const char *spec, const struct backend_device ***chosen,
                           size_t *count, struct error *error)
{
    *count = 0;
    *chosen = memory_take(list->count, sizeof **chosen);
    const enum status status = choose_all(list, spec, *chosen, count, error);
    if (status != STATUS_OK) {
        free(*chosen);
        *chosen = NULL;
        *count = 0;
    }
    return status;
}
