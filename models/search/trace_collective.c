// SPDX-License-Identifier: Apache-2.0
/*
 * Functions that several lanes call together: an event at which the lane brings its value, and one at which it has the
 * result, which search_build.c settles once the values of all are known. No dependency leads from one to the other: a
 * compiler may know the result without the value, and no text promises one.
 */
#include "litmus/language/collective.h"
#include "litmus/language/order.h"
#include "models/search/trace.h"

enum { TRIED_LANES = 6 }; /* in masks that depend on what is read, and in masks of active lanes */

/* One call: whose it is, and of which lanes. */
struct lane_call {
    const struct litmus_statement *statement;
    unsigned lanes, own; /* of the sub-group */
    uint32_t mask;
};

static struct trace_event *add_event(struct runner *runner, const struct lane_call *call, enum event_kind kind)
{
    const struct litmus_collective *collective = &call->statement->collective;
    const int64_t identity = (int64_t)collective->function << LITMUS_MASK_BITS | call->mask;
    struct trace_event *event = trace_add_event(runner, kind, call->statement->place);
    if (!event)
        return NULL;
    event->call = collective;
    event->resource = identity;
    event->lanes = call->mask;
    event->lane = call->own;
    event->meets = LITMUS_SUB_GROUP;
    event->together = runner->test->dialect == LITMUS_OPENCL ? LITMUS_SUB_GROUP : LITMUS_SCOPE_NONE;
    event->event.diverged = !(call->mask >> call->own & 1); /* "undefined" (PTX ISA, of each of them) */
    return event;
}

/* How often the thread called this before, with this mask. */
static void number_call(const struct runner *runner, struct trace_event *added)
{
    for (const struct trace_event *event = runner->events; event < added; event++)
        added->occurrence += event->call && event->resource == added->resource && !event->event.wait;
}

/* One of `count` values, each on a path of its own; in a replay, that of the trace. */
static enum flow trace_collective_choose(struct runner *runner, uint32_t count, int64_t *chosen)
{
    const struct datum open = {.type = LITMUS_UINT, .unknown = true};
    if (!runner->replay)
        return trace_settle(runner, open, count, NULL, chosen);
    *chosen = replay_value(runner);
    return FLOW_ON;
}

static uint32_t nth_lane(uint32_t mask, uint32_t number)
{
    for (; number > 0; number--)
        mask &= mask - 1;
    return set_first(mask);
}

/* "Election of a leader thread happens deterministically, i.e. the same leader thread is elected for the same
 * membermask every time" (elect.sync): as before, or any lane of the mask. */
static enum flow guess_leader(struct runner *runner, const struct lane_call *call, struct trace_event *offer)
{
    int64_t number = 0;
    for (const struct trace_event *event = runner->events; event < offer; event++)
        if (event->call && event->resource == offer->resource && event->event.arrive) {
            offer->event.value = event->event.value;
            return FLOW_ON;
        }
    FLOW_TRY(trace_collective_choose(runner, set_size(call->mask), &number));
    offer->event.value = runner->replay ? number : nth_lane(call->mask, (uint32_t)number);
    return FLOW_ON;
}

/* A lane's value, of which votes take only whether it is 0. */
static enum flow add_offer(struct runner *runner, const struct lane_call *call)
{
    const struct litmus_collective *collective = &call->statement->collective;
    struct datum value = {.type = LITMUS_INT};
    if (call->statement->value)
        FLOW_TRY(trace_evaluate(runner, call->statement->value, &value));
    value = litmus_collective_votes(collective->function)
                ? trace_binary(runner, LITMUS_NE, value, (struct datum){.type = LITMUS_INT})
                : trace_convert(runner, value, collective->type);
    struct trace_event *offer = add_event(runner, call, EVENT_COLLECTIVE);
    if (!offer)
        return FLOW_DEAD;
    offer->event.arrive = true;
    offer->event.value = value.value;
    offer->event.unknown = value.unknown;
    number_call(runner, offer);
    return collective->function == LITMUS_ELECT && offer->lanes ? guess_leader(runner, call, offer) : FLOW_ON;
}

static enum flow add_result(struct runner *runner, const struct lane_call *call, uint32_t source, struct datum *result)
{
    const unsigned offered = runner->count - 1, number = runner->count;
    struct trace_event *event = add_event(runner, call, EVENT_COLLECTIVE);
    if (!event)
        return FLOW_DEAD;
    event->event.wait = true;
    event->occurrence = runner->events[offered].occurrence;
    event->source = source;
    if (runner->replay)
        event->event.value = replay_value(runner);
    else
        event->event.unknown = !runner->values || !(runner->values->known >> number & 1);
    if (!runner->replay && !event->event.unknown)
        event->event.value = runner->values->value[number];
    *result = trace_read(runner, event->event.value, litmus_collective_type(event->call), event->event.unknown);
    return FLOW_ON;
}

/* "activemask queries the active threads in the executing warp": at its time, of which nothing is promised but that the
 * own lane is among them. */
static enum flow add_active(struct runner *runner, const struct lane_call *call, struct datum *result)
{
    int64_t others = 0;
    struct trace_event *event = add_event(runner, call, EVENT_COLLECTIVE);
    if (!event)
        return FLOW_DEAD;
    event->call = NULL; /* nobody waits for it */
    FLOW_TRY(trace_collective_choose(runner, UINT32_C(1) << (call->lanes - 1), &others));
    const uint32_t below = (UINT32_C(1) << call->own) - 1, bits = (uint32_t)others;
    event->event.value = runner->replay ? others : (bits & below) | UINT32_C(1) << call->own | (bits & ~below) << 1;
    *result = (struct datum){event->event.value, LITMUS_UINT, 0, false, 0};
    return FLOW_ON;
}

/* __syncwarp(mask), bar.warp.sync. */
static enum flow add_barrier(struct runner *runner, const struct lane_call *call)
{
    struct trace_event *event = add_event(runner, call, EVENT_BARRIER);
    if (!event)
        return FLOW_DEAD;
    number_call(runner, event);
    return FLOW_ON;
}

static enum flow find_mask(struct runner *runner, struct lane_call *call)
{
    const struct litmus_expression *expression = call->statement->collective.mask;
    struct datum mask = {.value = UINT32_MAX, .type = LITMUS_UINT};
    if (expression)
        FLOW_TRY(trace_evaluate(runner, expression, &mask));
    FLOW_TRY(trace_settle(runner, mask, UINT32_C(1) << call->lanes, NULL, &mask.value));
    call->mask = litmus_lanes_of_mask(mask.value, call->lanes);
    return FLOW_ON;
}

enum flow trace_collective(struct runner *runner, const struct litmus_statement *statement)
{
    const struct litmus_collective *collective = &statement->collective;
    struct lane_call call = {.statement = statement};
    struct datum lane = {.type = LITMUS_INT}, result;
    call.lanes = litmus_lanes(runner->test, (unsigned)runner->body, &call.own);
    const bool known = collective->mask && collective->mask->kind == LITMUS_EXPRESSION_CONSTANT;
    if (call.lanes > TRIED_LANES && (collective->function == LITMUS_ACTIVE || (collective->mask && !known))) {
        runner->status = error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                                   "line %u: a computed mask of lanes in a sub-group of %u lanes; no model can judge "
                                   "more than %d",
                                   statement->place.line, call.lanes, TRIED_LANES);
        return FLOW_DEAD;
    }
    call.mask = UINT32_C(1) << call.own;
    if (collective->function == LITMUS_ACTIVE)
        FLOW_TRY(add_active(runner, &call, &result));
    else {
        FLOW_TRY(find_mask(runner, &call));
        if (collective->function == LITMUS_SYNC_LANES)
            return add_barrier(runner, &call);
        if (collective->lane)
            FLOW_TRY(trace_evaluate(runner, collective->lane, &lane));
        FLOW_TRY(trace_settle(runner, lane, LITMUS_MASK_BITS, NULL, &lane.value));
        FLOW_TRY(add_offer(runner, &call));
        FLOW_TRY(add_result(runner, &call, litmus_shuffled_lane(collective, call.own, lane.value), &result));
    }
    if (statement->target != LITMUS_NONE)
        runner->registers[statement->target] =
            trace_convert(runner, result, runner->thread->registers[statement->target].type);
    return FLOW_ON;
}
