// SPDX-License-Identifier: Apache-2.0
/* An execution with single read-modify-writes: the two halves of each are made one event, which
 * both reads and writes. */
#include <string.h>

#include "litmus/language/order.h"
#include "models/cat/cat_program.h"

static void view_events(struct cat_view *view, const struct execution *execution, uint64_t dropped)
{
    struct execution *seen = &view->execution;
    seen->test = execution->test;
    seen->launches = execution->launches;
    seen->count = 0;
    seen->initial = execution->initial;
    for (unsigned i = 0; i < execution->count; i++) {
        if (dropped >> i & 1)
            continue;
        view->number[i] = (unsigned char)seen->count;
        view->original[seen->count] = (unsigned char)i;
        seen->events[seen->count++] = execution->events[i];
    }
    for (unsigned i = 0; i < execution->count; i++)
        for (uint64_t rest = execution->rmw.row[i]; rest; rest &= rest - 1) {
            const unsigned write = set_first(rest);
            struct event *whole = &seen->events[view->number[i]];
            view->number[write] = view->number[i];
            whole->kind = EVENT_UPDATE;
            whole->order = order_joined(execution->events[i].order, execution->events[write].order);
        }
}

/* A relation's pairs in the view; a pair between the two halves of one event is dropped. */
static void view_relation(const struct cat_view *view, const struct execution *execution,
                          const struct relation *relation, struct relation *result)
{
    relation_clear(result, view->execution.count);
    for (unsigned i = 0; i < execution->count; i++)
        for (uint64_t rest = relation->row[i] & ~execution->rmw.row[i]; rest; rest &= rest - 1)
            relation_add(result, view->number[i], view->number[set_first(rest)]);
}

const struct execution *cat_view(const struct cat *cat, struct cat_values *values, const struct execution *execution)
{
    uint64_t dropped = 0;
    for (unsigned i = 0; i < execution->count && cat->single && cat->total && execution->test->dialect != LITMUS_PTX;
         i++)
        dropped |= execution->rmw.row[i];
    values->viewed = dropped != 0;
    if (!values->viewed)
        return execution;
    struct cat_view *view = values->view;
    struct execution *seen = &view->execution;
    view_events(view, execution, dropped);
    view_relation(view, execution, &execution->po, &seen->po);
    view_relation(view, execution, &execution->completes, &seen->completes);
    view_relation(view, execution, &execution->whole, &seen->whole);
    view_relation(view, execution, &execution->addr, &seen->addr);
    view_relation(view, execution, &execution->data, &seen->data);
    view_relation(view, execution, &execution->ctrl, &seen->ctrl);
    view_relation(view, execution, &execution->bar, &seen->bar);
    view_relation(view, execution, &execution->exited, &seen->exited);
    view_relation(view, execution, &execution->rf, &seen->rf);
    view_relation(view, execution, &execution->fence_sc, &seen->fence_sc);
    view_relation(view, execution, &execution->co, &seen->co);
    relation_clear(&seen->rmw, seen->count);
    return seen;
}

unsigned cat_view_count(const struct cat_values *values, unsigned count)
{
    return values->viewed ? values->view->execution.count : count;
}
