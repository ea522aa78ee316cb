// SPDX-License-Identifier: Apache-2.0
/*
 * Which of the iterations that leave their thread as it was (trace_loops.c) may be left out.
 *
 * An access of such an iteration may race although no later access does: those may be missing, or
 * come after an event that orders them. So if races count, an iteration is left out only if nothing
 * in it can race, whatever the model says about scopes: all accesses to its places are atomic and
 * of one scope that includes all their threads, or nobody writes there.
 */
#include "litmus/dialects.h"
#include "models/search/enumerate.h"

/* The accesses of one body's threads to one cell. */
struct cell_accesses {
    bool writes, plain;
    unsigned scopes; /* of atomic accesses, as bits */
};

/* Do all threads belong to one agent? */
static bool has_one_agent(const struct litmus_test *test)
{
    const struct litmus_placement *first = &test->threads[0].placement;
    for (size_t body = 1; body < test->body_count; body++) {
        const struct litmus_placement *other = &test->threads[body].placement;
        if (other->host != first->host || other->device != first->device)
            return false;
    }
    return true;
}

/* With one device, some models treat all_svm_devices as the device. */
static enum litmus_scope scope_of_agents(const struct enumeration *enumeration, const struct event *event)
{
    const bool widest = event->scope == LITMUS_ALL_DEVICES;
    return widest && has_one_agent(enumeration->test) ? LITMUS_DEVICE : event->scope;
}

static struct cell_accesses *use_of(const struct enumeration *enumeration, struct cell_accesses *uses,
                                    const struct event *event, size_t body)
{
    return &uses[enumeration_cell(enumeration, event->storage, event->element) * enumeration->test->body_count + body];
}

/* VULKAN: atomics of one location race if they name it differently. */
static bool is_renamed(const struct enumeration *enumeration, const struct event *event)
{
    return dialects[enumeration->test->dialect].has_semantics && event->location != event->storage;
}

static void note_use(const struct enumeration *enumeration, const struct event *event, void *context)
{
    if (event->location == LITMUS_NONE)
        return;
    struct cell_accesses *use = use_of(enumeration, context, event, (size_t)event->body);
    use->writes |= event->kind == EVENT_WRITE;
    use->plain |= !event->atomic || is_renamed(enumeration, event);
    use->scopes |= event->atomic ? 1u << scope_of_agents(enumeration, event) : 0;
}

/* May an access race with those of a body's threads there? */
static bool races_with(const struct enumeration *enumeration, const struct event *event,
                       const struct cell_accesses *use, size_t body)
{
    const bool alone = (size_t)event->body == body && enumeration->test->threads[body].count == 1;
    if (alone || (!use->plain && !use->scopes) || (event->kind != EVENT_WRITE && !use->writes))
        return false;
    if (use->plain || !event->atomic || is_renamed(enumeration, event))
        return true;
    const struct execution execution = {.test = enumeration->test};
    const struct event own = {.thread = 0, .body = event->body}, other = {.thread = 1, .body = (int)body};
    const enum litmus_scope scope = scope_of_agents(enumeration, event);
    return use->scopes != 1u << scope || !execution_same_instance(&execution, &own, &other, scope);
}

static bool may_race(const struct enumeration *enumeration, struct cell_accesses *uses, const struct path *path,
                     uint64_t events)
{
    for (; events; events &= events - 1) {
        const struct event *event = &path->events[set_first(events)].event;
        for (size_t body = 0; event->location != LITMUS_NONE && body < enumeration->test->body_count; body++)
            if (races_with(enumeration, event, use_of(enumeration, uses, event, body), body))
                return true;
    }
    return false;
}

/* Is one of the steady iterations idle whatever the values are? */
static bool is_idle(const struct path *path)
{
    for (size_t i = 0; i < path->steady_count; i++) {
        bool writes = false;
        for (uint64_t rest = path->steady[i]; rest; rest &= rest - 1)
            writes |= path->events[set_first(rest)].event.kind == EVENT_WRITE;
        if (!writes)
            return true;
    }
    return false;
}

static void keep_unraced(const struct enumeration *enumeration, struct cell_accesses *uses, struct path *path)
{
    size_t kept = 0;
    for (size_t i = 0; i < path->steady_count && !enumeration->mixed_sizes; i++)
        if (!enumeration->races || !may_race(enumeration, uses, path, path->steady[i]))
            path->steady[kept++] = path->steady[i];
    path->steady_count = kept;
}

static void drop_idle(struct path *paths, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (!is_idle(&paths[i]))
            paths[kept++] = paths[i];
    *count = kept;
}

void enumeration_leave_out_idle(struct enumeration *enumeration)
{
    const size_t bodies = enumeration->test->body_count;
    struct cell_accesses *uses = arena_take(&enumeration->arena, enumeration->cell_count * bodies, sizeof *uses);
    enumeration_visit_events(enumeration, note_use, uses);
    for (size_t body = 0; body < bodies; body++) {
        struct traces *traces = &enumeration->traces[body];
        for (size_t i = 0; i < traces_path_count(traces); i++)
            keep_unraced(enumeration, uses, traces_path(traces, i));
        drop_idle(traces->paths, &traces->count);
        drop_idle(traces->cut, &traces->cut_count);
    }
}
