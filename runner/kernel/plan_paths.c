// SPDX-License-Identifier: Apache-2.0
/* Finds which memory each location of a test names, and in which way: PTX's aliases, and its
 * texture, surface and constant proxies. */
#include "runner/kernel/plan.h"

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

struct address_use {
    const struct litmus_test *test;
    bool used[LITMUS_MAXIMUM_LOCATIONS]; /* by an access */
};

static bool note_address(const struct litmus_expression *expression, void *context)
{
    struct address_use *use = context;
    if (expression->kind == LITMUS_EXPRESSION_ADDRESS)
        use->used[litmus_address(use->test, (unsigned)expression->index)] = true;
    return true;
}

/* Numbers the addresses by which accesses reach each storage: its own is 0, and the k-th other is
 * in the k-th alias of test memory. */
static void number_addresses(struct plan *plan)
{
    const struct litmus_test *test = plan->test;
    struct kernel *kernel = plan->kernel;
    struct address_use use = {.test = test};
    unsigned others[LITMUS_MAXIMUM_LOCATIONS] = {0}; /* of a storage so far */
    for (unsigned body = 0; body < test->body_count; body++)
        (void)plan_each_expression(&test->threads[body].body, note_address, &use);
    for (unsigned l = 0; l < test->location_count; l++) {
        struct plan_path *path = &plan->path_of[l];
        path->storage = litmus_storage(test, l);
        if (litmus_address(test, l) == l && path->storage != l && use.used[l])
            path->mapping = ++others[path->storage];
        if (path->mapping > kernel->aliases)
            kernel->aliases = path->mapping;
    }
    for (unsigned l = 0; l < test->location_count; l++) {
        plan->path_of[l].mapping = plan->path_of[litmus_address(test, l)].mapping;
        plan->path_of[l].shared = others[plan->path_of[l].storage] > 0;
    }
}

struct proxy_use {
    struct plan *plan;
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
    const struct litmus_location *location = &use->plan->test->locations[access->address->index];
    struct plan_path *storage = &use->plan->path_of[use->plan->path_of[access->address->index].storage];
    storage->shared |= access->proxy != LITMUS_GENERIC;
    if (access->read_only) { /* by the generic name: it needs no texture over the memory */
        use->read_only = use->plan->path_of[access->address->index].read_only = true;
        return true;
    }
    use->used[access->proxy] = true;
    storage->banked |= access->proxy == LITMUS_CONSTANT;
    use->plan->path_of[access->address->index].proxies |= 1u << access->proxy;
    if (location->proxy == LITMUS_GENERIC || location->proxy == access->proxy)
        return true;
    use->culprit = location;
    use->by = access->proxy;
    return false;
}

static enum status find_proxies(struct plan *plan, struct proxy_use *use, struct error *error)
{
    const struct litmus_test *test = plan->test;
    for (unsigned body = 0; body < test->body_count; body++)
        if (!plan_each_expression(&test->threads[body].body, note_proxy, use))
            return error_set(error, STATUS_UNSUPPORTED, "%s is memory of the %s proxy, but a %s access uses it",
                             use->culprit->name, litmus_proxy_name(use->culprit->proxy), litmus_proxy_name(use->by));
    /* A test that only declares the constant name also has the cell in the bank, so that a
     * control's layout matches its test's. */
    for (unsigned l = 0; l < test->location_count; l++)
        if (test->locations[l].proxy == LITMUS_CONSTANT)
            use->used[LITMUS_CONSTANT] = plan->path_of[plan->path_of[l].storage].banked = true;
    for (unsigned l = 0; l < test->location_count; l++) {
        struct plan_path *path = &plan->path_of[l];
        path->banked = plan->path_of[path->storage].banked;
        path->shared |= plan->path_of[path->storage].shared;
    }
    return STATUS_OK;
}

/* Refuses properties that a location reached in several ways cannot have. */
static enum status check_location(const struct plan *plan, unsigned l, struct error *error)
{
    const struct litmus_location *location = &plan->test->locations[l];
    const struct plan_path *path = &plan->path_of[l];
    if (!path->shared)
        return STATUS_OK;
    if (location->region == LITMUS_LOCAL)
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
    const struct plan *plan = context;
    const struct litmus_access *access = expression->access;
    return !access || access->address->kind != LITMUS_EXPRESSION_ADDRESS || access->proxy != LITMUS_SURFACE ||
           plan->test->locations[access->address->index].elements == 1;
}

/* The bank has no texture or surface over it. */
static bool mixes_bank(const struct litmus_expression *expression, void *context)
{
    const struct plan *plan = context;
    const struct litmus_access *access = expression->access;
    return !access || access->address->kind != LITMUS_EXPRESSION_ADDRESS || access->proxy == LITMUS_GENERIC ||
           access->proxy == LITMUS_CONSTANT || !plan->path_of[access->address->index].banked;
}

static enum status check_accesses(struct plan *plan, struct error *error)
{
    const struct litmus_test *test = plan->test;
    for (unsigned body = 0; body < test->body_count; body++) {
        const struct litmus_block *block = &test->threads[body].body;
        if (!plan_each_expression(block, has_words_of_32_bits, NULL))
            return error_set(
                error, STATUS_UNSUPPORTED,
                "an access through a proxy that is not of 4 bytes, the size of texels and surface elements");
        if (!plan_each_expression(block, has_scalar_surfaces, plan))
            return error_set(error, STATUS_UNSUPPORTED, "a surface access of an array");
        if (!plan_each_expression(block, mixes_bank, plan))
            return error_set(
                error, STATUS_UNSUPPORTED,
                "a location is read as constant and by a texture or surface, which the constant bank lacks");
    }
    return STATUS_OK;
}

static enum status check_device(const struct plan *plan, struct error *error)
{
    const unsigned lacks = plan->kernel->paths & ~plan->device->paths;
    for (enum litmus_proxy proxy = 0; proxy < LITMUS_PROXY_COUNT; proxy++)
        if (path_kinds[proxy].path & lacks)
            return error_set(error, STATUS_UNSUPPORTED, "%s has no %s", plan->device->name, path_kinds[proxy].what);
    if (lacks & BACKEND_PATH_READ_ONLY)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no ld.global.nc", plan->device->name);
    return STATUS_OK;
}

enum status plan_paths(struct plan *plan, struct error *error)
{
    struct proxy_use use = {.plan = plan};
    struct kernel *kernel = plan->kernel;
    number_addresses(plan);
    TRY(find_proxies(plan, &use, error));
    for (enum litmus_proxy proxy = LITMUS_TEXTURE; proxy < LITMUS_PROXY_COUNT; proxy++)
        if (use.used[proxy])
            kernel->paths |= path_kinds[proxy].path;
    if (use.read_only)
        kernel->paths |= BACKEND_PATH_READ_ONLY;
    if (kernel->aliases > 0)
        kernel->paths |= BACKEND_PATH_ALIAS;
    for (unsigned l = 0; l < plan->test->location_count; l++)
        TRY(check_location(plan, l, error));
    TRY(check_accesses(plan, error));
    return check_device(plan, error);
}
