// SPDX-License-Identifier: Apache-2.0
/*
 * PTX's asynchronous copies, and how a thread learns that they are done.
 *
 * A copy's accesses come after all earlier events of its thread, and are not in program order with
 * later ones. `completes` leads from it to a fence: before an mbarrier's complete-tx, at a wait for
 * the copy's group, or before the arrival that waits for it. That fence is the implicit one between
 * the async and the generic proxy; nothing else comes before it, so that it is a fence for this
 * copy alone and does not cover earlier events of its thread (PTX ISA, Asynchronous operations).
 * See docs/internals/models.md for what the ISA leaves open.
 */
#include "models/search/trace.h"

#include "base/memory.h"
#include "litmus/language/value.h"

static void add_copied(struct copied *all, struct copied some)
{
    all->reads |= some.reads;
    all->changes |= some.changes;
}

/* The events that the runner has added since that count. */
static uint64_t events_since(const struct runner *runner, unsigned count)
{
    return set_all(runner->count) & ~set_all(count);
}

static void mark_asynchronous(struct runner *runner, unsigned from)
{
    for (unsigned i = from; i < runner->count; i++)
        runner->events[i].event.asynchronous = true;
    runner->enumeration->asynchronous = true;
}

/* The fence at which these events are known to be done; nothing comes before it, and afterwards it
 * alone is `runner->before`. */
static enum flow add_completion(struct runner *runner, struct litmus_place place, uint64_t completed, bool bulk)
{
    runner->before = 0;
    struct trace_event *event = trace_add_event(runner, EVENT_FENCE, place);
    if (!event)
        return FLOW_DEAD;
    event->completes = completed;
    event->event.order = LITMUS_PLAIN;
    event->event.proxy = bulk ? LITMUS_ASYNC : LITMUS_GENERIC;
    event->event.flag_global = event->event.flag_local = event->event.cluster = true;
    event->event.asynchronous = true;
    return FLOW_ON;
}

/* An operation on an mbarrier that comes after these events, and after nothing else. */
static enum flow signal_mbarrier(struct runner *runner, struct litmus_place place, uint64_t completed, bool bulk,
                                 const struct litmus_access *signal, const struct target *mbarrier, int64_t operand)
{
    const uint64_t before = runner->before;
    const unsigned first = runner->count;
    enum flow flow = add_completion(runner, place, completed, bulk);
    if (flow == FLOW_ON)
        flow = trace_add_update(runner, place, signal, mbarrier, (struct datum){operand, LITMUS_UINT, 0, false, 0});
    mark_asynchronous(runner, first);
    runner->before = before;
    return flow;
}

/* ---- copies ---- */

/* `to` and `copied` of each destination. What a multicast reads is in all of them. */
struct copying {
    struct litmus_place place;
    const struct litmus_copy *copy;
    struct target to[LITMUS_MAXIMUM_DESTINATIONS], from;
    struct copied copied[LITMUS_MAXIMUM_DESTINATIONS];
    unsigned destinations;
    struct datum value;
};

static struct litmus_access access_of(const struct litmus_copy *copy)
{
    return (struct litmus_access){.operation = copy->operation,
                                  .type = copy->type,
                                  .order = copy->order,
                                  .scope = copy->order == LITMUS_PLAIN ? LITMUS_SCOPE_NONE : copy->scope,
                                  .proxy = copy->bulk ? LITMUS_ASYNC : LITMUS_GENERIC};
}

/* The number of elements that it changes: anything after a location's last one is padding. */
static uint32_t elements_of(const struct runner *runner, const struct copying *copying)
{
    const struct litmus_copy *copy = copying->copy;
    const struct litmus_location *locations = runner->test->locations;
    const uint32_t to = locations[copying->to[0].location].elements - copying->to[0].element;
    if (!copy->from)
        return 1;
    const uint32_t from = locations[copying->from.location].elements - copying->from.element;
    const uint32_t requested = copy->bytes / (uint32_t)litmus_type_size(copy->type), room = to < from ? to : from;
    return requested < room ? requested : room;
}

/* Reads the element of that number, or takes the value of a st.async or red.async. */
static enum flow take_element(struct runner *runner, struct copying *copying, uint32_t number, struct datum *value)
{
    const unsigned first = runner->count;
    struct litmus_access load = access_of(copying->copy);
    load.operation = LITMUS_LOAD;
    if (copying->copy->operation != LITMUS_STORE) /* PTX ISA, cp.reduce.async.bulk: its source is read weakly */
        load.order = LITMUS_PLAIN;
    struct target from = copying->from;
    from.element += number;
    *value = copying->value;
    if (copying->copy->from)
        FLOW_TRY(trace_add_read(runner, copying->place, &load, &from, value));
    for (unsigned i = 0; i < copying->destinations; i++)
        copying->copied[i].reads |= events_since(runner, first);
    return FLOW_ON;
}

static enum flow change_element(struct runner *runner, struct copying *copying, unsigned destination, uint32_t number,
                                struct datum value)
{
    const struct litmus_access change = access_of(copying->copy);
    const unsigned first = runner->count;
    struct target to = copying->to[destination];
    to.element += number;
    if (change.operation == LITMUS_STORE)
        FLOW_TRY(trace_add_write(runner, copying->place, &change, &to, value));
    else
        FLOW_TRY(trace_add_update(runner, copying->place, &change, &to, value));
    copying->copied[destination].changes |= events_since(runner, first);
    return FLOW_ON;
}

/* The destinations of a multicast are in no order. */
static enum flow copy_element(struct runner *runner, struct copying *copying, uint32_t number)
{
    struct datum value;
    FLOW_TRY(take_element(runner, copying, number, &value));
    const uint64_t before = runner->before;
    for (unsigned i = 0; i < copying->destinations; i++) {
        runner->before = before;
        FLOW_TRY(change_element(runner, copying, i, number, value));
    }
    return FLOW_ON;
}

/* Makes two words one access. */
static void join(struct runner *runner, unsigned a, unsigned b)
{
    runner->events[a].whole |= set_of(b);
    runner->events[b].whole |= set_of(a);
    runner->enumeration->whole = true;
}

/* A strong copy reads and writes two elements of 64 bits at once. From event `first` on, there is a read and a write for each
 * element. */
static void join_elements(struct runner *runner, const struct litmus_copy *copy, unsigned first)
{
    if (copy->order != LITMUS_RELAXED || copy->operation != LITMUS_STORE)
        return;
    for (unsigned i = first; i + 3 < runner->count; i += 4) {
        join(runner, i, i + 2);
        join(runner, i + 1, i + 3);
    }
}

/* Elements are in no order among themselves. */
static enum flow copy_elements(struct runner *runner, struct copying *copying)
{
    const uint64_t before = runner->before;
    const unsigned first = runner->count;
    const uint32_t count = elements_of(runner, copying);
    enum flow flow = FLOW_ON;
    for (uint32_t i = 0; i < count && flow == FLOW_ON; i++) {
        runner->before = before;
        flow = copy_element(runner, copying, i);
    }
    join_elements(runner, copying->copy, first);
    mark_asynchronous(runner, first);
    runner->before = before;
    return flow;
}

/* The complete-tx of each destination covers what was read, and what was written there. Whether one destination's
 * stands for the others' data, the ISA does not say. */
static enum flow complete_tx(struct runner *runner, const struct copying *copying)
{
    const struct litmus_copy *copy = copying->copy;
    const struct litmus_access signal = {.operation = LITMUS_COMPLETE_TX,
                                         .type = LITMUS_MBARRIER,
                                         .order = LITMUS_RELEASE,
                                         .scope = LITMUS_CLUSTER,
                                         .proxy = LITMUS_GENERIC};
    const size_t bytes = copy->from ? copy->bytes : litmus_type_size(copy->type);
    const struct copied *copied = copying->copied;
    for (const struct litmus_expression *told = copy->mbarrier; told; told = told->right, copied++) {
        struct target mbarrier;
        FLOW_TRY(trace_find_target(runner, told, &mbarrier));
        FLOW_TRY(signal_mbarrier(runner, copying->place, copied->reads | copied->changes, copy->bulk, &signal,
                                 &mbarrier, (int64_t)bytes));
    }
    return FLOW_ON;
}

/* No thread waits for an asynchronous release. PTX ISA, red.async: without a completion mechanism it "synchronizes with the
 * end of the CTA". st.async no longer says so (since 9.1). */
static enum flow end_with_kernel(struct runner *runner, const struct copying *copying)
{
    const uint64_t before = runner->before;
    if (copying->copy->operation == LITMUS_STORE)
        return FLOW_ON;
    const enum flow flow = add_completion(runner, copying->place, copying->copied[0].changes, false);
    runner->before = before;
    return flow;
}

/* May a tensor map of such a copy name the place? */
static bool may_be_mapped(const struct runner *runner, const struct litmus_copy *copy, const struct target *target)
{
    const struct litmus_location *location = &runner->test->locations[target->location];
    return location->region == LITMUS_GLOBAL && location->type == copy->type && target->element == 0;
}

/* Where a side of a copy is. A tensor map is read first, through its proxy (PTX ISA, cp.async.bulk.tensor). */
static enum flow find_side(struct runner *runner, struct copying *copying, const struct litmus_expression *address,
                           struct target *target)
{
    const struct litmus_access load = {
        .operation = LITMUS_LOAD, .type = LITMUS_TENSORMAP, .order = LITMUS_PLAIN, .proxy = LITMUS_TENSORMAP_PROXY};
    struct datum named;
    FLOW_TRY(trace_find_target(runner, address, target));
    if (runner->test->locations[target->location].type != LITMUS_TENSORMAP)
        return FLOW_ON;
    const unsigned first = runner->count;
    FLOW_TRY(trace_add_read(runner, copying->place, &load, target, &named));
    mark_asynchronous(runner, first);
    copying->copied[0].reads |= events_since(runner, first);
    target->from = named.from;
    FLOW_TRY(trace_settle(runner, named, address_count(runner->test), address_numbered, &named.value));
    const bool exists = address_decode(runner->test, named.value, &target->location, &target->element);
    return exists && may_be_mapped(runner, copying->copy, target) ? FLOW_ON : FLOW_DEAD;
}

/* What a copy does comes after its map is read. */
static enum flow perform(struct runner *runner, struct copying *copying)
{
    const struct litmus_copy *copy = copying->copy;
    for (const struct litmus_expression *to = copy->to; to; to = to->right)
        FLOW_TRY(find_side(runner, copying, to, &copying->to[copying->destinations++]));
    if (copy->from)
        FLOW_TRY(find_side(runner, copying, copy->from, &copying->from));
    else
        FLOW_TRY(trace_evaluate(runner, copy->value, &copying->value));
    return copy_elements(runner, copying);
}

enum flow trace_copy(struct runner *runner, const struct litmus_statement *statement)
{
    const struct litmus_copy *copy = &statement->copy;
    struct copying copying = {.place = statement->place, .copy = copy};
    const uint64_t before = runner->before;
    FLOW_TRY(perform(runner, &copying));
    runner->before = before;
    if (copy->mbarrier)
        return complete_tx(runner, &copying);
    if (!copy->from)
        return end_with_kernel(runner, &copying);
    add_copied(&runner->copies[copy->bulk].open, copying.copied[0]);
    return FLOW_ON;
}

/* ---- groups ---- */

/* The events of the committed groups of one kind, except the newest ones. */
static struct copied committed(const struct copy_groups *copies, size_t pending)
{
    struct copied all = {0, 0};
    for (size_t i = 0; i + pending < copies->count; i++)
        add_copied(&all, copies->groups[i]);
    return all;
}

static struct copied all_copied(const struct copy_groups *copies)
{
    struct copied all = committed(copies, 0);
    add_copied(&all, copies->open);
    return all;
}

/* A wait for nothing makes no event. */
static enum flow wait_for(struct runner *runner, struct litmus_place place, uint64_t completed, bool bulk)
{
    const uint64_t before = runner->before;
    if (!completed)
        return FLOW_ON;
    FLOW_TRY(add_completion(runner, place, completed, bulk));
    runner->before |= before;
    return FLOW_ON;
}

static enum flow expect_arrival(struct runner *runner, struct litmus_place place, const struct target *mbarrier)
{
    const struct litmus_access expectation = {.operation = LITMUS_EXPECT_ARRIVE,
                                              .type = LITMUS_MBARRIER,
                                              .order = LITMUS_RELAXED,
                                              .scope = LITMUS_WORK_GROUP,
                                              .proxy = LITMUS_GENERIC};
    return trace_add_update(runner, place, &expectation, mbarrier, (struct datum){1, LITMUS_UINT, 0, false, 0});
}

static enum flow arrive(struct runner *runner, const struct litmus_statement *statement)
{
    const struct copied copied = all_copied(&runner->copies[false]);
    const struct litmus_access signal = {.operation = LITMUS_ARRIVE,
                                         .type = LITMUS_MBARRIER,
                                         .order = LITMUS_RELEASE,
                                         .scope = LITMUS_WORK_GROUP,
                                         .proxy = LITMUS_GENERIC};
    struct target mbarrier;
    FLOW_TRY(trace_find_target(runner, statement->group.mbarrier, &mbarrier));
    const unsigned first = runner->count;
    if (!statement->group.no_increment)
        FLOW_TRY(expect_arrival(runner, statement->place, &mbarrier));
    const uint64_t completed = copied.reads | copied.changes | events_since(runner, first);
    return signal_mbarrier(runner, statement->place, completed, false, &signal, &mbarrier, 1);
}

enum flow trace_group(struct runner *runner, const struct litmus_statement *statement)
{
    const struct litmus_group *group = &statement->group;
    struct copy_groups *copies = &runner->copies[group->bulk];
    struct copied copied = {0, 0};
    runner->enumeration->asynchronous = true;
    switch (group->action) {
    case LITMUS_GROUP_COMMIT:
        LIST_ADD(copies->groups, copies->count, copies->room) = copies->open;
        copies->open = copied;
        return FLOW_ON;
    case LITMUS_GROUP_ARRIVE:
        return arrive(runner, statement);
    case LITMUS_GROUP_WAIT:
        copied = committed(copies, group->pending);
        break;
    case LITMUS_GROUP_WAIT_ALL:
        copied = all_copied(copies);
        break;
    }
    return wait_for(runner, statement->place, copied.reads | (group->read ? 0 : copied.changes), group->bulk);
}
