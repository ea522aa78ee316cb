// SPDX-License-Identifier: Apache-2.0
/* Reads the definition of an ensemble. */
#include "backends/ensemble/definition.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "backends/opencl/opencl.h"
#include "backends/simulated/simulated.h"

/* A process has one ensemble, as it has one set of drivers. The table of backends offers no other
 * place to keep it. */
static struct ensemble_definition defined;
static struct backend_device member_devices[BACKEND_MAXIMUM_MEMBERS];

static const char host_word[] = "host";

/* "opencl:0+host: 'opencl:0' is named twice; ...". word, if not NULL, is the wrong member. */
static enum status refuse(const char *spec, const char *word, const char *what, struct error *error)
{
    return error_set(error, STATUS_USAGE,
                     "%.128s: %s%.64s%s%s; expected 2 to %d devices by number, joined by '+', like cuda:0+cuda:1, or "
                     "cuda:0+host with the host last",
                     spec, word ? "'" : "", word ? word : "", word ? "' " : "", what, BACKEND_MAXIMUM_MEMBERS);
}

/* The backend that a member's word names before its ':', or NULL. */
static const struct backend *backend_of(const char *word)
{
    char name[16];
    const size_t length = strcspn(word, ":+");
    if (length >= sizeof name)
        return NULL;
    memcpy(name, word, length);
    name[length] = '\0';
    return backend_find(name);
}

/* "cuda:0", with a number of at most nine digits. */
static bool read_device(const char *word, struct ensemble_part *part)
{
    const char *digits = strchr(word, ':') ? strchr(word, ':') + 1 : "";
    const size_t count = strspn(digits, "0123456789");
    *part = (struct ensemble_part){.backend = backend_of(word), .index = (unsigned)strtoul(digits, NULL, 10)};
    return part->backend && part->backend != &ensemble_backend && count > 0 && count < 10 && digits[count] == '\0';
}

/* A simulated device plays the host if all members before it are simulated. */
static const struct backend *host_backend(const struct ensemble_definition *before)
{
    bool simulated = before->count > 0;
    for (size_t i = 0; i < before->count; i++)
        simulated &= before->parts[i].backend == &simulated_backend;
    return simulated ? &simulated_backend : &opencl_backend;
}

static bool is_member_already(const struct ensemble_definition *definition, const struct ensemble_part *part)
{
    for (size_t i = 0; i < definition->count; i++)
        if (!part->host && definition->parts[i].backend == part->backend && definition->parts[i].index == part->index)
            return true;
    return false;
}

static enum status add_part(const char *spec, const char *word, struct ensemble_definition *definition,
                            struct error *error)
{
    struct ensemble_part part = {.host = strcasecmp(word, host_word) == 0};
    if (definition->count == BACKEND_MAXIMUM_MEMBERS)
        return refuse(spec, NULL, "too many devices", error);
    if (part.host)
        part.backend = host_backend(definition);
    else if (!read_device(word, &part))
        return refuse(spec, word, "does not name one device", error);
    if (definition->count > 0 && definition->parts[definition->count - 1].host)
        return refuse(spec, NULL, "the host must be last", error);
    if (is_member_already(definition, &part))
        return refuse(spec, word, "is named twice", error);
    definition->parts[definition->count++] = part;
    return STATUS_OK;
}

enum status ensemble_parse(const char *spec, struct ensemble_definition *definition, struct error *error)
{
    enum status status = STATUS_OK;
    *definition = (struct ensemble_definition){0};
    for (const char *at = spec; at && status == STATUS_OK; at = strchr(at, '+') ? strchr(at, '+') + 1 : NULL) {
        struct text word = {0};
        text_add_bytes(&word, at, strcspn(at, "+"));
        status = add_part(spec, text_string(&word), definition, error);
        text_release(&word);
    }
    return status == STATUS_OK && definition->count < 2 ? refuse(spec, NULL, "only one device", error) : status;
}

bool ensemble_is_address(const char *spec)
{
    return spec && strchr(spec, '+') && (backend_of(spec) || strncasecmp(spec, "host+", sizeof host_word) == 0);
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
