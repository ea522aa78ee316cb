// SPDX-License-Identifier: Apache-2.0
/* Loads, stores and read-modify-writes, of one word or of several in a row, and asynchronous copies. */
#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "litmus/language/value.h"
#include "models/search/trace.h"

enum flow trace_find_target(struct runner *runner, const struct litmus_expression *expression, struct target *target)
{
    struct datum address;
    FLOW_TRY(trace_evaluate(runner, expression, &address));
    target->from = address.from;
    FLOW_TRY(trace_settle(runner, address, address_count(runner->test), address_numbered, &address.value));
    return address_decode(runner->test, address.value, &target->location, &target->element) ? FLOW_ON : FLOW_DEAD;
}

static struct trace_event *trace_access_add_access(struct runner *runner, enum event_kind kind,
                                                   struct litmus_place place, const struct litmus_access *access,
                                                   const struct target *target)
{
    struct trace_event *added = trace_add_event(runner, kind, place);
    if (!added)
        return NULL;
    const struct litmus_location *location = &runner->test->locations[target->location];
    struct event *event = &added->event;
    event->location = target->location;
    event->storage = (int)litmus_storage(runner->test, (unsigned)target->location);
    event->address = (int)litmus_address(runner->test, (unsigned)target->location);
    event->element = target->element;
    event->offset = target->element * (unsigned)litmus_type_size(location->type);
    event->size = (unsigned)litmus_type_size(access->type);
    runner->enumeration->mixed_sizes |= event->size != litmus_type_size(location->type);
    event->ordering = access->ordering;
    event->proxy = access->proxy != LITMUS_GENERIC ? access->proxy : location->proxy;
    event->region = location->region;
    event->atomic_location = location_is_atomic(runner->test, location);
    event->atomic = access->order != LITMUS_PLAIN;
    event->mbarrier = location->type == LITMUS_MBARRIER;
    event->initialises = access->operation == LITMUS_MBARRIER_INIT;
    event->no_result = access->no_result;
    event->assembly = access->spelling.assembly;
    runner->enumeration->asynchronous |= event->mbarrier;
    if (access->order == LITMUS_VOLATILE)
        event->scope = LITMUS_ALL_DEVICES;
    if (access->order == LITMUS_PLAIN && access->scope == LITMUS_SCOPE_NONE)
        event->scope = dialects[runner->test->dialect].has_atomic_types ? LITMUS_WORK_ITEM : LITMUS_SCOPE_NONE;
    added->addr = target->from;
    return added;
}

/* The value that the last event reads: the initial one if nobody writes there. */
static int64_t value_of_read(const struct runner *runner, bool *unknown)
{
    const struct enumeration *enumeration = runner->enumeration;
    const unsigned number = runner->count - 1;
    const struct event *read = &runner->events[number].event;
    if (!enumeration->written[enumeration_cell(enumeration, read->storage, read->element)])
        return location_initial(runner->test, read->storage, read->element);
    *unknown = !runner->values || !(runner->values->known >> number & 1);
    return *unknown ? 0 : runner->values->value[number];
}

enum flow trace_add_read(struct runner *runner, struct litmus_place place, const struct litmus_access *access,
                         const struct target *target, struct datum *result)
{
    struct trace_event *read = trace_access_add_access(runner, EVENT_READ, place, access, target);
    if (!read)
        return FLOW_DEAD;
    if (runner->replay)
        read->event.value = replay_value(runner);
    else
        read->event.value = value_of_read(runner, &read->event.unknown);
    read->event.value = litmus_wrap(access->type, read->event.value);
    *result = trace_read(runner, read->event.value, access->type, read->event.unknown);
    return FLOW_ON;
}

enum flow trace_add_write(struct runner *runner, struct litmus_place place, const struct litmus_access *access,
                          const struct target *target, struct datum value)
{
    struct trace_event *write = trace_access_add_access(runner, EVENT_WRITE, place, access, target);
    int read;
    int64_t addend;
    if (!write)
        return FLOW_DEAD;
    write->event.value = litmus_wrap(access->type, value.value);
    write->event.unknown = value.unknown;
    write->data = value.from;
    if (trace_is_sum(runner, value, write->event.size, &read, &addend)) {
        write->sum_of = read;
        write->addend = addend;
    }
    return FLOW_ON;
}

/* A plain access to the place of an OpenCL compare-and-swap's expected value. */
static struct litmus_access plain_access(const struct litmus_access *access)
{
    return (struct litmus_access){.type = access->type, .order = LITMUS_PLAIN, .proxy = LITMUS_GENERIC};
}

/* The arguments of one access. None is sequenced before another, as in C; all are before the access itself. */
struct access_arguments {
    struct target target, expected_place;
    struct datum operand, expected;
};

static enum flow evaluate_arguments(struct runner *runner, const struct litmus_access *access,
                                    struct access_arguments *arguments)
{
    const uint64_t before = runner->before;
    enum flow flow = trace_find_target(runner, access->address, &arguments->target);
    uint64_t after = runner->before;
    runner->before = before;
    if (flow == FLOW_ON && access->expected)
        flow = trace_evaluate(runner, access->expected, &arguments->expected);
    else if (flow == FLOW_ON && access->expected_address)
        flow = trace_find_target(runner, access->expected_address, &arguments->expected_place);
    after |= runner->before;
    runner->before = before;
    if (flow == FLOW_ON && access->operand)
        flow = trace_evaluate(runner, access->operand, &arguments->operand);
    runner->before |= after;
    return flow;
}

/* The value that a compare-and-swap compares with, if it is not an argument. */
static enum flow find_expected(struct runner *runner, const struct litmus_expression *expression,
                               struct access_arguments *arguments)
{
    const struct litmus_access *access = expression->access;
    if (access->expected)
        return FLOW_ON;
    if (!access->expected_address) {
        arguments->expected = runner->registers[access->expected_register];
        return FLOW_ON;
    }
    const struct litmus_access plain = plain_access(access);
    return trace_add_read(runner, expression->place, &plain, &arguments->expected_place, &arguments->expected);
}

static enum flow report_failure(struct runner *runner, const struct litmus_expression *expression, struct datum old,
                                const struct target *expected_place)
{
    const struct litmus_access *access = expression->access;
    const struct litmus_access plain = plain_access(access);
    if (access->expected_address)
        return trace_add_write(runner, expression->place, &plain, expected_place, old);
    if (access->expected_register != LITMUS_NONE && !access->expected) {
        struct datum *expected = &runner->registers[access->expected_register];
        *expected = trace_convert(runner, old, runner->thread->registers[access->expected_register].type);
    }
    return FLOW_ON;
}

static struct datum trace_modified(const struct litmus_access *access, struct datum old, struct datum operand)
{
    struct datum value = operand;
    value.value = litmus_value_modify(access->operation, access->type, old.value, operand.value);
    if (access->operation >= LITMUS_FETCH_ADD) {
        value.from |= old.from;
        value.unknown |= old.unknown;
        value.term = 0;
    }
    return value;
}

/* The halves of a read-modify-write: the read; the value to write; the write, whose read is event number `read`, and
 * which may depend on the events `decided`. The orders are the halves'. */
static enum flow trace_add_read_half(struct runner *runner, struct litmus_place place,
                                     const struct litmus_access *access, const struct target *target, struct datum *old)
{
    struct litmus_access half = *access;
    half.ordering = ordering_of_read(access->ordering);
    return trace_add_read(runner, place, &half, target, old);
}

static enum flow trace_add_write_half(struct runner *runner, struct litmus_place place,
                                      const struct litmus_access *access, const struct target *target, unsigned read,
                                      struct datum value, uint64_t decided)
{
    struct litmus_access half = *access;
    half.ordering = ordering_of_write(access->ordering);
    FLOW_TRY(trace_add_write(runner, place, &half, target, value));
    struct trace_event *write = &runner->events[runner->count - 1];
    write->ctrl |= decided;
    write->rmw = (int)read;
    write->event.rmw = runner->events[read].event.rmw = true;
    return FLOW_ON;
}

/* Records what the last event, a write half, makes of the value read. */
static enum flow note_change(struct runner *runner, const struct litmus_access *access, struct datum operand)
{
    struct trace_event *write = &runner->events[runner->count - 1];
    if (operand.from || operand.unknown)
        return FLOW_ON;
    write->change = access->operation;
    write->change_type = access->type;
    write->operand = operand.value;
    if ((access->operation == LITMUS_FETCH_ADD || access->operation == LITMUS_FETCH_SUB) &&
        trace_adds_up(access->type, write->event.size)) {
        write->sum_of = write->rmw;
        write->addend = access->operation == LITMUS_FETCH_ADD ? operand.value : (int64_t) - (uint64_t)operand.value;
    }
    return FLOW_ON;
}

static enum flow trace_add_update(struct runner *runner, struct litmus_place place, const struct litmus_access *access,
                                  const struct target *target, struct datum operand)
{
    struct litmus_access update = *access;
    struct datum old;
    update.no_result = true;
    FLOW_TRY(trace_add_read_half(runner, place, &update, target, &old));
    FLOW_TRY(trace_add_write_half(runner, place, &update, target, runner->count - 1,
                                  trace_modified(access, old, operand), 0));
    return note_change(runner, access, operand);
}

static enum flow modify(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    const struct litmus_access *access = expression->access;
    struct access_arguments arguments = {0};
    struct datum old;
    FLOW_TRY(evaluate_arguments(runner, access, &arguments));
    if (operation_compares(access->operation))
        FLOW_TRY(find_expected(runner, expression, &arguments));
    FLOW_TRY(trace_add_read_half(runner, expression->place, access, &arguments.target, &old));
    const unsigned read = runner->count - 1;
    const bool returns_success =
        operation_compares(access->operation) && !access->expected; /* as in OpenCL; PTX gives the old value */
    bool success = true;
    if (operation_compares(access->operation)) {
        const struct datum expected = trace_convert(runner, arguments.expected, access->type);
        FLOW_TRY(trace_decide(runner, trace_binary(runner, LITMUS_EQ, old, expected), &success));
    }
    if (success && access->operation == LITMUS_CAS_WEAK)
        success = !trace_fails_by_chance(runner);
    const uint64_t decided = operation_compares(access->operation) ? old.from | arguments.expected.from : 0;
    *result = returns_success ? (struct datum){success, LITMUS_INT, decided, false, 0} : old;
    if (success) {
        FLOW_TRY(trace_add_write_half(runner, expression->place, access, &arguments.target, read,
                                      trace_modified(access, old, arguments.operand), decided));
        return note_change(runner, access, arguments.operand);
    }
    runner->events[read].event.order = order_of_read(access->failure);
    return report_failure(runner, expression, old, &arguments.expected_place);
}

/* A load of an mbarrier, which returns one bit. If the phase is unfinished, it acquires nothing and shows no end of a
 * copy. */
static enum flow wait_for_phase(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    const struct litmus_access *access = expression->access;
    struct litmus_access load = *access;
    struct access_arguments arguments = {0};
    struct datum value;
    FLOW_TRY(evaluate_arguments(runner, access, &arguments));
    load.type = LITMUS_MBARRIER;
    FLOW_TRY(trace_add_read(runner, expression->place, &load, &arguments.target, &value));
    const unsigned read = runner->count - 1;
    *result = (struct datum){
        .value = mbarrier_test(value.value, arguments.operand.value),
        .type = LITMUS_INT,
        .from = value.from | arguments.operand.from,
        .unknown = value.unknown || arguments.operand.unknown,
    };
    bool finished;
    FLOW_TRY(trace_decide(runner, *result, &finished));
    if (!finished)
        runner->events[read].event.order = LITMUS_RELAXED;
    runner->events[read].event.finished = finished;
    result->value = finished;
    result->unknown = false;
    return FLOW_ON;
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

/* mbarrier.init. */
static enum flow initialise(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    const struct litmus_access *access = expression->access;
    struct access_arguments arguments = {0};
    FLOW_TRY(evaluate_arguments(runner, access, &arguments));
    *result = trace_modified(access, (struct datum){0}, arguments.operand);
    return trace_add_write(runner, expression->place, access, &arguments.target, *result);
}

void trace_access_register(struct runner *runner, int index)
{
    runner->accessed[index] = true;
    for (uint64_t rest = runner->registers[index].from & runner->multiplying; rest; rest &= rest - 1)
        runner->events[set_first(rest)].event.unready = true;
}

/* wgmma.mma_async: its read comes after earlier events of its thread, and in no program order with later ones, like
 * those of a copy. */
static enum flow multiply(struct runner *runner, const struct litmus_expression *expression,
                          const struct target *matrix, struct datum *result)
{
    const uint64_t before = runner->before;
    const unsigned first = runner->count;
    FLOW_TRY(trace_add_read(runner, expression->place, expression->access, matrix, result));
    mark_asynchronous(runner, first);
    runner->copies[COPIES_OF_MATRICES].open.reads |= events_since(runner, first);
    runner->multiplying |= events_since(runner, first);
    runner->before = before;
    return FLOW_ON;
}

enum flow trace_access(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    const struct litmus_access *access = expression->access;
    if (operation_is_wait(access->operation))
        return wait_for_phase(runner, expression, result);
    if (access->operation == LITMUS_MBARRIER_INIT)
        return initialise(runner, expression, result);
    if (!operation_moves(access->operation))
        return modify(runner, expression, result);
    struct access_arguments arguments = {0};
    FLOW_TRY(evaluate_arguments(runner, access, &arguments));
    if (access->proxy == LITMUS_ASYNC)
        return multiply(runner, expression, &arguments.target, result);
    if (access->operation == LITMUS_LOAD)
        return trace_add_read(runner, expression->place, access, &arguments.target, result);
    *result = arguments.operand;
    return trace_add_write(runner, expression->place, access, &arguments.target, *result);
}

/* ---- accesses of several words in a row ---- */

/* Each word's access is a separate event, after earlier events of its thread and before later ones, and unordered with
 * the other words' (PTX ISA, "Vector Data-types" of the memory consistency model; OpenCL C does not say more about
 * vectors). The words of PTX's .b128 are one access: `whole` joins them. */

struct vectoring {
    struct litmus_place place;
    const struct litmus_vector *vector;
    struct target first;
    struct datum values[LITMUS_MAXIMUM_LANES], expected[LITMUS_MAXIMUM_LANES];
    struct datum old[LITMUS_MAXIMUM_LANES]; /* what each word held */
    unsigned reads[LITMUS_MAXIMUM_LANES];   /* numbers of the events */
    uint64_t decided;                       /* origins of the values that a compare-and-swap has compared */
};

/* None of these reads memory. */
static enum flow evaluate_operands(struct runner *runner, struct vectoring *vectoring)
{
    const struct litmus_vector *vector = vectoring->vector;
    FLOW_TRY(trace_find_target(runner, vector->access.address, &vectoring->first));
    for (unsigned lane = 0; lane < vector->lanes; lane++) {
        if (vector->expected[lane])
            FLOW_TRY(trace_evaluate(runner, vector->expected[lane], &vectoring->expected[lane]));
        if (vector->values[lane])
            FLOW_TRY(trace_evaluate(runner, vector->values[lane], &vectoring->values[lane]));
    }
    return FLOW_ON;
}

static struct target target_of(const struct vectoring *vectoring, unsigned lane)
{
    struct target target = vectoring->first;
    target.element += lane;
    return target;
}

static enum flow read_word(struct runner *runner, struct vectoring *vectoring, unsigned lane)
{
    const struct litmus_access *access = &vectoring->vector->access;
    const struct target target = target_of(vectoring, lane);
    vectoring->reads[lane] = runner->count;
    return vectoring->vector->access.operation == LITMUS_LOAD
               ? trace_add_read(runner, vectoring->place, access, &target, &vectoring->old[lane])
               : trace_add_read_half(runner, vectoring->place, access, &target, &vectoring->old[lane]);
}

static enum flow write_word(struct runner *runner, struct vectoring *vectoring, unsigned lane)
{
    const struct litmus_access *access = &vectoring->vector->access;
    const struct target target = target_of(vectoring, lane);
    const struct datum value = vectoring->values[lane];
    if (access->operation == LITMUS_STORE)
        return trace_add_write(runner, vectoring->place, access, &target, value);
    return trace_add_write_half(runner, vectoring->place, access, &target, vectoring->reads[lane],
                                trace_modified(access, vectoring->old[lane], value), vectoring->decided);
}

static enum flow update_word(struct runner *runner, struct vectoring *vectoring, unsigned lane)
{
    FLOW_TRY(read_word(runner, vectoring, lane));
    return write_word(runner, vectoring, lane);
}

/* Does the same to each word, in no order; later events come after all of them. */
typedef enum flow each_word(struct runner *runner, struct vectoring *vectoring, unsigned lane);
static enum flow for_each_word(struct runner *runner, struct vectoring *vectoring, each_word *act)
{
    const uint64_t before = runner->before;
    uint64_t after = before;
    enum flow flow = FLOW_ON;
    for (unsigned lane = 0; lane < vectoring->vector->lanes && flow == FLOW_ON; lane++) {
        runner->before = before;
        flow = act(runner, vectoring, lane);
        after |= runner->before;
    }
    runner->before = after;
    return flow;
}

/* The events since number `from` belong to one access. */
static void mark_whole(struct runner *runner, unsigned from)
{
    const uint64_t all = set_all(runner->count) & ~set_all(from);
    for (unsigned i = from; i < runner->count; i++)
        runner->events[i].whole = all & ~set_of(i);
    runner->enumeration->whole = true;
}

/* The reads of a read-modify-write are one access, and so are its writes. */
static enum flow access_whole(struct runner *runner, struct vectoring *vectoring)
{
    unsigned from = runner->count;
    bool writes = vectoring->vector->access.operation != LITMUS_LOAD;
    if (vectoring->vector->access.operation != LITMUS_STORE) {
        FLOW_TRY(for_each_word(runner, vectoring, read_word));
        mark_whole(runner, from);
        from = runner->count;
    }
    if (vectoring->vector->access.operation == LITMUS_CAS) {
        /* A compare-and-swap compares all words. */
        const struct litmus_vector *vector = vectoring->vector;
        struct datum all = {1, LITMUS_INT, 0, false, 0};
        for (unsigned lane = 0; lane < vector->lanes; lane++) {
            const struct datum expected = trace_convert(runner, vectoring->expected[lane], vector->access.type);
            all =
                trace_binary(runner, LITMUS_AND, all, trace_binary(runner, LITMUS_EQ, vectoring->old[lane], expected));
        }
        FLOW_TRY(trace_decide(runner, all, &writes));
        vectoring->decided = all.from;
    }
    if (!writes)
        return FLOW_ON;
    FLOW_TRY(for_each_word(runner, vectoring, write_word));
    mark_whole(runner, from);
    return FLOW_ON;
}

static void keep_results(struct runner *runner, const struct vectoring *vectoring)
{
    const struct litmus_vector *vector = vectoring->vector;
    for (unsigned lane = 0; lane < vector->lanes && vector->access.operation != LITMUS_STORE; lane++) {
        const int target = vector->registers[lane];
        if (target == LITMUS_NONE)
            continue;
        trace_access_register(runner, target);
        runner->registers[target] = trace_convert(runner, vectoring->old[lane], runner->thread->registers[target].type);
    }
}

enum flow trace_vector(struct runner *runner, const struct litmus_statement *statement)
{
    const struct litmus_vector *vector = &statement->vector;
    struct vectoring vectoring = {.place = statement->place, .vector = vector};
    FLOW_TRY(evaluate_operands(runner, &vectoring));
    if (vector->whole)
        FLOW_TRY(access_whole(runner, &vectoring));
    else
        FLOW_TRY(for_each_word(runner, &vectoring,
                               vector->access.operation == LITMUS_LOAD    ? read_word
                               : vector->access.operation == LITMUS_STORE ? write_word
                                                                          : update_word));
    keep_results(runner, &vectoring);
    return FLOW_ON;
}

/* ---- PTX's asynchronous copies, and how a thread learns that they are done ---- */

/* A copy's accesses come after all earlier events of its thread, and are not in program order with later ones.
 * `completes` leads from it to a fence: before an mbarrier's complete-tx, at a wait for the copy's group, or before the
 * arrival that waits for it. That fence is the implicit one between the async and the generic proxy; nothing else comes
 * before it, so that it is a fence for this copy alone and does not cover earlier events of its thread (PTX ISA,
 * Asynchronous operations). See docs/internals/models.md for what the ISA leaves open. */

static void add_copied(struct copied *all, struct copied some)
{
    all->reads |= some.reads;
    all->changes |= some.changes;
}

/* The fence at which these events are known to be done; nothing comes before it, and afterwards it alone is
 * `runner->before`. */
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

static struct litmus_access mbarrier_access(enum litmus_operation operation, enum litmus_order order,
                                            enum litmus_scope scope)
{
    return (struct litmus_access){
        .operation = operation, .type = LITMUS_MBARRIER, .order = order, .scope = scope, .proxy = LITMUS_GENERIC};
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

/* `to` and `copied` of each destination. What a multicast reads is in all of them. */
struct copying {
    struct litmus_place place;
    const struct litmus_copy *copy;
    struct target to[LITMUS_MAXIMUM_DESTINATIONS], from;
    struct copied copied[LITMUS_MAXIMUM_DESTINATIONS];
    unsigned destinations;
    struct datum value;
};

static struct litmus_access trace_access_of(const struct litmus_copy *copy)
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
    struct litmus_access load = trace_access_of(copying->copy);
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

/* The destinations of a multicast are in no order. */
static enum flow copy_element(struct runner *runner, struct copying *copying, uint32_t number)
{
    struct datum value;
    FLOW_TRY(take_element(runner, copying, number, &value));
    const uint64_t before = runner->before;
    for (unsigned i = 0; i < copying->destinations; i++) {
        runner->before = before;
        const struct litmus_access change = trace_access_of(copying->copy);
        const unsigned first = runner->count;
        struct target to = copying->to[i];
        to.element += number;
        if (change.operation == LITMUS_STORE)
            FLOW_TRY(trace_add_write(runner, copying->place, &change, &to, value));
        else
            FLOW_TRY(trace_add_update(runner, copying->place, &change, &to, value));
        copying->copied[i].changes |= events_since(runner, first);
    }
    return FLOW_ON;
}

/* Makes two words one access. */
static void trace_access_join(struct runner *runner, unsigned a, unsigned b)
{
    runner->events[a].whole |= set_of(b);
    runner->events[b].whole |= set_of(a);
    runner->enumeration->whole = true;
}

/* A strong copy reads and writes two elements of 64 bits at once. From event `first` on, there is a read and a write
 * for each element. */
static void join_elements(struct runner *runner, const struct litmus_copy *copy, unsigned first)
{
    if (copy->order != LITMUS_RELAXED || copy->operation != LITMUS_STORE)
        return;
    for (unsigned i = first; i + 3 < runner->count; i += 4) {
        trace_access_join(runner, i, i + 2);
        trace_access_join(runner, i + 1, i + 3);
    }
}

/* The complete-tx of each destination covers what was read, and what was written there. Whether one destination's
 * stands for the others' data, the ISA does not say. */
static enum flow complete_tx(struct runner *runner, const struct copying *copying)
{
    const struct litmus_copy *copy = copying->copy;
    const struct litmus_access signal = mbarrier_access(LITMUS_COMPLETE_TX, LITMUS_RELEASE, LITMUS_CLUSTER);
    const size_t bytes = copy->from ? copy->bytes : litmus_type_size(copy->type);
    const struct copied *copied = copying->copied;
    for (const struct litmus_expression *signalled = copy->mbarrier; signalled;
         signalled = signalled->right, copied++) {
        struct target mbarrier;
        FLOW_TRY(trace_find_target(runner, signalled, &mbarrier));
        FLOW_TRY(signal_mbarrier(runner, copying->place, copied->reads | copied->changes, copy->bulk, &signal,
                                 &mbarrier, (int64_t)bytes));
    }
    return FLOW_ON;
}

/* No thread waits for an asynchronous release. PTX ISA, red.async: without a completion mechanism it "synchronizes with
 * the end of the CTA". st.async no longer says so (since 9.1). */
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
static enum flow trace_access_perform(struct runner *runner, struct copying *copying)
{
    const struct litmus_copy *copy = copying->copy;
    for (const struct litmus_expression *to = copy->to; to; to = to->right)
        FLOW_TRY(find_side(runner, copying, to, &copying->to[copying->destinations++]));
    if (copy->from)
        FLOW_TRY(find_side(runner, copying, copy->from, &copying->from));
    else
        FLOW_TRY(trace_evaluate(runner, copy->value, &copying->value));
    /* Elements are in no order among themselves. */
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

enum flow trace_copy(struct runner *runner, const struct litmus_statement *statement)
{
    const struct litmus_copy *copy = &statement->copy;
    struct copying copying = {.place = statement->place, .copy = copy};
    const uint64_t before = runner->before;
    FLOW_TRY(trace_access_perform(runner, &copying));
    runner->before = before;
    if (copy->mbarrier)
        return complete_tx(runner, &copying);
    if (!copy->from)
        return end_with_kernel(runner, &copying);
    add_copied(&runner->copies[copy->bulk ? COPIES_BULK : COPIES_ASYNC].open, copying.copied[0]);
    return FLOW_ON;
}

/* ---- groups of copies ---- */

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

static enum flow arrive(struct runner *runner, const struct litmus_statement *statement)
{
    const struct copied copied = all_copied(&runner->copies[COPIES_ASYNC]);
    const struct litmus_access signal = mbarrier_access(LITMUS_ARRIVE, LITMUS_RELEASE, LITMUS_WORK_GROUP);
    struct target mbarrier;
    FLOW_TRY(trace_find_target(runner, statement->group.mbarrier, &mbarrier));
    const unsigned first = runner->count;
    if (!statement->group.no_increment) {
        const struct litmus_access expectation =
            mbarrier_access(LITMUS_EXPECT_ARRIVE, LITMUS_RELAXED, LITMUS_WORK_GROUP);
        FLOW_TRY(trace_add_update(runner, statement->place, &expectation, &mbarrier,
                                  (struct datum){1, LITMUS_UINT, 0, false, 0}));
    }
    const uint64_t completed = copied.reads | copied.changes | events_since(runner, first);
    return signal_mbarrier(runner, statement->place, completed, false, &signal, &mbarrier, 1);
}

enum flow trace_group(struct runner *runner, const struct litmus_statement *statement)
{
    const struct litmus_group *group = &statement->group;
    struct copy_groups *copies = &runner->copies[group->matrix ? COPIES_OF_MATRICES
                                                 : group->bulk ? COPIES_BULK
                                                               : COPIES_ASYNC];
    struct copied copied = {0, 0};
    runner->enumeration->asynchronous = true;
    switch (group->action) {
    case LITMUS_GROUP_COMMIT:
        LIST_ADD(copies->groups, copies->count, copies->room) = copies->open;
        copies->open = copied;
        return FLOW_ON;
    case LITMUS_GROUP_ARRIVE:
        return arrive(runner, statement);
    case LITMUS_GROUP_FENCE:
        memset(runner->accessed, false, sizeof runner->accessed);
        return FLOW_ON;
    case LITMUS_GROUP_WAIT:
        copied = committed(copies, group->pending);
        break;
    case LITMUS_GROUP_WAIT_ALL:
        copied = all_copied(copies);
        break;
    }
    /* A wait for nothing makes no event. */
    const uint64_t completed = copied.reads | (group->read ? 0 : copied.changes);
    const uint64_t before = runner->before;
    if (!completed)
        return FLOW_ON;
    runner->multiplying &= ~completed;
    FLOW_TRY(add_completion(runner, statement->place, completed, group->bulk || group->matrix));
    runner->before |= before;
    return FLOW_ON;
}
