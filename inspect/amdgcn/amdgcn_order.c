// SPDX-License-Identifier: Apache-2.0
/*
 * Whether code of an AMD GPU keeps the orders of a test.
 *
 * An order of the test is a demand on two steps, `first` before `then`: whatever path the wave takes,
 * when an instruction of `then` begins, no instruction of `first` is pending, or not written back, or
 * not followed by an invalidation, at the levels that the scope needs (amdgcn_generation.h). The
 * demands, and the rows of AMDGPUUsage's tables that they restate:
 *
 *   release, at `then`              all before is complete and written back    "store atomic release", "atomicrmw release"
 *   acquire, at `first`             it is complete, caches are invalidated     "load atomic acquire", "atomicrmw acquire"
 *   fence that releases, between    the same as release, if `then` is an atomic store or update, or a barrier
 *                                                                              "fence release"
 *   fence that acquires, between    the same as acquire, if `first` is an atomic load or update  "fence acquire"
 *   fence seq_cst, between          `first` is complete and written back       "fence seq_cst"
 *   seq_cst, at both                `first` is complete                        "load atomic seq_cst"
 *   barrier                         all before is complete; caches are invalidated before what is after it
 *
 * Local memory has no cache, and its operations are done in the order of each wave, so those of one
 * wave need no wait among each other ("All LDS operations of a CU are performed ... in a global
 * order"). A barrier passes without local memory, so it needs the wait. OpenCL orders global and local
 * memory each by itself ("If OpenCL, omit"); only the order of seq_cst is one for both ("must generate all
 * instructions even for OpenCL").
 */
#include <stdlib.h>

#include "base/memory.h"
#include "inspect/amdgcn/amdgcn.h"
#include "inspect/amdgcn/amdgcn_flow.h"
#include "inspect/swap_loops.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

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
static enum status rule_of_steps(const struct inspect_subject *subject, const struct kernel_step *step,
                                 struct inspect_need needs[INSPECT_MAXIMUM_NEEDS], size_t *count, struct error *error)
{
    (void)subject;
    (void)step;
    (void)error;
    needs[0] = (struct inspect_need){.effect = MACHINE_NOTHING};
    *count = 1;
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

static unsigned regions_of(const struct amdgcn_instruction *opcode)
{
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

/* The counters on which the first must be complete when the second begins. A flat access is on those of
 * both memories. An order that is each memory's own demands nothing of the other one's. */
static unsigned needed_counters(const struct orders *orders, const struct demand *demand,
                                const struct amdgcn_instruction *first, const struct amdgcn_instruction *then)
{
    const unsigned of_first = regions_of(first), of_then = regions_of(then);
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
    const unsigned regions = demand->regions ? demand->regions : regions_of(later);
    if (!state->reached || !(regions_of(opcode) & regions))
        return;
    if (state->pending & needed_counters(orders, demand, opcode, later))
        add_finding(orders, demand, first, then, "is pending");
    else if (demand->releases && (regions_of(opcode) & IN_GLOBAL) &&
             ((state->unwritten | state->writing) &
              amdgcn_levels(&orders->generation->release, demand->scope, orders->mode)))
        add_finding(orders, demand, first, then, state->writing ? "is being written back" : "is not written back");
    else if (demand->acquires && later->effect != MACHINE_STORE && (regions & IN_GLOBAL) &&
             (later->effect == MACHINE_BARRIER || (regions_of(later) & IN_GLOBAL)) &&
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

static void check_pairs(struct orders *orders)
{
    for (size_t first = 0; first < orders->count; first++)
        for (size_t then = 0; then < orders->count; then++) {
            if (!orders->reaches[first * orders->count + then])
                continue;
            demand_own(orders, first, then);
            demand_barrier(orders, first, then);
            for (size_t between = 0; between < orders->count; between++)
                if (step_at(orders, between)->fence)
                    demand_fence(orders, first, between, then);
        }
}

/* ---- the code ---- */

/* Finds the instructions of the body's steps. The load by which a compare-and-swap knows what to expect needs no
 * order, as a wrong value only repeats it. */
static void find_objects(struct orders *orders, unsigned body)
{
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
    find_objects(orders, body);
}

static void find_reaches(struct orders *orders)
{
    orders->count = orders->follows.count;
    orders->reaches = arena_take(&orders->arena, orders->count * orders->count + 1, sizeof *orders->reaches);
    for (size_t from = 0; from < orders->count; from++)
        mark_after(orders, from, orders->count, orders->reaches + from * orders->count);
}

enum status amdgcn_check_orders(const struct inspect_subject *subject, unsigned body, struct inspection *inspection,
                                struct error *error)
{
    struct orders orders = {.subject = subject,
                            .generation = amdgcn_generation_of(subject->listing->architecture),
                            .mode = amdgcn_mode_of(subject->listing->architecture),
                            .inspection = inspection};
    bool *fresh = NULL;
    const enum status status = follows_build(subject, body, rule_of_steps, false, &orders.follows, error);
    if (status == STATUS_OK) {
        read_code(&orders, body, &fresh);
        struct path_graph graph;
        paths_make_graph(subject, fresh, &orders.arena, &graph);
        amdgcn_flow_states(subject->listing, &graph, fresh, &orders.arena, &orders.flow);
        find_reaches(&orders);
        check_pairs(&orders);
    }
    follows_release(&orders.follows);
    arena_release(&orders.arena);
    return status;
}
