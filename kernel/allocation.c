// SPDX-License-Identifier: Apache-2.0
/* Places the threads, locations and variables of a test in its kernel. */
#include "kernel/allocation.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/launches.h"
#include "litmus/language/order.h"

/* Gives a body its slot, one for each work-group; a thread without a work-group has a slot of its
 * own. */
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

/* The slots of an instance are all in one cluster, or each in its own, because a team's members
 * change places. */
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
                         "the test needs a cluster of several work-groups, and a work-group outside it");
    if (kernel->cluster_groups > 1 && allocation->device->max_cluster_groups == 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the test needs a cluster of %u work-groups, but the device has no "
                         "clusters",
                         kernel->cluster_groups);
    if (kernel->cluster_groups > 1 && kernel->cluster_groups > allocation->device->max_cluster_groups)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the test needs a cluster of %u work-groups, but the device has clusters of at most %u",
                         kernel->cluster_groups, allocation->device->max_cluster_groups);
    return STATUS_OK;
}

/* Numbers the sub-groups that a slot's threads name, from 0. On a device with unknown sub-groups,
 * threads that name different ones need no placement, and threads that name the same one cannot be
 * placed. */
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
                         "P%u shares a sub-group with P%u, and the device runs or reports no sub-groups",
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
                             "P%u shares a sub-group with P%u, and the device runs or reports no sub-groups",
                             threads[body].first, threads[other].first);
        kernel->sub_group_of[body] = kernel->sub_group_of[other];
        return STATUS_OK;
    }
    if (allocation->device->sub_group_size >= 2)
        kernel->sub_group_of[body] = next;
    return STATUS_OK;
}

/* Whether each item must play a single thread. A range of threads needs as many items. If threads
 * of one group wait for each other, an item that played several would wait for itself. Groups of
 * asynchronous copies belong to an item, and each thread has its own. */
static bool needs_an_item_each(const struct allocation *allocation, unsigned slot, unsigned threads)
{
    bool spins = false;
    for (unsigned body = 0; body < allocation->test->body_count; body++) {
        const struct litmus_thread *thread = &allocation->test->threads[body];
        if (allocation->kernel->slot_of[body] == slot && thread->count > 1)
            return true;
        if (allocation->kernel->slot_of[body] == slot)
            spins |= allocation_spins(&thread->body) || allocation_has_groups(&thread->body);
    }
    return spins && threads > 1;
}

/* Gives each thread of a slot its item in a row of sub-groups: threads that name the same sub-group
 * share it, and every other thread has one of its own. */
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
                             "P%u to P%u share a work-group with threads that are placed in sub-groups, but are not "
                             "placed in one",
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
        return error_set(error, STATUS_UNSUPPORTED, "the test needs sub-groups of %u, but the device has %u",
                         kernel->sub_group_items, kernel->sub_group_size);
    if (kernel->sub_groups * kernel->sub_group_size > allocation->device->max_group_size)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs work-groups of %u, but the device has at most %u",
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
        return error_set(error, STATUS_UNSUPPORTED, "the test needs work-groups of %u, but the device has at most %u",
                         kernel->width, allocation->device->max_group_size);
    return STATUS_OK;
}

static enum status place_threads(struct allocation *allocation, struct error *error)
{
    for (unsigned body = 0; body < allocation->test->body_count; body++) {
        TRY(place_in_slot(allocation, body, error));
        TRY(place_in_sub_group(allocation, body, error));
    }
    TRY(place_in_cluster(allocation, error));
    TRY(launches_place(allocation, error));
    return choose_width(allocation, error);
}

/* The storage classes with which a location of a VULKAN test is accessed. */
struct storage_use {
    unsigned classes[LITMUS_MAXIMUM_LOCATIONS]; /* bits of LITMUS_OF_STORAGE */
};

static bool note_storage(const struct litmus_expression *expression, void *context)
{
    struct storage_use *use = context;
    if (expression->kind == LITMUS_EXPRESSION_ACCESS && expression->access->address->kind == LITMUS_EXPRESSION_ADDRESS)
        use->classes[expression->access->address->index] |= ordering_storage(expression->access->ordering);
    return true;
}

/* In VULKAN, sc0 is a buffer and sc1 the work-group's memory; accesses of other dialects have no storage class. */
static enum status place_regions(struct allocation *allocation, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    struct storage_use use = {0};
    for (unsigned body = 0; body < test->body_count; body++) {
        if (test->threads[body].placement.queue_family > 0)
            return error_set(error, STATUS_UNSUPPORTED, "threads in several queue families: a kernel runs in one");
        (void)allocation_each_expression(&test->threads[body].body, note_storage, &use);
    }
    for (unsigned l = 0; l < test->location_count; l++) {
        const unsigned classes = use.classes[l];
        allocation->region_of[l] = classes == 2 ? LITMUS_LOCAL : test->locations[l].region;
        if (classes & (classes - 1))
            return error_set(error, STATUS_UNSUPPORTED,
                             "%s is accessed with two storage classes, which are different memory in a kernel",
                             test->locations[l].name);
    }
    return STATUS_OK;
}

struct local_use {
    struct allocation *allocation;
    unsigned body;
    int culprit; /* location used by two work-groups, or LITMUS_NONE */
};

static bool note_local_use(const struct litmus_expression *expression, void *context)
{
    struct local_use *use = context;
    const struct allocation *allocation = use->allocation;
    if (expression->kind != LITMUS_EXPRESSION_ADDRESS || allocation->region_of[expression->index] != LITMUS_LOCAL)
        return true;
    int *slot = &use->allocation->local_slot[expression->index];
    const int here = (int)allocation->kernel->slot_of[use->body];
    if (allocation->test->locations[expression->index].home != LITMUS_NONE && allocation->kernel->cluster_groups > 1)
        return true; /* another work-group of its cluster also accesses it */
    if (*slot != LITMUS_NONE && *slot != here) {
        use->culprit = expression->index;
        return false;
    }
    *slot = here;
    return true;
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
                         "location %s lies in the memory of work-group %d, which has no thread", own->name, own->home);
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
        struct local_use use = {allocation, body, LITMUS_NONE};
        if (!allocation_each_expression(&test->threads[body].body, note_local_use, &use))
            return error_set(error, STATUS_UNSUPPORTED,
                             "local location %s is used by two work-groups, each of which would have its own",
                             test->locations[use.culprit].name);
    }
    TRY(allocation_survey_async(allocation, error));
    kernel->locations = (unsigned)test->location_count;
    TRY(allocation_paths(allocation, error));
    TRY(allocation_survey_vectors(allocation, error));
    for (unsigned l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        const struct allocation_path *path = &allocation->path_of[l];
        if (location->points_to != LITMUS_NONE)
            return error_set(error, STATUS_UNSUPPORTED, "location %s holds an address", location->name);
        if (allocation->region_of[l] == LITMUS_IMAGE)
            return error_set(error, STATUS_UNSUPPORTED,
                             "location %s is an image: no backend puts locations into images", location->name);
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

/* A slot without an observed variable also gets a part, so that its stamp shows that it was
 * played. */
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

/* Refuses what several agents cannot do: a team's members change places only within an agent, and
 * the kernels of all agents must lay out instances the same way, whatever their sub-groups. */
static enum status check_agents(const struct allocation *allocation, struct error *error)
{
    const struct kernel *kernel = allocation->kernel;
    const char *what = kernel->cluster_groups > 1       ? "clusters of several work-groups"
                       : kernel->paths != 0             ? "paths to memory other than its address"
                       : allocation->async.architecture ? "asynchronous operations"
                       : kernel->width > 1              ? "work-groups with an item for each thread"
                                                        : NULL;
    if (kernel->agents > 1 && what)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs %s, which is supported only in tests of one device",
                         what);
    return STATUS_OK;
}

/* The names by which a draw places locations; NULL for those outside shared memory. With threads of
 * the host, locations of read-modify-writes may lie anywhere: models/ptx.cat does not treat them as
 * atomic there. */
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
