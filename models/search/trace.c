// SPDX-License-Identifier: Apache-2.0
/*
 * All traces of one thread. The thread is run again and again; whenever it has a choice (what a read gives, whether a
 * weak compare-and-swap fails for no reason), the list of choices says what to take, and after each run the last choice
 * that has something left moves on.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "models/search/trace.h"

unsigned trace_choose(struct runner *runner, unsigned of)
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

bool trace_fails_by_chance(struct runner *runner)
{
    const uint64_t bit = set_of(runner->weak++ % EVENTS_MAXIMUM);
    const bool fails = runner->replay ? (runner->replay->trace->spurious & bit) != 0 : trace_choose(runner, 2) != 0;
    if (fails)
        runner->spurious |= bit;
    return fails;
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

struct trace_event *trace_add_event(struct runner *runner, enum event_kind kind, struct litmus_place place)
{
    if (runner->count == EVENTS_MAXIMUM) {
        runner->status = error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                                   "a thread has more than %d events: no model can judge the test", EVENTS_MAXIMUM);
        return NULL;
    }
    struct trace_event *event = &runner->events[runner->count++];
    *event = (struct trace_event){.rmw = -1, .ctrl = runner->ctrl, .po = runner->before};
    runner->before |= trace_bit(runner, event);
    event->event = (struct event){.kind = kind,
                                  .body = runner->body,
                                  .place = place,
                                  .location = LITMUS_NONE,
                                  .storage = LITMUS_NONE,
                                  .address = LITMUS_NONE,
                                  .barrier = LITMUS_NONE};
    return event;
}

static enum status keep_trace(struct runner *runner)
{
    struct traces *traces = &runner->enumeration->traces[runner->body];
    if (traces->count == ENUMERATE_MAXIMUM_TRACES)
        return error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                         "P%u alone has more than %d executions: no model can judge the test", runner->thread->first,
                         ENUMERATE_MAXIMUM_TRACES);
    const size_t registers = runner->thread->register_count;
    struct trace *trace = &ARENA_ADD(&traces->arena, traces->items, traces->count);
    *trace = (struct trace){
        .count = runner->count,
        .events = arena_take(&traces->arena, runner->count, sizeof *trace->events),
        .registers = arena_take(&traces->arena, registers, sizeof *trace->registers),
        .spurious = runner->spurious,
    };
    memcpy(trace->events, runner->events, runner->count * sizeof *trace->events);
    for (size_t i = 0; i < registers; i++)
        trace->registers[i] = runner->registers[i].value;
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
            return values_too_many(runner->enumeration);
    }
    return STATUS_OK;
}

static void start_run(struct runner *runner)
{
    runner->choice_at = runner->count = runner->steps = runner->weak = 0;
    runner->spurious = 0;
    memset(runner->barriers, 0, sizeof runner->barriers);
    runner->ctrl = runner->before = 0;
    memset(runner->jumps, 0, runner->thread->label_count * sizeof *runner->jumps);
    for (size_t i = 0; i < runner->thread->register_count; i++) {
        const struct litmus_register *reg = &runner->thread->registers[i];
        runner->registers[i] = (struct datum){
            reg->points_to == LITMUS_NONE ? reg->initial : address_encode(reg->points_to, 0), reg->type, 0};
    }
}

enum flow trace_run(struct runner *runner)
{
    start_run(runner);
    return trace_run_block(runner, &runner->thread->body);
}

static enum status run_all(struct runner *runner, struct values *written)
{
    unsigned long runs = 0;
    do {
        if (++runs > ENUMERATE_MAXIMUM_RUNS)
            return error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                             "P%u alone has more than %d ways to go: no model can judge the test",
                             runner->thread->first, ENUMERATE_MAXIMUM_RUNS);
        if (runs % 1024 == 0 && enumeration_is_over(runner->enumeration))
            return STATUS_UNSUPPORTED;
        const enum flow flow = trace_run(runner);
        TRY(runner->status);
        if (flow == FLOW_JUMP)
            return error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                             "P%u jumps into a block: no model can judge the test", runner->thread->first);
        runner->enumeration->cut |= flow == FLOW_CUT;
        if (flow != FLOW_ON)
            continue;
        TRY(note_written(runner, written));
        TRY(keep_trace(runner));
    } while (choose_next(runner));
    return STATUS_OK;
}

void trace_runner_make(struct runner *runner, struct enumeration *enumeration, int body)
{
    const struct litmus_thread *thread = &enumeration->test->threads[body];
    *runner = (struct runner){
        .enumeration = enumeration, .test = enumeration->test, .body = body, .thread = thread, .status = STATUS_OK};
    runner->registers = memory_take(thread->register_count, sizeof *runner->registers);
    runner->jumps = memory_take(thread->label_count, sizeof *runner->jumps);
}

void trace_runner_release(struct runner *runner)
{
    free(runner->registers);
    free(runner->jumps);
}

enum status traces_make(struct enumeration *enumeration, int body, struct values *written)
{
    traces_release(&enumeration->traces[body]);
    struct runner runner;
    trace_runner_make(&runner, enumeration, body);
    const enum status status = run_all(&runner, written);
    trace_runner_release(&runner);
    return status;
}

void traces_release(struct traces *traces)
{
    arena_release(&traces->arena);
    *traces = (struct traces){0};
}
