// SPDX-License-Identifier: Apache-2.0
/* Makes explanations from executions that the search found. */
#include "models/explain/explanation.h"

/* ---- the cycle that sequential consistency forbids in an execution that another model allows ---- */

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

static uint64_t explanation_accesses(const struct execution *execution)
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

/* Orders of accesses: program order, from copies to the events that wait for them, and from before a barrier to after
 * it in the threads that met there. */
static void find_orders(const struct execution *execution, struct relation *po, struct relation *done,
                        struct relation *barrier)
{
    const unsigned count = execution->count;
    const uint64_t set = explanation_accesses(execution);
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

/* A store between the halves of a read-modify-write is not a cycle of these relations, but of whole
 * read-modify-writes. */
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
static unsigned explanation_word_of(const struct execution *execution, const struct relation *steps, unsigned from,
                                    unsigned to)
{
    if (relation_has(steps, from, to))
        return to;
    return set_first(steps->row[from] & execution->whole.row[to]);
}

static void from_reads(const struct execution *execution, struct relation *result)
{
    struct relation sources;
    relation_invert(&sources, &execution->rf, execution->count);
    relation_compose(result, &sources, &execution->co, execution->count);
    for (unsigned i = 0; i < execution->count; i++)
        result->row[i] &= ~set_of(i);
}

/* Writes a shortest cycle that sequential consistency forbids to `cycle`, which has room for EVENTS_MAXIMUM + 1 edges.
 * Coherence is total. Returns the number of edges; 0 if there is no cycle. */
static unsigned execution_sc_cycle(const struct execution *execution, struct explained_edge *cycle)
{
    const unsigned count = execution->count;
    struct relation po, done, barrier, launched, fr, all, lifted;
    unsigned events[EVENTS_MAXIMUM];
    find_orders(execution, &po, &done, &barrier);
    const char *const met =
        ANY_OF(event, execution->events, count, event->kind == EVENT_BARRIER || event->entry) ? "barrier" : "lanes";
    execution_launch_order(execution, &launched);
    keep_accesses(&launched, explanation_accesses(execution), count);
    from_reads(execution, &fr);
    const struct {
        const struct relation *relation;
        const char *name;
    } rows[] = {{&execution->rf, "rf"}, {&execution->co, "co"},     {&fr, "fr"}, {&po, "po"}, {&done, "completes"},
                {&barrier, met},        {&launched, "launch-order"}};
    relation_clear(&all, count);
    for (size_t i = 0; i < COUNT(rows); i++)
        relation_unite(&all, &all, rows[i].relation, count);
    relation_compose(&lifted, &all, &execution->whole, count);
    relation_unite(&lifted, &lifted, &all, count);
    const unsigned length = relation_cycle(&lifted, count, events);
    unsigned edges = 0;
    for (unsigned i = 0; i < length; i++) {
        const unsigned from = events[i], to = events[(i + 1) % length];
        const unsigned word = explanation_word_of(execution, &all, from, to);
        size_t row = 0;
        while (!relation_has(rows[row].relation, from, word))
            row++;
        cycle[edges++] = (struct explained_edge){.from = from, .to = word, .relation = rows[row].name};
        if (word != to)
            cycle[edges++] = (struct explained_edge){.from = word, .to = to, .relation = "whole"};
    }
    return edges > 0 ? edges : atomicity_cycle(execution, &fr, cycle);
}

/* ---- events ---- */

static enum explained_kind explanation_kind_of(const struct event *event)
{
    if (event->entry || event->exit)
        return EXPLAINED_BARRIER;
    switch (event->kind) {
    case EVENT_READ:
        return EXPLAINED_READ;
    case EVENT_FENCE:
        return EXPLAINED_FENCE;
    case EVENT_BARRIER:
    case EVENT_COLLECTIVE:
        return EXPLAINED_BARRIER;
    default:
        return EXPLAINED_WRITE;
    }
}

static const char *location_of(const struct execution *execution, const struct event *event, struct arena *arena)
{
    if (event->location == LITMUS_NONE)
        return "";
    const struct litmus_location *location = &execution->test->locations[event->location];
    return location->array ? arena_print(arena, "%s[%u]", location->name, event->element)
                           : arena_copy(arena, location->name);
}

static int other_half(const struct execution *execution, unsigned number)
{
    for (unsigned i = 0; i < execution->count; i++)
        if (relation_has(&execution->rmw, i, number) || relation_has(&execution->rmw, number, i))
            return (int)i;
    return LITMUS_NONE;
}

static void explain_event(const struct execution *execution, unsigned number, struct arena *arena,
                          struct explained_event *explained)
{
    const struct event *event = &execution->events[number];
    LOCAL(text) instruction = {0}, what = {0}, shown = {0};
    execution_print_event(execution, number, &what);
    execution_print_value(execution, number, &shown);
    *explained = (struct explained_event){.kind = explanation_kind_of(event),
                                          .thread = event->thread,
                                          .body = event->body,
                                          .place = event->place,
                                          .what = arena_copy(arena, text_string(&what)),
                                          .location = location_of(execution, event, arena),
                                          .value = event->value,
                                          .shown = arena_copy(arena, text_string(&shown)),
                                          .order = event->order,
                                          .other_half = other_half(execution, number)};
    if (event->thread != LITMUS_NONE && litmus_print_instruction(execution->test, event->place, &instruction))
        explained->instruction = arena_copy(arena, text_string(&instruction));
}

/* ---- relations ---- */

/* Adds the pairs of a relation that do not follow from two others: two of its own, or one of its own and one of
 * `onwards`. */
static void add_edges(struct explanation *explanation, const struct relation *relation, const struct relation *onwards,
                      unsigned count, const char *name)
{
    struct relation longer = {{0}};
    if (onwards)
        relation_compose(&longer, relation, onwards, count);
    for (unsigned i = 0; i < count; i++)
        for (uint64_t rest = relation->row[i] & ~longer.row[i]; rest; rest &= rest - 1)
            ARENA_ADD(&explanation->arena, explanation->edges, explanation->edge_count) =
                (struct explained_edge){.from = i, .to = set_first(rest), .relation = name};
}

static void explain_relations(struct explanation *explanation, const struct execution *execution)
{
    struct relation fr;
    from_reads(execution, &fr);
    add_edges(explanation, &execution->po, &execution->po, execution->count, "po");
    add_edges(explanation, &execution->completes, NULL, execution->count, "completes");
    add_edges(explanation, &execution->rf, NULL, execution->count, "rf");
    add_edges(explanation, &execution->co, &execution->co, execution->count, "co");
    add_edges(explanation, &fr, &execution->co, execution->count, "fr");
    /* From the last event of a thread to the first of each thread in a directly following launch. */
    struct relation order, onwards, longer;
    execution_launch_order(execution, &order);
    relation_unite(&onwards, &order, &execution->po, execution->count);
    relation_compose(&longer, &onwards, &order, execution->count);
    for (unsigned i = 0; i < execution->count; i++)
        order.row[i] &= ~longer.row[i];
    add_edges(explanation, &order, &onwards, execution->count, "launch-order");
}

/* ---- the cycle ---- */

/* "P2's launch comes after P1's by queue, which comes after P0's by event", through the launches in between if no call
 * orders the two directly. */
static void add_calls(const struct execution *execution, unsigned earlier, unsigned later, bool awaited,
                      struct text *calls)
{
    const struct litmus_launches *launches = execution->launches;
    const unsigned first = launches->of_body[earlier], last = launches->of_body[later];
    const struct litmus_thread *threads = execution->test->threads;
    size_t between = earlier;
    for (size_t body = 0; !(launches->launches[last].after >> first & 1) && body < execution->test->body_count; body++)
        if (launches->launches[last].after >> launches->of_body[body] & 1 &&
            litmus_launch_precedes(launches, first, launches->of_body[body]))
            between = body;
    const enum launch_edge edge = launches->launches[last].edges[launches->of_body[between]];
    if (edge == LAUNCH_EDGE_PROGRAMMATIC)
        text_add(calls,
                 awaited ? "P%u has waited for P%u's launch"
                         : "P%u's launch begins after P%u's trigger, which follows the fence",
                 threads[later].first, threads[between].first);
    else if (calls->size == 0)
        text_add(calls, "P%u's launch comes after P%u's by %s", threads[later].first, threads[between].first,
                 launch_edge_word(edge));
    else
        text_add(calls, ", which comes after P%u's by %s", threads[between].first, launch_edge_word(edge));
    if (between != earlier)
        add_calls(execution, earlier, (unsigned)between, awaited, calls);
}

/* The calls of the host that order one event's launch after another's; NULL: none do. */
static const char *calls_between(const struct execution *execution, const struct explained_edge *edge,
                                 struct arena *arena)
{
    const struct event *from = &execution->events[edge->inverted ? edge->to : edge->from],
                       *to = &execution->events[edge->inverted ? edge->from : edge->to];
    if (!edge->relation || strcmp(edge->relation, "launch-order") != 0 || !execution->launches ||
        from->body == LITMUS_NONE || to->body == LITMUS_NONE)
        return NULL;
    struct text calls = {0};
    add_calls(execution, (unsigned)from->body, (unsigned)to->body,
              execution_has_awaited(execution, (unsigned)(to - execution->events)), &calls);
    return arena_keep(arena, &calls);
}

static void add_to_cycle(struct explanation *explanation, const struct execution *execution,
                         const struct explained_edge *edge)
{
    struct explained_edge *added = &ARENA_ADD(&explanation->arena, explanation->cycle, explanation->cycle_count);
    *added = *edge;
    added->relation = edge->relation ? arena_copy(&explanation->arena, edge->relation) : NULL;
    added->calls = calls_between(execution, edge, &explanation->arena);
}

/* Coherence by the names that models use: all of it, or only of atomic writes. */
static bool is_coherence(const char *relation)
{
    return relation && (strcmp(relation, "co") == 0 || strcmp(relation, "mo") == 0);
}

/* A step back to the write that is read and on to one that overwrites it is one step: fr. */
static bool is_from_read(const struct capture *capture, unsigned step)
{
    const struct cat_step *first = &capture->steps[step], *second = first + 1;
    return step + 1 < capture->step_count && first->relation && first->inverted && !second->inverted &&
           strcmp(first->relation, "rf") == 0 && is_coherence(second->relation);
}

/* A cycle that starts between the two steps of a from-read begins one step earlier. */
static void rotate_cycle(struct capture *capture)
{
    const struct cat_step *last = &capture->steps[capture->step_count - 1];
    if (!capture->closed || capture->step_count < 2 || !last->relation || !last->inverted ||
        strcmp(last->relation, "rf") != 0 || !is_coherence(capture->steps[0].relation))
        return;
    const struct cat_step moved = *last;
    memmove(&capture->steps[1], &capture->steps[0], (capture->step_count - 1) * sizeof moved);
    capture->steps[0] = moved;
}

static void explain_offence(struct explanation *explanation, struct capture *capture)
{
    if (capture->step_count == 0)
        return;
    rotate_cycle(capture);
    explanation->closed = capture->closed;
    for (unsigned i = 0; i < capture->step_count; i++) {
        const bool from_read = is_from_read(capture, i);
        const unsigned next = i + 1 + from_read;
        const struct cat_step *step = &capture->steps[i];
        const bool ends = next >= capture->step_count && !capture->closed;
        const struct explained_edge edge = {
            .from = step->event,
            .to = ends ? step->event : capture->steps[next % capture->step_count].event,
            .relation = from_read ? "fr" : step->relation,
            .inverted = !from_read && step->inverted,
        };
        add_to_cycle(explanation, &capture->execution, &edge);
        i += from_read;
    }
}

static void explain_sc_cycle(struct explanation *explanation, const struct execution *execution)
{
    struct explained_edge cycle[2 * EVENTS_MAXIMUM];
    const unsigned length = execution_sc_cycle(execution, cycle);
    if (length == 0)
        return;
    explanation->cycle_count = 0;
    explanation->closed = true;
    for (unsigned i = 0; i < length; i++)
        add_to_cycle(explanation, execution, &cycle[i]);
}

/* ---- interleavings ---- */

/* The event of a turn. The words of one access follow each other. */
static unsigned next_turn(const struct execution *execution, uint64_t free, uint64_t left, unsigned last)
{
    const uint64_t rest_of_last = last < execution->count ? execution->whole.row[last] & left : 0;
    if (rest_of_last)
        return set_first(rest_of_last);
    for (uint64_t rest = free; rest; rest &= rest - 1)
        if (!(execution->whole.row[set_first(rest)] & left & ~free))
            return set_first(rest);
    return set_first(free);
}

/* The threads' events in an order that respects po, rf, co and fr. */
static void explain_turns(struct explanation *explanation, const struct execution *execution)
{
    struct relation before, launched;
    from_reads(execution, &before);
    execution_launch_order(execution, &launched);
    relation_unite(&before, &before, &launched, execution->count);
    relation_unite(&before, &before, &execution->po, execution->count);
    relation_unite(&before, &before, &execution->completes, execution->count);
    relation_unite(&before, &before, &execution->rf, execution->count);
    relation_unite(&before, &before, &execution->co, execution->count);
    unsigned next = EVENTS_MAXIMUM;
    for (uint64_t left = set_all(execution->count); left;) {
        uint64_t later = 0, free = left;
        for (uint64_t rest = left; rest; rest &= rest - 1)
            later |= before.row[set_first(rest)];
        free &= ~later;
        if (!free)
            return;
        next = next_turn(execution, free, left, next);
        left &= ~set_of(next);
        if (execution->events[next].thread != LITMUS_NONE)
            ARENA_ADD(&explanation->arena, explanation->turns, explanation->turn_count) = next;
    }
}

/* ---- explanations ---- */

/* Makes coherence total, with the observed final values last, and the other pairs in the order of their numbers. */
static void execution_complete_coherence(struct execution *execution, const int64_t *values)
{
    for (unsigned a = 0; a < execution->count; a++)
        for (unsigned b = a + 1; b < execution->count; b++) {
            const struct event *first = &execution->events[a], *second = &execution->events[b];
            if (first->kind != EVENT_WRITE || second->kind != EVENT_WRITE || !event_same_cell(first, second) ||
                relation_has(&execution->co, a, b) || relation_has(&execution->co, b, a))
                continue;
            const bool back = last_write(execution, values, first) == (int)a;
            relation_add(&execution->co, back ? b : a, back ? a : b);
            relation_close(&execution->co, &execution->co, execution->count);
        }
}

struct explanation *explanation_make(const struct capture *found, enum verdict verdict, const int64_t *values,
                                     const char *axiom)
{
    struct explanation *explanation = memory_take(1, sizeof *explanation);
    FREED struct capture *capture = memory_take(1, sizeof *capture);
    *capture = *found;
    struct execution *execution = &capture->execution;
    explanation->verdict = verdict;
    explanation->axiom = axiom ? arena_copy(&explanation->arena, axiom) : NULL;
    if (verdict == VERDICT_WEAK || (verdict == VERDICT_FORBIDDEN && !capture->closed))
        execution_complete_coherence(execution, values);
    explanation->event_count = execution->count;
    explanation->events = arena_take(&explanation->arena, execution->count, sizeof *explanation->events);
    for (unsigned i = 0; i < execution->count; i++)
        explain_event(execution, i, &explanation->arena, &explanation->events[i]);
    explain_relations(explanation, execution);
    if (verdict == VERDICT_WEAK)
        explain_sc_cycle(explanation, execution);
    else if (verdict == VERDICT_SC)
        explain_turns(explanation, execution);
    else
        explain_offence(explanation, capture);
    /* For a pair that should not be related, the cycle that it closes says more. */
    if (verdict == VERDICT_FORBIDDEN && !explanation->closed)
        explain_sc_cycle(explanation, execution);
    return explanation;
}

void explanation_free(struct explanation *explanation)
{
    if (!explanation)
        return;
    arena_release(&explanation->arena);
    free(explanation);
}

void explanation_find_bodies(struct explanation *explanation, const struct litmus_test *test)
{
    for (size_t i = 0; explanation && i < explanation->event_count; i++)
        if (explanation->events[i].thread != LITMUS_NONE)
            explanation->events[i].body =
                VALUE_OF(int, thread, test->threads, test->body_count,
                         (unsigned)explanation->events[i].thread - thread->first < thread->count,
                         (int)(thread - test->threads), LITMUS_NONE);
}

bool explanation_is_program_order(const struct explanation *explanation, const struct explained_edge *edge)
{
    const struct explained_event *from = &explanation->events[edge->from], *to = &explanation->events[edge->to];
    return edge->relation && !edge->inverted && from->thread != LITMUS_NONE && from->thread == to->thread &&
           edge->from < edge->to &&
           !text_has_word("rf co mo fr rmw addr data ctrl completes whole", edge->relation, strlen(edge->relation));
}

/* ---- printing ---- */

/* Two lines for an event: its place with the instruction, and what it does; one if the instruction is unknown, or has
 * been shown. */
static void print_event(const struct explained_event *event, bool again, struct text *text)
{
    const size_t start = text->size;
    if (event->thread == LITMUS_NONE)
        text_add(text, "initially: ");
    else
        text_add(text, "P%d line %u: ", event->thread, event->place.line);
    const size_t indent = text->size - start;
    if (!again && event->instruction)
        text_add(text, "%s\n%*s", event->instruction, (int)indent, "");
    text_add(text, "%s\n", event->what);
}

void explanation_print_cycle(const struct explanation *explanation, struct text *text)
{
    for (size_t i = 0; i < explanation->cycle_count; i++) {
        const struct explained_edge *edge = &explanation->cycle[i];
        print_event(&explanation->events[edge->from], false, text);
        if (edge->relation)
            text_add(text, "    %s%s%s\n", edge->relation, edge->inverted ? "^-1" : "",
                     i + 1 == explanation->cycle_count && explanation->closed ? ", back to" : "");
    }
    if (explanation->cycle_count > 0 && explanation->closed)
        print_event(&explanation->events[explanation->cycle[0].from], true, text);
}
