// SPDX-License-Identifier: Apache-2.0
/* Expressions, fences, barriers and control flow. */
#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "litmus/language/ptx_instructions.h"
#include "litmus/language/walk.h"
#include "models/search/trace.h"

/* ---- values of expressions, and their origins ---- */

/* A replay without a meaning in C shows nothing. */
static void check_defined(struct runner *runner, enum litmus_operator op, struct datum left, struct datum right)
{
    if (runner->replay && !datum_is_defined(op, left, right))
        runner->replay->undefined = true;
}

/* The operands of && and || are evaluated in order, the right one only if needed. Those of the other operators are
 * unsequenced (C11, 6.5). */
static enum flow evaluate_binary(struct runner *runner, const struct litmus_expression *expression,
                                 struct datum *result)
{
    struct datum left, right;
    const enum litmus_operator op = expression->op;
    const bool sequenced = op == LITMUS_LOGICAL_AND || op == LITMUS_LOGICAL_OR;
    const uint64_t before = runner->before;
    bool holds = false;
    FLOW_TRY(trace_evaluate(runner, expression->left, &left));
    if (sequenced)
        FLOW_TRY(trace_decide(runner, left, &holds));
    if (sequenced && holds == (op == LITMUS_LOGICAL_OR)) {
        *result = (struct datum){holds, LITMUS_INT, left.from, false, 0};
        return FLOW_ON;
    }
    const uint64_t ctrl = runner->ctrl, after_left = runner->before;
    if (sequenced)
        runner->ctrl |= left.from;
    else
        runner->before = before;
    const enum flow flow = trace_evaluate(runner, expression->right, &right);
    runner->ctrl = ctrl;
    runner->before |= after_left;
    if (flow != FLOW_ON)
        return flow;
    if (sequenced)
        left = (struct datum){holds, LITMUS_INT, left.from, false, 0};
    check_defined(runner, op, left, right);
    *result = trace_binary(runner, op, left, right);
    return FLOW_ON;
}

enum flow trace_evaluate(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    struct datum operand;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        *result = (struct datum){expression->value, litmus_type_of_constant(expression), 0, false, 0};
        return FLOW_ON;
    case LITMUS_EXPRESSION_REGISTER:
        trace_access_register(runner, expression->index);
        *result = trace_recall(runner, runner->registers[expression->index]);
        return FLOW_ON;
    case LITMUS_EXPRESSION_ADDRESS: {
        const uint32_t elements = runner->test->locations[expression->index].elements;
        int64_t element = 0;
        operand = (struct datum){0};
        if (expression->left) {
            FLOW_TRY(trace_evaluate(runner, expression->left, &operand));
            FLOW_TRY(trace_settle(runner, operand, elements, NULL, &element));
        }
        if (element < 0 || element >= elements)
            return FLOW_DEAD;
        *result =
            (struct datum){address_encode(expression->index, (uint32_t)element), LITMUS_LONG, operand.from, false, 0};
        return FLOW_ON;
    }
    case LITMUS_EXPRESSION_UNARY:
        FLOW_TRY(trace_evaluate(runner, expression->left, &operand));
        if (expression->op == LITMUS_NEGATE)
            check_defined(runner, LITMUS_SUB, (struct datum){0, operand.type, 0, false, 0}, operand);
        *result = trace_unary(runner, expression->op, operand);
        return FLOW_ON;
    case LITMUS_EXPRESSION_BINARY:
        return evaluate_binary(runner, expression, result);
    case LITMUS_EXPRESSION_ACCESS:
        return trace_access(runner, expression, result);
    }
    return FLOW_DEAD;
}

/* The number of PTX's barriers: those that a yet unknown number may name. */
enum { BARRIER_RESOURCES = 16 };

/* tensormap.cp_fenceproxy first copies a map, through the generic proxy (PTX ISA). */
static enum flow copy_map(struct runner *runner, const struct litmus_statement *statement)
{
    const struct litmus_fence *fence = &statement->fence;
    const struct litmus_access access = {.type = LITMUS_TENSORMAP, .order = LITMUS_PLAIN, .proxy = LITMUS_GENERIC};
    struct target from, to;
    struct datum value;
    if (!fence->from)
        return FLOW_ON;
    FLOW_TRY(trace_find_target(runner, fence->from, &from));
    FLOW_TRY(trace_find_target(runner, fence->map, &to));
    FLOW_TRY(trace_add_read(runner, statement->place, &access, &from, &value));
    return trace_add_write(runner, statement->place, &access, &to, value);
}

static enum flow add_fence(struct runner *runner, const struct litmus_statement *statement)
{
    FLOW_TRY(copy_map(runner, statement));
    struct trace_event *event = trace_add_event(runner, EVENT_FENCE, statement->place);
    if (!event)
        return FLOW_DEAD;
    event->event.ordering = statement->fence.ordering;
    event->event.proxy = statement->fence.proxy;
    /* C has no regions: its fences order all memory. */
    event->event.flag_global = statement->fence.flag_global || !dialects[runner->test->dialect].has_places;
    event->event.flag_local = statement->fence.flag_local || !dialects[runner->test->dialect].has_places;
    event->event.flag_image = statement->fence.flag_image;
    event->event.nowhere = dialects[runner->test->dialect].has_flags && !event->event.flag_global &&
                           !event->event.flag_local && !event->event.flag_image;
    event->event.cluster = statement->fence.cluster || (statement->fence.flag_global && statement->fence.flag_local);
    event->event.restriction = statement->fence.restriction;
    event->event.map = statement->fence.map ? statement->fence.map->index : LITMUS_NONE;
    event->event.atomic = true;
    runner->enumeration->asynchronous |=
        (statement->fence.restriction != LITMUS_UNRESTRICTED && !litmus_fence_is_of_grids(&statement->fence)) ||
        statement->fence.proxy == LITMUS_ASYNC;
    return FLOW_ON;
}

/* How often the thread reached this barrier before; without a name, any with the same `meets`. */
static unsigned occurrence_of(const struct runner *runner, const char *instance, enum event_kind kind,
                              enum litmus_scope meets)
{
    if (!instance)
        return runner->barriers[meets];
    unsigned count = 0;
    FOR_EACH(const struct trace_event, event, runner->events, runner->count)
        count += event->instance && strcmp(event->instance, instance) == 0 && event->event.kind == kind &&
                 event->meets == meets && !event->event.exit;
    return count;
}

/* Whose threads must all reach a barrier? All that meet there; in PTX, the lanes of one warp ("all threads in the warp
 * must execute the same barrier{.cta} instruction"). For VULKAN SPIR-V says it too, but its published tests leave
 * threads out. */
static enum litmus_scope level_together(const struct litmus_test *test, const struct litmus_barrier *barrier,
                                        enum litmus_scope meets)
{
    if (meets == LITMUS_CLUSTER || barrier->unaligned || test->dialect == LITMUS_VULKAN)
        return LITMUS_SCOPE_NONE;
    return test->text_dialect == LITMUS_PTX ? LITMUS_SUB_GROUP : meets;
}

/* OpenCL: a barrier is a release fence on entry and an acquire fence on exit. */
static enum flow add_fences_of_barrier(struct runner *runner, const struct litmus_statement *statement)
{
    const struct litmus_barrier *barrier = &statement->barrier;
    const enum litmus_scope meets = litmus_barrier_level(LITMUS_OPENCL, barrier);
    const unsigned occurrence = occurrence_of(runner, barrier->instance, EVENT_FENCE, meets);
    for (int i = 0; i < 2; i++) {
        struct trace_event *event = trace_add_event(runner, EVENT_FENCE, statement->place);
        if (!event)
            return FLOW_DEAD;
        event->instance = barrier->instance;
        event->occurrence = occurrence;
        event->meets = meets;
        event->together = level_together(runner->test, barrier, meets);
        event->event.entry = i == 0;
        event->event.exit = i == 1;
        event->event.order = i == 0 ? LITMUS_RELEASE : LITMUS_ACQUIRE;
        event->event.scope = barrier->scope;
        event->event.flag_global = barrier->flag_global;
        event->event.flag_local = barrier->flag_local;
        event->event.flag_image = barrier->flag_image;
        event->event.atomic = true;
    }
    runner->barriers[meets]++;
    return FLOW_ON;
}

int64_t quorum_shown(const struct litmus_test *test, const struct litmus_placement *own, int64_t quorum)
{
    enum { WARP_SIZE = 32 };
    int64_t lanes = own->sub_group == LITMUS_NONE;
    for (size_t i = 0; i < test->body_count; i++) {
        const struct litmus_placement *other = &test->threads[i].placement;
        if (scope_includes(LITMUS_SUB_GROUP, own, other))
            lanes += test->threads[i].count;
    }
    const bool warps = test->dialect == LITMUS_PTX && quorum > test->thread_count && quorum % WARP_SIZE == 0;
    return warps ? quorum / WARP_SIZE * lanes : quorum;
}

static enum flow trace_statement_add_barrier(struct runner *runner, const struct litmus_statement *statement)
{
    if (runner->test->dialect == LITMUS_OPENCL)
        return add_fences_of_barrier(runner, statement);
    const struct litmus_barrier *barrier = &statement->barrier;
    struct datum resource = {0}, quorum = {0};
    if (barrier->resource) {
        FLOW_TRY(trace_evaluate(runner, barrier->resource, &resource));
        FLOW_TRY(trace_settle(runner, resource, BARRIER_RESOURCES, NULL, &resource.value));
    }
    if (barrier->quorum) {
        FLOW_TRY(trace_evaluate(runner, barrier->quorum, &quorum));
        FLOW_TRY(trace_settle(runner, quorum, EVENTS_MAXIMUM + 1, NULL, &quorum.value));
    }
    const enum litmus_scope meets = litmus_barrier_level(runner->test->dialect, barrier);
    const unsigned occurrence =
        barrier->wait ? runner->waits : occurrence_of(runner, barrier->instance, EVENT_BARRIER, meets);
    struct trace_event *event = trace_add_event(runner, EVENT_BARRIER, statement->place);
    if (!event)
        return FLOW_DEAD;
    event->instance = barrier->instance;
    event->occurrence = occurrence;
    event->meets = meets;
    event->together = level_together(runner->test, barrier, meets);
    event->resource = resource.value;
    event->event.quorum = quorum_shown(runner->test, &runner->thread->placement, quorum.value);
    event->event.arrive = barrier->arrive;
    event->event.wait = barrier->wait;
    event->event.ordering = barrier->ordering;
    if (barrier->relaxed)
        event->event.order = LITMUS_RELAXED;
    if (!dialects[runner->test->dialect].has_semantics)
        event->event.scope = LITMUS_SCOPE_NONE;
    event->event.proxy = LITMUS_GENERIC;
    runner->enumeration->asynchronous |= meets == LITMUS_CLUSTER;
    if (barrier->wait)
        runner->waits++;
    else
        runner->barriers[meets]++;
    return FLOW_ON;
}

static enum flow run_if(struct runner *runner, const struct litmus_statement *statement)
{
    struct datum value;
    bool holds;
    FLOW_TRY(trace_evaluate(runner, statement->value, &value));
    FLOW_TRY(trace_decide(runner, value, &holds));
    /* Code after the branches is reached by both. */
    const uint64_t ctrl = runner->ctrl;
    runner->ctrl |= value.from;
    const enum flow flow = trace_run_block(runner, holds ? &statement->body : &statement->otherwise);
    if (flow == FLOW_ON)
        runner->ctrl = ctrl;
    return flow;
}

/* May a loop be run again after so many iterations? A counting loop is followed to its end, if that is near: its next
 * step is known, and if it were cut, no outcome would be judged. */
static bool follows(const struct runner *runner, const struct datum *condition, unsigned iterations)
{
    enum { COUNTED = 64 };
    const unsigned room = EVENTS_MAXIMUM / 2 / runner->test->thread_count; /* of one thread's events */
    const bool near = !condition->unknown && condition->from == 0 && iterations < COUNTED && runner->count < room;
    return iterations < runner->enumeration->options.unroll || near;
}

static enum flow run_loop(struct runner *runner, const struct litmus_statement *statement)
{
    const bool test_first = statement->kind == LITMUS_WHILE;
    const struct litmus_block *next = test_first ? NULL : &statement->body;
    const unsigned loop = runner->loops++;
    for (unsigned iterations = 0;; iterations++) {
        struct datum value = {1, LITMUS_INT, 0, false, 0};
        bool holds;
        if (test_first)
            trace_loop_head(runner, loop, next, 0);
        FLOW_TRY(test_first || iterations > 0 ? trace_evaluate(runner, statement->value, &value) : FLOW_ON);
        FLOW_TRY(trace_decide(runner, value, &holds));
        runner->ctrl |= value.from;
        if (!holds)
            return FLOW_ON;
        if (!test_first)
            trace_loop_head(runner, loop, next, 0);
        if (!follows(runner, &value, iterations) || ++runner->steps > ENUMERATE_MAXIMUM_STEPS) {
            runner->cut_loop = (int)loop;
            return FLOW_CUT;
        }
        FLOW_TRY(trace_run_block(runner, &statement->body));
    }
}

static enum flow run_goto(struct runner *runner, const struct litmus_statement *statement)
{
    struct datum value = {1, LITMUS_INT, 0, false, 0};
    bool holds;
    FLOW_TRY(statement->value ? trace_evaluate(runner, statement->value, &value) : FLOW_ON);
    FLOW_TRY(trace_decide(runner, value, &holds));
    runner->ctrl |= value.from;
    runner->label = statement->label;
    return holds ? FLOW_JUMP : FLOW_ON;
}

static enum flow run_assignment(struct runner *runner, const struct litmus_statement *statement)
{
    struct datum value;
    const struct litmus_access *access = statement->value->access;
    const enum flow flow = trace_evaluate(runner, statement->value, &value);
    if (flow == FLOW_ON && access && access->proxy == LITMUS_ASYNC)
        runner->events[runner->count - 1].event.unready = runner->accessed[statement->target];
    else if (flow == FLOW_ON)
        trace_access_register(runner, statement->target);
    if (flow == FLOW_ON) {
        value = trace_convert(runner, value, runner->thread->registers[statement->target].type);
        runner->registers[statement->target] = value;
    }
    return flow;
}

static enum flow run_statement(struct runner *runner, const struct litmus_statement *statement)
{
    static enum flow (*const runs[])(struct runner *, const struct litmus_statement *) = {
        [LITMUS_ASSIGN] = run_assignment,
        [LITMUS_FENCE] = add_fence,
        [LITMUS_BARRIER] = trace_statement_add_barrier,
        [LITMUS_IF] = run_if,
        [LITMUS_WHILE] = run_loop,
        [LITMUS_DO_WHILE] = run_loop,
        [LITMUS_GOTO] = run_goto,
        [LITMUS_COPY] = trace_copy,
        [LITMUS_GROUP] = trace_group,
        [LITMUS_VECTOR] = trace_vector,
        [LITMUS_COLLECTIVE] = trace_collective,
    };
    struct datum ignored;
    if (statement->kind == LITMUS_PERFORM)
        return trace_evaluate(runner, statement->value, &ignored);
    if (statement->kind == LITMUS_LABEL || statement->kind == LITMUS_IDLE)
        return FLOW_ON;
    if (statement->kind < COUNT(runs) && runs[statement->kind])
        return runs[statement->kind](runner, statement);
    const char *const text = statement->text ? statement->text : "?";
    const struct ptx_instruction *row = ptx_find_in_code(text, strcspn(text, " "));
    const char *const reason = row ? row->expected : NULL;
    runner->status =
        error_set(runner->enumeration->error, STATUS_UNSUPPORTED, "line %u: '%s' has no meaning in orchil's models%s%s",
                  statement->place.line, text, reason ? ": " : "", reason ? reason : "");
    return FLOW_DEAD;
}

enum flow trace_run_block(struct runner *runner, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        if (++runner->steps > ENUMERATE_MAXIMUM_STEPS)
            return FLOW_CUT;
        if (++runner->work > ENUMERATE_MAXIMUM_WORK)
            runner->status = error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                                       "P%u alone takes more than %d steps: no model can judge the test",
                                       runner->thread->first, ENUMERATE_MAXIMUM_WORK);
        if (block->statements[i].kind == LITMUS_LABEL)
            trace_loop_head(runner, LABEL_LOOPS + (unsigned)block->statements[i].label, block, i + 1);
        const enum flow flow = run_statement(runner, &block->statements[i]);
        if (runner->status != STATUS_OK)
            return FLOW_DEAD;
        if (flow == FLOW_ON)
            continue;
        if (flow != FLOW_JUMP)
            return flow;
        const size_t to = litmus_find_label(block, runner->label);
        if (to == block->count)
            return FLOW_JUMP; /* to a block around this one */
        if (to <= i)
            trace_loop_head(runner, LABEL_LOOPS + (unsigned)runner->label, block, to + 1);
        if (to <= i && ++runner->jumps[runner->label] >= runner->enumeration->options.unroll) {
            runner->cut_loop = LABEL_LOOPS + runner->label;
            return FLOW_CUT;
        }
        i = to;
    }
    return FLOW_ON;
}
