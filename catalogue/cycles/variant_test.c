// SPDX-License-Identifier: Apache-2.0
/* Variants as tests. A false dependency takes a bit of the value read that no value of the test has, so that no
 * compiler can know that it is 0: an index `r0 & 2` into an array of three elements (no bound can then change the
 * index), or a value `1 + (r0 & 2)`. A control dependency continues if the read gave the value of the witness, which
 * loses nothing: an instance that read something else is not a witness. */
#include "catalogue/cycles/variant_parts.h"
#include "litmus/dialects.h"
#include "litmus/language/build.h"
#include "litmus/language/order.h"

struct variant_builder {
    const struct variant *variant;
    struct variant_values values;
    size_t starts[CYCLE_MAXIMUM_THREADS + 1];
    struct litmus_builder build;
    size_t events; /* of the thread under construction: what bounds everything else */
    /* by event */
    int registers[CYCLE_MAXIMUM_EDGES]; /* of a read: the register that it gives; LITMUS_NONE */
};

/* For the statements of a block: an event has its fence or its dependency, a branch, and itself. */
static size_t room_of_block(const struct variant_builder *builder)
{
    return 6 * builder->events + 2;
}

/* ---- dependencies ---- */

/* The lowest bit that no value of the event's location has. */
static unsigned free_bit(const struct variant_builder *builder, size_t event)
{
    unsigned bit = 1;
    while (bit <= builder->values.write_counts[builder->values.locations[event]])
        bit *= 2;
    return bit;
}

/* `r & bit`, in instructions by way of a register. */
static struct litmus_expression *make_false_bit(struct variant_builder *builder, size_t read)
{
    struct litmus_expression *masked =
        build_binary(&builder->build, LITMUS_AND, build_register(&builder->build, builder->registers[read]),
                     build_constant(&builder->build, free_bit(builder, read)));
    if (!litmus_has_columns(builder->variant->dialect))
        return masked;
    const int temp = build_new_register(&builder->build, false);
    build_assign(&builder->build, temp, masked);
    return build_register(&builder->build, temp);
}

static struct litmus_expression *make_dependent_value(struct variant_builder *builder, size_t read, unsigned value)
{
    struct litmus_expression *bit = make_false_bit(builder, read);
    if (!litmus_has_columns(builder->variant->dialect))
        return build_binary(&builder->build, LITMUS_ADD, build_constant(&builder->build, value), bit);
    const int temp = bit->index;
    build_assign(&builder->build, temp,
                 build_binary(&builder->build, LITMUS_ADD, bit, build_constant(&builder->build, value)));
    return build_register(&builder->build, temp);
}

/* The rest of the thread runs only if the read gave its value of the witness. */
static void variant_test_add_branch(struct variant_builder *builder, size_t read)
{
    build_only_if_equal(&builder->build, build_register(&builder->build, builder->registers[read]),
                        build_constant(&builder->build, builder->values.values[read]), room_of_block(builder));
}

/* ---- accesses ---- */

static enum litmus_operation operation_of(const struct variant_builder *builder, size_t event)
{
    const bool updates = variant_updates(builder->variant, event);
    if (builder->variant->cycle.events[event].direction == CYCLE_READ)
        return updates ? LITMUS_FETCH_ADD : LITMUS_LOAD;
    return updates ? LITMUS_EXCHANGE : LITMUS_STORE;
}

static struct litmus_access *make_access(struct variant_builder *builder, size_t event)
{
    const struct variant *variant = builder->variant;
    const enum litmus_order order = variant->cycle.events[event].order;
    const bool opencl = variant->dialect == LITMUS_OPENCL && order != LITMUS_PLAIN;
    const bool c = variant->dialect == LITMUS_C && order != LITMUS_PLAIN;
    const bool cuda = variant->dialect == LITMUS_CUDA && order_is_atomic(order);
    struct litmus_access *access = build_take(&builder->build, 1, sizeof *access);
    struct litmus_expression *address = build_expression(&builder->build, LITMUS_EXPRESSION_ADDRESS);
    const enum litmus_operation operation = operation_of(builder, event);
    const unsigned location = builder->values.locations[event];
    address->index = (int)location;
    *access = (struct litmus_access){
        .operation = operation,
        .type = LITMUS_INT,
        .order = order,
        .failure = order,
        .scope = order == LITMUS_PLAIN      ? LITMUS_SCOPE_NONE
                 : order == LITMUS_VOLATILE ? LITMUS_ALL_DEVICES
                                            : variant->scope,
        .spelling = {.explicit_order = opencl || c,
                     .explicit_scope = opencl,
                     .library = cuda && !litmus_cuda_function(operation, order, variant->scope, false)},
        .address = address,
        .expected_register = LITMUS_NONE,
    };
    variant_complete_access(variant, event, location, &access->ordering);
    return access;
}

/* The access and the dependencies that go into it. */
static void variant_test_add_access(struct variant_builder *builder, size_t event, enum cycle_relation incoming)
{
    const bool reads = builder->variant->cycle.events[event].direction == CYCLE_READ;
    struct litmus_access *access = make_access(builder, event);
    if (incoming == CYCLE_ADDRESS)
        access->address->left = make_false_bit(builder, event - 1);
    if (incoming == CYCLE_DATA)
        access->operand = make_dependent_value(builder, event - 1, builder->values.values[event]);
    else if (access->operation != LITMUS_LOAD)
        access->operand = build_constant(&builder->build, reads ? 0 : builder->values.values[event]);
    struct litmus_expression *value = build_expression(&builder->build, LITMUS_EXPRESSION_ACCESS);
    value->access = access;
    int target = LITMUS_NONE;
    if (reads)
        target = builder->registers[event] != LITMUS_NONE ? builder->registers[event]
                                                          : build_new_register(&builder->build, true);
    else if (access->operation == LITMUS_EXCHANGE)
        target = build_new_register(&builder->build, false);
    builder->registers[event] = target;
    struct litmus_statement *statement =
        build_statement(&builder->build, target == LITMUS_NONE ? LITMUS_PERFORM : LITMUS_ASSIGN);
    statement->target = target;
    statement->value = value;
}

/* In C the registers of reads after a branch have a value if it is not taken; those of instructions start with 0. */
static void start_registers(struct variant_builder *builder, size_t event, size_t end)
{
    for (; event < end && !litmus_has_columns(builder->variant->dialect); event++) {
        if (builder->variant->cycle.events[event].direction != CYCLE_READ || builder->registers[event] != LITMUS_NONE)
            continue;
        builder->registers[event] = build_new_register(&builder->build, true);
        build_assign(&builder->build, builder->registers[event], build_constant(&builder->build, 0));
    }
}

static void build_body(struct variant_builder *builder, size_t first, size_t end)
{
    const struct cycle *cycle = &builder->variant->cycle;
    builder->events = end - first;
    builder->build.reads = builder->build.temps = 0;
    builder->build.thread->registers =
        build_take(&builder->build, 3 * builder->events, sizeof *builder->build.thread->registers);
    builder->build.block = &builder->build.thread->body;
    builder->build.block->statements =
        build_take(&builder->build, room_of_block(builder), sizeof *builder->build.block->statements);
    for (size_t i = first; i < end; i++) {
        const struct cycle_edge *edge = i > first ? &cycle->edges[i - 1] : NULL;
        if (edge && edge->relation == CYCLE_FENCE) {
            const struct variant *variant = builder->variant;
            const unsigned all = variant_locations(variant);
            const bool flags = dialects[variant->dialect].has_flags;
            struct litmus_fence *fence = &build_statement(&builder->build, LITMUS_FENCE)->fence;
            *fence = (struct litmus_fence){
                .order = edge->fence,
                .scope = edge->fence_scope == LITMUS_SCOPE_NONE ? variant->scope : edge->fence_scope,
                .flag_global = flags && variant->local != all,
                .flag_local = flags && variant->local != 0,
            };
            variant_complete_fence(variant, &fence->ordering);
        }
        if (edge && edge->relation == CYCLE_CONTROL) {
            start_registers(builder, i, end);
            variant_test_add_branch(builder, i - 1);
        }
        variant_test_add_access(builder, i, edge ? edge->relation : CYCLE_PO);
    }
    build_thread_end(&builder->build);
}

/* ---- the rest of the test ---- */

/* How many threads before this one are in its work-group. */
static unsigned rank_in_group(const struct variant *variant, unsigned thread)
{
    return SUM_OF(unsigned, each, variant->work_group, thread, *each == variant->work_group[thread]);
}

static void build_threads(struct variant_builder *builder)
{
    struct litmus_test *test = builder->build.test;
    const struct variant *variant = builder->variant;
    const bool vulkan = dialects[variant->dialect].has_semantics;
    test->threads = build_take(&builder->build, variant->threads, sizeof *test->threads);
    test->body_count = test->thread_count = variant->threads;
    for (size_t i = 0; i < CYCLE_MAXIMUM_EDGES; i++)
        builder->registers[i] = LITMUS_NONE;
    for (unsigned i = 0; i < variant->threads; i++) {
        const unsigned group = variant->work_group[i];
        builder->build.thread = &test->threads[i];
        *builder->build.thread = (struct litmus_thread){
            .first = i,
            .count = 1,
            .placement = {.queue_family = !vulkan                 ? LITMUS_NONE
                                          : variant->own_families ? (int)group
                                                                  : 0,
                          .sub_group = variant->one_sub_group[group] ? 0
                                       : vulkan                      ? (int)rank_in_group(variant, i)
                                                                     : LITMUS_NONE,
                          .work_group = (int)group,
                          .cluster = variant->one_cluster ? 0 : LITMUS_NONE,
                          .device = vulkan ? LITMUS_NONE : 0},
        };
        build_body(builder, builder->starts[i], builder->starts[i + 1]);
    }
}

/* An index that depends on a read needs an element for every value that it could have. */
static uint32_t variant_test_elements_of(const struct variant_builder *builder, unsigned location)
{
    const struct cycle *cycle = &builder->variant->cycle;
    uint32_t elements = 1;
    for (size_t i = 0; i + 1 < cycle->count; i++) {
        if (cycle->edges[i].relation != CYCLE_ADDRESS || builder->values.locations[i + 1] != location)
            continue;
        const uint32_t needed = free_bit(builder, i) + 1;
        elements = needed > elements ? needed : elements;
    }
    return elements;
}

static void build_location(struct variant_builder *builder, unsigned index)
{
    const struct variant *variant = builder->variant;
    const char name[] = {variant_letters[index], '\0'};
    struct litmus_location *location = &builder->build.test->locations[index];
    *location = (struct litmus_location){
        .name = arena_copy(&builder->build.test->arena, name),
        .type = LITMUS_INT,
        .region =
            variant->local >> index & 1 && !dialects[variant->dialect].has_semantics ? LITMUS_LOCAL : LITMUS_GLOBAL,
        .elements = variant_test_elements_of(builder, index),
        .points_to = LITMUS_NONE,
        .alias_of = LITMUS_NONE,
        .home = LITMUS_NONE,
    };
    location->array = location->elements > 1;
    location->initial = build_take(&builder->build, location->elements, sizeof *location->initial);
    for (size_t i = 0; i < variant->cycle.count; i++)
        location->atomic |= dialects[variant->dialect].has_atomic_types && builder->values.locations[i] == index &&
                            variant->cycle.events[i].order != LITMUS_PLAIN;
}

static void build_locations(struct variant_builder *builder)
{
    struct litmus_test *test = builder->build.test;
    test->location_count = builder->values.location_count;
    test->locations = build_take(&builder->build, test->location_count, sizeof *test->locations);
    for (unsigned i = 0; i < test->location_count; i++)
        build_location(builder, i);
}

/* All reads, and the final value of each location that several writes leave open. */
static void build_condition(struct variant_builder *builder)
{
    const struct cycle *cycle = &builder->variant->cycle;
    struct litmus_test *test = builder->build.test;
    test->quantifier = LITMUS_EXISTS;
    test->variables = build_take(&builder->build, 2 * cycle->count, sizeof *test->variables);
    for (int thread = 0; thread < (int)builder->variant->threads; thread++)
        for (size_t i = builder->starts[thread]; i < builder->starts[thread + 1]; i++)
            if (cycle->events[i].direction == CYCLE_READ)
                build_condition_atom(&builder->build,
                                     (struct litmus_variable){thread, thread, builder->registers[i], 0},
                                     builder->values.values[i]);
    for (unsigned i = 0; i < test->location_count; i++)
        if (builder->values.write_counts[i] > 1)
            build_condition_atom(&builder->build, (struct litmus_variable){LITMUS_NONE, LITMUS_NONE, (int)i, 0},
                                 builder->values.write_counts[i]);
}

static void add_metadata(struct variant_builder *builder, const char *key, const char *value)
{
    struct litmus_test *test = builder->build.test;
    if (value)
        ARENA_ADD(&test->arena, test->metadata, test->metadata_count) =
            (struct litmus_metadata){arena_copy(&test->arena, key), arena_copy(&test->arena, value)};
}

static void build_head(struct variant_builder *builder, const struct variant_notes *notes)
{
    struct litmus_test *test = builder->build.test;
    LOCAL(text) text = {0};
    variant_name(builder->variant, &text);
    test->name = arena_copy(&test->arena, text_string(&text));
    text_clear(&text);
    variant_describe(builder->variant, notes, &text);
    test->doc = arena_copy(&test->arena, text_string(&text));
    text_clear(&text);
    cycle_print(&builder->variant->cycle, &text);
    add_metadata(builder, "Cycle", text_string(&text));
    add_metadata(builder, "Expect", notes ? notes->expect : NULL);
    add_metadata(builder, "Control", notes ? notes->control : NULL);
    add_metadata(builder, "Mutants", notes ? notes->mutants : NULL);
}

enum status variant_test(const struct variant *given, const struct variant_notes *notes, struct litmus_test **test,
                         struct error *error)
{
    struct variant variant = *given;
    struct variant_builder builder = {.variant = &variant};
    *test = NULL;
    variant_settle(&variant);
    TRY(variant_check(&variant, error));
    TRY(variant_find_values(&variant.cycle, &builder.values, error));
    variant_starts(&variant.cycle, builder.starts);
    builder.build.test = litmus_new();
    builder.build.test->dialect = variant.dialect;
    build_locations(&builder);
    build_threads(&builder);
    build_condition(&builder);
    build_head(&builder, notes);
    *test = builder.build.test;
    return STATUS_OK;
}
