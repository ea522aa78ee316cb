// SPDX-License-Identifier: Apache-2.0
/* The plan of a play: orders and queues; and events between sessions. */
#include "backends/steps.h"

unsigned steps_after(const struct steps_plan *plan, unsigned step, unsigned kinds)
{
    unsigned after = 0;
    for (unsigned k = 0; k < step; k++)
        if ((plan->steps[step].after >> k & 1) && (kinds >> plan->steps[step].edges[k] & 1))
            after |= 1u << k;
    return after;
}

unsigned steps_followed(const struct steps_plan *plan, unsigned step, unsigned kinds)
{
    unsigned followed = 0;
    for (unsigned later = step + 1; later < plan->count; later++)
        if (steps_after(plan, later, kinds) >> step & 1)
            followed |= 1u << later;
    return followed;
}

unsigned steps_next(const struct steps_plan *plan, unsigned given)
{
    const unsigned waiting = plan->relayed ? 0 : STEPS_HOST | STEPS_MAP;
    unsigned next = plan->count;
    for (unsigned k = plan->count; k-- > 0;) {
        const bool possible = !(given >> k & 1) && (plan->steps[k].after & ~given) == 0;
        const bool waits = steps_after(plan, k, waiting) != 0;
        const bool others_wait = next < plan->count && steps_after(plan, next, waiting) != 0;
        if (possible && (next == plan->count || !waits || others_wait))
            next = k;
    }
    return next;
}

unsigned steps_queues(const struct steps_plan *plan, unsigned steps)
{
    unsigned queues = 0;
    for (unsigned k = 0; k < plan->count; k++)
        if (steps >> k & 1)
            queues |= 1u << plan->queue[k];
    return queues;
}

enum status steps_check(const struct backend_step *steps, size_t count, struct error *error)
{
    if (count < 1 || count > BACKEND_MAXIMUM_STEPS)
        return error_set(error, STATUS_INTERNAL, "a play has %zu steps; expected 1 to %d", count,
                         BACKEND_MAXIMUM_STEPS);
    for (size_t i = 0; i < count; i++) {
        if (steps[i].after >> i)
            return error_set(error, STATUS_INTERNAL, "step %zu of a play comes after itself or a later one", i);
        for (size_t k = 0; k < i; k++)
            if ((steps[i].after >> k & 1) &&
                (steps[i].edges[k] == LAUNCH_EDGE_BESIDE || (unsigned)steps[i].edges[k] >= LAUNCH_EDGE_COUNT))
                return error_set(error, STATUS_INTERNAL, "step %zu of a play comes after step %zu without an edge", i,
                                 k);
    }
    return STATUS_OK;
}

static void name_edges(unsigned edges, struct text *text)
{
    for (unsigned kind = 0; kind < LAUNCH_EDGE_COUNT; kind++)
        if (edges >> kind & 1)
            text_add(text, "%s%s", text->size > 0 ? ", " : "", launch_edge_word((enum launch_edge)kind));
}

/* The device must have all edges, and shared memory must not be moved. */
static enum status check_edges(const struct backend_device *device, const struct backend_launch *launch,
                               const struct steps_plan *plan, struct error *error)
{
    const bool shared = launch->memory_address != 0;
    const unsigned edges = shared ? device->edges & ~(unsigned)STEPS_MOVES_MEMORY : device->edges;
    unsigned required = plan->beside ? STEPS_BESIDE : 0;
    for (unsigned i = 0; i < plan->count; i++)
        for (unsigned k = 0; k < i; k++)
            if (plan->steps[i].after >> k & 1)
                required |= 1u << plan->steps[i].edges[k];
    if (required & ~edges) {
        LOCAL(text) lacks = {0}, has = {0};
        name_edges(required & ~edges, &lacks);
        name_edges(edges, &has);
        (void)error_set(error, STATUS_UNSUPPORTED, "%s:%u (%s) has no '%s' between launches%s; it has: %s",
                        device->backend, device->index, device->name, text_string(&lacks),
                        shared ? " on memory that members share" : "", edges ? text_string(&has) : "nothing");
        return STATUS_UNSUPPORTED;
    }
    if (plan->graph && plan->relayed)
        return error_set(error, STATUS_UNSUPPORTED, "a graph has no events between members");
    return plan->graph && (required & ~(unsigned)(STEPS_GRAPH | STEPS_BESIDE))
               ? error_set(error, STATUS_UNSUPPORTED, "a graph has either all edges of a play or none")
               : STATUS_OK;
}

void steps_find_orders(const struct backend_step *steps, size_t count, unsigned *before)
{
    for (size_t i = 0; i < count; i++) {
        before[i] = steps[i].after;
        for (size_t k = 0; k < i; k++)
            if (steps[i].after >> k & 1)
                before[i] |= before[k];
    }
}

static void join_queues(struct steps_plan *plan, unsigned into, unsigned from)
{
    for (unsigned k = 0; k < plan->count; k++)
        if (plan->queue[k] == from)
            plan->queue[k] = into;
}

static void find_queues(struct steps_plan *plan)
{
    for (unsigned i = 0; i < plan->count; i++) {
        const unsigned shared = steps_after(plan, i, STEPS_SAME_QUEUE | STEPS_BARRIER);
        plan->queue[i] = i;
        for (unsigned k = 0; k < i; k++) {
            const unsigned a = plan->queue[k], b = plan->queue[i];
            if (shared >> k & 1)
                join_queues(plan, a < b ? a : b, a < b ? b : a);
        }
    }
    /* Renumbers the queues, which have the numbers of steps, from 0. */
    unsigned numbers[BACKEND_MAXIMUM_STEPS];
    for (unsigned k = 0; k < plan->count; k++) { /* a queue has the number of its first step */
        if (plan->queue[k] == k)
            numbers[k] = plan->queues++;
        plan->queue[k] = numbers[plan->queue[k]];
    }
    for (unsigned i = 0; i < plan->count; i++)
        if (steps_after(plan, i, STEPS_BARRIER))
            plan->out_of_order |= 1u << plan->queue[i];
}

/* Why two steps cannot be in one queue; NULL: they can. */
static const char *find_objection(const struct steps_plan *plan, unsigned later, unsigned earlier)
{
    const bool ordered = plan->before[later] >> earlier & 1;
    const unsigned waits = steps_after(plan, later, STEPS_BARRIER), waited = steps_after(plan, earlier, STEPS_BARRIER);
    if (!(plan->out_of_order >> plan->queue[later] & 1))
        return !ordered                                               ? "nothing orders them"
               : steps_after(plan, later, STEPS_EVENT) >> earlier & 1 ? "an event is between two queues"
                                                                      : NULL;
    if (steps_after(plan, later, STEPS_EVENT | STEPS_SAME_QUEUE) >> earlier & 1)
        return "that queue is out of order, and the edge between them is not a barrier";
    /* Everything that a barrier waits for also ends before everything that follows the barrier. */
    return !ordered && ((waits & ~plan->before[earlier]) || (waited & ~plan->before[later]))
               ? "the barrier of one launch would order the other"
               : NULL;
}

static enum status check_queues(const struct steps_plan *plan, struct error *error)
{
    for (unsigned i = 0; i < plan->count; i++)
        for (unsigned k = 0; k < i; k++) {
            const char *objection = plan->queue[i] == plan->queue[k] ? find_objection(plan, i, k) : NULL;
            if (objection)
                return error_set(error, STATUS_UNSUPPORTED,
                                 "the edges of the test put launches %u and %u into one queue, but %s", k, i,
                                 objection);
        }
    return STATUS_OK;
}

enum status steps_plan(const struct backend_device *device, const struct backend_launch *launch,
                       const struct backend_step *steps, size_t count, struct steps_plan *plan, struct error *error)
{
    *plan = (struct steps_plan){.steps = steps, .count = (unsigned)count};
    TRY(steps_check(steps, count, error));
    steps_find_orders(plan->steps, plan->count, plan->before);
    for (unsigned i = 0; i < plan->count; i++) {
        plan->beside |= plan->before[i] != (1u << i) - 1 || steps_after(plan, i, STEPS_PROGRAMMATIC);
        plan->graph |= steps_after(plan, i, STEPS_GRAPH) != 0;
        plan->relayed |= plan->steps[i].gives || plan->steps[i].awaits[0];
    }
    TRY(check_edges(device, launch, plan, error));
    find_queues(plan);
    return plan->graph ? STATUS_OK : check_queues(plan, error);
}

/* ---- events between sessions ---- */

void relay_open(struct relay *relay)
{
    relay->ended = false;
    relay->event = NULL;
    (void)pthread_mutex_init(&relay->lock, NULL);
    (void)pthread_cond_init(&relay->changed, NULL);
}

void relay_close(struct relay *relay)
{
    (void)pthread_cond_destroy(&relay->changed);
    (void)pthread_mutex_destroy(&relay->lock);
}

void relay_give(struct relay *relay, void *event)
{
    (void)pthread_mutex_lock(&relay->lock);
    if (!relay->ended)
        relay->event = event;
    relay->ended = true;
    (void)pthread_cond_broadcast(&relay->changed);
    (void)pthread_mutex_unlock(&relay->lock);
}

void *relay_await(struct relay *relay)
{
    (void)pthread_mutex_lock(&relay->lock);
    while (!relay->ended)
        (void)pthread_cond_wait(&relay->changed, &relay->lock);
    void *event = relay->event;
    (void)pthread_mutex_unlock(&relay->lock);
    return event;
}
