// SPDX-License-Identifier: Apache-2.0
/* The ensemble of this process: its definition, its members, and its description as one device by what they have in
 * common. */
#include "backends/driver.h"
#include "backends/ensemble/ensemble.h"
#include "backends/ensemble/session.h"
#include "backends/steps.h"

/* ---- the definition ---- */

/* A process has one ensemble, as it has one set of drivers. The table of backends offers no other place to keep it. */
static struct ensemble_definition defined;
static struct backend_device member_devices[BACKEND_MAXIMUM_MEMBERS]; /* as last described; they outlive every list */

static const char host_word[] = "host";

/* "opencl:0+host: 'opencl:0' is named twice; ...". word, if not NULL, is the wrong member. */
static enum status describe_refuse(const char *spec, const char *word, const char *what, struct error *error)
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
static bool describe_read_device(const char *word, struct ensemble_part *part)
{
    const char *digits = strchr(word, ':') ? strchr(word, ':') + 1 : "";
    const size_t count = strspn(digits, "0123456789");
    *part = (struct ensemble_part){.backend = backend_of(word), .index = (unsigned)strtoul(digits, NULL, 10)};
    return part->backend && part->backend != &ensemble_backend && count > 0 && count < 10 && digits[count] == '\0';
}

/* A simulated device plays the host if all members before it are simulated. */
static const struct backend *host_backend(const struct ensemble_definition *before)
{
    const bool simulated =
        before->count > 0 && !ANY_OF(part, before->parts, before->count, part->backend != &simulated_backend);
    return simulated ? &simulated_backend : &opencl_backend;
}

static enum status describe_add_part(const char *spec, const char *word, struct ensemble_definition *definition,
                                     struct error *error)
{
    struct ensemble_part part = {.host = strcasecmp(word, host_word) == 0};
    if (definition->count == BACKEND_MAXIMUM_MEMBERS)
        return describe_refuse(spec, NULL, "too many devices", error);
    if (part.host)
        part.backend = host_backend(definition);
    else if (!describe_read_device(word, &part))
        return describe_refuse(spec, word, "does not name one device", error);
    if (definition->count > 0 && definition->parts[definition->count - 1].host)
        return describe_refuse(spec, NULL, "the host must be last", error);
    if (ANY_OF(one, definition->parts, definition->count,
               !part.host && one->backend == part.backend && one->index == part.index))
        return describe_refuse(spec, word, "is named twice", error);
    definition->parts[definition->count++] = part;
    return STATUS_OK;
}

enum status ensemble_parse(const char *spec, struct ensemble_definition *definition, struct error *error)
{
    enum status status = STATUS_OK;
    *definition = (struct ensemble_definition){0};
    for (const char *at = spec; at && status == STATUS_OK; at = strchr(at, '+') ? strchr(at, '+') + 1 : NULL) {
        LOCAL(text) word = {0};
        text_add_bytes(&word, at, strcspn(at, "+"));
        status = describe_add_part(spec, text_string(&word), definition, error);
    }
    return status == STATUS_OK && definition->count < 2 ? describe_refuse(spec, NULL, "only one device", error)
                                                        : status;
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

/* ---- the members ---- */

/* Devices of one backend, listed once however many members it has. */
struct listed {
    const struct backend *backend;
    struct backend_device *devices;
    size_t count;
};

static enum status describe_list_once(struct listed lists[], const struct backend *backend, const struct listed **found,
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
    return FIRST_OF(device, list->devices, list->count, !device->gpu && device->takes & BACKEND_TAKES_C11);
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
        return error_set(error, STATUS_UNSUPPORTED, "%s:%u (%s) cannot run kernels", part->backend->name, device->index,
                         device->name);
    member->backend = part->backend;
    member->host = part->host;
    member->device = *device;
    return STATUS_OK;
}

enum status ensemble_find_members(struct ensemble_session *session, struct error *error)
{
    struct listed lists[BACKEND_MAXIMUM_MEMBERS + 1] = {{0}};
    enum status status = STATUS_OK;
    if (defined.count == 0)
        return error_set(error, STATUS_NO_DEVICE, "no ensemble is defined");
    for (size_t i = 0; status == STATUS_OK && i < defined.count; i++) {
        const struct ensemble_part *part = &defined.parts[i];
        const struct listed *list;
        session->members[i].number = (unsigned)i;
        status = describe_list_once(lists, part->backend, &list, error);
        THEN(status, find_member(part, list, &session->members[i], error));
    }
    for (size_t i = 0; i < COUNT(lists); i++)
        free(lists[i].devices);
    if (status == STATUS_OK)
        session->count = defined.count;
    return status;
}

/* ---- the description ---- */

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
    for (size_t i = 0; i < COUNT(joined_texts); i++) {
        LOCAL(text) text = {0};
        for (size_t k = 0; k < session->count; k++) {
            const char *part = (const char *)&session->members[k].device + joined_texts[i].offset;
            if (joined_texts[i].repeated || !has_part(&text, part))
                text_add(&text, "%s%s", text.size > 0 ? " + " : "", part);
        }
        driver_copy((char *)device + joined_texts[i].offset, joined_texts[i].size, text_string(&text));
    }
}

static uint64_t least_bytes(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Paths to a buffer that its backend created itself; shared memory has none of them. */
enum { OWN_BUFFER_PATHS = BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE | BACKEND_PATH_SURFACE | BACKEND_PATH_CONSTANT };

/* The member that plays the host's threads has its own language; the runner asks that member about it. */
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
    device->max_group_size =
        device->max_group_size < member->max_group_size ? device->max_group_size : member->max_group_size;
    device->memory_bytes = least_bytes(device->memory_bytes, member->memory_bytes);
    device->local_bytes = least_bytes(device->local_bytes, member->local_bytes);
    device->l2_bytes = least_bytes(device->l2_bytes, member->l2_bytes);
}

/* Kernels of members on the same processor share its threads: PoCL has one thread pool for all of its devices, and a
 * thread finishes a work-group before it starts another. */
static bool is_same_processor(const struct backend_device *a, const struct backend_device *b)
{
    return strcmp(a->backend, "opencl") == 0 && strcmp(b->backend, "opencl") == 0 && !a->gpu && !b->gpu &&
           strcmp(a->platform, b->platform) == 0;
}

/* Threads left for drivers, which busy-wait for GPUs: one per GPU, as long as every member still gets one. */
static unsigned busy_units(const struct ensemble_session *session, const struct backend_device *device,
                           unsigned sharers)
{
    const unsigned gpus = SUM_OF(unsigned, each, session->members, session->count, each->device.gpu);
    return !device->gpu && device->compute_units >= gpus + sharers ? gpus : 0;
}

/* Gives each member its share of the processor. False, with the reason, if there are fewer threads than members. */
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

/* Appends how everyone except the owner reaches a region, each way once: "peer access, native atomics". Returns whether
 * all have atomics there. */
static bool describe_links(struct ensemble_session *session, const struct region *region, struct text *text)
{
    bool atomic = true;
    for (unsigned i = 0; i < session->count; i++) {
        LOCAL(text) description = {0};
        if (i != region->home)
            atomic &= region_describe_link(session, region, i, &description);
        if (!has_part(text, text_string(&description)))
            text_add(text, "%s%s", text->size > 0 ? " + " : "", text_string(&description));
    }
    return atomic;
}

/* "cuda:0, cuda:1: peer access, native atomics; host: pinned memory": homes that are reached in the same ways are
 * listed together; then follows why others are not homes. */
static void join_links(const struct ensemble_session *session, const struct text *descriptions, unsigned homes,
                       const struct text *refusals, struct backend_device *device)
{
    LOCAL(text) links = {0};
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
}

/* Tries every home with a little memory. A member that plays the host reaches only the host's memory, so the fact that
 * it does not reach a GPU's is not reported. */
static void find_homes(struct ensemble_session *session, struct backend_device *device, struct error *error)
{
    struct text descriptions[BACKEND_MAXIMUM_MEMBERS + 1] = {{0}}, refusals = {0};
    const bool reports_refusals = !session->members[session->count - 1].host;
    for (unsigned home = 0; home <= session->count; home++) {
        struct region region = {.home = home};
        if (home < session->count && session->members[home].host)
            continue;
        if (region_grow(session, &region, 1, error) != STATUS_OK) {
            if (reports_refusals) {
                text_add(&refusals, "; not ");
                name_home(session, home, &refusals);
                text_add(&refusals, ": %s", error->text);
            }
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
    for (size_t i = 0; i < COUNT(descriptions); i++)
        text_release(&descriptions[i]);
}

static void copy_members(struct ensemble_session *session, struct backend_device *device)
{
    for (size_t i = 0; i < session->count; i++) {
        session->members[i].device.edges &= ~(unsigned)STEPS_MOVES_MEMORY; /* because memory is shared */
        member_devices[i] = session->members[i].device;
    }
    device->members = member_devices;
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

/* ---- for doctor ---- */

/* Whether a device may be able to share memory with others while kernels run, judging by what is known without opening
 * it. */
static bool describe_may_share(const struct backend *backend, const struct backend_device *device)
{
    return device->takes && (backend != &opencl_backend || (!device->gpu && device->takes & BACKEND_TAKES_C11));
}

static void describe_add_pair(const struct backend *backend, unsigned first, const char *second, struct text *pairs)
{
    text_add(pairs, "    --device %s:%u+%s\n", backend->name, first, second);
}

/* The first two devices of a backend together, and each of them with the host. */
static void add_backend(const struct backend *backend, bool has_host, struct text *pairs)
{
    struct backend_device *devices;
    struct error ignored;
    const struct backend_device *first = NULL;
    size_t count;
    if (backend->list(&devices, &count, &ignored) != STATUS_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        LOCAL(text) second = {0};
        if (!describe_may_share(backend, &devices[i]))
            continue;
        text_add(&second, "%s:%u", backend->name, devices[i].index);
        if (first)
            describe_add_pair(backend, first->index, text_string(&second), pairs);
        else if (has_host)
            describe_add_pair(backend, devices[i].index, "host", pairs);
        if (first)
            break;
        first = &devices[i];
    }
    free(devices);
}

static bool has_host(void)
{
    struct backend_device *devices;
    struct error ignored;
    size_t count;
    if (opencl_backend.list(&devices, &count, &ignored) != STATUS_OK)
        return false;
    const bool found = ANY_OF(device, devices, count, describe_may_share(&opencl_backend, device));
    free(devices);
    return found;
}

void ensemble_explain(struct text *text)
{
    LOCAL(text) pairs = {0};
    const bool host = has_host();
    text_add(text, "Ensemble\n");
    add_backend(&cuda_backend, host, &pairs);
    add_backend(&opencl_backend, host, &pairs);
    if (backend_offered(&simulated_backend))
        add_backend(&simulated_backend, false, &pairs);
    if (pairs.size > 0)
        text_add(text, "  devices that may share memory, for tests of several devices:\n%s", text_string(&pairs));
    else
        text_add(text, "  no devices that may share memory: that needs two GPUs with CUDA, or a GPU and PoCL\n");
    if (!host)
        text_add(text, "  no host: apt-get install pocl-opencl-icd makes the CPU an OpenCL device\n");
}
