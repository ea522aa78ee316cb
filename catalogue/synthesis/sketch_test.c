// SPDX-License-Identifier: Apache-2.0
/*
 * Sketches as tests. A dependency is false: it takes a bit that no value of the test has, as an index, as a part of the
 * value, or as the condition of a branch.
 */
#include "catalogue/synthesis/sketch_test.h"

#include "catalogue/synthesis/strength.h"
#include "litmus/dialects.h"
#include "litmus/language/build.h"

struct sketch_builder {
    const struct sketch *sketch;
    struct litmus_builder build;
    int registers[SKETCH_MAXIMUM_ACCESSES]; /* of each access that reads */
};

static bool has_instructions(const struct sketch_builder *builder)
{
    return litmus_has_columns(builder->build.test->dialect);
}

/* ---- dependencies ---- */

/* The lowest bit that no value of the access's location has. */
static unsigned free_bit(const struct sketch *sketch, unsigned access)
{
    unsigned bit = 1;
    while (bit <= sketch_write_count(sketch, sketch->location[access]))
        bit *= 2;
    return bit;
}

/* 0, computed from the nearest earlier read; in instructions by way of a register. */
static struct litmus_expression *make_false_bit(struct sketch_builder *builder, unsigned access)
{
    const unsigned read = (unsigned)sketch_earlier_read(builder->sketch, access);
    struct litmus_expression *masked =
        build_binary(&builder->build, LITMUS_AND, build_register(&builder->build, builder->registers[read]),
                     build_constant(&builder->build, free_bit(builder->sketch, read)));
    if (!has_instructions(builder))
        return masked;
    const int temp = build_new_register(&builder->build, false);
    build_assign(&builder->build, temp, masked);
    return build_register(&builder->build, temp);
}

static struct litmus_expression *make_value(struct sketch_builder *builder, unsigned access)
{
    struct litmus_expression *value = build_constant(&builder->build, sketch_value(builder->sketch, access));
    if (!(builder->sketch->strength[access] & SKETCH_DATA))
        return value;
    struct litmus_expression *bit = make_false_bit(builder, access);
    value = build_binary(&builder->build, LITMUS_ADD, bit, value);
    if (has_instructions(builder)) {
        build_assign(&builder->build, bit->index, value);
        return build_register(&builder->build, bit->index);
    }
    return value;
}

/* The rest of the thread runs if the false bit is 0, as it always is. */
static void add_branch(struct sketch_builder *builder, unsigned access)
{
    build_only_if_equal(&builder->build, make_false_bit(builder, access), build_constant(&builder->build, 0),
                        6 * SKETCH_MAXIMUM_ACCESSES);
}

/* ---- accesses and fences ---- */

static enum litmus_scope scope_of(enum litmus_dialect dialect, uint8_t strength)
{
    return (strength & SKETCH_WIDE) || !dialects[dialect].has_scopes ? LITMUS_DEVICE : LITMUS_WORK_GROUP;
}

static void add_fence(struct sketch_builder *builder, uint8_t strength)
{
    const enum litmus_dialect dialect = builder->build.test->dialect;
    build_statement(&builder->build, LITMUS_FENCE)->fence = (struct litmus_fence){
        .ordering = strength_ordering(dialect, strength_order(strength), scope_of(dialect, strength), STRENGTH_FENCE),
        .flag_global = (strength & SKETCH_ON_GLOBAL) != 0,
        .flag_local = (strength & SKETCH_ON_LOCAL) != 0,
    };
}

/* OPENCL: the strength is that of its flags. */
static void add_barrier(struct sketch_builder *builder, uint8_t strength)
{
    const enum litmus_dialect dialect = builder->build.test->dialect;
    const bool opencl = dialects[dialect].has_flags, wide = (strength & SKETCH_WIDE) != 0;
    const enum litmus_order order = dialects[dialect].has_semantics ? strength_order(strength) : LITMUS_PLAIN;
    build_statement(&builder->build, LITMUS_BARRIER)->barrier = (struct litmus_barrier){
        .instance = opencl ? NULL : arena_copy(&builder->build.test->arena, "0"),
        .ordering = strength_ordering(dialect, order, wide ? LITMUS_DEVICE : LITMUS_WORK_GROUP, STRENGTH_BARRIER),
        .flag_global = opencl && strength & SKETCH_ON_GLOBAL,
        .flag_local = opencl && strength & SKETCH_ON_LOCAL,
        .spelling = {.explicit_scope = opencl && wide},
    };
}

static struct litmus_expression *make_access(struct sketch_builder *builder, unsigned access)
{
    static const enum litmus_operation operations[] = {LITMUS_LOAD, LITMUS_STORE, LITMUS_EXCHANGE};
    const struct sketch *sketch = builder->sketch;
    const uint8_t strength = sketch->strength[access];
    const enum litmus_order order = strength_order(strength);
    const enum litmus_dialect dialect = builder->build.test->dialect;
    const bool opencl = dialect == LITMUS_OPENCL, c = dialect == LITMUS_C;
    struct litmus_expression *address = build_expression(&builder->build, LITMUS_EXPRESSION_ADDRESS);
    address->index = sketch->location[access];
    struct litmus_access *made = build_take(&builder->build, 1, sizeof *made);
    *made = (struct litmus_access){
        .operation = operations[sketch->kind[access]],
        .type = LITMUS_INT,
        .ordering =
            strength_ordering(dialect, order, order == LITMUS_PLAIN ? LITMUS_SCOPE_NONE : scope_of(dialect, strength),
                              sketch_barriers(sketch) ? STRENGTH_ACCESS_BESIDE_BARRIERS : STRENGTH_ACCESS),
        .failure = order,
        .spelling = {.explicit_order = (opencl || c) && order != LITMUS_PLAIN,
                     .explicit_scope = opencl && order != LITMUS_PLAIN},
        .address = address,
        .expected_register = LITMUS_NONE,
    };
    if (strength & SKETCH_ADDRESS)
        address->left = make_false_bit(builder, access);
    if (sketch_writes(sketch, access))
        made->operand = make_value(builder, access);
    struct litmus_expression *value = build_expression(&builder->build, LITMUS_EXPRESSION_ACCESS);
    value->access = made;
    return value;
}

static void add_access(struct sketch_builder *builder, unsigned access)
{
    if (builder->sketch->fence[access])
        add_fence(builder, builder->sketch->fence[access]);
    if (builder->sketch->kind[access] == SKETCH_BARRIER) {
        add_barrier(builder, builder->sketch->strength[access]);
        return;
    }
    if (builder->sketch->strength[access] & SKETCH_CONTROL)
        add_branch(builder, access);
    struct litmus_expression *value = make_access(builder, access);
    if (sketch_reads(builder->sketch, access))
        build_assign(&builder->build, builder->registers[access], value);
    else
        build_statement(&builder->build, LITMUS_PERFORM)->value = value;
}

/* Registers of reads come first, so that they are declared in order of the reads. In C they start with 0 if a branch may
 * leave the read out. */
static void declare_registers(struct sketch_builder *builder, unsigned first, unsigned end)
{
    bool branches = false;
    for (unsigned i = first; i < end; i++) {
        branches |= (builder->sketch->strength[i] & SKETCH_CONTROL) != 0;
        if (!sketch_reads(builder->sketch, i))
            continue;
        builder->registers[i] = build_new_register(&builder->build, true);
        if (branches && !has_instructions(builder))
            build_assign(&builder->build, builder->registers[i], build_constant(&builder->build, 0));
    }
}

/* In VULKAN threads of one work-group are in sub-groups of their own. */
static struct litmus_placement placement_of(const struct sketch_builder *builder, unsigned thread)
{
    const struct sketch *sketch = builder->sketch;
    const bool vulkan = dialects[builder->build.test->dialect].has_semantics;
    int rank = 0;
    for (unsigned i = 0; i < thread; i++)
        rank += sketch->group[i] == sketch->group[thread];
    return (struct litmus_placement){.queue_family = vulkan ? 0 : LITMUS_NONE,
                                     .sub_group = vulkan ? rank : LITMUS_NONE,
                                     .work_group = sketch->group[thread],
                                     .cluster = LITMUS_NONE,
                                     .device = vulkan ? LITMUS_NONE : 0};
}

static void build_thread(struct sketch_builder *builder, unsigned thread)
{
    const struct sketch *sketch = builder->sketch;
    unsigned first = 0, end;
    while (sketch->thread[first] != thread)
        first++;
    for (end = first; end < sketch->count && sketch->thread[end] == thread; end++)
        ;
    builder->build.thread = &builder->build.test->threads[thread];
    builder->build.reads = builder->build.temps = 0;
    *builder->build.thread = (struct litmus_thread){
        .first = thread,
        .count = 1,
        .placement = placement_of(builder, thread),
        .registers = build_take(&builder->build, 4 * SKETCH_MAXIMUM_ACCESSES, sizeof *builder->build.thread->registers),
    };
    builder->build.block = &builder->build.thread->body;
    builder->build.block->statements =
        build_take(&builder->build, 6 * SKETCH_MAXIMUM_ACCESSES, sizeof *builder->build.block->statements);
    declare_registers(builder, first, end);
    for (unsigned i = first; i < end; i++)
        add_access(builder, i);
    build_thread_end(&builder->build);
}

/* ---- the rest of the test ---- */

static void build_location(struct sketch_builder *builder, unsigned index)
{
    static const char names[] = "xyzabcdefgh";
    const struct sketch *sketch = builder->sketch;
    struct litmus_location *location = &builder->build.test->locations[index];
    const bool c = dialects[builder->build.test->dialect].has_atomic_types;
    *location = (struct litmus_location){
        .name = arena_copy_part(&builder->build.test->arena, &names[index], 1),
        .type = LITMUS_INT,
        .region = sketch->local >> index & 1 ? LITMUS_LOCAL : LITMUS_GLOBAL,
        .elements = 1,
        .points_to = LITMUS_NONE,
        .alias_of = LITMUS_NONE,
        .home = LITMUS_NONE,
    };
    for (unsigned i = 0; i < sketch->count; i++) {
        if (sketch->location[i] != index)
            continue;
        location->atomic |= c && sketch->strength[i] & SKETCH_ATOMIC;
        if (!(sketch->strength[i] & SKETCH_ADDRESS))
            continue;
        const uint32_t needed = free_bit(sketch, (unsigned)sketch_earlier_read(sketch, i)) + 1;
        location->elements = needed > location->elements ? needed : location->elements;
    }
    location->array = location->elements > 1;
    location->initial = build_take(&builder->build, location->elements, sizeof *location->initial);
}

static int64_t value_of(const struct sketch *sketch, uint8_t write)
{
    return write < OUTCOME_INITIAL ? sketch_value(sketch, write) : 0;
}

static void build_condition(struct sketch_builder *builder, const struct outcome *outcome)
{
    const struct sketch *sketch = builder->sketch;
    builder->build.test->quantifier = LITMUS_EXISTS;
    builder->build.test->variables =
        build_take(&builder->build, 2 * SKETCH_MAXIMUM_ACCESSES, sizeof *builder->build.test->variables);
    for (unsigned i = 0; i < sketch->count; i++)
        if (sketch_reads(sketch, i))
            build_condition_atom(
                &builder->build,
                (struct litmus_variable){sketch->thread[i], sketch->thread[i], builder->registers[i], 0},
                value_of(sketch, outcome->source[i]));
    for (unsigned i = 0; i < sketch->locations; i++)
        if (sketch_write_count(sketch, i) > 1)
            build_condition_atom(&builder->build, (struct litmus_variable){LITMUS_NONE, LITMUS_NONE, (int)i, 0},
                                 value_of(sketch, outcome->last[i]));
    if (!builder->build.test->condition) {
        builder->build.test->condition = build_take(&builder->build, 1, sizeof *builder->build.test->condition);
        builder->build.test->condition->kind = LITMUS_TRUE;
    }
}

struct litmus_test *sketch_test(enum litmus_dialect dialect, const struct sketch *sketch, const struct outcome *outcome)
{
    struct sketch_builder builder = {.sketch = sketch, .build = {.test = litmus_new()}};
    struct litmus_test *test = builder.build.test;
    test->dialect = dialect;
    test->name = arena_copy(&test->arena, "sketch");
    test->doc = arena_copy(&test->arena, "");
    test->location_count = sketch->locations;
    test->locations = build_take(&builder.build, sketch->locations, sizeof *test->locations);
    for (unsigned i = 0; i < sketch->locations; i++)
        build_location(&builder, i);
    test->threads = build_take(&builder.build, sketch->threads, sizeof *test->threads);
    test->body_count = test->thread_count = sketch->threads;
    for (unsigned i = 0; i < sketch->threads; i++)
        build_thread(&builder, i);
    build_condition(&builder, outcome);
    return test;
}
