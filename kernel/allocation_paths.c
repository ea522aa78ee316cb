// SPDX-License-Identifier: Apache-2.0
/* Finds which memory each location of a test names, and in which way: PTX's aliases, and its
 * texture, surface and constant proxies. */
#include "kernel/allocation.h"

static const struct path_kind {
    unsigned path;
    const char *what; /* missing on the device */
} path_kinds[LITMUS_PROXY_COUNT] = {
    [LITMUS_GENERIC] = {0, ""},
    [LITMUS_TEXTURE] = {BACKEND_PATH_TEXTURE, "texture over the memory of a test"},
    [LITMUS_SURFACE] = {BACKEND_PATH_SURFACE, "surface over the memory of a test"},
    [LITMUS_CONSTANT] = {BACKEND_PATH_CONSTANT, "constant bank that its kernels can write"},
    [LITMUS_ALIAS] = {BACKEND_PATH_ALIAS, "second address for the memory of a test"},
};

/* Whether an access reaches memory by the address of a location: its own name, or one that shares its address. */
static bool is_used(const struct litmus_test *test, unsigned address)
{
    for (unsigned body = 0; body < test->body_count; body++)
        for (unsigned l = 0; l < test->location_count; l++)
            if (litmus_address(test, l) == address && allocation_names(test, body, l))
                return true;
    return false;
}

/* Numbers the addresses by which accesses reach each storage: its own is 0, and the k-th other is
 * in the k-th alias of test memory. */
static void number_addresses(struct allocation *allocation)
{
    const struct litmus_test *test = allocation->test;
    struct kernel *kernel = allocation->kernel;
    unsigned others[LITMUS_MAXIMUM_LOCATIONS] = {0}; /* of a storage so far */
    for (unsigned l = 0; l < test->location_count; l++) {
        struct allocation_path *path = &allocation->path_of[l];
        path->storage = litmus_storage(test, l);
        if (litmus_address(test, l) == l && path->storage != l && is_used(test, l))
            path->mapping = ++others[path->storage];
        if (path->mapping > kernel->aliases)
            kernel->aliases = path->mapping;
    }
    for (unsigned l = 0; l < test->location_count; l++) {
        allocation->path_of[l].mapping = allocation->path_of[litmus_address(test, l)].mapping;
        allocation->path_of[l].shared = others[allocation->path_of[l].storage] > 0;
    }
}

struct proxy_use {
    struct allocation *allocation;
    bool used[LITMUS_PROXY_COUNT];
    bool read_only;
    const struct litmus_location *culprit; /* accessed through a proxy other than its name's */
    enum litmus_proxy by;
};

static bool note_proxy(const struct litmus_expression *expression, void *context)
{
    struct proxy_use *use = context;
    const struct litmus_access *access = expression->access;
    if (!access || access->address->kind != LITMUS_EXPRESSION_ADDRESS)
        return true;
    const struct litmus_location *location = &use->allocation->test->locations[access->address->index];
    struct allocation_path *storage =
        &use->allocation->path_of[use->allocation->path_of[access->address->index].storage];
    storage->shared |= access->proxy != LITMUS_GENERIC;
    if (access->read_only) { /* by the generic name: it needs no texture over the memory */
        use->read_only = use->allocation->path_of[access->address->index].read_only = true;
        return true;
    }
    use->used[access->proxy] = true;
    storage->banked |= access->proxy == LITMUS_CONSTANT;
    use->allocation->path_of[access->address->index].proxies |= 1u << access->proxy;
    if (location->proxy == LITMUS_GENERIC || location->proxy == access->proxy)
        return true;
    use->culprit = location;
    use->by = access->proxy;
    return false;
}

static enum status find_proxies(struct allocation *allocation, struct proxy_use *use, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    for (unsigned body = 0; body < test->body_count; body++)
        if (!allocation_each_expression(&test->threads[body].body, note_proxy, use))
            return error_set(error, STATUS_UNSUPPORTED, "%s is memory of the %s proxy, but a %s access uses it",
                             use->culprit->name, litmus_proxy_name(use->culprit->proxy), litmus_proxy_name(use->by));
    if (use->used[LITMUS_READONLY])
        return error_set(
            error, STATUS_UNSUPPORTED,
            "no kernel for ld.proxy::readonly: it needs PTX ISA 9.4, which compilers have from CUDA 13.4 on");
    /* A test that only declares the constant name also has the cell in the bank, so that a
     * control's layout matches its test's. */
    for (unsigned l = 0; l < test->location_count; l++)
        if (test->locations[l].proxy == LITMUS_CONSTANT)
            use->used[LITMUS_CONSTANT] = allocation->path_of[allocation->path_of[l].storage].banked = true;
    for (unsigned l = 0; l < test->location_count; l++) {
        struct allocation_path *path = &allocation->path_of[l];
        path->banked = allocation->path_of[path->storage].banked;
        path->shared |= allocation->path_of[path->storage].shared;
    }
    return STATUS_OK;
}

/* Refuses properties that a location reached in several ways cannot have. */
static enum status check_location(const struct allocation *allocation, unsigned l, struct error *error)
{
    const struct litmus_location *location = &allocation->test->locations[l];
    const struct allocation_path *path = &allocation->path_of[l];
    if (!path->shared)
        return STATUS_OK;
    if (allocation->region_of[l] == LITMUS_LOCAL)
        return error_set(error, STATUS_UNSUPPORTED,
                         "location %s lies in shared memory, which has no other address and no proxy of this kind",
                         location->name);
    if (path->proxies & 1u << LITMUS_TEXTURE && path->proxies & 1u << LITMUS_SURFACE)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s names both a texture and a surface: give each a name of its own in the initial state",
                         location->name);
    if (path->banked && path->mapping > 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "location %s lies in the constant bank, which cannot be mapped a second time", location->name);
    return STATUS_OK;
}

static bool has_words_of_32_bits(const struct litmus_expression *expression, void *context)
{
    (void)context;
    const struct litmus_access *access = expression->access;
    return !access || access->proxy == LITMUS_GENERIC || access->read_only || litmus_type_size(access->type) == 4;
}

/* Elements of an array are not adjacent in a surface. */
static bool has_scalar_surfaces(const struct litmus_expression *expression, void *context)
{
    const struct allocation *allocation = context;
    const struct litmus_access *access = expression->access;
    return !access || access->address->kind != LITMUS_EXPRESSION_ADDRESS || access->proxy != LITMUS_SURFACE ||
           allocation->test->locations[access->address->index].elements == 1;
}

/* The bank has no texture or surface over it. */
static bool mixes_bank(const struct litmus_expression *expression, void *context)
{
    const struct allocation *allocation = context;
    const struct litmus_access *access = expression->access;
    return !access || access->address->kind != LITMUS_EXPRESSION_ADDRESS || access->proxy == LITMUS_GENERIC ||
           access->proxy == LITMUS_CONSTANT || !allocation->path_of[access->address->index].banked;
}

static enum status check_accesses(struct allocation *allocation, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    for (unsigned body = 0; body < test->body_count; body++) {
        const struct litmus_block *block = &test->threads[body].body;
        if (!allocation_each_expression(block, has_words_of_32_bits, NULL))
            return error_set(
                error, STATUS_UNSUPPORTED,
                "an access through a proxy that is not of 4 bytes, the size of texels and surface elements");
        if (!allocation_each_expression(block, has_scalar_surfaces, allocation))
            return error_set(error, STATUS_UNSUPPORTED, "a surface access of an array");
        if (!allocation_each_expression(block, mixes_bank, allocation))
            return error_set(
                error, STATUS_UNSUPPORTED,
                "a location is read as constant and by a texture or surface, which the constant bank lacks");
    }
    return STATUS_OK;
}

static enum status check_device(const struct allocation *allocation, struct error *error)
{
    const unsigned lacks = allocation->kernel->paths & ~allocation->device->paths;
    for (enum litmus_proxy proxy = 0; proxy < LITMUS_PROXY_COUNT; proxy++)
        if (path_kinds[proxy].path & lacks)
            return error_set(error, STATUS_UNSUPPORTED, "%s has no %s", allocation->device->name,
                             path_kinds[proxy].what);
    if (lacks & BACKEND_PATH_READ_ONLY)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no ld.global.nc", allocation->device->name);
    return STATUS_OK;
}

enum status allocation_paths(struct allocation *allocation, struct error *error)
{
    struct proxy_use use = {.allocation = allocation};
    struct kernel *kernel = allocation->kernel;
    number_addresses(allocation);
    TRY(find_proxies(allocation, &use, error));
    for (enum litmus_proxy proxy = LITMUS_TEXTURE; proxy < LITMUS_PROXY_COUNT; proxy++)
        if (use.used[proxy])
            kernel->paths |= path_kinds[proxy].path;
    if (use.read_only)
        kernel->paths |= BACKEND_PATH_READ_ONLY;
    if (kernel->aliases > 0)
        kernel->paths |= BACKEND_PATH_ALIAS;
    for (unsigned l = 0; l < allocation->test->location_count; l++)
        TRY(check_location(allocation, l, error));
    TRY(check_accesses(allocation, error));
    return check_device(allocation, error);
}
