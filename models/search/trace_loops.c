// SPDX-License-Identifier: Apache-2.0
/* Iterations of a loop that leave a thread as it was. A waiting thread may repeat an iteration any number of times
 * without effect: an iteration after which the registers are as before it, or are set again before they are read, can
 * be left out, unless it may race. And whether it matters that loops are followed for only a few iterations. */
#include "litmus/dialects.h"
#include "litmus/language/walk.h"
#include "models/search/trace.h"

/* Sets of registers are bits; those with higher numbers count as read. */
enum { REGISTERS = 64 };

void trace_loop_head(struct runner *runner, unsigned loop, const struct litmus_block *next, size_t from)
{
    if (runner->path || runner->replay)
        return;
    LIST_ADD(runner->heads, runner->head_count, runner->head_room) =
        (struct loop_head){loop, runner->count, runner->kept_count, next, from};
    for (size_t i = 0; i < runner->thread->register_count; i++)
        LIST_ADD(runner->kept, runner->kept_count, runner->kept_room) = runner->registers[i];
}

/* ---- registers that are set before they are read ---- */

static uint64_t register_bit(int number)
{
    return number >= 0 && number < REGISTERS ? set_of((unsigned)number) : 0;
}

static uint64_t registers_in(const struct litmus_expression *expression)
{
    if (!expression)
        return 0;
    uint64_t found = expression->kind == LITMUS_EXPRESSION_REGISTER ? register_bit(expression->index) : 0;
    found |= registers_in(expression->left) | registers_in(expression->right);
    const struct litmus_access *access = expression->access;
    if (!access)
        return found;
    return found | registers_in(access->address) | registers_in(access->operand) | registers_in(access->expected) |
           registers_in(access->expected_address) | register_bit(access->expected_register);
}

static uint64_t registers_of_statement(const struct litmus_statement *statement)
{
    const struct litmus_block *const blocks[] = {&statement->body, &statement->otherwise};
    struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
    uint64_t found = 0;
    for (size_t i = litmus_statement_operands(statement, operands); i-- > 0;)
        found |= registers_in(operands[i]);
    for (size_t i = 0; i < COUNT(blocks); i++)
        for (size_t k = 0; k < blocks[i]->count; k++)
            found |= registers_of_statement(&blocks[i]->statements[k]);
    return found;
}

/* Registers that these statements set before reading them, as far as the statements certainly run in sequence. */
static uint64_t registers_set_first(const struct litmus_block *block, size_t from)
{
    uint64_t looked_at = 0, set = 0;
    for (size_t i = from; i < block->count && litmus_kinds[block->statements[i].kind].goes_on; i++) {
        const int *registers;
        looked_at |= registers_of_statement(&block->statements[i]) & ~set;
        for (size_t k = litmus_statement_registers(&block->statements[i], &registers); k-- > 0;)
            set |= register_bit(registers[k]) & ~looked_at;
    }
    return set;
}

/* ---- iterations ---- */

static bool is_alike(const struct trace_event *a, const struct trace_event *b, int distance)
{
    const struct event *p = &a->event, *q = &b->event;
    return p->kind == q->kind && event_same_cell(p, q) && p->size == q->size && p->order == q->order &&
           p->scope == q->scope && p->proxy == q->proxy && p->rmw == q->rmw && p->flag_global == q->flag_global &&
           p->flag_local == q->flag_local && p->flag_image == q->flag_image &&
           (a->rmw < 0 ? b->rmw < 0 : a->rmw + distance == b->rmw);
}

/* Are the preceding events, as many as the iteration has, of the same kinds as its own? Then they could be left out
 * instead: a thread that reads, and reads again while it must wait. */
static bool is_repeated(const struct runner *runner, const struct loop_head *before, const struct loop_head *after)
{
    const unsigned count = after->events - before->events;
    bool repeated = count > 0 && count <= before->events;
    for (unsigned i = before->events; repeated && i < after->events; i++)
        repeated = is_alike(&runner->events[i - count], &runner->events[i], (int)count);
    return repeated;
}

/* Has a register the same value, or that of the read that comes `distance` events later? */
static bool is_same_value(const struct runner *runner, const struct datum *a, const struct datum *b, unsigned distance)
{
    if (!a->unknown || !b->unknown)
        return !a->unknown && !b->unknown && a->value == b->value;
    const struct term *p = &runner->terms[a->term], *q = &runner->terms[b->term];
    if (!a->term || !b->term)
        return false;
    return a->term == b->term ||
           (distance > 0 && p->kind == TERM_READ && q->kind == TERM_READ && p->left_value + distance == q->left_value);
}

/* Whether the registers are the same at two heads, except those in `set`. */
static bool is_steady(const struct runner *runner, const struct loop_head *before, const struct loop_head *after,
                      uint64_t set, unsigned distance)
{
    for (size_t i = 0; i < runner->thread->register_count; i++) {
        const bool looked_at = i >= REGISTERS || !(set >> i & 1);
        if (looked_at &&
            !is_same_value(runner, &runner->kept[before->registers + i], &runner->kept[after->registers + i], distance))
            return false;
    }
    return true;
}

/* Can the events from one number to another be left out? Among writes, only those of read-modify-writes can. */
static bool may_be_left_out(const struct runner *runner, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        const struct trace_event *event = &runner->events[i];
        if (event->event.kind == EVENT_BARRIER || event->event.kind == EVENT_COLLECTIVE || event->event.entry ||
            event->event.exit || (event->event.kind == EVENT_WRITE && event->rmw < (int)from))
            return false;
    }
    return true;
}

static const struct loop_head *head_before(const struct runner *runner, size_t number)
{
    for (size_t i = number; i-- > 0;)
        if (runner->heads[i].loop == runner->heads[number].loop)
            return &runner->heads[i];
    return NULL;
}

void trace_find_steady(struct runner *runner, int loop)
{
    runner->steady_count = 0;
    for (size_t i = 0; i < runner->head_count; i++) {
        const struct loop_head *head = &runner->heads[i], *before = head_before(runner, i);
        bool steady = false;
        if (!before || (loop >= 0 && head->loop != (unsigned)loop))
            continue;
        /* The events that can be left out if the iteration between two heads is idle; none if it cannot be. */
        const uint64_t set = head->next ? registers_set_first(head->next, head->from) : 0;
        const unsigned count = head->events - before->events;
        unsigned from = before->events;
        steady = is_steady(runner, before, head, set, 0);
        if (!steady && is_repeated(runner, before, head)) {
            from -= count;
            steady = is_steady(runner, before, head, set, count);
        }
        steady = steady && may_be_left_out(runner, from, from + count);
        const uint64_t events = set_all(from + count) & ~set_all(from);
        if (steady)
            LIST_ADD(runner->steady, runner->steady_count, runner->steady_room) = events;
    }
}

/* ---- which of these iterations may be left out ---- */

/* An access of such an iteration may race although no later access does: those may be missing, or come after an event
 * that orders them. So if races count, an iteration is left out only if nothing in it can race, whatever the model says
 * about scopes: all accesses to its places are atomic and of one scope that includes all their threads, or nobody
 * writes there. */

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
    FOR_EACH(struct traces, traces, enumeration->traces, bodies) {
        for (size_t i = 0; i < traces_path_count(traces); i++) {
            struct path *path = traces_path(traces, i);
            size_t kept = 0;
            for (size_t k = 0; k < path->steady_count && !enumeration->mixed_sizes; k++)
                if (!enumeration->races || !may_race(enumeration, uses, path, path->steady[k]))
                    path->steady[kept++] = path->steady[k];
            path->steady_count = kept;
        }
        drop_idle(traces->paths, &traces->count);
        drop_idle(traces->cut, &traces->cut_count);
    }
}

/* ---- whether it matters that loops are followed for only a few iterations ---- */

/* A path that goes beyond them does not matter if no possible values of its reads lead there: these are the values that
 * the followed parts of all paths write to the same places, and the initial ones. Nor does it matter if one of its
 * iterations is idle: it leaves the thread as it was (trace_loops.c) and writes nothing, or its read-modify-writes
 * write back what they read. An execution with an idle iteration has the same outcome as the execution without it, and
 * a model that allows one of them allows both, since the iteration only adds to the relations. Iterations that may have
 * a race are not left out (trace_loops.c). */

/* The most plays of one path to try; with more, or with more values of one cell than a list has, the bound is taken to
 * matter. */
enum { PLAYS = 4096 };

bool value_list_add(struct value_list *list, int64_t value)
{
    if (ANY_OF(one, list->value, list->count, *one == value))
        return true;
    if (list->count == COUNT(list->value))
        return false;
    list->value[list->count++] = value;
    return true;
}

static struct value_list *values_of(const struct enumeration *enumeration, struct value_list *cells,
                                    const struct event *event)
{
    return &cells[enumeration_cell(enumeration, event->storage, event->element)];
}

/* Collects the values that an event's cell may hold: the initial one, and what the event writes. */
static void note_values(const struct enumeration *enumeration, const struct event *event, void *context)
{
    struct value_list *cell = event->kind == EVENT_WRITE ? values_of(enumeration, context, event) : NULL;
    if (cell)
        cell->any |= event->unknown || !value_list_add(cell, event->value);
    if (event->location == LITMUS_NONE)
        return;
    cell = values_of(enumeration, context, event);
    cell->any |= !value_list_add(cell, location_initial(enumeration->test, event->storage, event->element));
}

bool path_is_busy(const struct path *path, const struct path_values *values)
{
    for (size_t i = 0; i < path->steady_count; i++) {
        bool idle = true;
        for (uint64_t rest = path->steady[i]; rest; rest &= rest - 1) {
            const unsigned write = set_first(rest);
            const int read = path->events[write].rmw;
            if (path->events[write].event.kind == EVENT_WRITE)
                idle &=
                    (values->known >> write & values->known >> read & 1) && values->value[write] == values->value[read];
        }
        if (idle)
            return false;
    }
    return true;
}

/* Are there values for the reads from number `read` on with which the path is taken without an idle iteration? */
static bool may_be_taken(struct enumeration *enumeration, int body, const struct path *path, struct value_list *cells,
                         struct path_values values, unsigned read, unsigned *plays)
{
    if (++*plays > PLAYS)
        return true;
    if (!path_play(enumeration, body, path, &values))
        return false;
    while (read < path->count && ((values.known >> read & 1) || !(path->reads >> read & 1)))
        read++;
    if (read == path->count)
        return path_is_busy(path, &values);
    const struct event *const event = &path->events[read].event;
    const struct value_list *cell = event_is_result(event) ? NULL : values_of(enumeration, cells, event);
    if (!cell || cell->any)
        return may_be_taken(enumeration, body, path, cells, values, read + 1, plays);
    for (unsigned i = 0; i < cell->count; i++) {
        values.value[read] = cell->value[i];
        values.known |= set_of(read);
        if (may_be_taken(enumeration, body, path, cells, values, read + 1, plays))
            return true;
    }
    return false;
}

bool enumeration_is_cut(struct enumeration *enumeration)
{
    struct value_list *cells = arena_take(&enumeration->arena, enumeration->cell_count, sizeof *cells);
    enumeration_visit_events(enumeration, note_values, cells);
    for (size_t body = 0; body < enumeration->test->body_count; body++)
        for (size_t i = 0; i < enumeration->traces[body].cut_count; i++) {
            unsigned plays = 0;
            const struct path_values values = {.known = 0};
            if (may_be_taken(enumeration, (int)body, &enumeration->traces[body].cut[i], cells, values, 0, &plays))
                return true;
        }
    return false;
}
