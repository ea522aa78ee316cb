// SPDX-License-Identifier: Apache-2.0
/*
 * Sketches as tests. A dependency is false: it takes a bit that no value of the test has, as an index, as a part of the
 * value, or as the condition of a branch.
 */
#include "synthesis/sketch_test.h"

#include "synthesis/strength.h"

struct sketch_builder {
    const struct sketch *sketch;
    struct litmus_test *test;
    struct litmus_thread *thread; /* under construction */
    struct litmus_block *block;
    unsigned reads, temps;                  /* registers named so far */
    int registers[SKETCH_MAXIMUM_ACCESSES]; /* of each access that reads */
};

static void *builder_take(struct sketch_builder *builder, size_t count, size_t size)
{
    return arena_take(&builder->test->arena, count, size);
}

static bool has_instructions(const struct sketch_builder *builder)
{
    return litmus_has_columns(builder->test->dialect);
}

static struct litmus_expression *make_expression(struct sketch_builder *builder, enum litmus_expression_kind kind,
                                                 int index, int64_t value)
{
    struct litmus_expression *expression = builder_take(builder, 1, sizeof *expression);
    *expression = (struct litmus_expression){.kind = kind, .index = index, .value = value};
    return expression;
}

static struct litmus_expression *make_constant(struct sketch_builder *builder, int64_t value)
{
    return make_expression(builder, LITMUS_EXPRESSION_CONSTANT, LITMUS_NONE, value);
}

static struct litmus_expression *make_binary(struct sketch_builder *builder, enum litmus_operator op,
                                             struct litmus_expression *left, struct litmus_expression *right)
{
    struct litmus_expression *expression = make_expression(builder, LITMUS_EXPRESSION_BINARY, LITMUS_NONE, 0);
    expression->op = op;
    expression->left = left;
    expression->right = right;
    return expression;
}

static struct litmus_statement *add_statement(struct sketch_builder *builder, enum litmus_statement_kind kind)
{
    struct litmus_statement *statement = &builder->block->statements[builder->block->count++];
    *statement = (struct litmus_statement){.kind = kind, .target = LITMUS_NONE, .label = LITMUS_NONE};
    return statement;
}

static void assign(struct sketch_builder *builder, int target, struct litmus_expression *value)
{
    struct litmus_statement *statement = add_statement(builder, LITMUS_ASSIGN);
    statement->target = target;
    statement->value = value;
}

/* A new register, r0, r1, ... for what is observed and t0, t1, ... for the rest. */
static int add_register(struct sketch_builder *builder, bool observed)
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
    struct litmus_expression *masked = make_binary(
        builder, LITMUS_AND, make_expression(builder, LITMUS_EXPRESSION_REGISTER, builder->registers[read], 0),
        make_constant(builder, free_bit(builder->sketch, read)));
    if (!has_instructions(builder))
        return masked;
    const int temp = add_register(builder, false);
    assign(builder, temp, masked);
    return make_expression(builder, LITMUS_EXPRESSION_REGISTER, temp, 0);
}

static struct litmus_expression *make_value(struct sketch_builder *builder, unsigned access)
{
    struct litmus_expression *value = make_constant(builder, sketch_value(builder->sketch, access));
    if (!(builder->sketch->strength[access] & SKETCH_DATA))
        return value;
    struct litmus_expression *bit = make_false_bit(builder, access);
    value = make_binary(builder, LITMUS_ADD, bit, value);
    if (has_instructions(builder)) {
        assign(builder, bit->index, value);
        return make_expression(builder, LITMUS_EXPRESSION_REGISTER, bit->index, 0);
    }
    return value;
}

/* The rest of the thread runs if the false bit is 0, as it always is. */
static void add_branch(struct sketch_builder *builder, unsigned access)
{
    struct litmus_expression *value = make_binary(builder, has_instructions(builder) ? LITMUS_NE : LITMUS_EQ,
                                                  make_false_bit(builder, access), make_constant(builder, 0));
    struct litmus_statement *statement = add_statement(builder, has_instructions(builder) ? LITMUS_GOTO : LITMUS_IF);
    statement->value = value;
    if (!has_instructions(builder)) {
        statement->body.statements =
            builder_take(builder, 6 * SKETCH_MAXIMUM_ACCESSES, sizeof *statement->body.statements);
        builder->block = &statement->body;
        return;
    }
    statement->label = 0;
    if (builder->thread->label_count == 0)
        ARENA_ADD(&builder->test->arena, builder->thread->labels, builder->thread->label_count) =
            arena_copy(&builder->test->arena, "LC00");
}

/* ---- accesses and fences ---- */

static enum litmus_scope scope_of(enum litmus_dialect dialect, uint8_t strength)
{
    return (strength & SKETCH_WIDE) || dialect == LITMUS_C ? LITMUS_DEVICE : LITMUS_WORK_GROUP;
}

static void add_fence(struct sketch_builder *builder, uint8_t strength)
{
    add_statement(builder, LITMUS_FENCE)->fence = (struct litmus_fence){
        .order = strength_order(strength),
        .scope = scope_of(builder->test->dialect, strength),
        .flag_global = builder->test->dialect == LITMUS_OPENCL,
    };
}

static struct litmus_expression *make_access(struct sketch_builder *builder, unsigned access)
{
    static const enum litmus_operation operations[] = {LITMUS_LOAD, LITMUS_STORE, LITMUS_EXCHANGE};
    const struct sketch *sketch = builder->sketch;
    const uint8_t strength = sketch->strength[access];
    const enum litmus_order order = strength_order(strength);
    const bool opencl = builder->test->dialect == LITMUS_OPENCL, c = builder->test->dialect == LITMUS_C;
    struct litmus_expression *address =
        make_expression(builder, LITMUS_EXPRESSION_ADDRESS, sketch->location[access], 0);
    struct litmus_access *made = builder_take(builder, 1, sizeof *made);
    *made = (struct litmus_access){
        .operation = operations[sketch->kind[access]],
        .type = LITMUS_INT,
        .order = order,
        .failure = order,
        .scope = order == LITMUS_PLAIN ? LITMUS_SCOPE_NONE : scope_of(builder->test->dialect, strength),
        .spelling = {.explicit_order = (opencl || c) && order != LITMUS_PLAIN,
                     .explicit_scope = opencl && order != LITMUS_PLAIN},
        .address = address,
        .expected_register = LITMUS_NONE,
    };
    if (strength & SKETCH_ADDRESS)
        address->left = make_false_bit(builder, access);
    if (sketch_writes(sketch, access))
        made->operand = make_value(builder, access);
    struct litmus_expression *value = make_expression(builder, LITMUS_EXPRESSION_ACCESS, LITMUS_NONE, 0);
    value->access = made;
    return value;
}

static void add_access(struct sketch_builder *builder, unsigned access)
{
    if (builder->sketch->fence[access])
        add_fence(builder, builder->sketch->fence[access]);
    if (builder->sketch->strength[access] & SKETCH_CONTROL)
        add_branch(builder, access);
    struct litmus_expression *value = make_access(builder, access);
    if (sketch_reads(builder->sketch, access))
        assign(builder, builder->registers[access], value);
    else
        add_statement(builder, LITMUS_PERFORM)->value = value;
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
        builder->registers[i] = add_register(builder, true);
        if (branches && !has_instructions(builder))
            assign(builder, builder->registers[i], make_constant(builder, 0));
    }
}

static void build_thread(struct sketch_builder *builder, unsigned thread)
{
    const struct sketch *sketch = builder->sketch;
    unsigned first = 0, end;
    while (sketch->thread[first] != thread)
        first++;
    for (end = first; end < sketch->count && sketch->thread[end] == thread; end++)
        ;
    builder->thread = &builder->test->threads[thread];
    builder->reads = builder->temps = 0;
    *builder->thread = (struct litmus_thread){
        .first = thread,
        .count = 1,
        .placement = {.queue_family = LITMUS_NONE,
                      .sub_group = LITMUS_NONE,
                      .work_group = sketch->group[thread],
                      .cluster = LITMUS_NONE,
                      .device = 0},
        .registers = builder_take(builder, 4 * SKETCH_MAXIMUM_ACCESSES, sizeof *builder->thread->registers),
    };
    builder->block = &builder->thread->body;
    builder->block->statements = builder_take(builder, 6 * SKETCH_MAXIMUM_ACCESSES, sizeof *builder->block->statements);
    declare_registers(builder, first, end);
    for (unsigned i = first; i < end; i++)
        add_access(builder, i);
    if (builder->thread->label_count > 0)
        add_statement(builder, LITMUS_LABEL)->label = 0;
}

/* ---- the rest of the test ---- */

static void build_location(struct sketch_builder *builder, unsigned index)
{
    static const char names[] = "xyzabcdefgh";
    const struct sketch *sketch = builder->sketch;
    struct litmus_location *location = &builder->test->locations[index];
    const bool c = builder->test->dialect == LITMUS_OPENCL || builder->test->dialect == LITMUS_C;
    *location = (struct litmus_location){
        .name = arena_copy_part(&builder->test->arena, &names[index], 1),
        .type = LITMUS_INT,
        .region = LITMUS_GLOBAL,
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
    location->initial = builder_take(builder, location->elements, sizeof *location->initial);
}

/* Adds "variable=value" to the condition. */
static void add_atom(struct sketch_builder *builder, struct litmus_variable variable, int64_t value)
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

static int64_t value_of(const struct sketch *sketch, uint8_t write)
{
    return write < OUTCOME_INITIAL ? sketch_value(sketch, write) : 0;
}

static void build_condition(struct sketch_builder *builder, const struct outcome *outcome)
{
    const struct sketch *sketch = builder->sketch;
    builder->test->quantifier = LITMUS_EXISTS;
    builder->test->variables = builder_take(builder, 2 * SKETCH_MAXIMUM_ACCESSES, sizeof *builder->test->variables);
    for (unsigned i = 0; i < sketch->count; i++)
        if (sketch_reads(sketch, i))
            add_atom(builder, (struct litmus_variable){sketch->thread[i], sketch->thread[i], builder->registers[i], 0},
                     value_of(sketch, outcome->source[i]));
    for (unsigned i = 0; i < sketch->locations; i++)
        if (sketch_write_count(sketch, i) > 1)
            add_atom(builder, (struct litmus_variable){LITMUS_NONE, LITMUS_NONE, (int)i, 0},
                     value_of(sketch, outcome->last[i]));
    if (!builder->test->condition) {
        builder->test->condition = builder_take(builder, 1, sizeof *builder->test->condition);
        builder->test->condition->kind = LITMUS_TRUE;
    }
}

struct litmus_test *sketch_test(enum litmus_dialect dialect, const struct sketch *sketch, const struct outcome *outcome)
{
    struct sketch_builder builder = {.sketch = sketch, .test = litmus_new()};
    struct litmus_test *test = builder.test;
    test->dialect = dialect;
    test->name = arena_copy(&test->arena, "sketch");
    test->doc = arena_copy(&test->arena, "");
    test->location_count = sketch->locations;
    test->locations = builder_take(&builder, sketch->locations, sizeof *test->locations);
    for (unsigned i = 0; i < sketch->locations; i++)
        build_location(&builder, i);
    test->threads = builder_take(&builder, sketch->threads, sizeof *test->threads);
    test->body_count = test->thread_count = sketch->threads;
    for (unsigned i = 0; i < sketch->threads; i++)
        build_thread(&builder, i);
    build_condition(&builder, outcome);
    return test;
}
