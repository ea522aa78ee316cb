// SPDX-License-Identifier: Apache-2.0
/* The cycle that sequential consistency forbids in an execution that another model allows. */
#include "models/explain/explanation.h"

/* ---- coherence ---- */

/* The last write to an element in the outcome, or -1 if it may be any. */
static int last_write(const struct execution *execution, const int64_t *values, const struct event *event)
{
    const struct litmus_test *test = execution->test;
    for (size_t i = 0; values && i < test->variable_count; i++) {
        const struct litmus_variable *observed = &test->variables[i];
        if (observed->thread != LITMUS_NONE || observed->element != event->element ||
            (observed->index != event->storage && observed->index != event->location))
            continue;
        for (unsigned k = 0; k < execution->count; k++) {
            const struct event *write = &execution->events[k];
            if (write->kind == EVENT_WRITE && event_same_cell(write, event) &&
                litmus_wrap(litmus_variable_type(test, observed), write->value) == values[i] && !execution->co.row[k])
                return (int)k;
        }
    }
    return -1;
}

static void order_pair(struct execution *execution, unsigned first, unsigned second)
{
    relation_add(&execution->co, first, second);
    relation_close(&execution->co, &execution->co, execution->count);
}

void execution_complete_coherence(struct execution *execution, const int64_t *values)
{
    for (unsigned a = 0; a < execution->count; a++)
        for (unsigned b = a + 1; b < execution->count; b++) {
            const struct event *first = &execution->events[a], *second = &execution->events[b];
            if (first->kind != EVENT_WRITE || second->kind != EVENT_WRITE || !event_same_cell(first, second) ||
                relation_has(&execution->co, a, b) || relation_has(&execution->co, b, a))
                continue;
            const bool back = last_write(execution, values, first) == (int)a;
            order_pair(execution, back ? b : a, back ? a : b);
        }
}

/* ---- the cycle ---- */

static uint64_t accesses(const struct execution *execution)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < execution->count; i++)
        if (execution->events[i].location != LITMUS_NONE)
            set |= set_of(i);
    return set;
}

static void keep_accesses(struct relation *relation, uint64_t set, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        relation->row[i] = set >> i & 1 ? relation->row[i] & set : 0;
}

/* Orders of accesses: program order, from copies to the events that wait for them, and from before
 * a barrier to after it in the threads that met there. */
static void find_orders(const struct execution *execution, struct relation *po, struct relation *done,
                        struct relation *barrier)
{
    const unsigned count = execution->count;
    const uint64_t set = accesses(execution);
    struct relation in = execution->po, out, across;
    for (unsigned i = 0; i < count; i++)
        in.row[i] |= set_of(i);
    relation_compose(done, &execution->completes, &in, count);
    relation_unite(&out, &in, done, count);
    relation_compose(&across, &out, &execution->bar, count);
    relation_compose(&out, &across, &in, count);
    *po = execution->po;
    *barrier = out;
    keep_accesses(po, set, count);
    keep_accesses(done, set, count);
    keep_accesses(barrier, set, count);
}

/* A store between the halves of a read-modify-write is not a cycle of these relations, but of
 * whole read-modify-writes. */
static unsigned atomicity_cycle(const struct execution *execution, const struct relation *fr,
                                struct explained_edge *cycle)
{
    for (unsigned read = 0; read < execution->count; read++)
        for (uint64_t rest = execution->rmw.row[read]; rest; rest &= rest - 1)
            for (uint64_t between = fr->row[read]; between; between &= between - 1) {
                const unsigned write = set_first(rest), middle = set_first(between);
                if (!relation_has(&execution->co, middle, write))
                    continue;
                cycle[0] = (struct explained_edge){.from = read, .to = middle, .relation = "fr"};
                cycle[1] = (struct explained_edge){.from = middle, .to = write, .relation = "co"};
                cycle[2] = (struct explained_edge){.from = write, .to = read, .relation = "rmw", .inverted = true};
                return 3;
            }
    return 0;
}

/* The event that leads to another one of the same access: `to` itself, or another of its words. */
static unsigned word_of(const struct execution *execution, const struct relation *steps, unsigned from, unsigned to)
{
    if (relation_has(steps, from, to))
        return to;
    return set_first(steps->row[from] & execution->whole.row[to]);
}

unsigned execution_sc_cycle(const struct execution *execution, struct explained_edge *cycle)
{
    const unsigned count = execution->count;
    struct relation po, done, barrier, launched, fr, sources, all, lifted;
    unsigned events[EVENTS_MAXIMUM];
    find_orders(execution, &po, &done, &barrier);
    execution_launch_order(execution, &launched);
    keep_accesses(&launched, accesses(execution), count);
    relation_invert(&sources, &execution->rf, count);
    relation_compose(&fr, &sources, &execution->co, count);
    for (unsigned i = 0; i < count; i++)
        fr.row[i] &= ~set_of(i);
    const struct {
        const struct relation *relation;
        const char *name;
    } rows[] = {{&execution->rf, "rf"}, {&execution->co, "co"},     {&fr, "fr"}, {&po, "po"}, {&done, "completes"},
                {&barrier, "barrier"},  {&launched, "launch-order"}};
    relation_clear(&all, count);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        relation_unite(&all, &all, rows[i].relation, count);
    relation_compose(&lifted, &all, &execution->whole, count);
    relation_unite(&lifted, &lifted, &all, count);
    const unsigned length = relation_cycle(&lifted, count, events);
    unsigned edges = 0;
    for (unsigned i = 0; i < length; i++) {
        const unsigned from = events[i], to = events[(i + 1) % length];
        const unsigned word = word_of(execution, &all, from, to);
        size_t row = 0;
        while (!relation_has(rows[row].relation, from, word))
            row++;
        cycle[edges++] = (struct explained_edge){.from = from, .to = word, .relation = rows[row].name};
        if (word != to)
            cycle[edges++] = (struct explained_edge){.from = word, .to = to, .relation = "whole"};
    }
    return edges > 0 ? edges : atomicity_cycle(execution, &fr, cycle);
}
