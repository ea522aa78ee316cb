// SPDX-License-Identifier: Apache-2.0
/* Places the threads, launches, locations and variables of a test in its kernel. */
#include "kernel/allocation.h"

#include "litmus/language/order.h"
#include "litmus/language/walk.h"

/* ---- which memory each location of a test names, and in which way ---- */

/* What PTX's aliases, and its texture, surface and constant proxies, need of a device. */
static const struct {
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
    return ANY_NUMBER(unsigned, body, 0, test->body_count,
                      ANY_NUMBER(unsigned, l, 0, test->location_count,
                                 litmus_address(test, l) == address && allocation_names(test, body, l)));
}

/* Numbers the addresses by which accesses reach each storage: its own is 0, and the k-th other is in the k-th alias of
 * test memory. */
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
    bool used[LITMUS_PROXY_COUNT];
    bool read_only;
    const struct litmus_location *culprit; /* accessed through a proxy other than its name's */
    enum litmus_proxy by;
};

static void note_proxy(struct allocation *allocation, const struct litmus_access *access, struct proxy_use *use)
{
    const struct litmus_location *location = &allocation->test->locations[access->address->index];
    struct allocation_path *path = &allocation->path_of[access->address->index];
    if (access->proxy == LITMUS_ASYNC) /* by the generic name too */
        return;
    struct allocation_path *storage = &allocation->path_of[path->storage];
    storage->shared |= access->proxy != LITMUS_GENERIC;
    if (access->read_only) { /* by the generic name: it needs no texture over the memory */
        use->read_only = path->read_only = true;
        return;
    }
    use->used[access->proxy] = true;
    storage->banked |= access->proxy == LITMUS_CONSTANT;
    path->proxies |= 1u << access->proxy;
    if (location->proxy == LITMUS_GENERIC || location->proxy == access->proxy)
        return;
    use->culprit = location;
    use->by = access->proxy;
}

static enum status find_proxies(struct allocation *allocation, struct proxy_use *use, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    for (struct litmus_walk walk = litmus_walk_test(test); litmus_walk_next(&walk);)
        if (walk.access && !use->culprit && walk.access->address->kind == LITMUS_EXPRESSION_ADDRESS)
            note_proxy(allocation, walk.access, use);
    if (use->culprit)
        return error_set(error, STATUS_UNSUPPORTED, "%s is memory of the %s proxy, but a %s access uses it",
                         use->culprit->name, litmus_proxy_name(use->culprit->proxy), litmus_proxy_name(use->by));
    if (use->used[LITMUS_READONLY])
        return error_set(error, STATUS_UNSUPPORTED,
                         "no kernel for ld.proxy::readonly, which needs PTX ISA 9.4 (CUDA 13.4 or later)");
    /* A test that only declares the constant name also has the cell in the bank, so that a control's layout matches its
     * test's. */
    for (unsigned l = 0; l < test->location_count; l++)
        if (test->locations[l].proxy == LITMUS_CONSTANT)
            use->used[LITMUS_CONSTANT] = allocation->path_of[allocation->path_of[l].storage].banked = true;
    FOR_EACH(struct allocation_path, path, allocation->path_of, test->location_count) {
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
                         "location %s is in shared memory, which has neither a second address nor this kind of proxy",
                         location->name);
    if (path->proxies & 1u << LITMUS_TEXTURE && path->proxies & 1u << LITMUS_SURFACE)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s names both a texture and a surface: give them different names in the initial state",
                         location->name);
    if (path->banked && path->mapping > 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "location %s is in the constant bank, which cannot be mapped a second time", location->name);
    return STATUS_OK;
}

static enum status check_accesses(struct allocation *allocation, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    for (unsigned body = 0; body < test->body_count; body++) {
        bool narrow = false;  /* not of 4 bytes */
        bool arrayed = false; /* elements of an array are not adjacent in a surface */
        bool mixed = false;   /* the bank has no texture or surface over it */
        for (struct litmus_walk walk = litmus_walk_block(&test->threads[body].body); litmus_walk_next(&walk);) {
            const struct litmus_access *access = walk.access;
            if (!access || access->proxy == LITMUS_GENERIC || access->proxy == LITMUS_ASYNC)
                continue;
            narrow |= !access->read_only && litmus_type_size(access->type) != 4;
            if (access->address->kind != LITMUS_EXPRESSION_ADDRESS)
                continue;
            const int named = access->address->index;
            arrayed |= access->proxy == LITMUS_SURFACE && test->locations[named].elements != 1;
            mixed |= access->proxy != LITMUS_CONSTANT && allocation->path_of[named].banked;
        }
        if (narrow)
            return error_set(
                error, STATUS_UNSUPPORTED,
                "an access through a proxy whose size is not 4 bytes, the size of texels and surface elements");
        if (arrayed)
            return error_set(error, STATUS_UNSUPPORTED, "a surface access of an array");
        if (mixed)
            return error_set(
                error, STATUS_UNSUPPORTED,
                "a location read both as constant and through a texture or surface (the constant bank has neither)");
    }
    return STATUS_OK;
}

/* Finds which memory each location names and what the kernel needs to reach it. UNSUPPORTED, with the reason, if the
 * device or the skeleton lacks it. */
static enum status allocation_paths(struct allocation *allocation, struct error *error)
{
    struct proxy_use use = {.read_only = false};
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
    const unsigned lacks = allocation->kernel->paths & ~allocation->device->paths;
    for (enum litmus_proxy proxy = 0; proxy < LITMUS_PROXY_COUNT; proxy++)
        if (path_kinds[proxy].path & lacks)
            return error_set(error, STATUS_UNSUPPORTED, "%s has no %s", allocation->device->name,
                             path_kinds[proxy].what);
    if (lacks & BACKEND_PATH_READ_ONLY)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no ld.global.nc", allocation->device->name);
    return STATUS_OK;
}

/* ---- what vector accesses and hints need: contiguous words, alignment, and a device that has them ---- */

/* A cache line of the GPU: a warp's accesses to one line are one request. */
enum { LINE_WORDS = 32, LOCAL_WORDS = 4 };

static void survey_hint(struct allocation_survey *survey, enum litmus_cache cache)
{
    allocation_need(survey, ptx_cache_since(cache), litmus_cache_name(cache));
}

/* The next power of two. */
static unsigned round_up(unsigned words)
{
    unsigned power = 1;
    while (power < words)
        power *= 2;
    return power;
}

static void survey_vector(struct allocation_survey *survey, const struct litmus_statement *statement)
{
    if (statement->kind != LITMUS_VECTOR || statement->vector.access.address->kind != LITMUS_EXPRESSION_ADDRESS)
        return;
    /* HIP C++ has OpenCL C's atomic functions from a prelude, but no vector types and no vload. */
    const unsigned takes = survey->allocation->device->takes;
    if ((takes & BACKEND_TAKES_CUDA) && !(takes & BACKEND_TAKES_PTX))
        allocation_refuse(survey, "a vector access that orchil cannot express in HIP C++");
    /* The architectures of PTX's vectors (PTX ISA, ld, st, atom and red); those of sm_70, all devices have that take
     * PTX. */
    const bool moves = operation_moves(statement->vector.access.operation);
    if (statement->vector.lanes * litmus_type_size(statement->vector.access.type) > 16)
        allocation_need(survey, 100, "a vector of 32 bytes");
    else if (!moves)
        allocation_need(survey, 90, statement->vector.whole ? "an atomic of .b128" : "a vector atomic");
    /* A vector lies within its location (litmus/check/check_types.c), and an alias is as large as its storage. So the
     * needs follow from the location alone. */
    struct allocation *allocation = survey->allocation;
    const unsigned index = (unsigned)statement->vector.access.address->index;
    const struct litmus_location *location = &allocation->test->locations[index];
    struct allocation_vectored *vectored = &allocation->vectored[allocation->path_of[index].storage];
    const unsigned words = allocation_words(location->type) * location->elements, power = round_up(words);
    const unsigned line = location->region == LITMUS_LOCAL ? LOCAL_WORDS : LINE_WORDS;
    if (litmus_type_size(location->type) < 4)
        allocation_refuse(survey, "a vector access of %s, whose elements have fewer than 32 bits", location->name);
    *vectored = (struct allocation_vectored){.room = words, .alignment = power < line ? power : line};
    if (vectored->alignment > allocation->kernel->alignment)
        allocation->kernel->alignment = vectored->alignment;
}

/* Surveys the vector accesses and the hints of scalar ones; the paths must be planned. UNSUPPORTED, with the reason, if
 * the device lacks them. */
static enum status survey_vectors(struct allocation *allocation, struct error *error)
{
    struct allocation_survey survey = {.allocation = allocation, .error = error};
    for (struct litmus_walk walk = litmus_walk_test(allocation->test); litmus_walk_next(&walk);)
        if (walk.access) {
            survey_hint(&survey, walk.access->cache);
            survey_hint(&survey, walk.access->prefetch);
        }
    for (struct litmus_walk walk = litmus_walk_test(allocation->test); litmus_walk_next(&walk);)
        if (walk.statement)
            survey_vector(&survey, walk.statement);
    TRY(survey.status);
    return allocation_check_architecture(allocation, survey.architecture, survey.what, error);
}

/* ---- launches: which slots each plays, and what the kernel knows about the others ---- */

bool kernel_has_launches(const struct kernel *kernel)
{
    return kernel->launches.count > 1;
}

unsigned kernel_beside(const struct kernel *kernel, unsigned launch)
{
    unsigned beside = 0;
    for (unsigned other = 0; other < kernel->launches.count; other++)
        if (other != launch && !litmus_launch_precedes(&kernel->launches, other, launch) &&
            !litmus_launch_precedes(&kernel->launches, launch, other))
            beside |= 1U << other;
    return beside;
}

unsigned kernel_beside_count(const struct kernel *kernel)
{
    unsigned count = 0;
    for (unsigned launch = 0; launch < kernel->launches.count; launch++)
        count += kernel_beside(kernel, launch) != 0;
    return count;
}

bool kernel_counts_overlap(const struct kernel *kernel)
{
    return ANY_OF(contends, kernel->contends, kernel->launches.count, *contends);
}

unsigned kernel_slots_at_once(const struct kernel *kernel)
{
    unsigned slots[LITMUS_MAXIMUM_LAUNCHES] = {0}, most = 0;
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        if (++slots[kernel->launch_of_slot[slot]] > most)
            most = slots[kernel->launch_of_slot[slot]];
    return most;
}

/* The device with the edges between launches of two agents: the member if both are the same, else the device. */
static const struct backend_device *device_between(const struct backend_device *device, unsigned a, unsigned b)
{
    return a == b && device->member_count > 0 ? &device->members[a] : device;
}

static enum status check_edge(const struct backend_device *device, enum launch_edge edge, struct error *error)
{
    if (device->edges >> edge & 1U)
        return STATUS_OK;
    return edge == LAUNCH_EDGE_BESIDE
               ? error_set(error, STATUS_UNSUPPORTED, "%s cannot run launches at the same time", device->name)
               : error_set(error, STATUS_UNSUPPORTED, "%s cannot order launches by %s", device->name,
                           launch_edge_word(edge));
}

enum status launches_check(const struct litmus_test *test, const struct backend_device *device, struct error *error)
{
    struct kernel kernel = {0};
    struct error why;
    const struct litmus_launch *launches = kernel.launches.launches;
    if (litmus_find_launches(test, &kernel.launches, &why) != STATUS_OK)
        return error_set(error, STATUS_UNSUPPORTED, "%s", why.text);
    for (unsigned b = 0; b < kernel.launches.count; b++)
        for (unsigned a = 0; a < b; a++) {
            const struct backend_device *of = device_between(device, launches[a].agent, launches[b].agent);
            if (launches[b].after >> a & 1)
                TRY(check_edge(of, launches[b].edges[a], error));
            if (kernel_beside(&kernel, b) >> a & 1)
                TRY(check_edge(of, LAUNCH_EDGE_BESIDE, error));
        }
    return STATUS_OK;
}

static unsigned find_contending(const struct litmus_test *test, const struct kernel *kernel, unsigned launch)
{
    const struct litmus_launch *launches = kernel->launches.launches;
    unsigned contending = 0;
    for (unsigned other = 0; other < kernel->launches.count; other++)
        if (launches[launch].agent == launches[other].agent && (kernel_beside(kernel, launch) >> other & 1) &&
            litmus_launches_conflict(test, &kernel->launches, launch, other))
            contending |= 1U << other;
    return contending;
}

/* "#define NAME(launch) ((launch) == 0u ? 0u : 1u)": a number for each launch. */
static void write_table(const char *name, const char *of, const unsigned *numbers, unsigned count, struct text *text)
{
    text_add(text, "#define %s(%s) (", name, of);
    for (unsigned i = 0; i + 1 < count; i++)
        text_add(text, "(%s) == %uu ? %uu : ", of, i, numbers[i]);
    text_add(text, "%uu)\n", numbers[count - 1]);
}

void launches_write(const struct kernel *kernel, struct text *text)
{
    const struct litmus_launches *launches = &kernel->launches;
    unsigned of_slot[KERNEL_MAXIMUM_SLOTS] = {0}, after[LITMUS_MAXIMUM_LAUNCHES] = {0};
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        of_slot[kernel_slot_number(kernel, slot)] = kernel->launch_of_slot[slot];
    /* An agent does not see the counts of another agent's launches. */
    for (unsigned launch = 0; launch < launches->count; launch++)
        for (unsigned other = 0; other < launch; other++)
            if (launches->launches[other].agent == launches->launches[launch].agent &&
                litmus_launch_precedes(launches, other, launch))
                after[launch] |= 1U << other;
    text_add(text, "#define LAUNCHES %uu\n", launches->count);
    if (kernel->programmatic)
        text_add(text, "#define TRIGGERS\n");
    write_table("LAUNCH_OF", "slot", of_slot, kernel->slots, text);
    write_table("AFTER_OF", "launch", after, launches->count, text);
    write_table("CONTENDS_OF", "launch", kernel->contends, launches->count, text);
}

unsigned kernel_slot_number(const struct kernel *kernel, unsigned slot)
{
    unsigned before = 0;
    for (unsigned other = 0; other < kernel->slots; other++)
        before += kernel->agent_of_slot[other] < kernel->agent_of_slot[slot] ||
                  (kernel->agent_of_slot[other] == kernel->agent_of_slot[slot] && other < slot);
    return before;
}

bool kernel_is_shared(const struct kernel *kernel)
{
    return kernel->plays & ((1U << kernel->agent) - 1);
}

bool kernel_plays_slot(const struct kernel *kernel, unsigned slot)
{
    return kernel->plays >> kernel->agent_of_slot[slot] & 1;
}

bool kernel_starts_at_ticks(const struct kernel *kernel)
{
    return kernel->slots > 1 && kernel->agents < 2 && !kernel_has_launches(kernel);
}

bool kernel_is_pair(const struct kernel *kernel)
{
    return kernel->slots == 2 && kernel->bodies == 2 && kernel->width == 1 && kernel->agents < 2;
}

bool kernel_takes_paths(const struct kernel *kernel)
{
    return kernel->paths & (BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE | BACKEND_PATH_SURFACE | BACKEND_PATH_CONSTANT |
                            BACKEND_PATH_READ_ONLY);
}

/* ---- places ---- */

/* Gives a body its slot, one for each work-group; a thread without a work-group has a slot of its own. */
static enum status place_in_slot(struct allocation *allocation, unsigned body, struct error *error)
{
    const struct litmus_thread *threads = allocation->test->threads;
    const struct litmus_placement *placement = &threads[body].placement;
    struct kernel *kernel = allocation->kernel;
    unsigned first = 0;
    while (first < body && !scope_includes(LITMUS_WORK_GROUP, &threads[first].placement, placement))
        first++;
    if (first == body && kernel->slots == KERNEL_MAXIMUM_SLOTS)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs more than %d work-groups", KERNEL_MAXIMUM_SLOTS);
    kernel->first_of_slot[body] = first == body;
    kernel->slot_of[body] = first == body ? kernel->slots++ : kernel->slot_of[first];
    kernel->agent_of_slot[kernel->slot_of[body]] = allocation->agents.of_body[body];
    allocation->first_thread[body] = 0;
    for (unsigned other = 0; other < body; other++)
        if (kernel->slot_of[other] == kernel->slot_of[body])
            allocation->first_thread[body] += threads[other].count;
    return STATUS_OK;
}

/* The slots of an instance are all in one cluster, or each in its own, because a team's members change places. */
static enum status place_in_cluster(struct allocation *allocation, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    struct kernel *kernel = allocation->kernel;
    const int cluster = test->threads[0].placement.cluster;
    bool one = cluster != LITMUS_NONE, shared = false;
    for (unsigned body = 0; body < test->body_count; body++) {
        const struct litmus_placement *placement = &test->threads[body].placement;
        one &= placement->cluster == cluster;
        for (unsigned other = 0; other < body; other++)
            shared |= kernel->slot_of[other] != kernel->slot_of[body] && placement->cluster != LITMUS_NONE &&
                      placement->cluster == test->threads[other].placement.cluster;
    }
    kernel->cluster_groups = shared ? kernel->slots : 1;
    if (shared && !one)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the test needs a cluster of several work-groups, and a work-group outside the cluster");
    if (kernel->cluster_groups > 1 && allocation->device->max_cluster_groups == 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the test needs a cluster of %u work-groups, but the device does not support clusters",
                         kernel->cluster_groups);
    if (kernel->cluster_groups > 1 && kernel->cluster_groups > allocation->device->max_cluster_groups)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the test needs a cluster of %u work-groups, but the device allows at most %u",
                         kernel->cluster_groups, allocation->device->max_cluster_groups);
    return STATUS_OK;
}

/* Numbers the sub-groups that a slot's threads name, from 0. On a device with unknown sub-groups, threads that name
 * different ones need no placement, and threads that name the same one cannot be placed. */
static enum status place_in_sub_group(struct allocation *allocation, unsigned body, struct error *error)
{
    const struct litmus_thread *threads = allocation->test->threads;
    const int name = threads[body].placement.sub_group;
    struct kernel *kernel = allocation->kernel;
    int next = 0;
    kernel->sub_group_of[body] = LITMUS_NONE;
    if (name == LITMUS_NONE)
        return STATUS_OK;
    if (threads[body].count > 1 && allocation->device->sub_group_size < 2)
        return error_set(error, STATUS_UNSUPPORTED,
                         "P%u shares a sub-group with P%u, but the device does not run or report sub-groups",
                         threads[body].first + 1, threads[body].first);
    for (unsigned other = 0; other < body; other++) {
        if (kernel->slot_of[other] != kernel->slot_of[body] || threads[other].placement.sub_group == LITMUS_NONE)
            continue;
        if (threads[other].placement.sub_group != name) {
            next = kernel->sub_group_of[other] >= next ? kernel->sub_group_of[other] + 1 : next;
            continue;
        }
        if (allocation->device->sub_group_size < 2)
            return error_set(error, STATUS_UNSUPPORTED,
                             "P%u shares a sub-group with P%u, but the device does not run or report sub-groups",
                             threads[body].first, threads[other].first);
        kernel->sub_group_of[body] = kernel->sub_group_of[other];
        return STATUS_OK;
    }
    if (allocation->device->sub_group_size >= 2)
        kernel->sub_group_of[body] = next;
    return STATUS_OK;
}

/* Whether each item must play a single thread. A range of threads needs as many items. If threads of one group wait for
 * each other, an item that played several would wait for itself; lanes that call a function together are items. Groups
 * of asynchronous copies belong to an item, and each thread has its own. */
static bool needs_an_item_each(const struct allocation *allocation, unsigned slot, unsigned threads)
{
    bool spins = false;
    for (unsigned body = 0; body < allocation->test->body_count; body++) {
        const struct litmus_thread *thread = &allocation->test->threads[body];
        if (allocation->kernel->slot_of[body] == slot && thread->count > 1)
            return true;
        if (allocation->kernel->slot_of[body] == slot)
            spins |= allocation_spins(&thread->body) || allocation_has_groups(&thread->body) ||
                     litmus_has_collectives(&thread->body);
    }
    return spins && threads > 1;
}

/* Gives each thread of a slot its item in a row of sub-groups: threads that name the same sub-group share it, and every
 * other thread has one of its own. */
static enum status lay_out_slot(struct allocation *allocation, unsigned slot, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    struct kernel *kernel = allocation->kernel;
    unsigned items[LITMUS_MAXIMUM_THREADS] = {0}; /* of each sub-group so far */
    unsigned next = 0, row_of[LITMUS_MAXIMUM_BODIES];
    for (unsigned body = 0; body < test->body_count; body++)
        if (kernel->slot_of[body] == slot && kernel->sub_group_of[body] >= (int)next)
            next = (unsigned)kernel->sub_group_of[body] + 1;
    for (unsigned body = 0; body < test->body_count; body++) {
        const bool named = kernel->sub_group_of[body] != LITMUS_NONE;
        if (kernel->slot_of[body] != slot)
            continue;
        if (!named && test->threads[body].count > 1)
            return error_set(error, STATUS_UNSUPPORTED,
                             "P%u to P%u share a work-group with threads placed in sub-groups: place them in "
                             "sub-groups, too",
                             test->threads[body].first, test->threads[body].first + test->threads[body].count - 1);
        row_of[body] = named ? (unsigned)kernel->sub_group_of[body] : next++;
        allocation->first_thread[body] = items[row_of[body]];
        items[row_of[body]] += test->threads[body].count;
    }
    kernel->sub_groups = next > kernel->sub_groups ? next : kernel->sub_groups;
    for (unsigned row = 0; row < next; row++)
        while (items[row] > kernel->sub_group_items)
            kernel->sub_group_items = kernel->sub_group_items ? 2 * kernel->sub_group_items : 1;
    for (unsigned body = 0; body < test->body_count; body++)
        if (kernel->slot_of[body] == slot)
            allocation->row_of[body] = row_of[body];
    return STATUS_OK;
}

static enum status lay_out_sub_groups(struct allocation *allocation, struct error *error)
{
    struct kernel *kernel = allocation->kernel;
    kernel->sub_group_size = allocation->device->sub_group_size;
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        TRY(lay_out_slot(allocation, slot, error));
    if (kernel->sub_group_size % kernel->sub_group_items != 0)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs sub-groups of %u threads; the device has %u",
                         kernel->sub_group_items, kernel->sub_group_size);
    if (kernel->sub_groups * kernel->sub_group_size > allocation->device->max_group_size)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs work-groups of %u threads; the device allows %u",
                         kernel->sub_groups * kernel->sub_group_size, allocation->device->max_group_size);
    kernel->width = kernel->sub_groups * kernel->sub_group_items;
    for (unsigned body = 0; body < allocation->test->body_count; body++)
        allocation->first_thread[body] += allocation->row_of[body] * kernel->sub_group_items;
    return STATUS_OK;
}

static enum status choose_width(struct allocation *allocation, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    struct kernel *kernel = allocation->kernel;
    unsigned widest = 1;
    bool each = false;
    for (unsigned slot = 0; slot < kernel->slots; slot++) {
        unsigned threads = 0;
        for (unsigned body = 0; body < test->body_count; body++)
            if (kernel->slot_of[body] == slot)
                threads += test->threads[body].count;
        each |= needs_an_item_each(allocation, slot, threads);
        widest = threads > widest ? threads : widest;
    }
    kernel->width = each ? widest : 1;
    for (unsigned body = 0; body < test->body_count && each; body++)
        if (kernel->sub_group_of[body] != LITMUS_NONE)
            return lay_out_sub_groups(allocation, error);
    if (kernel->width > allocation->device->max_group_size)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs work-groups of %u threads; the device allows %u",
                         kernel->width, allocation->device->max_group_size);
    return STATUS_OK;
}

static enum status place_threads(struct allocation *allocation, struct error *error)
{
    struct kernel *kernel = allocation->kernel;
    kernel->loading_slots = UINT_MAX;
    for (unsigned body = 0; body < allocation->test->body_count; body++) {
        TRY(place_in_slot(allocation, body, error));
        TRY(place_in_sub_group(allocation, body, error));
        if (!litmus_loads_first(&allocation->test->threads[body].body))
            kernel->loading_slots &= ~(1U << kernel->slot_of[body]);
    }
    TRY(place_in_cluster(allocation, error));
    /* Assigns launches to the slots; the threads must have their slots. The threads of a work-group are launched
     * together, and so are those of a cluster, as the language requires. */
    TRY(litmus_find_launches(allocation->test, &kernel->launches, error));
    for (unsigned body = 0; body < allocation->test->body_count; body++)
        kernel->launch_of_slot[kernel->slot_of[body]] = kernel->launches.of_body[body];
    for (unsigned launch = 0; launch < kernel->launches.count; launch++)
        kernel->contends[launch] = find_contending(allocation->test, kernel, launch);
    return choose_width(allocation, error);
}

/* In VULKAN, sc0 is a buffer and sc1 the work-group's memory; accesses of other dialects have no storage class. */
static enum status place_regions(struct allocation *allocation, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    unsigned classes_of[LITMUS_MAXIMUM_LOCATIONS] = {0}; /* bits of LITMUS_OF_STORAGE */
    if (ANY_OF(thread, test->threads, test->body_count, thread->placement.queue_family > 0))
        return error_set(error, STATUS_UNSUPPORTED, "threads in several queue families (a kernel runs in only one)");
    for (struct litmus_walk walk = litmus_walk_test(test); litmus_walk_next(&walk);)
        if (walk.access && walk.access->address->kind == LITMUS_EXPRESSION_ADDRESS)
            classes_of[walk.access->address->index] |= ordering_storage(walk.access->ordering);
    for (unsigned l = 0; l < test->location_count; l++) {
        const unsigned classes = classes_of[l];
        allocation->region_of[l] = classes == 2 ? LITMUS_LOCAL : test->locations[l].region;
        if (classes & (classes - 1))
            return error_set(error, STATUS_UNSUPPORTED,
                             "%s is accessed with two storage classes, which a kernel keeps in different memory",
                             test->locations[l].name);
    }
    return STATUS_OK;
}

/* Notes the slot whose memory has the local locations that a body names. Returns one that another slot has too, or
 * LITMUS_NONE. */
static int place_locals(struct allocation *allocation, unsigned body)
{
    const int here = (int)allocation->kernel->slot_of[body];
    int culprit = LITMUS_NONE;
    for (struct litmus_walk walk = litmus_walk_block(&allocation->test->threads[body].body); litmus_walk_next(&walk);) {
        if (!walk.expression || walk.expression->kind != LITMUS_EXPRESSION_ADDRESS ||
            allocation->region_of[walk.expression->index] != LITMUS_LOCAL)
            continue;
        const int index = walk.expression->index;
        int *slot = &allocation->local_slot[index];
        if (allocation->test->locations[index].home != LITMUS_NONE && allocation->kernel->cluster_groups > 1)
            continue; /* another work-group of its cluster also accesses it */
        if (*slot != LITMUS_NONE && *slot != here && culprit == LITMUS_NONE)
            culprit = index;
        *slot = here;
    }
    return culprit;
}

/* Finds the slot of the work-group in whose memory the test places a location. */
static enum status place_home(struct allocation *allocation, unsigned location, struct error *error)
{
    const struct litmus_location *own = &allocation->test->locations[location];
    allocation->local_slot[location] = LITMUS_NONE;
    if (allocation->region_of[location] != LITMUS_LOCAL || own->home == LITMUS_NONE)
        return STATUS_OK;
    for (unsigned body = 0; body < allocation->test->body_count; body++)
        if (allocation->test->threads[body].placement.work_group == own->home)
            allocation->local_slot[location] = (int)allocation->kernel->slot_of[body];
    if (allocation->local_slot[location] == LITMUS_NONE)
        return error_set(error, STATUS_UNSUPPORTED,
                         "location %s is in the memory of work-group %d, which has no thread", own->name, own->home);
    return STATUS_OK;
}

/* Words of a location's cell, and the alignment of their position. */
static unsigned size_location(const struct allocation *allocation, unsigned location, unsigned *alignment)
{
    const struct litmus_location *own = &allocation->test->locations[location];
    const struct allocation_vectored *vectored = &allocation->vectored[location];
    const unsigned words = allocation_words(own->type), copied = allocation->async.room[location];
    const unsigned room = copied > vectored->room ? copied : vectored->room;
    *alignment = copied > 0 ? allocation->kernel->alignment : vectored->room > 0 ? vectored->alignment : words;
    if (own->type == LITMUS_MBARRIER)
        return ALLOCATION_MBARRIER_WORDS;
    return room > words * own->elements ? room : words * own->elements;
}

static enum status place_locations(struct allocation *allocation, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    struct kernel *kernel = allocation->kernel;

    TRY(place_regions(allocation, error));
    for (unsigned l = 0; l < test->location_count; l++)
        TRY(place_home(allocation, l, error));
    for (unsigned body = 0; body < test->body_count; body++) {
        const int culprit = place_locals(allocation, body);
        if (culprit != LITMUS_NONE)
            return error_set(error, STATUS_UNSUPPORTED,
                             "local location %s is used by two work-groups, which do not share local memory",
                             test->locations[culprit].name);
    }
    TRY(allocation_survey_async(allocation, error));
    kernel->locations = (unsigned)test->location_count;
    TRY(allocation_paths(allocation, error));
    TRY(survey_vectors(allocation, error));
    for (unsigned l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        const struct allocation_path *path = &allocation->path_of[l];
        if (location->points_to != LITMUS_NONE)
            return error_set(error, STATUS_UNSUPPORTED, "location %s holds an address", location->name);
        if (allocation->region_of[l] == LITMUS_IMAGE)
            return error_set(error, STATUS_UNSUPPORTED, "location %s is an image, which no backend supports",
                             location->name);
        unsigned alignment;
        const unsigned size = size_location(allocation, l, &alignment);
        if (allocation->region_of[l] == LITMUS_LOCAL && allocation->local_slot[l] == LITMUS_NONE)
            allocation->local_slot[l] = 0;
        if (path->storage != l || allocation->async.beside[l] != l)
            continue;
        unsigned *words = allocation->region_of[l] == LITMUS_LOCAL ? &kernel->local_cells
                          : path->banked                           ? &kernel->bank_words
                                                                   : &kernel->cell_words;
        *words = (*words + alignment - 1) / alignment * alignment;
        allocation->cell_of[l] = *words;
        *words += size;
    }
    for (unsigned l = 0; l < test->location_count; l++)
        allocation->cell_of[l] = allocation->cell_of[allocation->async.beside[allocation->path_of[l].storage]];
    /* even, so that 64-bit cells stay aligned in every instance */
    kernel->cell_words += kernel->cell_words % 2 && kernel->cell_words > 1;
    kernel->local_cells += kernel->local_cells % 2 && kernel->local_cells > 1;
    if (kernel->alignment > 2) { /* so that cells of 16 bytes also stay aligned */
        kernel->cell_words = (kernel->cell_words + kernel->alignment - 1) / kernel->alignment * kernel->alignment;
        kernel->local_cells = (kernel->local_cells + kernel->alignment - 1) / kernel->alignment * kernel->alignment;
    }
    return STATUS_OK;
}

/* The part that writes a variable, made if there is none yet. */
static int part_of(struct allocation *allocation, const struct litmus_variable *variable)
{
    const struct kernel *kernel = allocation->kernel;
    struct allocation_part wanted = {.body = LITMUS_NONE};
    if (variable->thread == LITMUS_NONE) {
        if (allocation->local_slot[variable->index] == LITMUS_NONE)
            return LITMUS_NONE;
        wanted.slot = (unsigned)allocation->local_slot[variable->index];
    } else {
        wanted.body = variable->body;
        wanted.thread = (unsigned)variable->thread - allocation->test->threads[variable->body].first;
        wanted.slot = kernel->slot_of[variable->body];
    }
    for (unsigned p = 0; p < allocation->part_count; p++)
        if (allocation->parts[p].body == wanted.body && allocation->parts[p].thread == wanted.thread &&
            allocation->parts[p].slot == wanted.slot)
            return (int)p;
    allocation->parts[allocation->part_count] = wanted;
    return (int)allocation->part_count++;
}

/* A slot without an observed variable also gets a part, so that its stamp shows that it was played. */
static void stamp_every_slot(struct allocation *allocation)
{
    bool stamped[KERNEL_MAXIMUM_SLOTS] = {false};
    for (unsigned p = 0; p < allocation->part_count; p++)
        stamped[allocation->parts[p].slot] = true;
    for (unsigned body = 0; body < allocation->test->body_count; body++) {
        const unsigned slot = allocation->kernel->slot_of[body];
        if (!stamped[slot])
            allocation->parts[allocation->part_count++] = (struct allocation_part){.body = (int)body, .slot = slot};
        stamped[slot] = true;
    }
}

static enum status place_variables(struct allocation *allocation, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    struct kernel *kernel = allocation->kernel;
    const size_t count = test->variable_count + KERNEL_MAXIMUM_SLOTS;

    allocation->parts = memory_take(count, sizeof *allocation->parts);
    allocation->variables = memory_take(count, sizeof *allocation->variables);
    kernel->variables = (unsigned)test->variable_count;
    for (unsigned v = 0; v < test->variable_count; v++) {
        const unsigned size = allocation_words(litmus_variable_type(test, &test->variables[v]));
        allocation->variables[v].part = part_of(allocation, &test->variables[v]);
        kernel->words += size;
        if (allocation->variables[v].part == LITMUS_NONE)
            continue;
        allocation->variables[v].word = kernel->result_words;
        kernel->result_words += size;
    }
    if (kernel->words > KERNEL_MAXIMUM_WORDS)
        return error_set(error, STATUS_UNSUPPORTED, "the test observes more than %d words", KERNEL_MAXIMUM_WORDS);
    if (kernel->words == 0)
        kernel->words = 1;
    stamp_every_slot(allocation);
    for (unsigned p = 0; p < allocation->part_count; p++)
        allocation->parts[p].stamp_word = kernel->result_words++;
    allocation->gave_up_word = LITMUS_NONE;
    for (unsigned body = 0; body < test->body_count && allocation->gave_up_word == LITMUS_NONE; body++)
        if (allocation_spins(&test->threads[body].body) || allocation->async.mbarriers)
            allocation->gave_up_word = (int)kernel->result_words++;
    return STATUS_OK;
}

/* Refuses what several agents cannot do: a team's members change places only within an agent, and only launches of
 * their own order what a path to memory other than its address reads. */
static enum status check_agents(const struct allocation *allocation, struct error *error)
{
    const struct kernel *kernel = allocation->kernel;
    const unsigned taken = kernel_has_launches(kernel) ? BACKEND_PATH_READ_ONLY : 0, host = allocation->agents.host;
    const char *what = kernel->cluster_groups > 1               ? "clusters of several work-groups"
                       : kernel->paths & ~taken                 ? "paths to memory other than its address"
                       : host && allocation->async.architecture ? "asynchronous operations"
                                                                : NULL;
    if (kernel->agents > 1 && what)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs %s, which threads of %s cannot have", what,
                         host ? "a device and the host" : "several devices");
    return STATUS_OK;
}

/* The names by which a draw places locations; NULL for those outside shared memory. With threads of the host, locations
 * of read-modify-writes may lie anywhere: models/ptx.cat does not treat them as atomic there. */
static void name_locations(const struct allocation *allocation)
{
    struct kernel *kernel = allocation->kernel;
    const struct litmus_test *test = allocation->test;
    if (kernel->agents < 2)
        return;
    kernel->location_names = arena_take(&kernel->arena, test->location_count, sizeof *kernel->location_names);
    bool *atomic = arena_take(&kernel->arena, test->location_count, sizeof *atomic);
    kernel->atomic_locations = atomic;
    for (unsigned l = 0; l < test->location_count; l++)
        if (allocation->region_of[l] == LITMUS_GLOBAL && !test->locations[l].constant) {
            kernel->location_names[l] = arena_copy(&kernel->arena, test->locations[l].name);
            atomic[l] = !allocation->agents.host && litmus_agents_share_atomics(test, l);
        }
}

enum status allocation_make(const struct litmus_test *test, const struct backend_device *device, struct kernel *kernel,
                            struct allocation *allocation, struct error *error)
{
    *allocation = (struct allocation){.test = test, .device = device, .kernel = kernel};
    TRY(litmus_find_agents(test, &allocation->agents, error));
    kernel->agents = allocation->agents.count;
    kernel->bodies = (unsigned)test->body_count;
    kernel->alignment = 2;
    TRY(place_threads(allocation, error));
    TRY(place_locations(allocation, error));
    if (kernel->lowering->syntax->parts_plain)
        TRY(allocation_part_plain(allocation, error));
    TRY(check_agents(allocation, error));
    name_locations(allocation);
    return place_variables(allocation, error);
}

void allocation_release(struct allocation *allocation)
{
    free(allocation->parts);
    free(allocation->variables);
    *allocation = (struct allocation){0};
}
