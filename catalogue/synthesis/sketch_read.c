// SPDX-License-Identifier: Apache-2.0
/* Tests as sketches, for those that a sketch can express. */
#include "catalogue/synthesis/sketch_test.h"

#include <string.h>

#include "catalogue/synthesis/strength.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

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
static bool find_value(const struct sketch_reader *reader, const struct litmus_expression *expression, int64_t *value)
{
    int64_t left, right;
    if (expression->kind == LITMUS_EXPRESSION_CONSTANT || expression->kind == LITMUS_EXPRESSION_REGISTER) {
        *value =
            expression->kind == LITMUS_EXPRESSION_CONSTANT ? expression->value : reader->constants[expression->index];
        return true;
    }
    if (expression->kind != LITMUS_EXPRESSION_BINARY || !find_value(reader, expression->left, &left) ||
        !find_value(reader, expression->right, &right))
        return false;
    *value = expression->op == LITMUS_ADD ? left + right : expression->op == LITMUS_XOR ? left ^ right : left & right;
    return expression->op == LITMUS_ADD || expression->op == LITMUS_XOR || expression->op == LITMUS_AND;
}

/* ---- scopes ---- */

/* Do two threads share the instance of a scope? */
static bool share(const struct litmus_placement *a, const struct litmus_placement *b, enum litmus_scope scope)
{
    return a->host == b->host && (scope >= LITMUS_ALL_DEVICES || a->device == b->device) &&
           (scope >= LITMUS_DEVICE || a->queue_family == b->queue_family) &&
           (scope >= LITMUS_DEVICE || a->cluster == b->cluster) &&
           (scope >= LITMUS_CLUSTER || a->work_group == b->work_group) && scope > LITMUS_SUB_GROUP;
}

/* Adds the scope to a strength. Only scopes of all threads and of the work-group are known; of a single thread, which every
 * scope includes, the narrow one. */
static bool add_scope(struct sketch_reader *reader, enum litmus_scope scope, uint8_t *strength)
{
    const struct litmus_test *test = reader->test;
    bool all = true, group = true;
    for (size_t i = 0; i < test->body_count; i++) {
        const struct litmus_placement *other = &test->threads[i].placement, *own = &reader->thread->placement;
        const bool shared = !dialects[test->dialect].has_scopes || share(own, other, scope);
        all &= shared;
        group &= shared == share(own, other, LITMUS_WORK_GROUP);
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

static bool find_kind(const struct sketch_reader *reader, const struct litmus_access *access, enum sketch_kind *kind)
{
    *kind = access->operation == LITMUS_LOAD    ? SKETCH_READ
            : access->operation == LITMUS_STORE ? SKETCH_WRITE
                                                : SKETCH_UPDATE;
    return (*kind != SKETCH_UPDATE || (access->operation == LITMUS_EXCHANGE && !access->no_result)) &&
           access->proxy == LITMUS_GENERIC && access->address->kind == LITMUS_EXPRESSION_ADDRESS &&
           is_ordered(reader, access->ordering, reader->barriers ? STRENGTH_ACCESS_BESIDE_BARRIERS : STRENGTH_ACCESS);
}

static bool read_access(struct sketch_reader *reader, const struct litmus_access *access, int target)
{
    struct sketch *sketch = reader->sketch;
    const unsigned at = sketch->count;
    enum sketch_kind kind;
    if (reader->accesses++ == SYNTHESIS_MAXIMUM_ACCESSES || !find_kind(reader, access, &kind) ||
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
    sketch->kind[at] = (uint8_t)kind;
    sketch->thread[at] = (uint8_t)reader->body;
    sketch->location[at] = (uint8_t)access->address->index;
    sketch->strength[at] = strength;
    sketch->fence[at] = sketch_starts(sketch, at) ? 0 : reader->fence;
    sketch->count++;
    reader->fence = 0;
    reader->branched = false;
    reader->registers[at] = target;
    if (target != LITMUS_NONE) {
        reader->read_of[target] = (int)at;
        reader->constants[target] = 0;
    }
    return !access->operand || find_value(reader, access->operand, &reader->values[at]);
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
    struct sketch *sketch = reader->sketch;
    const unsigned at = sketch->count;
    const bool opencl = dialects[reader->test->dialect].has_flags;
    const uint8_t flags = opencl ? strength_of_flags(barrier->flag_global, barrier->flag_local) : 0;
    uint8_t strength = flags | strength_of_fence_order(flags ? LITMUS_ACQ_REL : barrier->order);
    reader->barrier = reader->barrier ? reader->barrier : barrier;
    if (at >= SKETCH_MAXIMUM_ACCESSES || !is_plain_barrier(reader, barrier) || reader->branched ||
        (strength != 0 && !add_scope(reader, barrier->scope, &strength)))
        return false;
    sketch->kind[at] = SKETCH_BARRIER;
    sketch->thread[at] = (uint8_t)reader->body;
    sketch->location[at] = SKETCH_NOWHERE;
    sketch->strength[at] = strength;
    sketch->fence[at] = sketch_starts(sketch, at) ? 0 : reader->fence;
    sketch->count++;
    reader->fence = 0;
    reader->registers[at] = LITMUS_NONE;
    return true;
}

static bool read_assignment(struct sketch_reader *reader, int target, const struct litmus_expression *value)
{
    reader->read_of[target] = read_in(reader, value);
    return find_value(reader, value, &reader->constants[target]);
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
            fits = read_access(reader, value->access, statement->target);
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
static void place_threads(const struct sketch_reader *reader)
{
    struct sketch *sketch = reader->sketch;
    for (unsigned i = 0; i < sketch->threads; i++) {
        sketch->group[i] = (uint8_t)i;
        for (unsigned j = 0; j < i && (reader->narrow || reader->placed); j++)
            if (share(&reader->test->threads[i].placement, &reader->test->threads[j].placement, LITMUS_WORK_GROUP))
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
    for (size_t i = 0; i < test->location_count; i++)
        if (!is_plain_location(test, &test->locations[i]))
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
    for (size_t i = 0; i < test->body_count; i++)
        for (size_t k = 0; k < test->threads[i].body.count; k++)
            if (test->threads[i].body.statements[k].kind == LITMUS_BARRIER)
                return true;
    return false;
}

static bool refuse(const char *odd, struct text *why)
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
        return refuse(odd, why);
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
    place_threads(&reader);
    odd = !sketch_meets(sketch)                                ? "barriers at which not all threads of a group meet"
          : !sketch_shares_local(sketch)                       ? "local memory that no two threads share"
          : !read_condition(&reader, test->condition, outcome) ? "a condition that is not one outcome"
                                                               : NULL;
    return !odd || refuse(odd, why);
}
