// SPDX-License-Identifier: Apache-2.0
/* Places the threads, locations and variables of a test in its kernel. */
#include "runner/kernel/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/kernel/launches.h"

unsigned plan_words(enum litmus_type type)
{
    return litmus_type_size(type) == 8 ? 2 : 1;
}

bool plan_spins(const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE || statement->kind == LITMUS_GOTO ||
            statement->kind == LITMUS_LABEL)
            return true;
        if (plan_spins(&statement->body) || plan_spins(&statement->otherwise))
            return true;
    }
    return false;
}

static bool each_in_expression(const struct litmus_expression *expression, plan_visit *visit, void *context)
{
    if (!expression)
        return true;
    if (!visit(expression, context))
        return false;
    const struct litmus_access *access = expression->access;
    if (access &&
        (!each_in_expression(access->address, visit, context) || !each_in_expression(access->operand, visit, context) ||
         !each_in_expression(access->expected, visit, context) ||
         !each_in_expression(access->expected_address, visit, context)))
        return false;
    return each_in_expression(expression->left, visit, context) &&
           each_in_expression(expression->right, visit, context);
}

/* Visits a vector access as an access without operands, then each word's expected and stored
 * values. */
static bool each_in_vector(const struct litmus_statement *statement, plan_visit *visit, void *context)
{
    const struct litmus_vector *vector = &statement->vector;
    struct litmus_access access = vector->access;
    const struct litmus_expression expression = {
        .kind = LITMUS_EXPRESSION_ACCESS, .place = statement->place, .access = &access};
    if (!each_in_expression(&expression, visit, context))
        return false;
    for (unsigned lane = 0; lane < vector->lanes; lane++)
        if (!each_in_expression(vector->expected[lane], visit, context) ||
            !each_in_expression(vector->values[lane], visit, context))
            return false;
    return true;
}

/* Visits the operands of an asynchronous copy, and of a group's arrival at an mbarrier; these are
 * NULL in other statements. */
static bool each_operand(const struct litmus_statement *statement, plan_visit *visit, void *context)
{
    return each_in_expression(statement->copy.to, visit, context) &&
           each_in_expression(statement->copy.from, visit, context) &&
           each_in_expression(statement->copy.value, visit, context) &&
           each_in_expression(statement->copy.mbarrier, visit, context) &&
           each_in_expression(statement->group.mbarrier, visit, context);
}

bool plan_each_expression(const struct litmus_block *block, plan_visit *visit, void *context)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (!each_in_expression(statement->value, visit, context) || !each_operand(statement, visit, context) ||
            (statement->kind == LITMUS_VECTOR && !each_in_vector(statement, visit, context)) ||
            !plan_each_expression(&statement->body, visit, context) ||
            !plan_each_expression(&statement->otherwise, visit, context))
            return false;
    }
    return true;
}

static bool same_work_group(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return a->work_group != LITMUS_NONE && a->work_group == b->work_group && a->cluster == b->cluster &&
           a->device == b->device;
}

/* Gives a body its slot, one for each work-group; a thread without a work-group has a slot of its
 * own. */
static enum status place_in_slot(struct plan *plan, unsigned body, struct error *error)
{
    const struct litmus_thread *threads = plan->test->threads;
    const struct litmus_placement *placement = &threads[body].placement;
    struct kernel *kernel = plan->kernel;
    unsigned first = 0;
    while (first < body && !same_work_group(&threads[first].placement, placement))
        first++;
    if (first == body && kernel->slots == KERNEL_MAXIMUM_SLOTS)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs more than %d work-groups", KERNEL_MAXIMUM_SLOTS);
    kernel->first_of_slot[body] = first == body;
    kernel->slot_of[body] = first == body ? kernel->slots++ : kernel->slot_of[first];
    kernel->agent_of_slot[kernel->slot_of[body]] = plan->agents.of_body[body];
    plan->first_thread[body] = 0;
    for (unsigned other = 0; other < body; other++)
        if (kernel->slot_of[other] == kernel->slot_of[body])
            plan->first_thread[body] += threads[other].count;
    return STATUS_OK;
}

/* The slots of an instance are all in one cluster, or each in its own, because a team's members
 * change places. */
static enum status place_in_cluster(struct plan *plan, struct error *error)
{
    const struct litmus_test *test = plan->test;
    struct kernel *kernel = plan->kernel;
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
    if (kernel->cluster_groups > 1 && plan->device->max_cluster_groups == 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the test needs a cluster of %u work-groups, but the device has no "
                         "clusters",
                         kernel->cluster_groups);
    if (kernel->cluster_groups > 1 && kernel->cluster_groups > plan->device->max_cluster_groups)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the test needs a cluster of %u work-groups, but the device has clusters of at most %u",
                         kernel->cluster_groups, plan->device->max_cluster_groups);
    return STATUS_OK;
}

/* Numbers the sub-groups that a slot's threads name, from 0. On a device with unknown sub-groups,
 * threads that name different ones need no placement, and threads that name the same one cannot be
 * placed. */
static enum status place_in_sub_group(struct plan *plan, unsigned body, struct error *error)
{
    const struct litmus_thread *threads = plan->test->threads;
    const int name = threads[body].placement.sub_group;
    struct kernel *kernel = plan->kernel;
    int next = 0;
    kernel->sub_group_of[body] = LITMUS_NONE;
    if (name == LITMUS_NONE)
        return STATUS_OK;
    if (threads[body].count > 1 && plan->device->sub_group_size < 2)
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
        if (plan->device->sub_group_size < 2)
            return error_set(error, STATUS_UNSUPPORTED,
                             "P%u shares a sub-group with P%u, and the device runs or reports no sub-groups",
                             threads[body].first, threads[other].first);
        kernel->sub_group_of[body] = kernel->sub_group_of[other];
        return STATUS_OK;
    }
    if (plan->device->sub_group_size >= 2)
        kernel->sub_group_of[body] = next;
    return STATUS_OK;
}

/* Whether each item must play a single thread. A range of threads needs as many items. If threads
 * of one group wait for each other, an item that played several would wait for itself. Groups of
 * asynchronous copies belong to an item, and each thread has its own. */
static bool needs_an_item_each(const struct plan *plan, unsigned slot, unsigned threads)
{
    bool spins = false;
    for (unsigned body = 0; body < plan->test->body_count; body++) {
        const struct litmus_thread *thread = &plan->test->threads[body];
        if (plan->kernel->slot_of[body] == slot && thread->count > 1)
            return true;
        if (plan->kernel->slot_of[body] == slot)
            spins |= plan_spins(&thread->body) || plan_has_groups(&thread->body);
    }
    return spins && threads > 1;
}

/* Gives each thread of a slot its item in a row of sub-groups: threads that name the same sub-group
 * share it, and every other thread has one of its own. */
static enum status lay_out_slot(struct plan *plan, unsigned slot, struct error *error)
{
    const struct litmus_test *test = plan->test;
    struct kernel *kernel = plan->kernel;
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
        plan->first_thread[body] = items[row_of[body]];
        items[row_of[body]] += test->threads[body].count;
    }
    kernel->sub_groups = next > kernel->sub_groups ? next : kernel->sub_groups;
    for (unsigned row = 0; row < next; row++)
        while (items[row] > kernel->sub_group_items)
            kernel->sub_group_items = kernel->sub_group_items ? 2 * kernel->sub_group_items : 1;
    for (unsigned body = 0; body < test->body_count; body++)
        if (kernel->slot_of[body] == slot)
            plan->row_of[body] = row_of[body];
    return STATUS_OK;
}

static enum status lay_out_sub_groups(struct plan *plan, struct error *error)
{
    struct kernel *kernel = plan->kernel;
    kernel->sub_group_size = plan->device->sub_group_size;
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        TRY(lay_out_slot(plan, slot, error));
    if (kernel->sub_group_size % kernel->sub_group_items != 0)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs sub-groups of %u, but the device has %u",
                         kernel->sub_group_items, kernel->sub_group_size);
    if (kernel->sub_groups * kernel->sub_group_size > plan->device->max_group_size)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs work-groups of %u, but the device has at most %u",
                         kernel->sub_groups * kernel->sub_group_size, plan->device->max_group_size);
    kernel->width = kernel->sub_groups * kernel->sub_group_items;
    for (unsigned body = 0; body < plan->test->body_count; body++)
        plan->first_thread[body] += plan->row_of[body] * kernel->sub_group_items;
    return STATUS_OK;
}

static enum status choose_width(struct plan *plan, struct error *error)
{
    const struct litmus_test *test = plan->test;
    struct kernel *kernel = plan->kernel;
    unsigned widest = 1;
    bool each = false;
    for (unsigned slot = 0; slot < kernel->slots; slot++) {
        unsigned threads = 0;
        for (unsigned body = 0; body < test->body_count; body++)
            if (kernel->slot_of[body] == slot)
                threads += test->threads[body].count;
        each |= needs_an_item_each(plan, slot, threads);
        widest = threads > widest ? threads : widest;
    }
    kernel->width = each ? widest : 1;
    for (unsigned body = 0; body < test->body_count && each; body++)
        if (kernel->sub_group_of[body] != LITMUS_NONE)
            return lay_out_sub_groups(plan, error);
    if (kernel->width > plan->device->max_group_size)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs work-groups of %u, but the device has at most %u",
                         kernel->width, plan->device->max_group_size);
    return STATUS_OK;
}

static enum status place_threads(struct plan *plan, struct error *error)
{
    for (unsigned body = 0; body < plan->test->body_count; body++) {
        TRY(place_in_slot(plan, body, error));
        TRY(place_in_sub_group(plan, body, error));
    }
    TRY(place_in_cluster(plan, error));
    TRY(launches_place(plan, error));
    return choose_width(plan, error);
}

struct local_use {
    struct plan *plan;
    unsigned body;
    int culprit; /* location used by two work-groups, or LITMUS_NONE */
};

static bool note_local_use(const struct litmus_expression *expression, void *context)
{
    struct local_use *use = context;
    const struct plan *plan = use->plan;
    if (expression->kind != LITMUS_EXPRESSION_ADDRESS ||
        plan->test->locations[expression->index].region != LITMUS_LOCAL)
        return true;
    int *slot = &use->plan->local_slot[expression->index];
    const int here = (int)plan->kernel->slot_of[use->body];
    if (plan->test->locations[expression->index].home != LITMUS_NONE && plan->kernel->cluster_groups > 1)
        return true; /* another work-group of its cluster also accesses it */
    if (*slot != LITMUS_NONE && *slot != here) {
        use->culprit = expression->index;
        return false;
    }
    *slot = here;
    return true;
}

/* Finds the slot of the work-group in whose memory the test places a location. */
static enum status place_home(struct plan *plan, unsigned location, struct error *error)
{
    const struct litmus_location *own = &plan->test->locations[location];
    plan->local_slot[location] = LITMUS_NONE;
    if (own->region != LITMUS_LOCAL || own->home == LITMUS_NONE)
        return STATUS_OK;
    for (unsigned body = 0; body < plan->test->body_count; body++)
        if (plan->test->threads[body].placement.work_group == own->home)
            plan->local_slot[location] = (int)plan->kernel->slot_of[body];
    if (plan->local_slot[location] == LITMUS_NONE)
        return error_set(error, STATUS_UNSUPPORTED,
                         "location %s lies in the memory of work-group %d, which has no thread", own->name, own->home);
    return STATUS_OK;
}

/* Words of a location's cell, and the alignment of their position. */
static unsigned size_location(const struct plan *plan, unsigned location, unsigned *alignment)
{
    const struct litmus_location *own = &plan->test->locations[location];
    const struct plan_vectored *vectored = &plan->vectored[location];
    const unsigned words = plan_words(own->type), copied = plan->async.room[location];
    const unsigned room = copied > vectored->room ? copied : vectored->room;
    *alignment = copied > 0 ? plan->kernel->alignment : vectored->room > 0 ? vectored->alignment : words;
    if (own->type == LITMUS_MBARRIER)
        return PLAN_MBARRIER_WORDS;
    return room > words * own->elements ? room : words * own->elements;
}

static enum status place_locations(struct plan *plan, struct error *error)
{
    const struct litmus_test *test = plan->test;
    struct kernel *kernel = plan->kernel;

    for (unsigned l = 0; l < test->location_count; l++)
        TRY(place_home(plan, l, error));
    for (unsigned body = 0; body < test->body_count; body++) {
        struct local_use use = {plan, body, LITMUS_NONE};
        if (!plan_each_expression(&test->threads[body].body, note_local_use, &use))
            return error_set(error, STATUS_UNSUPPORTED,
                             "local location %s is used by two work-groups, each of which would have its own",
                             test->locations[use.culprit].name);
    }
    TRY(plan_survey_async(plan, error));
    kernel->locations = (unsigned)test->location_count;
    TRY(plan_paths(plan, error));
    TRY(plan_survey_vectors(plan, error));
    for (unsigned l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        const struct plan_path *path = &plan->path_of[l];
        if (location->points_to != LITMUS_NONE)
            return error_set(error, STATUS_UNSUPPORTED, "location %s holds an address", location->name);
        if (location->region == LITMUS_IMAGE)
            return error_set(error, STATUS_UNSUPPORTED,
                             "location %s is an image: no backend puts locations into images", location->name);
        unsigned alignment;
        const unsigned size = size_location(plan, l, &alignment);
        if (path->storage != l)
            continue;
        unsigned *words = location->region == LITMUS_LOCAL ? &kernel->local_cells
                          : path->banked                   ? &kernel->bank_words
                                                           : &kernel->cell_words;
        *words = (*words + alignment - 1) / alignment * alignment;
        plan->cell_of[l] = *words;
        *words += size;
        if (location->region == LITMUS_LOCAL && plan->local_slot[l] == LITMUS_NONE)
            plan->local_slot[l] = 0;
    }
    for (unsigned l = 0; l < test->location_count; l++)
        plan->cell_of[l] = plan->cell_of[plan->path_of[l].storage];
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
static int part_of(struct plan *plan, const struct litmus_variable *variable)
{
    const struct kernel *kernel = plan->kernel;
    struct plan_part wanted = {.body = LITMUS_NONE};
    if (variable->thread == LITMUS_NONE) {
        if (plan->local_slot[variable->index] == LITMUS_NONE)
            return LITMUS_NONE;
        wanted.slot = (unsigned)plan->local_slot[variable->index];
    } else {
        wanted.body = variable->body;
        wanted.thread = (unsigned)variable->thread - plan->test->threads[variable->body].first;
        wanted.slot = kernel->slot_of[variable->body];
    }
    for (unsigned p = 0; p < plan->part_count; p++)
        if (plan->parts[p].body == wanted.body && plan->parts[p].thread == wanted.thread &&
            plan->parts[p].slot == wanted.slot)
            return (int)p;
    plan->parts[plan->part_count] = wanted;
    return (int)plan->part_count++;
}

/* A slot without an observed variable also gets a part, so that its stamp shows that it was
 * played. */
static void stamp_every_slot(struct plan *plan)
{
    bool stamped[KERNEL_MAXIMUM_SLOTS] = {false};
    for (unsigned p = 0; p < plan->part_count; p++)
        stamped[plan->parts[p].slot] = true;
    for (unsigned body = 0; body < plan->test->body_count; body++) {
        const unsigned slot = plan->kernel->slot_of[body];
        if (!stamped[slot])
            plan->parts[plan->part_count++] = (struct plan_part){.body = (int)body, .slot = slot};
        stamped[slot] = true;
    }
}

static enum status place_variables(struct plan *plan, struct error *error)
{
    const struct litmus_test *test = plan->test;
    struct kernel *kernel = plan->kernel;
    const size_t count = test->variable_count + KERNEL_MAXIMUM_SLOTS;

    plan->parts = memory_take(count, sizeof *plan->parts);
    plan->variables = memory_take(count, sizeof *plan->variables);
    kernel->variables = (unsigned)test->variable_count;
    for (unsigned v = 0; v < test->variable_count; v++) {
        const unsigned size = plan_words(litmus_variable_type(test, &test->variables[v]));
        plan->variables[v].part = part_of(plan, &test->variables[v]);
        kernel->words += size;
        if (plan->variables[v].part == LITMUS_NONE)
            continue;
        plan->variables[v].word = kernel->result_words;
        kernel->result_words += size;
    }
    if (kernel->words > KERNEL_MAXIMUM_WORDS)
        return error_set(error, STATUS_UNSUPPORTED, "the test observes more than %d words", KERNEL_MAXIMUM_WORDS);
    if (kernel->words == 0)
        kernel->words = 1;
    stamp_every_slot(plan);
    for (unsigned p = 0; p < plan->part_count; p++)
        plan->parts[p].stamp_word = kernel->result_words++;
    plan->gave_up_word = LITMUS_NONE;
    for (unsigned body = 0; body < test->body_count && plan->gave_up_word == LITMUS_NONE; body++)
        if (plan_spins(&test->threads[body].body) || plan->async.mbarriers)
            plan->gave_up_word = (int)kernel->result_words++;
    return STATUS_OK;
}

/* Refuses what several agents cannot do: a team's members change places only within an agent, and
 * the kernels of all agents must lay out instances the same way, whatever their sub-groups. */
static enum status check_agents(const struct plan *plan, struct error *error)
{
    const struct kernel *kernel = plan->kernel;
    const char *what = kernel->cluster_groups > 1 ? "clusters of several work-groups"
                       : kernel->paths != 0       ? "paths to memory other than its address"
                       : plan->async.architecture ? "asynchronous operations"
                       : kernel->width > 1        ? "work-groups with an item for each thread"
                                                  : NULL;
    if (kernel->agents > 1 && what)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs %s, which is supported only in tests of one device",
                         what);
    return STATUS_OK;
}

/* The names by which a draw places locations; NULL for those outside shared memory. With threads of
 * the host, locations of read-modify-writes may lie anywhere: models/ptx.cat does not treat them as
 * atomic there. */
static void name_locations(const struct plan *plan)
{
    struct kernel *kernel = plan->kernel;
    const struct litmus_test *test = plan->test;
    if (kernel->agents < 2)
        return;
    kernel->location_names = arena_take(&kernel->arena, test->location_count, sizeof *kernel->location_names);
    bool *atomic = arena_take(&kernel->arena, test->location_count, sizeof *atomic);
    kernel->atomic_locations = atomic;
    for (unsigned l = 0; l < test->location_count; l++)
        if (test->locations[l].region == LITMUS_GLOBAL && !test->locations[l].constant) {
            kernel->location_names[l] = arena_copy(&kernel->arena, test->locations[l].name);
            atomic[l] = !plan->agents.host && litmus_agents_share_atomics(test, l);
        }
}

enum status plan_make(const struct litmus_test *test, const struct backend_device *device, struct kernel *kernel,
                      struct plan *plan, struct error *error)
{
    *plan = (struct plan){.test = test, .device = device, .kernel = kernel};
    TRY(litmus_find_agents(test, &plan->agents, error));
    kernel->agents = plan->agents.count;
    kernel->bodies = (unsigned)test->body_count;
    kernel->alignment = 2;
    TRY(place_threads(plan, error));
    TRY(place_locations(plan, error));
    TRY(check_agents(plan, error));
    name_locations(plan);
    return place_variables(plan, error);
}

void plan_release(struct plan *plan)
{
    free(plan->parts);
    free(plan->variables);
    *plan = (struct plan){0};
}
