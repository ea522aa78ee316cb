// SPDX-License-Identifier: Apache-2.0
/*
 * Whether code of an AMD GPU keeps the orders of a test.
 *
 * An order of the test is a demand on two steps, `first` before `then`: whatever path the wave takes, when an
 * instruction of `then` begins, no instruction of `first` is pending, or not written back, or not followed by an
 * invalidation, at the levels that the scope needs (amdgcn.h). The demands, and the rows of AMDGPUUsage's tables that
 * they restate:
 *
 *   release, at `then`              all before is complete, written back    "store atomic release", "atomicrmw release"
 *   acquire, at `first`             it is complete, caches are invalidated  "load atomic acquire", "atomicrmw acquire"
 *   fence that releases, between    the same as release, if `then` is an atomic store or update, or a barrier
 *                                                                              "fence release"
 *   fence that acquires, between    the same as acquire, if `first` is an atomic load or update  "fence acquire"
 *   fence seq_cst, between          `first` is complete and written back       "fence seq_cst"
 *   seq_cst, at both                `first` is complete                        "load atomic seq_cst"
 *   barrier                         all before is complete; caches are invalidated before what is after it
 *
 * Local memory has no cache, and its operations are done in the order of each wave, so those of one wave need no wait
 * among each other ("All LDS operations of a CU are performed ... in a global order"). A barrier passes without local
 * memory, so it needs the wait. OpenCL orders global and local memory each by itself ("If OpenCL, omit"); only the
 * order of seq_cst is one for both ("must generate all instructions even for OpenCL").
 */
#include "inspect/amdgcn/amdgcn_opcode.h"
#include "inspect/paths.h"
#include "inspect/swap_loops.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

/* What may be true of an access, on some path of the wave to an instruction. */
struct amdgcn_state {
    bool reached;                        /* it was begun */
    uint8_t pending;                     /* bit per counter on which it may not be complete */
    uint8_t after[AMDGCN_COUNTER_COUNT]; /* on a pending counter: at least so many were begun after it */
    uint8_t unwritten;                   /* levels at which it was not written back: nothing was begun */
    uint8_t writing;                     /* levels at which a write-back may not be complete */
    uint8_t writing_after;               /* at least so many on the write-back's counter were begun after it */
    uint8_t
        stale; /* levels whose caches were not invalidated since it was complete, so that a later load may be older */
};

struct amdgcn_flow_object {
    size_t instruction;
    unsigned step; /* index in kernel->steps */
};

struct amdgcn_flow_states {
    struct amdgcn_instruction *opcodes; /* of each instruction of the listing */
    struct amdgcn_flow_object *objects;
    size_t object_count;
    struct amdgcn_state *states; /* before instruction i, of object o: states[i * object_count + o] */
};

/* ---- what is pending at each instruction of a wave ---- */

/*
 * Data flow over the paths of an item. A wave waits for its own operations only, with a counter for each kind, and
 * operations of a kind complete in the order in which they were begun, so that a wait until at most N are pending
 * completes all but the last N. Flat operations and operations on different counters have no order (as in LLVM's
 * SIInsertWaitcnts.cpp).
 *
 * The paths are those of one item: a wave also runs what other items need, with more waits.
 */

enum { ALL_LEVELS = AMDGCN_GROUP | AMDGCN_AGENT | AMDGCN_SYSTEM | AMDGCN_FAR, MOST_AFTER = 200 };

static uint8_t amdgcn_order_smaller(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

/* ---- one instruction ---- */

/* Another operation begins. Scalar loads and flat operations complete in any order, so they say nothing of those before
 * them. */
static void count(const struct amdgcn_instruction *opcode, unsigned write_back_counter, struct amdgcn_state *state)
{
    if (opcode->is_flat)
        return;
    for (unsigned c = 0; c < AMDGCN_COUNTER_COUNT; c++)
        if (c != AMDGCN_SCALAR && (opcode->counters & 1u << c) && state->after[c] < MOST_AFTER)
            state->after[c]++;
    if ((opcode->counters & 1u << write_back_counter) && state->writing_after < MOST_AFTER)
        state->writing_after++;
}

static void wait(const struct amdgcn_instruction *opcode, bool is_flat, unsigned write_back_counter,
                 struct amdgcn_state *state)
{
    for (unsigned c = 0; c < AMDGCN_COUNTER_COUNT; c++)
        if (opcode->waits[c] == 0 ||
            (opcode->waits[c] != AMDGCN_NO_WAIT && !is_flat && state->after[c] >= opcode->waits[c]))
            state->pending &= (uint8_t) ~(1u << c);
    if (opcode->waits[write_back_counter] != AMDGCN_NO_WAIT &&
        state->writing_after >= opcode->waits[write_back_counter])
        state->writing = 0;
}

static void write_back(unsigned levels, struct amdgcn_state *state)
{
    const uint8_t begun = (uint8_t)(state->unwritten & levels);
    state->unwritten &= (uint8_t)~levels;
    state->writing |= begun;
    if (begun)
        state->writing_after = 0;
}

struct amdgcn_solver {
    const struct amdgcn_generation *generation;
    const bool *fresh;
    struct amdgcn_flow_states *flow;
};

/* Changes the states of all objects from before an instruction to after it. An access begins only for an item that
 * takes part. */
static void step_over(const struct amdgcn_solver *solver, size_t at, bool takes_part, struct amdgcn_state *states)
{
    const struct amdgcn_flow_states *flow = solver->flow;
    const struct amdgcn_generation *generation = solver->generation;
    const struct amdgcn_instruction *opcode = &flow->opcodes[at];
    const unsigned write_back_counter = generation->splits_counts ? AMDGCN_STORES : AMDGCN_VECTOR;
    const unsigned back = amdgcn_reached(generation->writes_back, opcode->cache, opcode->modifiers);
    const unsigned invalid = amdgcn_reached(generation->invalidates, opcode->cache, opcode->modifiers);
    for (size_t o = 0; o < flow->object_count; o++) {
        struct amdgcn_state *state = &states[o];
        const struct amdgcn_instruction *own = &flow->opcodes[flow->objects[o].instruction];
        if (solver->fresh[at])
            *state = (struct amdgcn_state){0};
        if (flow->objects[o].instruction == at && takes_part) {
            const bool writes = opcode->effect == MACHINE_STORE || opcode->effect == MACHINE_UPDATE;
            *state = (struct amdgcn_state){.reached = true,
                                           .pending = (uint8_t)opcode->counters,
                                           .unwritten = writes ? ALL_LEVELS : 0,
                                           .stale = opcode->effect == MACHINE_STORE ? 0 : ALL_LEVELS};
            continue;
        }
        if (!state->reached)
            continue;
        if (opcode->counters)
            count(opcode, write_back_counter, state);
        wait(opcode, own->is_flat, write_back_counter, state);
        if (opcode->cache != AMDGCN_NO_CACHE && back)
            write_back(back, state);
        if (opcode->cache != AMDGCN_NO_CACHE && invalid && (state->pending & ~(1u << AMDGCN_LOCAL)) == 0) {
            /* The near cache counts for the system only after the far one. */
            state->stale &= (uint8_t)~invalid;
            if ((invalid & AMDGCN_AGENT) && !(state->stale & AMDGCN_FAR))
                state->stale &= (uint8_t)~AMDGCN_SYSTEM;
        }
    }
}

/* ---- joins ---- */

/* Adds what may be true on another path; whether that changes anything. */
static bool amdgcn_order_join(struct amdgcn_state *state, const struct amdgcn_state *other)
{
    const struct amdgcn_state before = *state;
    if (!other->reached)
        return false;
    if (!state->reached) {
        *state = *other;
        return true;
    }
    for (unsigned c = 0; c < AMDGCN_COUNTER_COUNT; c++)
        if (other->pending & 1u << c)
            state->after[c] =
                state->pending & 1u << c ? amdgcn_order_smaller(state->after[c], other->after[c]) : other->after[c];
    if (other->writing)
        state->writing_after =
            state->writing ? amdgcn_order_smaller(state->writing_after, other->writing_after) : other->writing_after;
    state->pending |= other->pending;
    state->unwritten |= other->unwritten;
    state->writing |= other->writing;
    state->stale |= other->stale;
    return memcmp(&before, state, sizeof before) != 0;
}

/* Joins the states into those before a node; whether these changed. */
static bool join_all(size_t count, struct amdgcn_state *into, const struct amdgcn_state *states)
{
    bool changed = false;
    for (size_t o = 0; o < count; o++)
        changed |= amdgcn_order_join(&into[o], &states[o]);
    return changed;
}

/* Follows the paths until no state changes. Nodes wait on a stack. */
static void solve(const struct amdgcn_solver *solver, const struct path_graph *graph, struct amdgcn_state *before)
{
    const size_t objects = solver->flow->object_count;
    FREED struct amdgcn_state *after = memory_take(objects, sizeof *after);
    size_t *stack = memory_take(graph->count + 1, sizeof *stack), count = 0;
    FREED bool *waits = memory_take(graph->count, sizeof *waits);
    for (size_t node = 0; node < graph->count; node++) {
        stack[count++] = node;
        waits[node] = true;
    }
    while (count > 0) {
        const struct path_node *node = &graph->nodes[stack[--count]];
        waits[stack[count]] = false;
        memcpy(after, before + stack[count] * objects, objects * sizeof *after);
        step_over(solver, node->at, node->takes_part, after);
        for (size_t i = 0; i < node->next_count; i++)
            if (join_all(objects, before + node->next[i] * objects, after) && !waits[node->next[i]]) {
                waits[node->next[i]] = true;
                stack[count++] = node->next[i];
            }
    }
    free(stack);
}

/* Fills the states, in the arena, for these objects. fresh: per instruction, whether a path of a thread ends there, so
 * that what comes next is of another round. */
static void amdgcn_flow_states(const struct listing *listing, const struct path_graph *graph, const bool *fresh,
                               struct arena *arena, struct amdgcn_flow_states *flow)
{
    const struct amdgcn_solver solver = {amdgcn_generation_of(listing->architecture), fresh, flow};
    flow->states = arena_take(arena, listing->count * flow->object_count + 1, sizeof *flow->states);
    if (flow->object_count == 0)
        return;
    FREED struct amdgcn_state *before = memory_take(graph->count * flow->object_count, sizeof *before);
    solve(&solver, graph, before);
    for (size_t node = 0; node < graph->count; node++)
        if (graph->nodes[node].takes_part)
            (void)join_all(flow->object_count, flow->states + graph->nodes[node].at * flow->object_count,
                           before + node * flow->object_count);
}

/* ---- the orders ---- */

enum { IN_GLOBAL = 1 << LITMUS_GLOBAL, IN_LOCAL = 1 << LITMUS_LOCAL, IN_BOTH = IN_GLOBAL | IN_LOCAL };

struct orders {
    const struct inspect_subject *subject;
    const struct amdgcn_generation *generation;
    enum amdgcn_mode mode;
    struct inspection *inspection;
    struct arena arena;
    struct amdgcn_flow_states flow;
    size_t count;  /* of the body's steps, which are the pieces of `follows` */
    bool *reaches; /* square: a path of the test leads from one step to another */
    struct follows follows;
};

/* ---- the test ---- */

/* One piece for each step, so that `follows` is a relation of steps. */
static enum status rule_of_steps(UNUSED const struct inspect_subject *subject, UNUSED const struct kernel_step *step,
                                 struct inspect_needs *needs, UNUSED struct error *error)
{
    inspect_need_add(needs, (struct inspect_need){.effect = MACHINE_NOTHING});
    return STATUS_OK;
}

static const struct kernel_step *step_at(const struct orders *orders, size_t piece)
{
    return &orders->subject->kernel->steps[orders->follows.pieces[piece].step];
}

/* Marks the steps that come after one, on paths that avoid another (count: none). */
static void mark_after(const struct orders *orders, size_t from, size_t without, bool *marks)
{
    for (size_t to = 0; to < orders->count; to++)
        if (to != without && !marks[to] && follows_allowed(&orders->follows, from, to)) {
            marks[to] = true;
            mark_after(orders, to, without, marks);
        }
}

/* Whether every path of the test from `first` to `then` has the step between. */
static bool is_between(const struct orders *orders, size_t first, size_t between, size_t then)
{
    bool *marks = memory_take(orders->count + 1, sizeof *marks);
    mark_after(orders, first, between, marks);
    const bool avoids = marks[then];
    free(marks);
    return !avoids && orders->reaches[first * orders->count + between] &&
           orders->reaches[between * orders->count + then];
}

static bool is_atomic(const struct kernel_step *step, bool reads, bool writes)
{
    const struct litmus_access *access = step->access;
    if (!access || !order_is_atomic(access->order))
        return false;
    return (reads && access->operation != LITMUS_STORE) || (writes && access->operation != LITMUS_LOAD);
}

/* The regions that a fence or a barrier with these flags orders. */
static unsigned flagged(const struct orders *orders, bool global, bool local)
{
    if (!dialects[orders->subject->test->dialect].has_flags)
        return IN_BOTH;
    return (global ? IN_GLOBAL : 0u) | (local ? IN_LOCAL : 0u);
}

/* ---- demands ---- */

struct demand {
    size_t first, then; /* pieces */
    size_t by;          /* the piece whose order demands it */
    unsigned regions;   /* of `first` that it is about; 0: those of `then` */
    enum litmus_scope scope;
    bool waits;    /* for `first`, as a release does */
    bool releases; /* waits, and `first` is written back */
    bool acquires; /* waits as an acquire does, and caches are invalidated */
};

/* The memories that an instruction of a step may access: a flat one that of the step's location. */
static unsigned regions_of(const struct orders *orders, const struct amdgcn_instruction *opcode, size_t piece)
{
    const struct litmus_access *access = step_at(orders, piece)->access;
    if (opcode->is_flat && access && access->address->kind == LITMUS_EXPRESSION_ADDRESS)
        return 1u << orders->subject->test->locations[access->address->index].region;
    return opcode->is_flat ? (unsigned)IN_BOTH : 1u << opcode->region;
}

static void add_finding(struct orders *orders, const struct demand *demand, size_t first, size_t then, const char *what)
{
    const struct machine_instruction *instructions = orders->subject->listing->instructions;
    findings_add(orders->subject, orders->inspection, INSPECT_WEAKENED, orders->follows.pieces[demand->by].step,
                 "is not kept: line %lu, '%s', may begin while line %lu, '%s', %s", instructions[then].place,
                 instructions[then].text, instructions[first].place, instructions[first].text, what);
}

enum { COUNTS_LOCAL = 1 << AMDGCN_LOCAL, COUNTS_GLOBAL = 1 << AMDGCN_VECTOR | 1 << AMDGCN_STORES };

/* The counters on which the first must be complete when the second begins. An order that is each memory's own
 * demands nothing of the other one's. */
static unsigned needed_counters(const struct orders *orders, const struct demand *demand,
                                const struct amdgcn_instruction *first, const struct amdgcn_instruction *then)
{
    const unsigned of_first = regions_of(orders, first, demand->first),
                   of_then = regions_of(orders, then, demand->then);
    const bool all = demand->regions != 0 || then->effect == MACHINE_BARRIER;
    const bool group = demand->releases || demand->waits ? orders->generation->waits_in_group[orders->mode]
                                                         : orders->generation->acquire_waits[orders->mode];
    unsigned counters = 0;
    if (first->effect == MACHINE_BARRIER || demand->scope <= LITMUS_SUB_GROUP)
        return 0;
    if ((of_first & IN_LOCAL) && (then->effect == MACHINE_BARRIER || (all && (of_then & IN_GLOBAL))))
        counters |= COUNTS_LOCAL;
    if ((of_first & IN_GLOBAL) && (all || (of_then & IN_GLOBAL)) && (group || demand->scope > LITMUS_WORK_GROUP))
        counters |= COUNTS_GLOBAL;
    return counters;
}

/* The demand on two instructions. */
static void check_instructions(struct orders *orders, const struct demand *demand, size_t first, size_t then,
                               const struct amdgcn_state *state)
{
    const struct amdgcn_instruction *opcode = &orders->flow.opcodes[first], *later = &orders->flow.opcodes[then];
    const unsigned of_first = regions_of(orders, opcode, demand->first),
                   of_then = regions_of(orders, later, demand->then);
    const unsigned regions = demand->regions ? demand->regions : of_then;
    if (!state->reached || !(of_first & regions))
        return;
    if (state->pending & needed_counters(orders, demand, opcode, later))
        add_finding(orders, demand, first, then, "is pending");
    else if (demand->releases && (of_first & IN_GLOBAL) &&
             ((state->unwritten | state->writing) &
              amdgcn_levels(&orders->generation->release, demand->scope, orders->mode)))
        add_finding(orders, demand, first, then, state->writing ? "is being written back" : "is not written back");
    else if (demand->acquires && later->effect != MACHINE_STORE && (regions & IN_GLOBAL) &&
             (later->effect == MACHINE_BARRIER || (of_then & IN_GLOBAL)) &&
             (state->stale & amdgcn_levels(&orders->generation->acquire, demand->scope, orders->mode)))
        add_finding(orders, demand, first, then, "was not followed by the invalidation of a cache");
}

static void check_demand(struct orders *orders, const struct demand *demand)
{
    const struct amdgcn_flow_states *flow = &orders->flow;
    const unsigned first = orders->follows.pieces[demand->first].step, then = orders->follows.pieces[demand->then].step;
    for (size_t t = 0; t < flow->object_count; t++)
        for (size_t f = 0; flow->objects[t].step == then && f < flow->object_count; f++)
            if (flow->objects[f].step == first)
                check_instructions(orders, demand, flow->objects[f].instruction, flow->objects[t].instruction,
                                   &flow->states[flow->objects[t].instruction * flow->object_count + f]);
}

/* Demands that the two steps make themselves. */
static void demand_own(struct orders *orders, size_t first, size_t then)
{
    const struct kernel_step *a = step_at(orders, first), *b = step_at(orders, then);
    const unsigned own = orders->subject->test->dialect == LITMUS_CUDA ? IN_BOTH : 0;
    struct demand demand = {.first = first, .then = then, .by = then, .regions = own};
    if (b->access && b->access->operation != LITMUS_LOAD && order_releases(b->access->order)) {
        demand.scope = b->access->scope;
        demand.releases = true;
        check_demand(orders, &demand);
    }
    if (is_atomic(a, true, true) && is_atomic(b, true, false) && a->access->order == LITMUS_SEQ_CST &&
        b->access->order == LITMUS_SEQ_CST) {
        demand.scope = b->access->scope;
        demand.releases = false;
        demand.waits = true;
        demand.regions = IN_BOTH;
        check_demand(orders, &demand);
    }
    demand = (struct demand){.first = first, .then = then, .by = first, .regions = own, .acquires = true};
    if (is_atomic(a, true, false) && (order_acquires(a->access->order) || order_acquires(a->access->failure))) {
        demand.scope = a->access->scope;
        check_demand(orders, &demand);
    }
}

static enum litmus_scope scope_of_barrier(const struct litmus_barrier *barrier)
{
    return barrier->sub_group ? LITMUS_SUB_GROUP : barrier->scope;
}

/* A barrier orders what its flags name. */
static void demand_barrier(struct orders *orders, size_t first, size_t then)
{
    const struct litmus_barrier *before = step_at(orders, first)->barrier, *after = step_at(orders, then)->barrier;
    if (after) {
        const unsigned regions = flagged(orders, after->flag_global, after->flag_local);
        const struct demand demand = {first, then, then, regions, scope_of_barrier(after), true, true, false};
        if (regions)
            check_demand(orders, &demand);
    }
    if (before && (flagged(orders, before->flag_global, before->flag_local) & IN_GLOBAL)) {
        const struct demand demand = {first, then, first, IN_BOTH, scope_of_barrier(before), false, false, true};
        check_demand(orders, &demand);
    }
}

/* Demands that a fence between two steps makes. */
static void demand_fence(struct orders *orders, size_t first, size_t between, size_t then)
{
    const struct litmus_fence *fence = step_at(orders, between)->fence;
    const struct kernel_step *a = step_at(orders, first), *b = step_at(orders, then);
    const unsigned regions = flagged(orders, fence->flag_global, fence->flag_local);
    struct demand demand = {.first = first, .then = then, .by = between, .regions = regions, .scope = fence->scope};
    if (regions == 0 || !is_between(orders, first, between, then))
        return;
    if (order_releases(fence->order) && a->access && (is_atomic(b, false, true) || b->barrier)) {
        demand.releases = true;
        check_demand(orders, &demand);
    } else if (fence->order == LITMUS_SEQ_CST && is_atomic(a, true, true) && is_atomic(b, true, true)) {
        demand.releases = true;
        check_demand(orders, &demand);
    }
    if (order_acquires(fence->order) && is_atomic(a, true, false) && !b->fence) {
        demand.releases = false;
        demand.acquires = true;
        check_demand(orders, &demand);
    }
}

/* ---- the code ---- */

static void read_code(struct orders *orders, unsigned body, bool **fresh)
{
    const struct listing *listing = orders->subject->listing;
    *fresh = arena_take(&orders->arena, listing->count, sizeof **fresh);
    orders->flow.opcodes = arena_take(&orders->arena, listing->count, sizeof *orders->flow.opcodes);
    bool *meeting = arena_take(&orders->arena, listing->count, sizeof *meeting);
    find_landmarks(orders->subject, body, *fresh, meeting);
    for (size_t i = 0; i < listing->count; i++) {
        amdgcn_opcode(listing->instructions[i].text, orders->generation, &orders->flow.opcodes[i]);
        (*fresh)[i] |= meeting[i];
    }
    /* Finds the instructions of the body's steps. The load by which a compare-and-swap knows what to expect needs no
     * order, as a wrong value only repeats it. */
    const struct inspect_subject *subject = orders->subject;
    const struct kernel *kernel = subject->kernel;
    for (size_t i = 0; i < subject->listing->count; i++) {
        const struct machine_instruction *instruction = &subject->listing->instructions[i];
        bool in_helper;
        const unsigned line = thread_line(subject, instruction, &in_helper);
        const bool barrier = instruction->effect == MACHINE_BARRIER;
        const bool accesses = instruction->effect == MACHINE_LOAD || instruction->effect == MACHINE_STORE ||
                              instruction->effect == MACHINE_UPDATE;
        for (unsigned s = 0; line > 0 && (barrier || accesses) && s < kernel->step_count; s++)
            if (kernel->steps[s].line == line && kernel->steps[s].body == body &&
                (kernel->steps[s].barrier != NULL) == barrier &&
                !(instruction->effect == MACHINE_LOAD && swap_loops_do(subject, s)))
                ARENA_ADD(&orders->arena, orders->flow.objects, orders->flow.object_count) =
                    (struct amdgcn_flow_object){i, s};
    }
}

enum status amdgcn_check_orders(const struct inspect_subject *subject, unsigned body, struct inspection *inspection,
                                struct error *error)
{
    struct orders orders = {.subject = subject,
                            .generation = amdgcn_generation_of(subject->listing->architecture),
                            .mode = amdgcn_mode_of(subject->listing->architecture),
                            .inspection = inspection};
    bool *fresh = NULL;
    struct inspect_subject by_steps = *subject;
    by_steps.rule = rule_of_steps;
    by_steps.ignored = NULL; /* a step that is not compared has its orders */
    const enum status status = follows_build(&by_steps, body, false, &orders.follows, error);
    if (status == STATUS_OK) {
        read_code(&orders, body, &fresh);
        struct path_graph graph;
        paths_make_graph(subject, fresh, &orders.arena, &graph);
        amdgcn_flow_states(subject->listing, &graph, fresh, &orders.arena, &orders.flow);
        orders.count = orders.follows.count;
        orders.reaches = arena_take(&orders.arena, orders.count * orders.count + 1, sizeof *orders.reaches);
        for (size_t from = 0; from < orders.count; from++)
            mark_after(&orders, from, orders.count, orders.reaches + from * orders.count);
        for (size_t first = 0; first < orders.count; first++)
            for (size_t then = 0; then < orders.count; then++) {
                if (!orders.reaches[first * orders.count + then])
                    continue;
                demand_own(&orders, first, then);
                demand_barrier(&orders, first, then);
                for (size_t between = 0; between < orders.count; between++)
                    if (step_at(&orders, between)->fence)
                        demand_fence(&orders, first, between, then);
            }
    }
    follows_release(&orders.follows);
    arena_release(&orders.arena);
    return status;
}
