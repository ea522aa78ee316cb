// SPDX-License-Identifier: Apache-2.0
/* The algebra of relations, questions about one execution, and how its events are printed. */
#include "models/execution.h"

#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "litmus/language/value.h"

/* ---- relations as rows of bits ---- */

void relation_clear(struct relation *result, unsigned count)
{
    memset(result->row, 0, count * sizeof result->row[0]);
}

bool relation_is_empty(const struct relation *relation, unsigned count)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < count; i++)
        any |= relation->row[i];
    return any == 0;
}

bool relation_is_irreflexive(const struct relation *relation, unsigned count)
{
    return !ANY_NUMBER(unsigned, i, 0, count, relation_has(relation, i, i));
}

bool relation_equal(const struct relation *left, const struct relation *right, unsigned count)
{
    return memcmp(left->row, right->row, count * sizeof left->row[0]) == 0;
}

void relation_unite(struct relation *result, const struct relation *left, const struct relation *right, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        result->row[i] = left->row[i] | right->row[i];
}

void relation_compose(struct relation *result, const struct relation *left, const struct relation *right,
                      unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t reached = 0;
        for (uint64_t middle = left->row[i]; middle; middle &= middle - 1)
            reached |= right->row[set_first(middle)];
        result->row[i] = reached;
    }
}

void relation_invert(struct relation *result, const struct relation *operand, unsigned count)
{
    relation_clear(result, count);
    for (unsigned i = 0; i < count; i++)
        for (uint64_t left = operand->row[i]; left; left &= left - 1)
            relation_add(result, set_first(left), i);
}

void relation_close(struct relation *result, const struct relation *operand, unsigned count)
{
    if (result != operand)
        memcpy(result->row, operand->row, count * sizeof result->row[0]);
    for (unsigned middle = 0; middle < count; middle++) {
        const uint64_t reached = result->row[middle];
        for (unsigned i = 0; reached && i < count; i++)
            if (relation_has(result, i, middle))
                result->row[i] |= reached;
    }
}

/* Takes away events without a successor until none is left or each has one. */
bool relation_is_acyclic(const struct relation *relation, unsigned count)
{
    uint64_t left = set_all(count);
    for (bool changed = true; changed && left;) {
        changed = false;
        for (uint64_t rest = left; rest; rest &= rest - 1) {
            const unsigned i = set_first(rest);
            if (!(relation->row[i] & left)) {
                left &= ~set_of(i);
                changed = true;
            }
        }
    }
    return left == 0;
}

unsigned relation_path(const struct relation *relation, unsigned from, unsigned to, unsigned path[EVENTS_MAXIMUM])
{
    unsigned before[EVENTS_MAXIMUM], event = to; /* before[e]: the predecessor of e */
    uint64_t seen = 0, front = set_of(from);
    for (unsigned length = 1; front; length++) {
        uint64_t next = 0;
        for (; front; front &= front - 1) {
            const unsigned i = set_first(front);
            for (uint64_t fresh = relation->row[i] & ~seen; fresh; fresh &= fresh - 1)
                before[set_first(fresh)] = i;
            next |= relation->row[i] & ~seen;
            seen |= next;
        }
        if (next & set_of(to)) {
            for (unsigned i = length; i-- > 0;)
                path[i] = event = before[event];
            return length;
        }
        front = next;
    }
    return 0;
}

unsigned relation_cycle(const struct relation *relation, unsigned count, unsigned cycle[EVENTS_MAXIMUM])
{
    unsigned best = 0, path[EVENTS_MAXIMUM];
    for (unsigned start = 0; start < count; start++) {
        const unsigned length = relation_path(relation, start, start, path);
        if (length == 0 || (best && length >= best))
            continue;
        best = length;
        memcpy(cycle, path, length * sizeof *path);
    }
    return best;
}

bool location_is_atomic(const struct litmus_test *test, const struct litmus_location *location)
{
    return location->atomic || location->legacy || !dialects[test->dialect].has_atomic_types;
}

void execution_initial_coherence(const struct execution *execution, struct relation *co)
{
    relation_clear(co, execution->count);
    for (uint64_t rest = execution->initial; rest; rest &= rest - 1) {
        const unsigned first = set_first(rest);
        const struct event *a = &execution->events[first];
        for (unsigned i = 0; i < execution->count; i++) {
            const struct event *b = &execution->events[i];
            if (b->kind == EVENT_WRITE && b->thread != LITMUS_NONE && b->storage == a->storage &&
                b->element == a->element)
                relation_add(co, first, i);
        }
    }
}

bool execution_has_awaited(const struct execution *execution, unsigned event)
{
    return ANY_NUMBER(unsigned, w, 0, execution->count,
                      execution->events[w].restriction == LITMUS_GRID_WAIT &&
                          (w == event || relation_has(&execution->po, w, event)));
}

/* "A release fence preceding a griddepcontrol.launch_dependents in program-order synchronizes with the start of a
 * dependent grid if ... the fence scope is gpu, or if the fence scope is sys" (PTX ISA, griddepcontrol). Of several
 * triggers of a CTA the first counts ("no additional side effects past that of the first invocation"), so the fence has
 * to precede all of them. */
static bool is_published(const struct execution *execution, unsigned fence)
{
    const struct event *const event = &execution->events[fence];
    bool precedes = false;
    if (event->kind != EVENT_FENCE || event->restriction != LITMUS_UNRESTRICTED || event->scope < LITMUS_DEVICE ||
        !order_releases(event->order))
        return false;
    for (unsigned t = 0; t < execution->count; t++) {
        if (execution->events[t].restriction != LITMUS_GRID_TRIGGER ||
            !execution_same_instance(execution, &execution->events[t], event, LITMUS_WORK_GROUP))
            continue;
        if (!relation_has(&execution->po, fence, t))
            return false;
        precedes = true;
    }
    return precedes;
}

/* awaits: of b; published: of a. */
static bool is_launched_before(const struct execution *execution, const struct event *a, const struct event *b,
                               bool awaits, bool published)
{
    const struct litmus_launches *launches = execution->launches;
    const bool copied = a->asynchronous && a->location != LITMUS_NONE;
    if (a->thread == LITMUS_NONE || b->thread == LITMUS_NONE || copied)
        return false;
    const unsigned earlier = launches->of_body[a->body], later = launches->of_body[b->body];
    return litmus_launch_precedes(launches, earlier, later) ||
           (awaits && litmus_launch_awaits(launches, earlier, later)) ||
           (published && litmus_launch_is_dependent(launches, earlier, later));
}

void execution_launch_order(const struct execution *execution, struct relation *order)
{
    uint64_t awaiting = 0;
    relation_clear(order, execution->count);
    for (unsigned b = 0; execution->launches && b < execution->count; b++)
        awaiting |= execution_has_awaited(execution, b) ? set_of(b) : 0;
    for (unsigned a = 0; execution->launches && a < execution->count; a++) {
        const bool published = is_published(execution, a);
        for (unsigned b = 0; b < execution->count; b++)
            if (is_launched_before(execution, &execution->events[a], &execution->events[b], awaiting >> b & 1,
                                   published))
                relation_add(order, a, b);
    }
}

bool execution_same_instance(const struct execution *execution, const struct event *a, const struct event *b,
                             enum litmus_scope level)
{
    if (a->thread == LITMUS_NONE || b->thread == LITMUS_NONE)
        return false;
    if (a->thread == b->thread)
        return true;
    return scope_includes(level, &execution->test->threads[a->body].placement,
                          &execution->test->threads[b->body].placement);
}

bool execution_scope_includes(const struct execution *execution, const struct event *a, const struct event *b)
{
    return a->scope != LITMUS_SCOPE_NONE && execution_same_instance(execution, a, b, a->scope);
}

void execution_print_value(const struct execution *execution, unsigned number, struct text *text)
{
    const struct event *event = &execution->events[number];
    if (event->location != LITMUS_NONE && execution->test->locations[event->location].type == LITMUS_MBARRIER) {
        const struct mbarrier mbarrier = mbarrier_unpack(event->value);
        if (mbarrier.expected == 0)
            text_add(text, "no mbarrier");
        else
            text_add(text, "phase %u (%u arrival%s and %d bytes to come)", mbarrier.phase, mbarrier.pending,
                     mbarrier.pending == 1 ? "" : "s", (int)mbarrier.bytes);
    } else
        text_add(text, "%" PRId64, event->value);
}

/* A fence, or the event at which asynchronous copies are known to be done. */
static void print_fence(const struct event *event, struct text *text)
{
    if (event->semantics & (LITMUS_AVAILABLE_DEVICE | LITMUS_VISIBLE_DEVICE)) {
        text_add(text, "the host makes writes %s the device",
                 event->semantics & LITMUS_AVAILABLE_DEVICE ? "available to" : "visible to");
        return;
    }
    const bool async = event->proxy == LITMUS_ASYNC, both = event->flag_global && event->flag_local;
    if (event->restriction == LITMUS_GRID_WAIT || event->restriction == LITMUS_GRID_TRIGGER)
        text_add(text, event->restriction == LITMUS_GRID_WAIT ? "waits for the launches before"
                                                              : "lets the next launch begin");
    else if (event->asynchronous)
        text_add(text, "copies are done%s", async ? ", with a fence of the async proxy" : "");
    else
        text_add(text, "fence%s%s", async ? " of the async proxy" : "",
                 event->restriction == LITMUS_INIT_RESTRICT                      ? " of mbarrier.init"
                 : (!async && event->restriction == LITMUS_UNRESTRICTED) || both ? ""
                 : event->flag_global                                            ? ", global memory"
                 : event->cluster                                                ? ", shared memory of the cluster"
                                                                                 : ", shared memory of the CTA");
}

/* VULKAN: what a plain access or the semantics add: ", av dv", ", semsc0.semav". */
static void print_semantics(const struct event *event, struct text *text)
{
    const struct litmus_ordering constrained = {
        .semantics = event->semantics & (LITMUS_ON_STORAGE | LITMUS_MAKE_AVAILABLE | LITMUS_MAKE_VISIBLE)};
    if (event->semantics & LITMUS_NON_PRIVATE)
        text_add(text, ", non-private");
    if (event->semantics & (LITMUS_AVAILABLE | LITMUS_VISIBLE))
        text_add(text, ", %s %s", event->semantics & LITMUS_AVAILABLE ? "av" : "vis",
                 litmus_scope_name(LITMUS_VULKAN, event->scope));
    if (constrained.semantics == 0)
        return;
    LOCAL(text) words = {0};
    litmus_print_semantics(constrained, &words);
    text_add(text, ", %s", text_string(&words) + 1); /* without its first dot */
}

void execution_print_event(const struct execution *execution, unsigned number, struct text *text)
{
    const struct event *event = &execution->events[number];
    const enum litmus_dialect dialect = execution->test->dialect;
    if (event->location != LITMUS_NONE) {
        const struct litmus_location *location = &execution->test->locations[event->location];
        const char *const by = event->asynchronous && !event->mbarrier ? "copy: " : "";
        text_add(text, "%s%s %s", by, event->kind == EVENT_READ ? "read" : "write", location->name);
        if (location->array)
            text_add(text, "[%u]", event->element);
        text_add(text, " = ");
        execution_print_value(execution, number, text);
        if (execution->whole.row[number])
            text_add(text, ", of 128 bits");
        if (event->proxy == LITMUS_ASYNC)
            text_add(text, ", async proxy");
        if (event->proxy == LITMUS_TEXTURE && location->proxy == LITMUS_GENERIC)
            text_add(text, ", read-only path");
        if (event->proxy == LITMUS_READONLY)
            text_add(text, ", readonly proxy");
        if (event->proxy == LITMUS_TENSORMAP_PROXY)
            text_add(text, ", tensormap proxy");
    } else if (event->entry || event->exit)
        text_add(text, "%s of barrier %d", event->entry ? "entry" : "exit", event->barrier);
    else if (event->kind == EVENT_BARRIER)
        text_add(text, "%s barrier %d", event->arrive ? "arrive at" : "wait at", event->barrier);
    else if (event->kind == EVENT_COLLECTIVE)
        text_add(text, "%s the lanes: %" PRId64, event->arrive ? "give to" : "get from", event->value);
    else
        print_fence(event, text);
    if (event->order != LITMUS_PLAIN && event->thread != LITMUS_NONE)
        text_add(text, ", %s", litmus_order_name(dialect, event->order));
    if (event->scope != LITMUS_SCOPE_NONE && event->order != LITMUS_PLAIN && dialects[dialect].has_scopes)
        text_add(text, " %s", litmus_scope_name(dialect, event->scope));
    if (dialects[dialect].has_semantics)
        print_semantics(event, text);
}
