// SPDX-License-Identifier: Apache-2.0
/* A device: its address, its capabilities in words, and its JSON and back. */
#include "runner/protocol/device.h"

#include "backends/ensemble/ensemble.h"
#include "base/field.h"

/* ---- addresses ---- */

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

/* ---- JSON ---- */

/* The members of struct backend_device, by name and kind. X(name) */
#define TEXTS(X) X(name) X(vendor) X(driver) X(platform) X(compiler) X(uuid) X(architecture)
#define WORD_LISTS(X)                                                                                                  \
    X(atomic_orders, backend_orders_words)                                                                             \
    X(atomic_scopes, backend_scopes_words)                                                                             \
    X(fence_orders, backend_orders_words)                                                                              \
    X(fence_scopes, backend_scopes_words)                                                                              \
    X(types, backend_types_words)                                                                                      \
    X(paths, backend_paths_words)                                                                                      \
    X(edges, backend_edges_words)
#define NUMBERS(X) X(compute_units) X(max_group_size) X(sub_group_size) X(max_cluster_groups)
#define LONG_NUMBERS(X) X(memory_bytes) X(local_bytes)

/* Homes are numbered: the members, then the host. */
static const char host_word[] = "host";

/* ---- to JSON ---- */

/* Kinds for the words of a bit mask. */
#define WORDS_KIND(kind)                                                                                               \
    static const char *kind##_word(size_t number)                                                                      \
    {                                                                                                                  \
        return backend_##kind##_words[number];                                                                         \
    }                                                                                                                  \
    static const struct field_type field_##kind##_type = {.shape = FIELD_IS_ARRAY, .word = kind##_word};               \
    static json_t *field_##kind(unsigned bits)                                                                         \
    {                                                                                                                  \
        json_t *list = json_array();                                                                                   \
        for (size_t i = 0; backend_##kind##_words[i]; i++)                                                             \
            if (bits >> i & 1)                                                                                         \
                json_append(list, json_string(backend_##kind##_words[i]));                                             \
        return list;                                                                                                   \
    }
WORDS_KIND(takes)
WORDS_KIND(orders)
WORDS_KIND(scopes)
WORDS_KIND(types)
WORDS_KIND(paths)
WORDS_KIND(edges)

#define CAPABILITY_MEMBERS(X)                                                                                          \
    X("atomic_orders", orders, "the memory orders that the device declares", device->atomic_orders)                    \
    X("atomic_scopes", scopes, "the memory scopes that the device declares", device->atomic_scopes)                    \
    X("fence_orders", orders, "the memory orders that the device declares", device->fence_orders)                      \
    X("fence_scopes", scopes, "the memory scopes that the device declares", device->fence_scopes)                      \
    X("types", types, "the types that the device supports", device->types)                                             \
    X("paths", paths, "the paths to memory that the device supports", device->paths)                                   \
    X("edges", edges, "the ways in which launches can be ordered", device->edges)                                      \
    X("compute_units", count, "the number of compute units; 0 if unknown", device->compute_units)                      \
    X("max_group_size", count, "the largest number of threads in a work-group", device->max_group_size)                \
    X("sub_group_size", count, "the number of threads in a sub-group", device->sub_group_size)                         \
    X("max_cluster_groups", count, "the largest number of work-groups in a cluster", device->max_cluster_groups)       \
    X("memory_bytes", count, "the size of the device memory", device->memory_bytes)                                    \
    X("local_bytes", count, "the size of the local memory of a work-group", device->local_bytes)                       \
    X("l2_bytes?", count_if, "the size of the L2 cache", device->l2_bytes > 0, device->l2_bytes)                       \
    X("shared_clock", true_or_absent, "present if kernels can read a clock that all work-groups share",                \
      device->shared_clock)                                                                                            \
    X("clock_grain?", count_if, "the largest error of this clock in nanoseconds, according to the driver",             \
      device->clock_grain > 0, device->clock_grain)
FIELD_RECORD(capabilities, CAPABILITY_MEMBERS, const struct backend_device *device)

static const struct field_type field_homes_type = {.shape = FIELD_IS_ARRAY, .of = &field_text_type};
static json_t *field_homes(const struct backend_device *device, unsigned homes)
{
    json_t *list = json_array();
    for (unsigned k = 0; k < device->member_count; k++)
        if (homes >> k & 1)
            json_append(list, json_sprintf("%u", k));
    if (homes >> device->member_count & 1)
        json_append(list, json_string(host_word));
    return list;
}

FIELD_LIST(joined_devices, described_device, (const struct backend_device *device), device->member_count,
           &device->members[i])

/* A text that is empty if it is not known. */
#define TEXT_MEMBER(X, member) X(#member, text, "empty if unknown", device->member)
#define DEVICE_MEMBERS(X)                                                                                              \
    X("backend", backend, NULL, device->backend)                                                                       \
    X("index", count, "the number of the device within its backend", device->index)                                    \
    TEXT_MEMBER(X, name)                                                                                               \
    TEXT_MEMBER(X, vendor)                                                                                             \
    TEXT_MEMBER(X, driver)                                                                                             \
    TEXT_MEMBER(X, platform)                                                                                           \
    TEXT_MEMBER(X, compiler)                                                                                           \
    TEXT_MEMBER(X, uuid)                                                                                               \
    TEXT_MEMBER(X, architecture)                                                                                       \
    X("gpu", boolean, "whether the device is a GPU", device->gpu)                                                      \
    X("takes", takes, "the lowerings that the device can run; empty if none", device->takes)                           \
    X("capabilities", capabilities, "what the device declares", device)

/* What only an ensemble has. */
#define ENSEMBLE_MEMBERS(X)                                                                                            \
    X("members?", joined_devices, "the devices that a plus sign joins", device)                                        \
    X("host?", boolean, "whether host threads take part", device->host)                                                \
    X("homes?", homes, "where memory can be: device numbers, and `host`", device, device->homes)                       \
    X("atomic_homes?", homes, "where atomic locations can be: device numbers, and `host`", device,                     \
      device->atomic_homes)                                                                                            \
    X("links?", text, "how the devices are connected", device->links)

static const struct field device_fields[] = {DEVICE_MEMBERS(FIELD_ROW) ENSEMBLE_MEMBERS(FIELD_ROW){0}};
const struct field_type field_described_device_type = {.shape = FIELD_IS_OBJECT | FIELD_IS_BASE,
                                                       .name = "described_device",
                                                       .meaning = "a device of this machine",
                                                       .fields = device_fields};

json_t *field_described_device(const struct backend_device *device)
{
    json_t *object = json_object();
    DEVICE_MEMBERS(FIELD_SET)
    if (device->member_count > 0) {
        ENSEMBLE_MEMBERS(FIELD_SET)
    }
    return object;
}

static bool members_are_equal(const struct backend_device *a, const struct backend_device *b)
{
    bool equal = a->member_count == b->member_count && a->host == b->host && a->homes == b->homes &&
                 a->atomic_homes == b->atomic_homes && strcmp(a->links, b->links) == 0;
    for (unsigned k = 0; equal && k < a->member_count; k++)
        equal = device_is_equal(&a->members[k], &b->members[k]);
    return equal;
}

bool device_is_equal(const struct backend_device *a, const struct backend_device *b)
{
#define SAME_TEXT(member) &&strcmp(a->member, b->member) == 0
#define SAME_WORDS(member, words) SAME_NUMBER(member)
#define SAME_NUMBER(member) &&a->member == b->member
    return a->gpu == b->gpu && a->shared_clock == b->shared_clock && a->clock_grain == b->clock_grain &&
           a->takes == b->takes SAME_TEXT(backend) TEXTS(SAME_TEXT) WORD_LISTS(SAME_WORDS) NUMBERS(SAME_NUMBER)
                           LONG_NUMBERS(SAME_NUMBER) &&
           members_are_equal(a, b);
}

/* ---- from JSON ---- */

static enum status device_refuse(struct error *error, const char *member, const char *expected)
{
    return error_set(error, STATUS_INTERNAL, "the description of a device is damaged: expected %s as its '%s'",
                     expected, member);
}

static enum status device_read_text(const json_t *json, const char *member, char *to, size_t size, struct error *error)
{
    const json_t *value = json_object_get(json, member);
    if (!json_is_string(value) || json_string_length(value) >= size)
        return device_refuse(error, member, "a short text");
    (void)snprintf(to, size, "%s", json_string_value(value));
    return STATUS_OK;
}

static enum status device_read_number(const json_t *json, const char *member, uint64_t most, uint64_t *number,
                                      struct error *error)
{
    const json_t *value = json_object_get(json, member);
    if (!json_is_integer(value) || json_integer_value(value) < 0 || (uint64_t)json_integer_value(value) > most)
        return device_refuse(error, member, "a whole number");
    *number = (uint64_t)json_integer_value(value);
    return STATUS_OK;
}

static enum status device_read_words(const json_t *json, const char *member, const char *const *words, unsigned *bits,
                                     struct error *error)
{
    const json_t *list = json_object_get(json, member);
    *bits = 0;
    if (!json_is_array(list))
        return device_refuse(error, member, "a list of words");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *found = json_string_value(json_array_get(list, i));
        unsigned bit = 0;
        while (found && words[bit] && strcmp(words[bit], found) != 0)
            bit++;
        if (!found || !words[bit])
            return device_refuse(error, member, "only known words");
        *bits |= 1u << bit;
    }
    return STATUS_OK;
}

/* The number of a home by its word; for an unknown word, the number after the host's. */
static unsigned read_home(const char *word, unsigned members)
{
    unsigned k = 0;
    char number[12];
    if (word && strcmp(word, host_word) == 0)
        return members;
    for (; word && k < members; k++) {
        (void)snprintf(number, sizeof number, "%u", k);
        if (strcmp(word, number) == 0)
            return k;
    }
    return members + 1;
}

static enum status device_read_homes(const json_t *json, const char *name, unsigned members, unsigned *homes,
                                     struct error *error)
{
    const json_t *list = json_object_get(json, name);
    *homes = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const unsigned home = read_home(json_string_value(json_array_get(list, i)), members);
        if (home > members)
            return device_refuse(error, name, "numbers of members and 'host'");
        *homes |= 1U << home;
    }
    return STATUS_OK;
}

static enum status read_description(const json_t *json, struct backend_device *device, struct error *error);

/* A member is a single device. */
static enum status device_read_members(const json_t *list, struct backend_device *device, struct error *error)
{
    const size_t count = json_array_size(list);
    if (count < 2 || count > BACKEND_MAXIMUM_MEMBERS)
        return device_refuse(error, "members", "a list of several devices");
    struct backend_device *members = memory_take(count, sizeof *members);
    device->members = members;
    for (size_t k = 0; k < count; k++)
        TRY(read_description(json_array_get(list, k), &members[k], error));
    device->member_count = (unsigned)count;
    return STATUS_OK;
}

static enum status read_ensemble(const json_t *json, struct backend_device *device, struct error *error)
{
    const json_t *host = json_object_get(json, "host");
    TRY(device_read_members(json_object_get(json, "members"), device, error));
    if (!json_is_boolean(host))
        return device_refuse(error, "host", "true or false");
    device->host = json_is_true(host);
    TRY(device_read_homes(json, "homes", device->member_count, &device->homes, error));
    TRY(device_read_homes(json, "atomic_homes", device->member_count, &device->atomic_homes, error));
    if ((device->homes == 0 && device->takes != 0) || device->atomic_homes & ~device->homes)
        return device_refuse(error, "homes", "at least one place if it takes tests, and every place of atomic_homes");
    return device_read_text(json, "links", device->links, sizeof device->links, error);
}

enum status device_from_json(const json_t *json, struct backend_device *device, struct error *error)
{
    enum status status = read_description(json, device, error);
    if (status == STATUS_OK && json_object_get(json, "members"))
        status = read_ensemble(json, device, error);
    if (status != STATUS_OK)
        device_release(device);
    return status;
}

void device_release(struct backend_device *device)
{
    free((void *)(uintptr_t)device->members);
    device->members = NULL;
    device->member_count = 0;
}

/* Reads all except what only an ensemble has. */
static enum status read_description(const json_t *json, struct backend_device *device, struct error *error)
{
    const json_t *capabilities = json_object_get(json, "capabilities");
    uint64_t number;
    *device = (struct backend_device){0};
#define GET_TEXT(member) TRY(device_read_text(json, #member, device->member, sizeof device->member, error));
#define GET_WORDS(member, words) TRY(device_read_words(capabilities, #member, words, &device->member, error));
#define GET_NUMBER(member)                                                                                             \
    TRY(device_read_number(capabilities, #member, UINT32_MAX, &number, error));                                        \
    device->member = (unsigned)number;
#define GET_LONG_NUMBER(member) TRY(device_read_number(capabilities, #member, INT64_MAX, &device->member, error));
    GET_TEXT(backend)
    TEXTS(GET_TEXT)
    TRY(device_read_number(json, "index", UINT32_MAX, &number, error));
    device->index = (unsigned)number;
    if (!json_is_boolean(json_object_get(json, "gpu")))
        return device_refuse(error, "gpu", "true or false");
    device->gpu = json_is_true(json_object_get(json, "gpu"));
    TRY(device_read_words(json, "takes", backend_takes_words, &device->takes, error));
    WORD_LISTS(GET_WORDS)
    NUMBERS(GET_NUMBER)
    LONG_NUMBERS(GET_LONG_NUMBER)
    if (json_object_get(capabilities, "l2_bytes")) /* some drivers lack it */
        TRY(device_read_number(capabilities, "l2_bytes", INT64_MAX, &device->l2_bytes, error));
    const json_t *clock = json_object_get(capabilities, "shared_clock");
    if (clock && !json_is_true(clock))
        return device_refuse(error, "shared_clock", "true");
    device->shared_clock = clock != NULL;
    if (json_object_get(capabilities, "clock_grain")) {
        TRY(device_read_number(capabilities, "clock_grain", UINT32_MAX, &number, error));
        device->clock_grain = (uint32_t)number;
    }
    return STATUS_OK;
}
