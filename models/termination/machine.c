// SPDX-License-Identifier: Apache-2.0
/*
 * Steps of a program.
 *
 * A step of a unit is what its threads compute up to an access or a barrier, and that access or barrier. In lock step
 * the lanes of the top entry of a stack run: each makes the access before one makes the next, in any order. Where they
 * part, the entry becomes one at the instruction where their ways join, and each part gets an entry above it, in any
 * order; an entry is taken off when it comes to its join. This is how GPUs without independent threads run warps
 * (Fung, Sham, Yuan, Aamodt, "Dynamic Warp Formation and Scheduling", MICRO 2007). A single thread never parts.
 */
#include "models/termination/machine.h"

#include "litmus/language/collective.h"
#include "litmus/language/order.h"
#include "litmus/language/walk.h"
#include "models/search/enumerate.h"

/* ---- making ---- */

static const struct litmus_placement *placement_of(const struct machine *machine, unsigned thread)
{
    return &machine->test->threads[machine->threads[thread].body].placement;
}

/* Whether two threads are lanes of one warp: the test says so, or they share a body and it says nothing. */
static bool is_together(const struct machine *machine, unsigned one, unsigned two)
{
    const struct litmus_placement *a = placement_of(machine, one), *b = placement_of(machine, two);
    return scope_includes(LITMUS_SUB_GROUP, a, b) ||
           (scope_includes(LITMUS_WORK_GROUP, a, b) && machine->threads[one].body == machine->threads[two].body &&
            a->sub_group == LITMUS_NONE);
}

static void make_units(struct machine *machine, bool lockstep)
{
    for (unsigned thread = 0; thread < machine->thread_count; thread++) {
        unsigned unit = lockstep ? 0 : machine->unit_count;
        while (unit < machine->unit_count &&
               !is_together(machine, (unsigned)__builtin_ctz(machine->units[unit].lanes), thread))
            unit++;
        machine->unit_count += unit == machine->unit_count;
        machine->units[unit].lanes |= UINT32_C(1) << thread;
    }
    for (unsigned unit = 0; unit < machine->unit_count; unit++) {
        machine->units[unit].state = machine->state_words;
        const unsigned lanes = (unsigned)__builtin_popcount(machine->units[unit].lanes);
        /* Parts of one entry have each its own lanes: there are fewer than two entries for a lane. */
        machine->state_words += MACHINE_STACK + MACHINE_ENTRY * (lanes > 1 ? 2 * (size_t)lanes : 1);
    }
}

bool machine_make(struct machine *machine, const struct litmus_test *test, bool lockstep)
{
    struct error error;
    *machine = (struct machine){.test = test};
    if (!program_make(&machine->program, test, &machine->reason))
        return false;
    struct arena *arena = &machine->program.arena;
    if (test->thread_count > MACHINE_MAXIMUM_THREADS) {
        machine->reason = arena_print(arena, "it has %u threads; at most %d are followed", test->thread_count,
                                      MACHINE_MAXIMUM_THREADS);
        return false;
    }
    if (litmus_find_launches(test, &machine->launches, &error) != STATUS_OK) {
        machine->reason = arena_copy(arena, error.text);
        return false;
    }
    for (unsigned body = 0; body < test->body_count; body++)
        for (unsigned k = 0; k < test->threads[body].count; k++) {
            machine->threads[machine->thread_count].body = body;
            machine->threads[machine->thread_count++].number = test->threads[body].first + k;
        }
    machine->cells = arena_take(arena, test->location_count, sizeof *machine->cells);
    for (size_t i = 0; i < test->location_count; i++) {
        machine->cells[i] = machine->state_words;
        machine->state_words += test->locations[i].elements;
    }
    machine->slots = machine->state_words;
    machine->state_words += (size_t)machine->thread_count * machine->program.slots;
    make_units(machine, lockstep);
    machine->next = arena_take(arena, machine->state_words, sizeof *machine->next);
    machine->before = arena_take(arena, machine->state_words, sizeof *machine->before);
    return true;
}

void machine_release(struct machine *machine)
{
    program_release(&machine->program);
}

static int64_t *slots_of(const struct machine *machine, int64_t *state, unsigned thread)
{
    return state + machine->slots + (size_t)thread * machine->program.slots;
}

void machine_begin(const struct machine *machine, int64_t *state)
{
    const struct litmus_test *test = machine->test;
    memset(state, 0, machine->state_words * sizeof *state);
    for (size_t i = 0; i < test->location_count; i++)
        for (uint32_t element = 0; element < test->locations[i].elements; element++)
            state[machine->cells[i] + element] = location_initial(test, (int)i, element);
    for (unsigned thread = 0; thread < machine->thread_count; thread++) {
        const struct litmus_thread *body = &test->threads[machine->threads[thread].body];
        int64_t *slots = slots_of(machine, state, thread);
        for (size_t i = 0; i < body->register_count; i++) {
            const struct litmus_register *own = &body->registers[i];
            slots[i] = own->points_to != LITMUS_NONE ? address_encode(own->points_to, 0)
                       : own->numbered ? litmus_wrap(own->type, machine->threads[thread].number - body->first)
                                       : own->initial;
        }
    }
    for (unsigned unit = 0; unit < machine->unit_count; unit++) {
        int64_t *words = state + machine->units[unit].state;
        words[MACHINE_DEPTH] = 1;
        words[MACHINE_STACK + 1] = PROGRAM_END;
        words[MACHINE_STACK + 2] = machine->units[unit].lanes;
    }
}

/* ---- asking ---- */

uint32_t machine_lanes_left(const struct machine *machine, const int64_t *state, unsigned unit)
{
    const int64_t *words = state + machine->units[unit].state;
    uint32_t lanes = 0;
    for (int64_t i = 0; i < words[MACHINE_DEPTH]; i++)
        lanes |= (uint32_t)words[MACHINE_STACK + MACHINE_ENTRY * i + 2];
    return lanes;
}

/* The launches of a unit's threads; in lock step they are one. */
static unsigned launch_of(const struct machine *machine, unsigned unit)
{
    return machine->launches.of_body[machine->threads[__builtin_ctz(machine->units[unit].lanes)].body];
}

bool machine_can_step(const struct machine *machine, const int64_t *state, unsigned unit)
{
    if (!machine_lanes_left(machine, state, unit) || state[machine->units[unit].state + MACHINE_FLAGS] & MACHINE_WAITS)
        return false;
    return !(
        machine->launches.count > 1 &&
        ANY_NUMBER(unsigned, other, 0, machine->unit_count,
                   litmus_launch_precedes(&machine->launches, launch_of(machine, other), launch_of(machine, unit)) &&
                       machine_lanes_left(machine, state, other)));
}

/* ---- accesses ---- */

/* One thread's access in one state. */
struct actor {
    struct machine *machine;
    int64_t *state;
    unsigned thread, body;
    int64_t *slots;
    int32_t cell; /* accessed first; -1: none yet */
};

static bool refuse(struct actor *actor, struct litmus_place place, const char *reason)
{
    actor->machine->reason = arena_print(&actor->machine->program.arena, "line %u: %s", place.line, reason);
    return false;
}

static bool actor_evaluate(struct actor *actor, const struct litmus_expression *expression, struct litmus_value *value)
{
    return program_evaluate(&actor->machine->program, actor->body, actor->slots, expression, value) ||
           refuse(actor, expression->place, "the index is outside its array");
}

/* The word of the element that is `further` after an address, for accesses of a type; NULL, with the reason. */
static int64_t *find_cell(struct actor *actor, const struct litmus_expression *address, unsigned further,
                          enum litmus_type type)
{
    struct machine *machine = actor->machine;
    struct litmus_value value;
    int location;
    uint32_t element;
    if (!actor_evaluate(actor, address, &value))
        return NULL;
    if (!address_decode(machine->test, value.value, &location, &element) ||
        element + further >= machine->test->locations[location].elements) {
        refuse(actor, address->place, "the address does not belong to any location");
        return NULL;
    }
    const enum litmus_type held = machine->test->locations[location].type;
    if (litmus_type_size(held) != litmus_type_size(type) || litmus_type_is_float(held) != litmus_type_is_float(type)) {
        refuse(actor, address->place, "accesses with another size than their location are not followed");
        return NULL;
    }
    const size_t cell = machine->cells[litmus_storage(machine->test, (unsigned)location)] + element + further;
    if (actor->cell < 0)
        actor->cell = (int32_t)cell;
    return actor->state + cell;
}

/* The place of a compare-and-swap's expected value; NULL, with the reason. */
static int64_t *find_expected(struct actor *actor, const struct litmus_access *access)
{
    return access->expected_address ? find_cell(actor, access->expected_address, 0, access->type)
                                    : &actor->slots[access->expected_register];
}

static bool swap(struct actor *actor, const struct litmus_access *access, int64_t *cell, int64_t operand,
                 int64_t *result)
{
    struct litmus_value expected;
    const int64_t old = litmus_wrap(access->type, *cell);
    if (access->expected) {
        if (!actor_evaluate(actor, access->expected, &expected))
            return false;
        *result = old;
        if (old == litmus_wrap(access->type, expected.value))
            *cell = litmus_wrap(access->type, operand);
        return true;
    }
    int64_t *place = find_expected(actor, access);
    if (!place)
        return false;
    *result = old == litmus_wrap(access->type, *place);
    *(*result ? cell : place) = *result ? litmus_wrap(access->type, operand) : old;
    return true;
}

static int64_t written(const struct litmus_access *access, int64_t old, int64_t operand)
{
    if (operation_is_wait(access->operation) || access->operation == LITMUS_LOAD)
        return old;
    return operation_is_mbarrier(access->operation)
               ? mbarrier_modify(access->operation, old, operand)
               : litmus_value_modify(access->operation, access->type, litmus_wrap(access->type, old), operand);
}

static bool access_memory(struct actor *actor, const struct litmus_access *access, int64_t *result)
{
    const bool mbarrier = operation_is_mbarrier(access->operation);
    struct litmus_value operand = {0};
    int64_t *cell = find_cell(actor, access->address, 0, mbarrier ? LITMUS_MBARRIER : access->type);
    if (!cell || (access->operand && !actor_evaluate(actor, access->operand, &operand)))
        return false;
    if (operation_compares(access->operation))
        return swap(actor, access, cell, operand.value, result);
    const int64_t old = *cell;
    *result = operation_is_wait(access->operation) ? mbarrier_test(old, operand.value)
              : mbarrier                           ? old
                                                   : litmus_wrap(access->type, old);
    *cell = written(access, old, operand.value);
    return true;
}

/* All words at once, which no other thread can tell from one after the other if they are different accesses. */
static bool access_vector(struct actor *actor, const struct litmus_vector *vector)
{
    const struct litmus_access *access = &vector->access;
    int64_t *cells[LITMUS_MAXIMUM_LANES], old[LITMUS_MAXIMUM_LANES];
    struct litmus_value values[LITMUS_MAXIMUM_LANES] = {0}, expected = {0};
    bool equal = true;
    for (unsigned lane = 0; lane < vector->lanes; lane++) {
        cells[lane] = find_cell(actor, access->address, lane, access->type);
        if (!cells[lane] || (vector->values[lane] && !actor_evaluate(actor, vector->values[lane], &values[lane])))
            return false;
        old[lane] = litmus_wrap(access->type, *cells[lane]);
        if (vector->expected[lane]) {
            if (!actor_evaluate(actor, vector->expected[lane], &expected))
                return false;
            equal &= litmus_wrap(access->type, expected.value) == old[lane];
        }
    }
    for (unsigned lane = 0; lane < vector->lanes; lane++) {
        if (access->operation != LITMUS_LOAD && equal)
            *cells[lane] = litmus_value_modify(access->operation, access->type, old[lane], values[lane].value);
        if (vector->registers[lane] != LITMUS_NONE)
            actor->slots[vector->registers[lane]] = litmus_wrap(
                actor->machine->test->threads[actor->body].registers[vector->registers[lane]].type, old[lane]);
    }
    return true;
}

/* The results of the present statement's accesses are needed no more: states differ only in what matters. */
static void forget_results(const struct machine *machine, unsigned body, int64_t *slots)
{
    for (size_t i = machine->test->threads[body].register_count; i < machine->program.slots; i++)
        slots[i] = 0;
}

static bool act(struct actor *actor, const struct program_step *instruction)
{
    if (instruction->kind == INSTRUCTION_ACCESS)
        return access_memory(actor, instruction->expression->access, &actor->slots[instruction->target]);
    if (!access_vector(actor, &instruction->statement->vector))
        return false;
    forget_results(actor->machine, actor->body, actor->slots);
    return true;
}

/* ---- barriers ---- */

static int64_t *top_of(const struct machine *machine, int64_t *state, unsigned unit)
{
    int64_t *words = state + machine->units[unit].state;
    return words + MACHINE_STACK + MACHINE_ENTRY * (words[MACHINE_DEPTH] - 1);
}

static struct actor actor_of(struct machine *machine, int64_t *state, unsigned thread)
{
    return (struct actor){.machine = machine,
                          .state = state,
                          .thread = thread,
                          .body = machine->threads[thread].body,
                          .slots = slots_of(machine, state, thread),
                          .cell = -1};
}

/* What a waiting unit waits for. */
struct barrier_visit {
    const struct litmus_placement *placement;
    enum litmus_scope level;
    int64_t resource, quorum; /* quorum 0: all threads of the level, or of the mask */
    const char *instance;
    const struct litmus_statement *collective; /* a function of several lanes; NULL: a barrier */
    uint32_t lanes;                            /* of the unit that wait; 0: none */
};

/* Its lane in the sub-group, as a function of several lanes numbers it, and how many there are. */
static unsigned lane_of(const struct machine *machine, unsigned thread, unsigned *lanes)
{
    unsigned own;
    *lanes = litmus_lanes(machine->test, machine->threads[thread].body, &own);
    return own + machine->threads[thread].number - machine->test->threads[machine->threads[thread].body].first;
}

static struct barrier_visit meeting_of(struct machine *machine, int64_t *state, unsigned unit)
{
    if (!(state[machine->units[unit].state + MACHINE_FLAGS] & MACHINE_WAITS))
        return (struct barrier_visit){.lanes = 0};
    const int64_t *top = top_of(machine, state, unit);
    const unsigned lane = (unsigned)__builtin_ctz((uint32_t)top[2]);
    const struct litmus_statement *statement = machine->program.instructions[top[0]].statement;
    const bool together = statement->kind == LITMUS_COLLECTIVE;
    const struct litmus_barrier *barrier = together ? &(const struct litmus_barrier){0} : &statement->barrier;
    const struct litmus_expression *which = together ? statement->collective.mask : barrier->resource;
    const struct litmus_placement *placement = placement_of(machine, lane);
    struct actor actor = actor_of(machine, state, lane);
    struct litmus_value resource = {together ? -1 : 0, LITMUS_INT}, quorum = {0};
    unsigned count;
    const bool known = (!which || actor_evaluate(&actor, which, &resource)) &&
                       (!barrier->quorum || actor_evaluate(&actor, barrier->quorum, &quorum));
    (void)lane_of(machine, lane, &count);
    return (struct barrier_visit){.placement = placement,
                                  .level = together ? LITMUS_SUB_GROUP
                                                    : litmus_barrier_level(machine->test->dialect, barrier),
                                  .resource = together ? litmus_lanes_of_mask(resource.value, count) : resource.value,
                                  .quorum = quorum_shown(machine->test, placement, quorum.value),
                                  .instance = barrier->instance,
                                  .collective = together ? statement : NULL,
                                  .lanes = known ? (uint32_t)top[2] : 0};
}

static bool is_same_meeting(const struct barrier_visit *one, const struct barrier_visit *two)
{
    const struct litmus_statement *a = one->collective, *b = two->collective;
    return two->lanes && one->level == two->level && one->resource == two->resource && !a == !b &&
           (!a || a->collective.function == b->collective.function) &&
           (!one->instance || !two->instance || strcmp(one->instance, two->instance) == 0) &&
           (one->placement == two->placement || scope_includes(one->level, one->placement, two->placement));
}

/* The threads that have not ended of those that a barrier without a number waits for. */
static unsigned members_left(const struct machine *machine, const int64_t *state, const struct barrier_visit *meeting,
                             unsigned own)
{
    unsigned left = 0, count;
    for (unsigned unit = 0; unit < machine->unit_count; unit++)
        for (uint32_t rest = machine_lanes_left(machine, state, unit); rest; rest &= rest - 1) {
            const unsigned thread = (unsigned)__builtin_ctz(rest);
            const bool named = !meeting->collective || meeting->resource >> lane_of(machine, thread, &count) & 1;
            left += named &&
                    (unit == own || scope_includes(meeting->level, meeting->placement, placement_of(machine, thread)));
        }
    return left;
}

/* Gives the lanes that have met at a function its results. come: the waiting lanes of each unit. */
static void give_results(struct machine *machine, int64_t *state, const struct barrier_visit *come)
{
    int64_t values[LITMUS_MASK_BITS] = {0};
    uint32_t met = 0;
    for (unsigned pass = 0; pass < 2; pass++) /* first all values, then all results */
        for (unsigned unit = 0; unit < machine->unit_count; unit++)
            for (uint32_t rest = come[unit].lanes; rest; rest &= rest - 1) {
                const unsigned thread = (unsigned)__builtin_ctz(rest);
                const struct litmus_statement *statement = come[unit].collective;
                const struct litmus_collective *collective = &statement->collective;
                struct actor actor = actor_of(machine, state, thread);
                struct litmus_value value = {0}, source = {0};
                unsigned count;
                const unsigned lane = lane_of(machine, thread, &count);
                if ((statement->value && !actor_evaluate(&actor, statement->value, &value)) ||
                    (collective->lane && !actor_evaluate(&actor, collective->lane, &source)))
                    return;
                if (pass == 0) {
                    values[lane] = value.value;
                    met |= UINT32_C(1) << lane;
                    continue;
                }
                if (collective->function == LITMUS_ELECT) /* the lowest lane is elected */
                    values[lane] = __builtin_ctz(met);
                if (statement->target != LITMUS_NONE)
                    actor.slots[statement->target] = litmus_collective_value(
                        collective, values, met, lane, litmus_shuffled_lane(collective, lane, source.value));
            }
}

static void let_go(struct machine *machine, int64_t *state, unsigned unit)
{
    int64_t *top = top_of(machine, state, unit);
    state[machine->units[unit].state + MACHINE_FLAGS] &= ~(int64_t)MACHINE_WAITS;
    top[0]++;
    for (uint32_t rest = (uint32_t)top[2]; rest; rest &= rest - 1) {
        const struct actor actor = actor_of(machine, state, (unsigned)__builtin_ctz(rest));
        forget_results(machine, actor.body, actor.slots);
    }
}

/* A unit has come to a barrier or has ended: opens the barriers that waited for this. */
static void open_barriers(struct machine *machine, int64_t *state)
{
    for (unsigned unit = 0; unit < machine->unit_count; unit++) {
        const struct barrier_visit meeting = meeting_of(machine, state, unit);
        struct barrier_visit others[MACHINE_MAXIMUM_THREADS];
        unsigned come = 0;
        if (!meeting.lanes)
            continue;
        for (unsigned other = 0; other < machine->unit_count; other++) {
            others[other] = meeting_of(machine, state, other);
            if (!is_same_meeting(&meeting, &others[other]))
                others[other].lanes = 0;
            come += (unsigned)__builtin_popcount(others[other].lanes);
        }
        const unsigned needed =
            meeting.quorum > 0 ? (unsigned)meeting.quorum : members_left(machine, state, &meeting, unit);
        if (meeting.collective && come >= needed)
            give_results(machine, state, others);
        for (unsigned other = 0; other < machine->unit_count && come >= needed; other++)
            if (others[other].lanes)
                let_go(machine, state, other);
    }
}

/* ---- steps ---- */

/* A unit that takes a step. */
struct stepper {
    struct machine *machine;
    int64_t *state; /* being changed */
    unsigned unit;
    int64_t *words; /* the unit's part */
    machine_taker *take;
    void *context;
};

static void stepper_take(struct stepper *stepper, unsigned thread, unsigned instruction, int32_t cell)
{
    stepper->words[MACHINE_FLAGS] |= MACHINE_BEGUN;
    stepper->take(stepper->context, stepper->state,
                  (struct machine_step){(uint8_t)stepper->unit, (uint8_t)thread, (uint16_t)instruction, cell});
}

static void push(struct stepper *stepper, unsigned at, unsigned join, uint32_t lanes)
{
    int64_t *entry = stepper->words + MACHINE_STACK + MACHINE_ENTRY * stepper->words[MACHINE_DEPTH]++;
    entry[0] = at;
    entry[1] = join;
    entry[2] = lanes;
}

static void pop(struct stepper *stepper)
{
    int64_t *entry = stepper->words + MACHINE_STACK + MACHINE_ENTRY * --stepper->words[MACHINE_DEPTH];
    memset(entry, 0, MACHINE_ENTRY * sizeof *entry);
}

/* The parts of an entry's lanes that go on at the same instruction. */
struct lane_parts {
    unsigned at[MACHINE_MAXIMUM_THREADS];
    uint32_t lanes[MACHINE_MAXIMUM_THREADS];
    unsigned count;
};

static void parts_add(struct lane_parts *parts, unsigned at, unsigned lane)
{
    unsigned i = 0;
    while (i < parts->count && parts->at[i] != at)
        i++;
    if (i == parts->count)
        parts->lanes[parts->count++] = 0;
    parts->at[i] = at;
    parts->lanes[i] |= UINT32_C(1) << lane;
}

/* A state for each order of the parts from number `from` on. */
static void part_in_orders(struct stepper *stepper, struct lane_parts *parts, unsigned from, unsigned join)
{
    if (from == parts->count) {
        const int64_t depth = stepper->words[MACHINE_DEPTH];
        for (unsigned i = 0; i < parts->count; i++)
            if (parts->at[i] != join) /* else they wait there already */
                push(stepper, parts->at[i], join, parts->lanes[i]);
        stepper_take(stepper, (unsigned)__builtin_ctz(parts->lanes[0]), 0, -1);
        while (stepper->words[MACHINE_DEPTH] > depth)
            pop(stepper);
        return;
    }
    for (unsigned i = from; i < parts->count && !stepper->machine->reason; i++) {
        const struct lane_parts before = *parts;
        parts->at[from] = before.at[i], parts->lanes[from] = before.lanes[i];
        parts->at[i] = before.at[from], parts->lanes[i] = before.lanes[from];
        part_in_orders(stepper, parts, from + 1, join);
        *parts = before;
    }
}

/* Where a lane goes from a branch, or from the first instruction. */
static bool find_next(struct actor *actor, const struct program_step *instruction, unsigned at, unsigned *next)
{
    struct litmus_value value = {1, LITMUS_INT};
    if (instruction->kind == INSTRUCTION_BODY) {
        *next = actor->machine->program.starts[actor->body];
        return true;
    }
    if (instruction->expression && !actor_evaluate(actor, instruction->expression, &value))
        return false;
    *next = !instruction->expression || (value.value != 0) == instruction->if_nonzero ? instruction->to : at + 1;
    if (instruction->over)
        forget_results(actor->machine, actor->body, actor->slots);
    return true;
}

/* The lanes of the top entry go on; false, with the step taken, if they part there, or cannot be followed. */
static bool branch(struct stepper *stepper, const struct program_step *instruction, int64_t *top)
{
    struct lane_parts parts = {.count = 0};
    for (uint32_t rest = (uint32_t)top[2]; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        struct actor actor = actor_of(stepper->machine, stepper->state, lane);
        unsigned next;
        if (!find_next(&actor, instruction, (unsigned)top[0], &next))
            return false;
        parts_add(&parts, next, lane);
    }
    top[0] = parts.count > 1 ? instruction->join : parts.at[0];
    if (parts.count == 1)
        return true;
    if (top[0] == top[1]) /* the entry below waits there for these lanes, too */
        pop(stepper);
    part_in_orders(stepper, &parts, 0, instruction->join);
    return false;
}

static bool set_register(struct stepper *stepper, const struct program_step *instruction, const int64_t *top)
{
    for (uint32_t rest = (uint32_t)top[2]; rest; rest &= rest - 1) {
        struct actor actor = actor_of(stepper->machine, stepper->state, (unsigned)__builtin_ctz(rest));
        struct litmus_value value;
        if (!actor_evaluate(&actor, instruction->expression, &value))
            return false;
        if (instruction->target != LITMUS_NONE)
            actor.slots[instruction->target] = litmus_wrap(
                stepper->machine->test->threads[actor.body].registers[instruction->target].type, value.value);
        forget_results(stepper->machine, actor.body, actor.slots);
    }
    return true;
}

/* The top entry is at an access: a state for each lane that may be the next to make it. */
static void step_lanes(struct stepper *stepper, const struct program_step *instruction, int64_t *top)
{
    const size_t size = stepper->machine->state_words * sizeof *stepper->state;
    memcpy(stepper->machine->before, stepper->state, size);
    for (uint32_t rest = (uint32_t)top[2] & ~(uint32_t)stepper->words[MACHINE_STEPPED]; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const unsigned at = (unsigned)top[0];
        struct actor actor = actor_of(stepper->machine, stepper->state, lane);
        if (!act(&actor, instruction))
            break;
        stepper->words[MACHINE_STEPPED] |= INT64_C(1) << lane;
        if (stepper->words[MACHINE_STEPPED] == top[2]) {
            stepper->words[MACHINE_STEPPED] = 0;
            top[0]++;
        }
        stepper_take(stepper, lane, at, actor.cell);
        memcpy(stepper->state, stepper->machine->before, size);
    }
}

/* A state for each answer to which lanes are active: those that run together here, which ask, and any of the others in
 * the sub-group that have not ended. In lock step there are no others. */
static void step_active(struct stepper *stepper, const struct litmus_statement *statement, int64_t *top)
{
    struct machine *machine = stepper->machine;
    const unsigned at = (unsigned)top[0]++, asking = (unsigned)__builtin_ctz((uint32_t)top[2]);
    uint32_t own = 0, others = 0;
    unsigned count;
    for (unsigned unit = 0; unit < machine->unit_count; unit++)
        for (uint32_t rest = machine_lanes_left(machine, stepper->state, unit); rest; rest &= rest - 1) {
            const unsigned thread = (unsigned)__builtin_ctz(rest);
            const uint32_t bit = UINT32_C(1) << lane_of(machine, thread, &count);
            if (unit == stepper->unit)
                own |= top[2] >> thread & 1 ? bit : 0;
            else if (scope_includes(LITMUS_SUB_GROUP, placement_of(machine, asking), placement_of(machine, thread)))
                others |= bit;
        }
    uint32_t active = others;
    do {
        for (uint32_t rest = (uint32_t)top[2]; rest && statement->target != LITMUS_NONE; rest &= rest - 1)
            slots_of(machine, stepper->state, (unsigned)__builtin_ctz(rest))[statement->target] = own | active;
        stepper_take(stepper, asking, at, -1);
        active = (active - 1) & others; /* each part of them once, down to none */
    } while (active != others && !machine->reason);
}

static void step_to_barrier(struct stepper *stepper, const int64_t *top)
{
    const unsigned at = (unsigned)top[0], lane = (unsigned)__builtin_ctz((uint32_t)top[2]);
    stepper->words[MACHINE_FLAGS] |= MACHINE_WAITS;
    open_barriers(stepper->machine, stepper->state);
    stepper_take(stepper, lane, at, -1);
}

/* How far a unit computes in a step that accesses nothing. A loop that only computes goes on in the next one. */
enum { MACHINE_COMPUTES = 64 };

void machine_step_unit(struct machine *machine, const int64_t *state, unsigned unit, machine_taker *take, void *context)
{
    int64_t *const copy = machine->next;
    struct stepper stepper = {machine, copy, unit, copy + machine->units[unit].state, take, context};
    memcpy(copy, state, machine->state_words * sizeof *copy);
    const unsigned thread = (unsigned)__builtin_ctz((uint32_t)top_of(machine, copy, unit)[2]);
    bool goes_on = true;
    for (unsigned steps = 0; goes_on; steps++) {
        if (stepper.words[MACHINE_DEPTH] == 0 || steps == MACHINE_COMPUTES) {
            open_barriers(machine, copy);
            stepper_take(&stepper, thread, 0, -1);
            break;
        }
        int64_t *top = top_of(machine, copy, unit);
        const struct program_step *instruction = &machine->program.instructions[top[0]];
        if (top[0] == top[1]) {
            pop(&stepper);
        } else if (instruction->kind == INSTRUCTION_BODY || instruction->kind == INSTRUCTION_BRANCH) {
            goes_on = branch(&stepper, instruction, top);
        } else if (instruction->kind == INSTRUCTION_SET) {
            goes_on = set_register(&stepper, instruction, top);
            top[0]++;
        } else {
            const struct litmus_statement *statement = instruction->statement;
            goes_on = false;
            if (statement && statement->kind == LITMUS_COLLECTIVE && statement->collective.function == LITMUS_ACTIVE)
                step_active(&stepper, statement, top);
            else if (instruction->kind == INSTRUCTION_BARRIER)
                step_to_barrier(&stepper, top);
            else
                step_lanes(&stepper, instruction, top);
        }
    }
}
