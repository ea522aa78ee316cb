// SPDX-License-Identifier: Apache-2.0
/*
 * All traces of one thread. The thread is run again and again; whenever it has a choice (what a read gives, whether a
 * weak compare-and-swap fails for no reason), the list of choices says what to take, and after each run the last choice
 * that has something left moves on.
 */
#include <stdlib.h>
#include <string.h>

#include "models/enumerate.h"

enum flow { FLOW_ON, FLOW_JUMP, FLOW_CUT, FLOW_DEAD /* no such execution */ };

struct choice {
    unsigned taken, of;
};

struct runner {
    struct enumeration *enumeration;
    const struct litmus_test *test;
    int body;
    const struct litmus_thread *thread;
    struct choice choices[ENUMERATE_MAXIMUM_CHOICES];
    unsigned choice_count, choice_at;
    struct datum *registers;
    unsigned *jumps; /* backwards, to each label */
    int label;       /* that FLOW_JUMP goes to */
    uint64_t ctrl;   /* reads that decided that the thread is here */
    uint64_t before; /* events that are sequenced before what comes next */
    struct trace_event events[EVENTS_MAXIMUM];
    unsigned count, barriers;
    enum status status;
};

static unsigned choose(struct runner *runner, unsigned of)
{
    if (runner->choice_at == ENUMERATE_MAXIMUM_CHOICES) {
        runner->status =
            error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                      "a thread has more than %d reads: no model can judge the test", ENUMERATE_MAXIMUM_CHOICES);
        return 0;
    }
    struct choice *choice = &runner->choices[runner->choice_at++];
    if (runner->choice_at > runner->choice_count) {
        *choice = (struct choice){0, of};
        runner->choice_count = runner->choice_at;
    }
    return choice->taken;
}

/* Is there another run to make? */
static bool choose_next(struct runner *runner)
{
    while (runner->choice_count > 0) {
        struct choice *last = &runner->choices[runner->choice_count - 1];
        if (++last->taken < last->of)
            return true;
        runner->choice_count--;
    }
    return false;
}

static uint64_t bit_of(const struct runner *runner, const struct trace_event *event)
{
    return set_of((unsigned)(event - runner->events));
}

static struct trace_event *add_event(struct runner *runner, enum event_kind kind, struct litmus_place place)
{
    if (runner->count == EVENTS_MAXIMUM) {
        runner->status = error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                                   "a thread has more than %d events: no model can judge the test", EVENTS_MAXIMUM);
        return NULL;
    }
    struct trace_event *event = &runner->events[runner->count++];
    *event = (struct trace_event){.rmw = -1, .ctrl = runner->ctrl, .po = runner->before};
    runner->before |= bit_of(runner, event);
    event->event = (struct event){.kind = kind,
                                  .body = runner->body,
                                  .place = place,
                                  .location = LITMUS_NONE,
                                  .storage = LITMUS_NONE,
                                  .address = LITMUS_NONE,
                                  .barrier = LITMUS_NONE};
    return event;
}

static enum flow evaluate(struct runner *runner, const struct litmus_expression *expression, struct datum *result);

struct target {
    int location;
    uint32_t element;
    uint64_t from;
};

static enum flow find_target(struct runner *runner, const struct litmus_expression *expression, struct target *target)
{
    struct datum address;
    const enum flow flow = evaluate(runner, expression, &address);
    if (flow != FLOW_ON)
        return flow;
    target->from = address.from;
    return address_decode(runner->test, address.value, &target->location, &target->element) ? FLOW_ON : FLOW_DEAD;
}

/* The order of one half of a read-modify-write. */
static enum litmus_order half_order(enum litmus_order order, enum event_kind half)
{
    const enum litmus_order own = half == EVENT_READ ? LITMUS_ACQUIRE : LITMUS_RELEASE;
    if (order == LITMUS_SEQ_CST || order == LITMUS_PLAIN || order == own)
        return order;
    return order == LITMUS_ACQ_REL ? own : LITMUS_RELAXED;
}

static struct trace_event *add_access(struct runner *runner, enum event_kind kind, struct litmus_place place,
                                      const struct litmus_access *access, const struct target *target)
{
    struct trace_event *added = add_event(runner, kind, place);
    if (!added)
        return NULL;
    const struct litmus_location *location = &runner->test->locations[target->location];
    struct event *event = &added->event;
    event->location = target->location;
    event->storage = location_storage(runner->test, target->location);
    event->address = location_address(runner->test, target->location);
    event->element = target->element;
    event->offset = target->element * (unsigned)litmus_type_size(location->type);
    event->size = (unsigned)litmus_type_size(access->type);
    runner->enumeration->mixed_sizes |= event->size != litmus_type_size(location->type);
    event->order = access->order;
    event->scope = access->scope;
    event->proxy = access->proxy != LITMUS_GENERIC ? access->proxy : location->proxy;
    event->region = location->region;
    event->atomic_location = location->atomic || runner->test->dialect != LITMUS_OPENCL;
    event->atomic = access->order != LITMUS_PLAIN;
    event->no_result = access->no_result;
    if (access->order == LITMUS_VOLATILE)
        event->scope = LITMUS_ALL_DEVICES;
    if (access->order == LITMUS_PLAIN)
        event->scope = runner->test->dialect == LITMUS_OPENCL ? LITMUS_WORK_ITEM : LITMUS_SCOPE_NONE;
    added->addr = target->from;
    return added;
}

static enum flow add_read(struct runner *runner, struct litmus_place place, const struct litmus_access *access,
                          const struct target *target, struct datum *result)
{
    struct trace_event *read = add_access(runner, EVENT_READ, place, access, target);
    if (!read)
        return FLOW_DEAD;
    const struct enumeration *enumeration = runner->enumeration;
    const struct values *values =
        &enumeration->values[enumeration_cell(enumeration, read->event.storage, read->event.element)];
    if (values->count == 0)
        return FLOW_DEAD;
    read->event.value = litmus_wrap(access->type, values->value[choose(runner, values->count)]);
    *result = (struct datum){read->event.value, access->type, bit_of(runner, read)};
    return FLOW_ON;
}

static enum flow add_write(struct runner *runner, struct litmus_place place, const struct litmus_access *access,
                           const struct target *target, struct datum value)
{
    struct trace_event *write = add_access(runner, EVENT_WRITE, place, access, target);
    if (!write)
        return FLOW_DEAD;
    write->event.value = litmus_wrap(access->type, value.value);
    write->data = value.from;
    return FLOW_ON;
}

/* A plain access to where an OpenCL compare-and-swap has its expected value. */
static struct litmus_access plain_access(const struct litmus_access *access)
{
    return (struct litmus_access){.type = access->type, .order = LITMUS_PLAIN, .proxy = LITMUS_GENERIC};
}

/* What a compare-and-swap compares with. */
static enum flow find_expected(struct runner *runner, const struct litmus_expression *expression,
                               struct datum *expected, struct target *place)
{
    const struct litmus_access *access = expression->access;
    if (access->expected)
        return evaluate(runner, access->expected, expected);
    if (!access->expected_address) {
        *expected = runner->registers[access->expected_register];
        return FLOW_ON;
    }
    const enum flow flow = find_target(runner, access->expected_address, place);
    const struct litmus_access plain = plain_access(access);
    return flow == FLOW_ON ? add_read(runner, expression->place, &plain, place, expected) : flow;
}

static enum flow report_failure(struct runner *runner, const struct litmus_expression *expression, struct datum old,
                                const struct target *expected_place)
{
    const struct litmus_access *access = expression->access;
    const struct litmus_access plain = plain_access(access);
    if (access->expected_address)
        return add_write(runner, expression->place, &plain, expected_place, old);
    if (access->expected_register != LITMUS_NONE && !access->expected) {
        const enum litmus_type type = runner->thread->registers[access->expected_register].type;
        old.value = litmus_wrap(type, old.value);
        old.type = type;
        runner->registers[access->expected_register] = old;
    }
    return FLOW_ON;
}

static bool is_cas(const struct litmus_access *access)
{
    return access->operation == LITMUS_CAS || access->operation == LITMUS_CAS_WEAK;
}

/* The write half of the read-modify-write whose read is event number read. */
static enum flow add_write_half(struct runner *runner, const struct litmus_expression *expression,
                                const struct target *target, unsigned read, struct datum operand, struct datum old,
                                uint64_t decided)
{
    struct litmus_access half = *expression->access;
    half.order = half_order(expression->access->order, EVENT_WRITE);
    struct datum value = operand;
    value.value = value_modify(half.operation, half.type, old.value, operand.value);
    if (half.operation >= LITMUS_FETCH_ADD)
        value.from |= old.from;
    const enum flow flow = add_write(runner, expression->place, &half, target, value);
    if (flow != FLOW_ON)
        return flow;
    struct trace_event *write = &runner->events[runner->count - 1];
    write->ctrl |= decided;
    write->rmw = (int)read;
    write->event.rmw = runner->events[read].event.rmw = true;
    return FLOW_ON;
}

static enum flow modify(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    const struct litmus_access *access = expression->access;
    struct target target, expected_place = {0};
    struct datum operand, expected = {0}, old;
    enum flow flow = find_target(runner, access->address, &target);
    if (flow == FLOW_ON && is_cas(access))
        flow = find_expected(runner, expression, &expected, &expected_place);
    if (flow == FLOW_ON)
        flow = evaluate(runner, access->operand, &operand);
    struct litmus_access half = *access;
    half.order = half_order(access->order, EVENT_READ);
    if (flow == FLOW_ON)
        flow = add_read(runner, expression->place, &half, &target, &old);
    if (flow != FLOW_ON)
        return flow;
    const unsigned read = runner->count - 1;
    const bool returns_success = is_cas(access) && !access->expected; /* as OpenCL has it; PTX gives the old value */
    bool success = !is_cas(access) || old.value == litmus_wrap(access->type, expected.value);
    if (success && access->operation == LITMUS_CAS_WEAK)
        success = choose(runner, 2) == 0;
    const uint64_t decided = is_cas(access) ? old.from | expected.from : 0;
    if (success) {
        flow = add_write_half(runner, expression, &target, read, operand, old, decided);
    } else {
        runner->events[read].event.order = half_order(access->failure, EVENT_READ);
        flow = report_failure(runner, expression, old, &expected_place);
    }
    *result = returns_success ? (struct datum){success, LITMUS_INT, decided} : old;
    return flow;
}

static enum flow access_memory(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    const struct litmus_access *access = expression->access;
    if (access->operation != LITMUS_LOAD && access->operation != LITMUS_STORE)
        return modify(runner, expression, result);
    struct target target;
    enum flow flow = find_target(runner, access->address, &target);
    if (flow == FLOW_ON && access->operation == LITMUS_LOAD)
        return add_read(runner, expression->place, access, &target, result);
    if (flow == FLOW_ON)
        flow = evaluate(runner, access->operand, result);
    return flow == FLOW_ON ? add_write(runner, expression->place, access, &target, *result) : flow;
}

/* Does the value not depend on the operands, whatever they are? A compiler sees through such a dependency. */
static bool is_sham(const struct litmus_expression *expression)
{
    const struct litmus_expression *left = expression->left, *right = expression->right;
    const bool same = left->kind == LITMUS_EXPRESSION_REGISTER && right->kind == LITMUS_EXPRESSION_REGISTER &&
                      left->index == right->index;
    const bool zero = (left->kind == LITMUS_EXPRESSION_CONSTANT && left->value == 0) ||
                      (right->kind == LITMUS_EXPRESSION_CONSTANT && right->value == 0);
    switch (expression->operator) {
    case LITMUS_XOR:
    case LITMUS_SUB:
    case LITMUS_EQ:
    case LITMUS_NE:
    case LITMUS_LT:
    case LITMUS_LE:
    case LITMUS_GT:
    case LITMUS_GE:
        return same;
    case LITMUS_AND:
    case LITMUS_MUL:
        return zero;
    default:
        return false;
    }
}

/* The operands of && and || are evaluated in order, the right one only if needed. Those of the other operators are
 * unsequenced (C11, 6.5). */
static enum flow evaluate_binary(struct runner *runner, const struct litmus_expression *expression,
                                 struct datum *result)
{
    struct datum left, right;
    const enum litmus_operator op = expression->operator;
    const bool sequenced = op == LITMUS_LOGICAL_AND || op == LITMUS_LOGICAL_OR;
    const uint64_t before = runner->before;
    enum flow flow = evaluate(runner, expression->left, &left);
    if (flow != FLOW_ON)
        return flow;
    if (sequenced && (left.value != 0) == (op == LITMUS_LOGICAL_OR)) {
        *result = (struct datum){left.value != 0, LITMUS_INT, left.from};
        return FLOW_ON;
    }
    const uint64_t ctrl = runner->ctrl, after_left = runner->before;
    if (sequenced)
        runner->ctrl |= left.from;
    else
        runner->before = before;
    flow = evaluate(runner, expression->right, &right);
    runner->ctrl = ctrl;
    runner->before |= after_left;
    if (flow != FLOW_ON)
        return flow;
    *result = datum_binary(op, left, right);
    if (is_sham(expression))
        result->from = 0;
    return FLOW_ON;
}

static enum flow evaluate(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    struct datum operand;
    enum flow flow;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT: {
        const bool small = expression->value == (int32_t)expression->value;
        *result = (struct datum){expression->value, small ? LITMUS_INT : LITMUS_LONG, 0};
        return FLOW_ON;
    }
    case LITMUS_EXPRESSION_REGISTER:
        *result = runner->registers[expression->index];
        return FLOW_ON;
    case LITMUS_EXPRESSION_ADDRESS: {
        operand = (struct datum){0};
        flow = expression->left ? evaluate(runner, expression->left, &operand) : FLOW_ON;
        if (flow != FLOW_ON)
            return flow;
        if (operand.value < 0 || operand.value >= runner->test->locations[expression->index].elements)
            return FLOW_DEAD;
        *result = (struct datum){address_encode(expression->index, (uint32_t)operand.value), LITMUS_LONG, operand.from};
        return FLOW_ON;
    }
    case LITMUS_EXPRESSION_UNARY:
        flow = evaluate(runner, expression->left, &operand);
        if (flow == FLOW_ON)
            *result = datum_unary(expression->operator, operand);
        return flow;
    case LITMUS_EXPRESSION_BINARY:
        return evaluate_binary(runner, expression, result);
    case LITMUS_EXPRESSION_ACCESS:
        return access_memory(runner, expression, result);
    }
    return FLOW_DEAD;
}

static enum flow add_fence(struct runner *runner, const struct litmus_statement *statement)
{
    struct trace_event *event = add_event(runner, EVENT_FENCE, statement->place);
    if (!event)
        return FLOW_DEAD;
    event->event.order = statement->fence.order;
    event->event.scope = statement->fence.scope;
    event->event.proxy = statement->fence.proxy;
    event->event.flag_global = statement->fence.flag_global;
    event->event.flag_local = statement->fence.flag_local;
    event->event.atomic = true;
    return FLOW_ON;
}

/* How often the thread came to this barrier before; of those without a name, to any. */
static unsigned occurrence_of(const struct runner *runner, const char *instance, enum event_kind kind)
{
    if (!instance)
        return runner->barriers;
    unsigned count = 0;
    for (unsigned i = 0; i < runner->count; i++) {
        const struct trace_event *event = &runner->events[i];
        count += event->instance && strcmp(event->instance, instance) == 0 && event->event.kind == kind &&
                 !event->event.exit;
    }
    return count;
}

/* OpenCL: a barrier is a release fence on entry and an acquire fence on exit. */
static enum flow add_fences_of_barrier(struct runner *runner, const struct litmus_statement *statement)
{
    const struct litmus_barrier *barrier = &statement->barrier;
    const unsigned occurrence = occurrence_of(runner, barrier->instance, EVENT_FENCE);
    for (int i = 0; i < 2; i++) {
        struct trace_event *event = add_event(runner, EVENT_FENCE, statement->place);
        if (!event)
            return FLOW_DEAD;
        event->instance = barrier->instance;
        event->occurrence = occurrence;
        event->event.entry = i == 0;
        event->event.exit = i == 1;
        event->event.order = i == 0 ? LITMUS_RELEASE : LITMUS_ACQUIRE;
        event->event.scope = barrier->scope;
        event->event.flag_global = barrier->flag_global;
        event->event.flag_local = barrier->flag_local;
        event->event.atomic = true;
    }
    runner->barriers++;
    return FLOW_ON;
}

static enum flow add_barrier(struct runner *runner, const struct litmus_statement *statement)
{
    if (runner->test->dialect == LITMUS_OPENCL)
        return add_fences_of_barrier(runner, statement);
    const struct litmus_barrier *barrier = &statement->barrier;
    struct datum resource = {0}, quorum = {0};
    enum flow flow = barrier->resource ? evaluate(runner, barrier->resource, &resource) : FLOW_ON;
    if (flow == FLOW_ON && barrier->quorum)
        flow = evaluate(runner, barrier->quorum, &quorum);
    if (flow != FLOW_ON)
        return flow;
    const unsigned occurrence = occurrence_of(runner, barrier->instance, EVENT_BARRIER);
    struct trace_event *event = add_event(runner, EVENT_BARRIER, statement->place);
    if (!event)
        return FLOW_DEAD;
    event->instance = barrier->instance;
    event->occurrence = occurrence;
    event->resource = resource.value;
    event->event.quorum = quorum.value;
    event->event.arrive = barrier->arrive;
    event->event.proxy = LITMUS_GENERIC;
    runner->barriers++;
    return FLOW_ON;
}

static enum flow run_block(struct runner *runner, const struct litmus_block *block);

static enum flow run_if(struct runner *runner, const struct litmus_statement *statement)
{
    struct datum value;
    enum flow flow = evaluate(runner, statement->value, &value);
    if (flow != FLOW_ON)
        return flow;
    /* What stands behind the branches is reached by both. */
    const uint64_t ctrl = runner->ctrl;
    runner->ctrl |= value.from;
    flow = run_block(runner, value.value ? &statement->body : &statement->otherwise);
    if (flow == FLOW_ON)
        runner->ctrl = ctrl;
    return flow;
}

static enum flow run_loop(struct runner *runner, const struct litmus_statement *statement)
{
    const bool test_first = statement->kind == LITMUS_WHILE;
    for (unsigned iterations = 0;; iterations++) {
        struct datum value = {1, LITMUS_INT, 0};
        enum flow flow = test_first || iterations > 0 ? evaluate(runner, statement->value, &value) : FLOW_ON;
        if (flow != FLOW_ON)
            return flow;
        runner->ctrl |= value.from;
        if (!value.value)
            return FLOW_ON;
        if (iterations == runner->enumeration->unroll)
            return FLOW_CUT;
        flow = run_block(runner, &statement->body);
        if (flow != FLOW_ON)
            return flow;
    }
}

static enum flow run_goto(struct runner *runner, const struct litmus_statement *statement)
{
    struct datum value = {1, LITMUS_INT, 0};
    const enum flow flow = statement->value ? evaluate(runner, statement->value, &value) : FLOW_ON;
    if (flow != FLOW_ON)
        return flow;
    runner->ctrl |= value.from;
    runner->label = statement->label;
    return value.value ? FLOW_JUMP : FLOW_ON;
}

static enum flow run_assignment(struct runner *runner, const struct litmus_statement *statement)
{
    struct datum value;
    const enum flow flow = evaluate(runner, statement->value, &value);
    if (flow == FLOW_ON) {
        value.type = runner->thread->registers[statement->target].type;
        value.value = litmus_wrap(value.type, value.value);
        runner->registers[statement->target] = value;
    }
    return flow;
}

static enum flow run_statement(struct runner *runner, const struct litmus_statement *statement)
{
    struct datum ignored;
    switch (statement->kind) {
    case LITMUS_ASSIGN:
        return run_assignment(runner, statement);
    case LITMUS_PERFORM:
        return evaluate(runner, statement->value, &ignored);
    case LITMUS_FENCE:
        return add_fence(runner, statement);
    case LITMUS_BARRIER:
        return add_barrier(runner, statement);
    case LITMUS_IF:
        return run_if(runner, statement);
    case LITMUS_WHILE:
    case LITMUS_DO_WHILE:
        return run_loop(runner, statement);
    case LITMUS_LABEL:
        return FLOW_ON;
    case LITMUS_GOTO:
        return run_goto(runner, statement);
    case LITMUS_UNSUPPORTED:
        break;
    }
    runner->status =
        error_set(runner->enumeration->error, STATUS_UNSUPPORTED, "line %u: '%s' has no meaning in orchil's models",
                  statement->place.line, statement->text ? statement->text : "?");
    return FLOW_DEAD;
}

static enum flow run_block(struct runner *runner, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const enum flow flow = run_statement(runner, &block->statements[i]);
        if (runner->status != STATUS_OK)
            return FLOW_DEAD;
        if (flow == FLOW_ON)
            continue;
        if (flow != FLOW_JUMP)
            return flow;
        size_t to = 0;
        while (to < block->count &&
               (block->statements[to].kind != LITMUS_LABEL || block->statements[to].label != runner->label))
            to++;
        if (to == block->count)
            return FLOW_JUMP; /* to a block around this one */
        if (to <= i && ++runner->jumps[runner->label] >= runner->enumeration->unroll)
            return FLOW_CUT;
        i = to;
    }
    return FLOW_ON;
}

static enum status keep(struct runner *runner)
{
    struct traces *traces = &runner->enumeration->traces[runner->body];
    struct error *error = runner->enumeration->error;
    if (traces->count == ENUMERATE_MAXIMUM_TRACES)
        return error_set(error, STATUS_UNSUPPORTED,
                         "P%u alone has more than %d executions: no model can judge the test", runner->thread->first,
                         ENUMERATE_MAXIMUM_TRACES);
    if (traces->count == traces->capacity) {
        const size_t capacity = traces->capacity ? 2 * traces->capacity : 16;
        struct trace *items = realloc(traces->items, capacity * sizeof *items);
        if (!items)
            return error_set(error, STATUS_MEMORY, "out of memory while a test is judged");
        traces->items = items;
        traces->capacity = capacity;
    }
    const size_t registers = runner->thread->register_count;
    struct trace trace = {runner->count, malloc((runner->count + 1) * sizeof *trace.events),
                          malloc((registers + 1) * sizeof *trace.registers)};
    if (!trace.events || !trace.registers) {
        free(trace.events);
        free(trace.registers);
        return error_set(error, STATUS_MEMORY, "out of memory while a test is judged");
    }
    memcpy(trace.events, runner->events, runner->count * sizeof *trace.events);
    for (size_t i = 0; i < registers; i++)
        trace.registers[i] = runner->registers[i].value;
    traces->items[traces->count++] = trace;
    return STATUS_OK;
}

static enum status note_written(struct runner *runner, struct values *written)
{
    bool ignored;
    for (unsigned i = 0; written && i < runner->count; i++) {
        const struct event *event = &runner->events[i].event;
        if (event->kind == EVENT_WRITE &&
            !values_add(&written[enumeration_cell(runner->enumeration, event->storage, event->element)], event->value,
                        &ignored))
            return error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                             "a location may hold more than %d values: no model can judge the test",
                             ENUMERATE_MAXIMUM_VALUES);
    }
    return STATUS_OK;
}

static void start(struct runner *runner)
{
    runner->choice_at = runner->count = runner->barriers = 0;
    runner->ctrl = runner->before = 0;
    memset(runner->jumps, 0, (runner->thread->label_count + 1) * sizeof *runner->jumps);
    for (size_t i = 0; i < runner->thread->register_count; i++) {
        const struct litmus_register *reg = &runner->thread->registers[i];
        runner->registers[i] = (struct datum){
            reg->points_to == LITMUS_NONE ? reg->initial : address_encode(reg->points_to, 0), reg->type, 0};
    }
}

static enum status run_all(struct runner *runner, struct values *written)
{
    unsigned long runs = 0;
    do {
        if (++runs > ENUMERATE_MAXIMUM_RUNS)
            return error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                             "P%u alone has more than %d ways to go: no model can judge the test",
                             runner->thread->first, ENUMERATE_MAXIMUM_RUNS);
        start(runner);
        const enum flow flow = run_block(runner, &runner->thread->body);
        TRY(runner->status);
        if (flow == FLOW_JUMP)
            return error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                             "P%u jumps into a block: no model can judge the test", runner->thread->first);
        runner->enumeration->cut |= flow == FLOW_CUT;
        if (flow != FLOW_ON)
            continue;
        TRY(note_written(runner, written));
        TRY(keep(runner));
    } while (choose_next(runner));
    return STATUS_OK;
}

enum status traces_make(struct enumeration *enumeration, int body, struct values *written)
{
    traces_release(&enumeration->traces[body]);
    const struct litmus_thread *thread = &enumeration->test->threads[body];
    struct runner *runner = calloc(1, sizeof *runner);
    enum status status = STATUS_MEMORY;
    if (runner) {
        runner->enumeration = enumeration;
        runner->test = enumeration->test;
        runner->body = body;
        runner->thread = thread;
        runner->registers = calloc(thread->register_count + 1, sizeof *runner->registers);
        runner->jumps = calloc(thread->label_count + 1, sizeof *runner->jumps);
    }
    if (runner && runner->registers && runner->jumps)
        status = run_all(runner, written);
    else
        (void)error_set(enumeration->error, status, "out of memory while a test is judged");
    if (runner) {
        free(runner->registers);
        free(runner->jumps);
    }
    free(runner);
    return status;
}

void traces_release(struct traces *traces)
{
    for (size_t i = 0; i < traces->count; i++) {
        free(traces->items[i].events);
        free(traces->items[i].registers);
    }
    free(traces->items);
    *traces = (struct traces){0};
}
