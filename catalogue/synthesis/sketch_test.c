// SPDX-License-Identifier: Apache-2.0
/* Sketches as tests, and tests as sketches. A dependency is false: it takes a bit that no value of the test has, as an
 * index, as a part of the value, or as the condition of a branch. */

#include "catalogue/synthesis/strength.h"
#include "litmus/dialects.h"
#include "litmus/language/build.h"
#include "litmus/language/order.h"

struct sketch_builder {
    const struct sketch *sketch;
    struct litmus_builder build;
    int registers[SKETCH_MAXIMUM_ACCESSES]; /* of each access that reads */
};

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
    if (!litmus_has_columns(builder->build.test->dialect))
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
    if (litmus_has_columns(builder->build.test->dialect)) {
        build_assign(&builder->build, bit->index, value);
        return build_register(&builder->build, bit->index);
    }
    return value;
}

/* ---- accesses and fences ---- */

static enum litmus_scope scope_of(enum litmus_dialect dialect, uint8_t strength)
{
    return (strength & SKETCH_WIDE) || !dialects[dialect].has_scopes ? LITMUS_DEVICE : LITMUS_WORK_GROUP;
}

/* OPENCL: the strength is that of its flags. */
static void sketch_test_add_barrier(struct sketch_builder *builder, uint8_t strength)
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

static void sketch_test_add_access(struct sketch_builder *builder, unsigned access)
{
    if (builder->sketch->fence[access]) {
        const uint8_t strength = builder->sketch->fence[access];
        const enum litmus_dialect dialect = builder->build.test->dialect;
        build_statement(&builder->build, LITMUS_FENCE)->fence = (struct litmus_fence){
            .ordering =
                strength_ordering(dialect, strength_order(strength), scope_of(dialect, strength), STRENGTH_FENCE),
            .flag_global = (strength & SKETCH_ON_GLOBAL) != 0,
            .flag_local = (strength & SKETCH_ON_LOCAL) != 0,
        };
    }
    if (builder->sketch->kind[access] == SKETCH_BARRIER) {
        sketch_test_add_barrier(builder, builder->sketch->strength[access]);
        return;
    }
    if (builder->sketch->strength[access] & SKETCH_CONTROL)
        /* The rest of the thread runs if the false bit is 0, as it always is. */
        build_only_if_equal(&builder->build, make_false_bit(builder, access), build_constant(&builder->build, 0),
                            6 * SKETCH_MAXIMUM_ACCESSES);
    struct litmus_expression *value = make_access(builder, access);
    if (sketch_reads(builder->sketch, access))
        build_assign(&builder->build, builder->registers[access], value);
    else
        build_statement(&builder->build, LITMUS_PERFORM)->value = value;
}

/* Registers of reads come first, so that they are declared in order of the reads. In C they start with 0 if a branch
 * may leave the read out. */
static void declare_registers(struct sketch_builder *builder, unsigned first, unsigned end)
{
    bool branches = false;
    for (unsigned i = first; i < end; i++) {
        branches |= (builder->sketch->strength[i] & SKETCH_CONTROL) != 0;
        if (!sketch_reads(builder->sketch, i))
            continue;
        builder->registers[i] = build_new_register(&builder->build, true);
        if (branches && !litmus_has_columns(builder->build.test->dialect))
            build_assign(&builder->build, builder->registers[i], build_constant(&builder->build, 0));
    }
}

/* In VULKAN threads of one work-group are in sub-groups of their own. */
static struct litmus_placement placement_of(const struct sketch_builder *builder, unsigned thread)
{
    const struct sketch *sketch = builder->sketch;
    const bool vulkan = dialects[builder->build.test->dialect].has_semantics;
    const int rank = SUM_OF(int, each, sketch->group, thread, *each == sketch->group[thread]);
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
        sketch_test_add_access(builder, i);
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

static int64_t sketch_test_value_of(const struct sketch *sketch, uint8_t write)
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
                sketch_test_value_of(sketch, outcome->source[i]));
    for (unsigned i = 0; i < sketch->locations; i++)
        if (sketch_write_count(sketch, i) > 1)
            build_condition_atom(&builder->build, (struct litmus_variable){LITMUS_NONE, LITMUS_NONE, (int)i, 0},
                                 sketch_test_value_of(sketch, outcome->last[i]));
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

/* ---- tests as sketches, for those that a sketch can express ---- */

struct sketch_reader {
    const struct litmus_test *test;
    struct sketch *sketch;
    int body;
    const struct litmus_thread *thread;
    int64_t values[SKETCH_MAXIMUM_ACCESSES]; /* that each access writes */
    int registers[SKETCH_MAXIMUM_ACCESSES];  /* the register of the body that each access sets, or LITMUS_NONE */
    int read_of[LITMUS_MAXIMUM_REGISTERS];   /* of the thread: the access whose value it depends on, or LITMUS_NONE */
    int64_t constants[LITMUS_MAXIMUM_REGISTERS]; /* of the thread: the values of registers that no read sets, else 0 */
    uint8_t fence;                               /* before the next access */
    bool branched;                               /* a branch comes before the next access */
    bool narrow;                                 /* something has a scope that leaves threads out */
    bool barriers;                               /* the test has some */
    bool placed;                                 /* it has some, or local memory: then scopes are taken as written */
    const struct litmus_barrier *barrier;        /* the first */
    unsigned accesses;                           /* without barriers */
    struct litmus_place odd;                     /* the statement that no sketch has; line 0: there is none */
};

/* ---- expressions ---- */

/* The access on whose value the expression depends, or LITMUS_NONE. */
static int read_in(const struct sketch_reader *reader, const struct litmus_expression *expression)
{
    if (!expression)
        return LITMUS_NONE;
    if (expression->kind == LITMUS_EXPRESSION_REGISTER)
        return reader->read_of[expression->index];
    const int left = read_in(reader, expression->left);
    return left != LITMUS_NONE ? left : read_in(reader, expression->right);
}

/* The value if every read gave 0, as a false dependency makes it. */
static bool sketch_test_find_value(const struct sketch_reader *reader, const struct litmus_expression *expression,
                                   int64_t *value)
{
    int64_t left, right;
    if (expression->kind == LITMUS_EXPRESSION_CONSTANT || expression->kind == LITMUS_EXPRESSION_REGISTER) {
        *value =
            expression->kind == LITMUS_EXPRESSION_CONSTANT ? expression->value : reader->constants[expression->index];
        return true;
    }
    if (expression->kind != LITMUS_EXPRESSION_BINARY || !sketch_test_find_value(reader, expression->left, &left) ||
        !sketch_test_find_value(reader, expression->right, &right))
        return false;
    *value = expression->op == LITMUS_ADD ? left + right : expression->op == LITMUS_XOR ? left ^ right : left & right;
    return expression->op == LITMUS_ADD || expression->op == LITMUS_XOR || expression->op == LITMUS_AND;
}

/* ---- scopes ---- */

/* Do two threads share the instance of a scope? */
static bool sketch_test_share(const struct litmus_placement *a, const struct litmus_placement *b,
                              enum litmus_scope scope)
{
    return a->host == b->host && (scope >= LITMUS_ALL_DEVICES || a->device == b->device) &&
           (scope >= LITMUS_DEVICE || a->queue_family == b->queue_family) &&
           (scope >= LITMUS_DEVICE || a->cluster == b->cluster) &&
           (scope >= LITMUS_CLUSTER || a->work_group == b->work_group) && scope > LITMUS_SUB_GROUP;
}

/* Adds the scope to a strength. Only scopes of all threads and of the work-group are known; of a single thread, which
 * every scope includes, the narrow one. */
static bool add_scope(struct sketch_reader *reader, enum litmus_scope scope, uint8_t *strength)
{
    const struct litmus_test *test = reader->test;
    bool all = true, group = true;
    for (size_t i = 0; i < test->body_count; i++) {
        const struct litmus_placement *other = &test->threads[i].placement, *own = &reader->thread->placement;
        const bool shared = !dialects[test->dialect].has_scopes || sketch_test_share(own, other, scope);
        all &= shared;
        group &= shared == sketch_test_share(own, other, LITMUS_WORK_GROUP);
    }
    if (reader->placed && scope == LITMUS_WORK_GROUP)
        return true;
    *strength |= all && (test->body_count > 1 || !dialects[test->dialect].has_scopes) ? SKETCH_WIDE : 0;
    reader->narrow |= !all;
    return all || group;
}

/* ---- statements ---- */

/* Does the instruction order what a sketch's would with its order and scope? */
static bool is_ordered(const struct sketch_reader *reader, struct litmus_ordering has, enum strength_place place)
{
    return ordering_same(has, strength_ordering(reader->test->dialect, has.order, has.scope, place));
}

static bool sketch_test_find_kind(const struct sketch_reader *reader, const struct litmus_access *access,
                                  enum sketch_kind *kind)
{
    *kind = access->operation == LITMUS_LOAD    ? SKETCH_READ
            : access->operation == LITMUS_STORE ? SKETCH_WRITE
                                                : SKETCH_UPDATE;
    return (*kind != SKETCH_UPDATE || (access->operation == LITMUS_EXCHANGE && !access->no_result)) &&
           access->proxy == LITMUS_GENERIC && access->address->kind == LITMUS_EXPRESSION_ADDRESS &&
           is_ordered(reader, access->ordering, reader->barriers ? STRENGTH_ACCESS_BESIDE_BARRIERS : STRENGTH_ACCESS);
}

/* Adds an access or a barrier, with the fence before it; returns its number. */
static unsigned append_access(struct sketch_reader *reader, enum sketch_kind kind, uint8_t location, uint8_t strength,
                              int target)
{
    struct sketch *sketch = reader->sketch;
    const unsigned at = sketch->count;
    sketch->kind[at] = (uint8_t)kind;
    sketch->thread[at] = (uint8_t)reader->body;
    sketch->location[at] = location;
    sketch->strength[at] = strength;
    sketch->fence[at] = sketch_starts(sketch, at) ? 0 : reader->fence;
    sketch->count++;
    reader->fence = 0;
    reader->branched = false;
    reader->registers[at] = target;
    return at;
}

static bool sketch_test_read_access(struct sketch_reader *reader, const struct litmus_access *access, int target)
{
    enum sketch_kind kind;
    if (reader->accesses++ == SYNTHESIS_MAXIMUM_ACCESSES || !sketch_test_find_kind(reader, access, &kind) ||
        (kind == SKETCH_READ && target == LITMUS_NONE))
        return false;
    const bool is_volatile = access->order == LITMUS_VOLATILE;
    uint8_t strength = strength_of_order(is_volatile ? LITMUS_RELAXED : access->order, kind);
    if (access->order != LITMUS_PLAIN &&
        !add_scope(reader, is_volatile ? LITMUS_ALL_DEVICES : access->scope, &strength))
        return false;
    if (access->address->left && read_in(reader, access->address->left) != LITMUS_NONE)
        strength |= SKETCH_ADDRESS;
    else if (access->operand && read_in(reader, access->operand) != LITMUS_NONE)
        strength |= SKETCH_DATA;
    else if (reader->branched)
        strength |= SKETCH_CONTROL;
    const unsigned at = append_access(reader, kind, (uint8_t)access->address->index, strength, target);
    if (target != LITMUS_NONE) {
        reader->read_of[target] = (int)at;
        reader->constants[target] = 0;
    }
    return !access->operand || sketch_test_find_value(reader, access->operand, &reader->values[at]);
}

static bool read_fence(struct sketch_reader *reader, const struct litmus_fence *fence)
{
    uint8_t strength = strength_of_fence_order(fence->order);
    const uint8_t flags = strength_of_flags(fence->flag_global, fence->flag_local);
    if (fence->proxy != LITMUS_GENERIC || fence->restriction || strength == 0 || reader->fence != 0 ||
        fence->flag_image || (flags == 0) == (dialects[reader->test->dialect].has_flags) ||
        !is_ordered(reader, fence->ordering, STRENGTH_FENCE) || !add_scope(reader, fence->scope, &strength))
        return false;
    reader->fence = strength | flags;
    return true;
}

/* One that has all threads of the work-group meet, and no other name than the first. */
static bool is_plain_barrier(const struct sketch_reader *reader, const struct litmus_barrier *barrier)
{
    const char *name = barrier->instance, *first = reader->barrier->instance;
    const enum litmus_dialect dialect = reader->test->dialect;
    return !barrier->arrive && !barrier->wait && !barrier->relaxed && !barrier->resource && !barrier->quorum &&
           !barrier->flag_image && !barrier->sub_group && litmus_barrier_level(dialect, barrier) == LITMUS_WORK_GROUP &&
           (!name == !first) && (!name || strcmp(name, first) == 0) &&
           is_ordered(reader, barrier->ordering, STRENGTH_BARRIER);
}

static bool read_barrier(struct sketch_reader *reader, const struct litmus_barrier *barrier)
{
    const bool opencl = dialects[reader->test->dialect].has_flags;
    const uint8_t flags = opencl ? strength_of_flags(barrier->flag_global, barrier->flag_local) : 0;
    uint8_t strength = flags | strength_of_fence_order(flags ? LITMUS_ACQ_REL : barrier->order);
    reader->barrier = reader->barrier ? reader->barrier : barrier;
    if (reader->sketch->count >= SKETCH_MAXIMUM_ACCESSES || !is_plain_barrier(reader, barrier) || reader->branched ||
        (strength != 0 && !add_scope(reader, barrier->scope, &strength)))
        return false;
    (void)append_access(reader, SKETCH_BARRIER, SKETCH_NOWHERE, strength, LITMUS_NONE);
    return true;
}

static bool read_assignment(struct sketch_reader *reader, int target, const struct litmus_expression *value)
{
    reader->read_of[target] = read_in(reader, value);
    return sketch_test_find_value(reader, value, &reader->constants[target]);
}

static bool read_block(struct sketch_reader *reader, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        const struct litmus_expression *value = statement->value;
        const bool last = i + 1 == block->count;
        bool fits = true;
        if (statement->kind == LITMUS_FENCE)
            fits = read_fence(reader, &statement->fence);
        else if (statement->kind == LITMUS_BARRIER)
            fits = read_barrier(reader, &statement->barrier);
        else if ((statement->kind == LITMUS_ASSIGN || statement->kind == LITMUS_PERFORM) &&
                 value->kind == LITMUS_EXPRESSION_ACCESS)
            fits = sketch_test_read_access(reader, value->access, statement->target);
        else if (statement->kind == LITMUS_ASSIGN)
            fits = read_assignment(reader, statement->target, value);
        else if (statement->kind == LITMUS_GOTO && value)
            reader->branched = true;
        else if (statement->kind == LITMUS_IF && statement->otherwise.count == 0 && last) {
            reader->branched = true;
            fits = read_block(reader, &statement->body);
        } else
            fits = statement->kind == LITMUS_LABEL && last;
        if (!fits) {
            reader->odd = reader->odd.line > 0 ? reader->odd : statement->place;
            return false;
        }
    }
    return true;
}

/* ---- the condition ---- */

/* The write of a value to a location. */
static bool find_write(const struct sketch_reader *reader, int location, int64_t value, uint8_t *write)
{
    const struct sketch *sketch = reader->sketch;
    unsigned writes = 0;
    *write = OUTCOME_INITIAL;
    for (unsigned i = 0; i < sketch->count; i++) {
        if (!sketch_writes(sketch, i) || sketch->location[i] != location || reader->values[i] != value)
            continue;
        *write = (uint8_t)i;
        writes++;
    }
    return writes + (reader->test->locations[location].initial[0] == value) == 1;
}

static bool read_atom(const struct sketch_reader *reader, const struct litmus_proposition *atom,
                      struct outcome *outcome)
{
    const struct sketch *sketch = reader->sketch;
    if (atom->relation != LITMUS_IS || atom->terms[0].variable == LITMUS_NONE || atom->terms[1].variable != LITMUS_NONE)
        return false;
    const struct litmus_variable *variable = &reader->test->variables[atom->terms[0].variable];
    const int64_t value = atom->terms[1].value;
    uint8_t write;
    if (variable->thread == LITMUS_NONE) {
        if (!find_write(reader, variable->index, value, &write) || write == OUTCOME_INITIAL)
            return false;
        if (sketch_write_count(sketch, (unsigned)variable->index) > 1)
            outcome->last[variable->index] = write;
        return true;
    }
    for (unsigned i = sketch->count; i-- > 0;)
        if (sketch->thread[i] == variable->body && reader->registers[i] == variable->index) {
            const bool found = find_write(reader, sketch->location[i], value, &write);
            outcome->source[i] = write;
            return found;
        }
    return false;
}

static bool read_condition(const struct sketch_reader *reader, const struct litmus_proposition *condition,
                           struct outcome *outcome)
{
    if (condition->kind == LITMUS_CONJUNCTION)
        return read_condition(reader, condition->left, outcome) && read_condition(reader, condition->right, outcome);
    return condition->kind == LITMUS_TRUE || (condition->kind == LITMUS_ATOM && read_atom(reader, condition, outcome));
}

/* ---- the whole ---- */

/* If nothing leaves a thread out, no threads meet and none share local memory, the groups make no difference. */
static void sketch_test_place_threads(const struct sketch_reader *reader)
{
    struct sketch *sketch = reader->sketch;
    for (unsigned i = 0; i < sketch->threads; i++) {
        sketch->group[i] = (uint8_t)i;
        for (unsigned j = 0; j < i && (reader->narrow || reader->placed); j++)
            if (sketch_test_share(&reader->test->threads[i].placement, &reader->test->threads[j].placement,
                                  LITMUS_WORK_GROUP))
                sketch->group[i] = sketch->group[j];
    }
}

static bool is_plain_location(const struct litmus_test *test, const struct litmus_location *location)
{
    return (location->region == LITMUS_GLOBAL ||
            (location->region == LITMUS_LOCAL && dialects[test->dialect].has_flags)) &&
           location->points_to == LITMUS_NONE && location->alias_of == LITMUS_NONE && location->type < LITMUS_FLOAT &&
           !location->is_volatile;
}

/* What no sketch has, apart from statements and the condition; or NULL. */
static const char *odd_part(const struct litmus_test *test)
{
    if (ANY_OF(location, test->locations, test->location_count, !is_plain_location(test, location)))
        return "a location that is not a whole number in global memory";
    return test->body_count > SKETCH_MAXIMUM_THREADS         ? "so many threads"
           : test->thread_count != test->body_count          ? "a range of threads"
           : test->location_count > SKETCH_MAXIMUM_LOCATIONS ? "so many locations"
           : test->edge_count > 0                            ? "lines between launches"
           : test->filter                                    ? "a filter"
           : test->quantifier != LITMUS_EXISTS && test->quantifier != LITMUS_NOT_EXISTS
               ? "a condition without exists or ~exists"
               : NULL;
}

/* Appends the statement that no sketch has; of a thread that ends without one, that it has no access. */
static void describe_odd(const struct sketch_reader *reader, struct text *why)
{
    text_add(why, "P%u", reader->thread->first);
    if (reader->odd.line == 0)
        text_add(why, " without an access");
    else if (reader->test->text)
        text_add(why, " line %u: ", reader->odd.line);
    (void)litmus_print_instruction(reader->test, reader->odd, why);
}

static bool has_barriers(const struct litmus_test *test)
{
    return ANY_OF(thread, test->threads, test->body_count,
                  ANY_OF(statement, thread->body.statements, thread->body.count, statement->kind == LITMUS_BARRIER));
}

static bool sketch_test_refuse(const char *odd, struct text *why)
{
    if (why)
        text_add(why, "%s", odd);
    return false;
}

bool sketch_of_test(const struct litmus_test *test, struct sketch *sketch, struct outcome *outcome, struct text *why)
{
    const char *odd = odd_part(test);
    struct sketch_reader reader = {.test = test, .sketch = sketch, .barriers = has_barriers(test)};
    *sketch = (struct sketch){.threads = (uint8_t)test->body_count, .locations = (uint8_t)test->location_count};
    memset(outcome, OUTCOME_OPEN, sizeof *outcome);
    if (odd)
        return sketch_test_refuse(odd, why);
    for (size_t i = 0; i < test->location_count; i++)
        sketch->local |= (uint8_t)((test->locations[i].region == LITMUS_LOCAL) << i);
    reader.placed = reader.barriers || sketch->local != 0;
    for (size_t i = 0; i < test->body_count; i++) {
        const unsigned before = sketch->count;
        reader.body = (int)i;
        reader.thread = &test->threads[i];
        reader.fence = 0;
        reader.branched = false;
        for (size_t k = 0; k < LITMUS_MAXIMUM_REGISTERS; k++)
            reader.read_of[k] = LITMUS_NONE;
        memset(reader.constants, 0, sizeof reader.constants);
        for (size_t k = 0; k < reader.thread->register_count; k++)
            reader.constants[k] = reader.thread->registers[k].initial;
        if (!read_block(&reader, &reader.thread->body) || sketch->count == before) {
            if (why)
                describe_odd(&reader, why);
            return false;
        }
    }
    sketch_test_place_threads(&reader);
    odd = !sketch_meets(sketch)                                ? "barriers at which not all threads of a group meet"
          : !sketch_shares_local(sketch)                       ? "local memory that no two threads share"
          : !read_condition(&reader, test->condition, outcome) ? "a condition that is not one outcome"
                                                               : NULL;
    return !odd || sketch_test_refuse(odd, why);
}
