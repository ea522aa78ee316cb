// SPDX-License-Identifier: Apache-2.0
/* Reading which members an ensemble has. */
#include "backends/ensemble/definition.h"

#include <stdlib.h>
#include <string.h>

#include "backends/ensemble/ensemble.h"
#include "backends/opencl/opencl.h"
#include "backends/simulated/simulated.h"

/* A process has one ensemble, as it has one set of drivers: the table of backends has no other place for it. */
static struct ensemble_definition defined;
static struct backend_device member_devices[BACKEND_MAXIMUM_MEMBERS];

static enum status refuse(const char *spec, const char *reason, struct error *error)
{
    return error_set(error, STATUS_USAGE,
                     "'%s' is no ensemble: %s; expected 2 to %d members, as in cuda:0+cuda:1 or cuda:0+host", spec,
                     reason, BACKEND_MAXIMUM_MEMBERS);
}

static bool is_member_already(const struct ensemble_definition *definition, const struct ensemble_part *part)
{
    for (size_t i = 0; i < definition->count; i++)
        if (definition->parts[i].backend == part->backend && definition->parts[i].index == part->index)
            return true;
    return false;
}

/* "cuda:0". */
static enum status read_device(const char *spec, const char *word, struct ensemble_definition *definition,
                               struct error *error)
{
    char name[16], *end;
    const char *colon = strchr(word, ':');
    const size_t length = colon ? (size_t)(colon - word) : 0;
    if (!colon || length >= sizeof name || colon[1] < '0' || colon[1] > '9')
        return refuse(spec, "a member is BACKEND:NUMBER or host", error);
    memcpy(name, word, length);
    name[length] = '\0';
    const unsigned long index = strtoul(colon + 1, &end, 10);
    struct ensemble_part part = {.backend = backend_find(name), .index = (unsigned)index};
    if (*end != '\0' || index > UINT16_MAX)
        return refuse(spec, "a member's number is not one", error);
    if (!part.backend || part.backend == &ensemble_backend)
        return refuse(spec, "a member's backend is none", error);
    if (is_member_already(definition, &part))
        return refuse(spec, "a device is named twice", error);
    definition->parts[definition->count++] = part;
    return STATUS_OK;
}

static enum status add_part(const char *spec, const char *word, struct ensemble_definition *definition,
                            struct error *error)
{
    if (definition->count == BACKEND_MAXIMUM_MEMBERS)
        return refuse(spec, "it has too many members", error);
    if (definition->count > 0 && definition->parts[definition->count - 1].host)
        return refuse(spec, "host is the last member", error);
    if (strcmp(word, "host") != 0)
        return read_device(spec, word, definition, error);
    bool simulated = definition->count > 0;
    for (size_t i = 0; i < definition->count; i++)
        simulated &= definition->parts[i].backend == &simulated_backend;
    definition->parts[definition->count++] =
        (struct ensemble_part){.backend = simulated ? &simulated_backend : &opencl_backend, .host = true};
    return STATUS_OK;
}

enum status ensemble_parse(const char *spec, struct ensemble_definition *definition, struct error *error)
{
    *definition = (struct ensemble_definition){0};
    for (const char *at = spec;; at++) {
        char word[32];
        const size_t length = strcspn(at, "+");
        if (length >= sizeof word)
            return refuse(spec, "a member's name is too long", error);
        memcpy(word, at, length);
        word[length] = '\0';
        TRY(add_part(spec, word, definition, error));
        at += length;
        if (*at == '\0')
            break;
    }
    return definition->count < 2 ? refuse(spec, "it has one member", error) : STATUS_OK;
}

enum status ensemble_define(const char *spec, struct error *error)
{
    struct ensemble_definition definition;
    TRY(ensemble_parse(spec, &definition, error));
    defined = definition;
    return STATUS_OK;
}

bool ensemble_is_defined(void)
{
    return defined.count > 0;
}

const struct ensemble_definition *ensemble_defined(void)
{
    return &defined;
}

struct backend_device *ensemble_member_devices(void)
{
    return member_devices;
}
