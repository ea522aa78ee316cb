// SPDX-License-Identifier: Apache-2.0
/*
 * Variants as tests. A false dependency takes a bit of the value read that no value of the test
 * has, so that no compiler can know that it is 0: an index `r0 & 2` into an array of three elements
 * (no bound can then change the index), or a value `1 + (r0 & 2)`. A control dependency continues
 * if the read gave the value of the witness, which loses nothing: an instance that read something
 * else is not a witness.
 */
#include "litmus/cycles/variant_parts.h"

struct variant_builder {
    const struct variant *variant;
    struct variant_values values;
    size_t starts[CYCLE_MAXIMUM_THREADS + 1];
    struct litmus_test *test;
    /* of the thread under construction */
    struct litmus_thread *thread;
    struct litmus_block *block;
    size_t events;         /* its number of events: what bounds everything else */
    unsigned reads, temps; /* registers named so far */
    /* by event */
    int registers[CYCLE_MAXIMUM_EDGES]; /* of a read: the register that it gives; LITMUS_NONE */
};

static void *builder_take(struct variant_builder *builder, size_t count, size_t size)
{
    return arena_take(&builder->test->arena, count, size);
}

static struct litmus_expression *make_expression(struct variant_builder *builder, enum litmus_expression_kind kind)
{
    struct litmus_expression *expression = builder_take(builder, 1, sizeof *expression);
    *expression = (struct litmus_expression){.kind = kind, .index = LITMUS_NONE};
    return expression;
}

static struct litmus_expression *make_constant(struct variant_builder *builder, int64_t value)
{
    struct litmus_expression *expression = make_expression(builder, LITMUS_EXPRESSION_CONSTANT);
    expression->value = value;
    return expression;
}

static struct litmus_expression *make_register(struct variant_builder *builder, int index)
{
    struct litmus_expression *expression = make_expression(builder, LITMUS_EXPRESSION_REGISTER);
    expression->index = index;
    return expression;
}

static struct litmus_expression *make_binary(struct variant_builder *builder, enum litmus_operator op,
                                             struct litmus_expression *left, struct litmus_expression *right)
{
    struct litmus_expression *expression = make_expression(builder, LITMUS_EXPRESSION_BINARY);
    expression->op = op;
    expression->left = left;
    expression->right = right;
    return expression;
}

/* Dialects of instructions: expressions go by way of registers, and a branch jumps to a label. */
static bool has_instructions(const struct variant_builder *builder)
{
    return builder->variant->dialect == LITMUS_PTX || builder->variant->dialect == LITMUS_VULKAN;
}

/* Room for the statements of a block: an event has its fence or its dependency, a branch, and itself. */
static void open_block(struct variant_builder *builder, struct litmus_block *block)
{
    *block =
        (struct litmus_block){.statements = builder_take(builder, 6 * builder->events + 2, sizeof *block->statements)};
    builder->block = block;
}

static struct litmus_statement *add_statement(struct variant_builder *builder, enum litmus_statement_kind kind)
{
    struct litmus_statement *statement = &builder->block->statements[builder->block->count++];
    *statement = (struct litmus_statement){.kind = kind, .target = LITMUS_NONE, .label = LITMUS_NONE};
    return statement;
}

static void assign(struct variant_builder *builder, int target, struct litmus_expression *value)
{
    struct litmus_statement *statement = add_statement(builder, LITMUS_ASSIGN);
    statement->target = target;
    statement->value = value;
}

/* A new register, r0, r1, ... for what is observed and t0, t1, ... for the rest. */
static int add_register(struct variant_builder *builder, bool observed)
{
    struct litmus_thread *thread = builder->thread;
    thread->registers[thread->register_count] = (struct litmus_register){
        .name = arena_print(&builder->test->arena, "%c%u", observed ? 'r' : 't',
                            observed ? builder->reads++ : builder->temps++),
        .type = LITMUS_INT,
        .points_to = LITMUS_NONE,
    };
    return (int)thread->register_count++;
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
        make_binary(builder, LITMUS_AND, make_register(builder, builder->registers[read]),
                    make_constant(builder, free_bit(builder, read)));
    if (!has_instructions(builder))
        return masked;
    const int temp = add_register(builder, false);
    assign(builder, temp, masked);
    return make_register(builder, temp);
}

static struct litmus_expression *make_dependent_value(struct variant_builder *builder, size_t read, unsigned value)
{
    struct litmus_expression *bit = make_false_bit(builder, read);
    if (!has_instructions(builder))
        return make_binary(builder, LITMUS_ADD, make_constant(builder, value), bit);
    const int temp = bit->index;
    assign(builder, temp, make_binary(builder, LITMUS_ADD, bit, make_constant(builder, value)));
    return make_register(builder, temp);
}

/* The rest of the thread runs only if the read gave its value of the witness. */
static void add_branch(struct variant_builder *builder, size_t read)
{
    struct litmus_expression *value = make_binary(builder, has_instructions(builder) ? LITMUS_NE : LITMUS_EQ,
                                                  make_register(builder, builder->registers[read]),
                                                  make_constant(builder, builder->values.values[read]));
    struct litmus_statement *statement = add_statement(builder, has_instructions(builder) ? LITMUS_GOTO : LITMUS_IF);
    statement->value = value;
    if (!has_instructions(builder)) {
        open_block(builder, &statement->body);
        return;
    }
    statement->label = 0;
    if (builder->thread->label_count == 0)
        ARENA_ADD(&builder->test->arena, builder->thread->labels, builder->thread->label_count) =
            arena_copy(&builder->test->arena, "LC00");
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
    const bool cuda = variant->dialect == LITMUS_CUDA && order > LITMUS_VOLATILE;
    struct litmus_access *access = builder_take(builder, 1, sizeof *access);
    struct litmus_expression *address = make_expression(builder, LITMUS_EXPRESSION_ADDRESS);
    const enum litmus_operation operation = operation_of(builder, event);
    const unsigned location = builder->values.locations[event];
    const unsigned semantics =
        variant->dialect == LITMUS_VULKAN ? variant_access_semantics(variant, event, location) : 0;
    address->index = (int)location;
    *access = (struct litmus_access){
        .operation = operation,
        .type = LITMUS_INT,
        .order = order,
        .failure = order,
        .scope = order == LITMUS_PLAIN && !(semantics & (LITMUS_AVAILABLE | LITMUS_VISIBLE)) ? LITMUS_SCOPE_NONE
                 : order == LITMUS_VOLATILE                                                  ? LITMUS_ALL_DEVICES
                                                                                             : variant->scope,
        .semantics = semantics,
        .spelling = {.explicit_order = opencl || c,
                     .explicit_scope = opencl,
                     .library = cuda && !litmus_cuda_function(operation, order, variant->scope, false)},
        .address = address,
        .expected_register = LITMUS_NONE,
    };
    return access;
}

/* The access and the dependencies that go into it. */
static void add_access(struct variant_builder *builder, size_t event, enum cycle_relation incoming)
{
    const bool reads = builder->variant->cycle.events[event].direction == CYCLE_READ;
    struct litmus_access *access = make_access(builder, event);
    if (incoming == CYCLE_ADDRESS)
        access->address->left = make_false_bit(builder, event - 1);
    if (incoming == CYCLE_DATA)
        access->operand = make_dependent_value(builder, event - 1, builder->values.values[event]);
    else if (access->operation != LITMUS_LOAD)
        access->operand = make_constant(builder, reads ? 0 : builder->values.values[event]);
    struct litmus_expression *value = make_expression(builder, LITMUS_EXPRESSION_ACCESS);
    value->access = access;
    int target = LITMUS_NONE;
    if (reads)
        target = builder->registers[event] != LITMUS_NONE ? builder->registers[event] : add_register(builder, true);
    else if (access->operation == LITMUS_EXCHANGE)
        target = add_register(builder, false);
    builder->registers[event] = target;
    struct litmus_statement *statement = add_statement(builder, target == LITMUS_NONE ? LITMUS_PERFORM : LITMUS_ASSIGN);
    statement->target = target;
    statement->value = value;
}

static void add_fence(struct variant_builder *builder, const struct cycle_edge *edge)
{
    const struct variant *variant = builder->variant;
    const unsigned all = variant_locations(variant);
    const bool opencl = variant->dialect == LITMUS_OPENCL;
    add_statement(builder, LITMUS_FENCE)->fence = (struct litmus_fence){
        .order = edge->fence,
        .scope = edge->fence_scope == LITMUS_SCOPE_NONE ? variant->scope : edge->fence_scope,
        .flag_global = opencl && variant->local != all,
        .flag_local = opencl && variant->local != 0,
        .semantics = variant->dialect == LITMUS_VULKAN ? variant_order_semantics(variant, edge->fence) : 0,
    };
}

/* In C the registers of reads after a branch have a value if it is not taken; those of instructions
 * start with 0. */
static void start_registers(struct variant_builder *builder, size_t event, size_t end)
{
    for (; event < end && !has_instructions(builder); event++) {
        if (builder->variant->cycle.events[event].direction != CYCLE_READ || builder->registers[event] != LITMUS_NONE)
            continue;
        builder->registers[event] = add_register(builder, true);
        assign(builder, builder->registers[event], make_constant(builder, 0));
    }
}

static void build_body(struct variant_builder *builder, size_t first, size_t end)
{
    const struct cycle *cycle = &builder->variant->cycle;
    builder->events = end - first;
    builder->reads = builder->temps = 0;
    builder->thread->registers = builder_take(builder, 3 * builder->events, sizeof *builder->thread->registers);
    open_block(builder, &builder->thread->body);
    for (size_t i = first; i < end; i++) {
        const struct cycle_edge *edge = i > first ? &cycle->edges[i - 1] : NULL;
        if (edge && edge->relation == CYCLE_FENCE)
            add_fence(builder, edge);
        if (edge && edge->relation == CYCLE_CONTROL) {
            start_registers(builder, i, end);
            add_branch(builder, i - 1);
        }
        add_access(builder, i, edge ? edge->relation : CYCLE_PO);
    }
    if (builder->thread->label_count > 0)
        add_statement(builder, LITMUS_LABEL)->label = 0;
}

/* ---- the rest of the test ---- */

/* How many threads before this one are in its work-group. */
static unsigned rank_in_group(const struct variant *variant, unsigned thread)
{
    unsigned rank = 0;
    for (unsigned i = 0; i < thread; i++)
        rank += variant->work_group[i] == variant->work_group[thread];
    return rank;
}

static void build_threads(struct variant_builder *builder)
{
    struct litmus_test *test = builder->test;
    const struct variant *variant = builder->variant;
    const bool vulkan = variant->dialect == LITMUS_VULKAN;
    test->threads = builder_take(builder, variant->threads, sizeof *test->threads);
    test->body_count = test->thread_count = variant->threads;
    for (size_t i = 0; i < CYCLE_MAXIMUM_EDGES; i++)
        builder->registers[i] = LITMUS_NONE;
    for (unsigned i = 0; i < variant->threads; i++) {
        const unsigned group = variant->work_group[i];
        builder->thread = &test->threads[i];
        *builder->thread = (struct litmus_thread){
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
static uint32_t elements_of(const struct variant_builder *builder, unsigned location)
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
    const char name[] = {variant_letter(index), '\0'};
    struct litmus_location *location = &builder->test->locations[index];
    *location = (struct litmus_location){
        .name = arena_copy(&builder->test->arena, name),
        .type = LITMUS_INT,
        .region = variant->local >> index & 1 && variant->dialect != LITMUS_VULKAN ? LITMUS_LOCAL : LITMUS_GLOBAL,
        .elements = elements_of(builder, index),
        .points_to = LITMUS_NONE,
        .alias_of = LITMUS_NONE,
        .home = LITMUS_NONE,
    };
    location->array = location->elements > 1;
    location->initial = builder_take(builder, location->elements, sizeof *location->initial);
    for (size_t i = 0; i < variant->cycle.count; i++)
        location->atomic |= (variant->dialect == LITMUS_OPENCL || variant->dialect == LITMUS_C) &&
                            builder->values.locations[i] == index && variant->cycle.events[i].order != LITMUS_PLAIN;
}

static void build_locations(struct variant_builder *builder)
{
    struct litmus_test *test = builder->test;
    test->location_count = builder->values.location_count;
    test->locations = builder_take(builder, test->location_count, sizeof *test->locations);
    for (unsigned i = 0; i < test->location_count; i++)
        build_location(builder, i);
}

/* Adds "variable=value" to the condition. */
static void add_atom(struct variant_builder *builder, struct litmus_variable variable, unsigned value)
{
    struct litmus_test *test = builder->test;
    struct litmus_proposition *atom = builder_take(builder, 1, sizeof *atom);
    *atom = (struct litmus_proposition){.kind = LITMUS_ATOM, .relation = LITMUS_IS};
    atom->terms[0].variable = (int)test->variable_count;
    atom->terms[1] = (struct litmus_term){.variable = LITMUS_NONE, .value = value};
    test->variables[test->variable_count++] = variable;
    if (test->condition) {
        struct litmus_proposition *both = builder_take(builder, 1, sizeof *both);
        *both = (struct litmus_proposition){
            .kind = LITMUS_CONJUNCTION,
            .terms = {{.variable = LITMUS_NONE}, {.variable = LITMUS_NONE}},
            .left = test->condition,
            .right = atom,
        };
        atom = both;
    }
    test->condition = atom;
}

/* All reads, and the final value of each location that several writes leave open. */
static void build_condition(struct variant_builder *builder)
{
    const struct cycle *cycle = &builder->variant->cycle;
    struct litmus_test *test = builder->test;
    test->quantifier = LITMUS_EXISTS;
    test->variables = builder_take(builder, 2 * cycle->count, sizeof *test->variables);
    for (int thread = 0; thread < (int)builder->variant->threads; thread++)
        for (size_t i = builder->starts[thread]; i < builder->starts[thread + 1]; i++)
            if (cycle->events[i].direction == CYCLE_READ)
                add_atom(builder, (struct litmus_variable){thread, thread, builder->registers[i], 0},
                         builder->values.values[i]);
    for (unsigned i = 0; i < test->location_count; i++)
        if (builder->values.write_counts[i] > 1)
            add_atom(builder, (struct litmus_variable){LITMUS_NONE, LITMUS_NONE, (int)i, 0},
                     builder->values.write_counts[i]);
}

static void add_metadata(struct variant_builder *builder, const char *key, const char *value)
{
    struct litmus_test *test = builder->test;
    if (value)
        ARENA_ADD(&test->arena, test->metadata, test->metadata_count) =
            (struct litmus_metadata){arena_copy(&test->arena, key), arena_copy(&test->arena, value)};
}

static void build_head(struct variant_builder *builder, const struct variant_notes *notes)
{
    struct litmus_test *test = builder->test;
    struct text text = {0};
    test->dialect = builder->variant->dialect;
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
    text_release(&text);
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
    builder.test = litmus_new();
    build_locations(&builder);
    build_threads(&builder);
    build_condition(&builder);
    build_head(&builder, notes);
    *test = builder.test;
    return STATUS_OK;
}
