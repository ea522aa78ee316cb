// SPDX-License-Identifier: Apache-2.0
/* All paths of one thread. The thread is run repeatedly; whenever an unknown value decides (or a weak compare-and-swap
 * may fail spuriously), the list of choices gives the branch to take, and after each run the last choice with
 * alternatives left advances. A path is played by taking the same choices again, with more values known. */
#include "models/search/trace.h"

/* The next choice; if it is new, it has `of` ways, of which `first` is taken. */
static uint32_t next_choice(struct runner *runner, uint32_t first, uint32_t of)
{
    const size_t number = runner->choice_at++;
    if (runner->path)
        return runner->path->decisions[number];
    if (number == runner->choice_count) {
        (void)LIST_ADD(runner->choices, runner->choice_count, runner->choice_room);
        runner->choices[number].taken = first;
        runner->choices[number].of = of;
    }
    return runner->choices[number].taken;
}

enum flow trace_settle(struct runner *runner, struct datum value, uint32_t of, value_in_turn *in_turn, int64_t *settled)
{
    value = trace_recall(runner, value);
    *settled = value.value;
    runner->decisive |= value.from;
    if (runner->replay)
        return FLOW_ON;
    if (value.unknown && of == 0)
        return FLOW_DEAD;
    const uint32_t taken = value.unknown ? next_choice(runner, 0, of) : next_choice(runner, BY_VALUE, 0);
    if (taken == BY_VALUE)
        return FLOW_ON;
    *settled = in_turn ? in_turn(runner->test, taken) : taken;
    return value.unknown || value.value == *settled ? FLOW_ON : FLOW_DEAD;
}

enum flow trace_decide(struct runner *runner, struct datum condition, bool *holds)
{
    int64_t settled;
    condition = trace_recall(runner, condition);
    const bool nonzero = condition.unknown && runner->terms[condition.term].nonzero;
    const struct datum decisive = {nonzero || condition.value != 0, LITMUS_INT, condition.from,
                                   condition.unknown && !nonzero, 0};
    FLOW_TRY(trace_settle(runner, decisive, 2, NULL, &settled));
    *holds = settled != 0;
    trace_learn(runner, condition, *holds);
    return FLOW_ON;
}

bool trace_fails_by_chance(struct runner *runner)
{
    const uint64_t bit = set_of(runner->weak++ % EVENTS_MAXIMUM);
    const bool fails = runner->replay ? (runner->replay->trace->spurious & bit) != 0 : next_choice(runner, 0, 2) != 0;
    if (fails)
        runner->spurious |= bit;
    return fails;
}

/* Is there another run to make? */
static bool choose_next(struct runner *runner)
{
    while (runner->choice_count > 0) {
        const size_t last = runner->choice_count - 1;
        if (++runner->choices[last].taken < runner->choices[last].of)
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
    *event = (struct trace_event){.rmw = -1, .sum_of = -1, .ctrl = runner->ctrl, .po = runner->before};
    runner->before |= trace_bit(runner, event);
    event->event = (struct event){.kind = kind,
                                  .body = runner->body,
                                  .host = runner->test->threads[runner->body].placement.host,
                                  .place = place,
                                  .location = LITMUS_NONE,
                                  .storage = LITMUS_NONE,
                                  .address = LITMUS_NONE,
                                  .map = LITMUS_NONE,
                                  .barrier = LITMUS_NONE};
    return event;
}

/* Keeps the path that the runner has taken. */
static void fill_path(const struct runner *runner, struct arena *arena, struct path *path)
{
    *path = (struct path){
        .count = runner->count,
        .events = arena_take(arena, runner->count, sizeof *path->events),
        .decisions = arena_take(arena, runner->choice_at, sizeof *path->decisions),
        .steady = arena_take(arena, runner->steady_count, sizeof *path->steady),
        .steady_count = runner->steady_count,
        .decisive = runner->decisive,
        .branched = runner->ctrl,
    };
    memcpy(path->events, runner->events, runner->count * sizeof *path->events);
    for (unsigned i = 0; i < runner->count; i++)
        path->reads |=
            runner->events[i].event.kind == EVENT_READ || event_is_result(&runner->events[i].event) ? set_of(i) : 0;
    for (size_t i = 0; i < runner->choice_at; i++)
        path->decisions[i] = runner->choices[i].taken;
    for (size_t i = 0; i < runner->steady_count; i++)
        path->steady[i] = runner->steady[i];
}

enum flow trace_run(struct runner *runner)
{
    runner->choice_at = runner->head_count = runner->kept_count = runner->steady_count = 0;
    runner->loops = 0;
    runner->cut_loop = INT_MAX; /* a run that is too long is not cut at a particular loop */
    runner->count = runner->steps = runner->weak = runner->term_count = 0;
    runner->spurious = 0;
    memset(runner->barriers, 0, sizeof runner->barriers);
    runner->waits = 0;
    for (int kind = 0; kind < COPY_KINDS; kind++) {
        runner->copies[kind].count = 0;
        runner->copies[kind].open = (struct copied){0, 0};
    }
    runner->ctrl = runner->before = runner->decisive = runner->multiplying = 0;
    memset(runner->accessed, true, sizeof runner->accessed);
    memset(runner->jumps, 0, runner->thread->label_count * sizeof *runner->jumps);
    for (size_t i = 0; i < runner->thread->register_count; i++) {
        const struct litmus_register *reg = &runner->thread->registers[i];
        runner->registers[i] = (struct datum){
            reg->points_to == LITMUS_NONE ? reg->initial : address_encode(reg->points_to, 0), reg->type, 0, false, 0};
    }
    const enum flow flow = trace_run_block(runner, &runner->thread->body);
    /* The outcome has the registers as they are at the end. */
    for (size_t i = 0; i < runner->test->variable_count && runner->multiplying; i++)
        if (runner->test->variables[i].body == runner->body)
            trace_access_register(runner, runner->test->variables[i].index);
    trace_enter_demands(runner);
    return flow;
}

static enum status list_paths(struct runner *runner)
{
    unsigned long runs = 0;
    do {
        if (++runs > ENUMERATE_MAXIMUM_RUNS)
            return error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                             "P%u alone takes more than %d runs to list its paths, so no model can judge the test",
                             runner->thread->first, ENUMERATE_MAXIMUM_RUNS);
        if (runs % 1024 == 0 && enumeration_is_over(runner->enumeration))
            return STATUS_UNSUPPORTED;
        const enum flow flow = trace_run(runner);
        TRY(runner->status);
        if (flow == FLOW_JUMP)
            return error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                             "P%u jumps into a block: no model can judge the test", runner->thread->first);
        if (flow == FLOW_ON || flow == FLOW_CUT) {
            struct traces *traces = &runner->enumeration->traces[runner->body];
            trace_find_steady(runner, flow == FLOW_CUT ? runner->cut_loop : -1);
            if (traces_path_count(traces) == ENUMERATE_MAXIMUM_PATHS)
                return error_set(runner->enumeration->error, STATUS_UNSUPPORTED,
                                 "P%u alone has more than %d paths: no model can judge the test", runner->thread->first,
                                 ENUMERATE_MAXIMUM_PATHS);
            if (flow == FLOW_ON)
                fill_path(runner, &traces->arena, &ARENA_ADD(&traces->arena, traces->paths, traces->count));
            else
                fill_path(runner, &traces->arena, &ARENA_ADD(&traces->arena, traces->cut, traces->cut_count));
        }
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

void trace_runner_end(struct runner *runner)
{
    free(runner->choices);
    free(runner->heads);
    free(runner->kept);
    free(runner->steady);
    free(runner->registers);
    free(runner->jumps);
    for (int kind = 0; kind < COPY_KINDS; kind++)
        free(runner->copies[kind].groups);
}

struct runner *trace_runner_new(struct enumeration *enumeration, int body)
{
    struct runner *runner = memory_take(1, sizeof *runner);
    trace_runner_make(runner, enumeration, body);
    return runner;
}

void trace_runner_release(struct runner *runner)
{
    if (!runner)
        return;
    trace_runner_end(runner);
    free(runner);
}

enum status traces_make(struct enumeration *enumeration, int body)
{
    traces_release(&enumeration->traces[body]);
    struct runner runner;
    trace_runner_make(&runner, enumeration, body);
    const enum status status = list_paths(&runner);
    trace_runner_end(&runner);
    /* Short paths first: they have the most informative candidates. */
    struct traces *traces = &enumeration->traces[body];
    struct path *sorted = arena_take(&traces->arena, traces->count, sizeof *sorted);
    size_t count = 0;
    for (unsigned events = 0; events <= EVENTS_MAXIMUM; events++)
        for (size_t i = 0; i < traces->count; i++)
            if (traces->paths[i].count == events)
                sorted[count++] = traces->paths[i];
    if (count > 0)
        memcpy(traces->paths, sorted, count * sizeof *sorted);
    return status;
}

void traces_release(struct traces *traces)
{
    for (size_t i = 0; i < traces->count; i++) {
        hash_index_release(&traces->paths[i].traces_by_values);
        hash_index_release(&traces->paths[i].parts_by_values);
    }
    arena_release(&traces->arena);
    *traces = (struct traces){0};
}

/* ---- playing a path ---- */

bool path_play(struct enumeration *enumeration, int body, const struct path *path, struct path_values *values)
{
    struct runner *runner = enumeration->runners[body];
    runner->path = path;
    runner->values = values;
    runner->work = 0;
    const enum flow flow = trace_run(runner);
    if (flow != FLOW_ON && flow != FLOW_CUT)
        return false;
    values->known = 0;
    for (unsigned i = 0; i < runner->count; i++) {
        values->value[i] = runner->events[i].event.value;
        values->known |= runner->events[i].event.unknown ? 0 : set_of(i);
    }
    return true;
}

bool path_register(struct enumeration *enumeration, int body, const struct path *path, struct path_values *values,
                   int number, int64_t *value, uint64_t *from)
{
    const bool plays = path_play(enumeration, body, path, values);
    const struct datum *found = &enumeration->runners[body]->registers[number];
    *value = found->value;
    *from = found->unknown ? found->from & path->reads & ~values->known : 0;
    return plays;
}

static uint64_t key_of(const struct path_values *values, uint64_t events)
{
    uint64_t key = KEY_OF_NONE ^ events;
    for (uint64_t rest = events; rest; rest &= rest - 1)
        key = key_with(key, values->value[set_first(rest)]);
    return key;
}

/* ---- plays with some reads known ---- */

static bool began_like(const struct part_played *part, const struct path_values *values, uint64_t given)
{
    bool same = part->given == given;
    for (uint64_t rest = given; rest && same; rest &= rest - 1)
        same = part->from[set_first(rest)] == values->value[set_first(rest)];
    return same;
}

/* The play that began like this, or NULL. */
static const struct part_played *find_part(const struct path *path, const struct path_values *values, uint64_t given)
{
    size_t item;
    for (size_t step = 0; hash_index_next(&path->parts_by_values, key_of(values, given), &step, &item);)
        if (began_like(path->parts[item], values, given))
            return path->parts[item];
    return NULL;
}

static void keep_part(struct arena *arena, struct path *path, uint64_t given, const struct path_values *before,
                      const struct path_values *after, bool plays)
{
    struct part_played *part = arena_take(arena, 1, sizeof *part);
    *part = (struct part_played){.given = given, .known = after->known, .plays = plays};
    part->from = arena_take(arena, path->count, sizeof *part->from);
    part->value = arena_take(arena, path->count, sizeof *part->value);
    memcpy(part->from, before->value, path->count * sizeof *part->from);
    memcpy(part->value, after->value, path->count * sizeof *part->value);
    hash_index_add(&path->parts_by_values, key_of(before, given), path->part_count);
    ARENA_ADD(arena, path->parts, path->part_count) = part;
}

bool path_play_part(struct enumeration *enumeration, int body, struct path *path, struct path_values *values)
{
    const uint64_t given = values->known & path->reads;
    const struct part_played *part = find_part(path, values, given);
    if (part) {
        values->known = part->known;
        memcpy(values->value, part->value, path->count * sizeof *values->value);
        return part->plays;
    }
    const struct path_values before = *values;
    const bool plays = path_play(enumeration, body, path, values);
    if (path->part_count < ENUMERATE_KEPT_PARTS)
        keep_part(&enumeration->traces[body].arena, path, given, &before, values, plays);
    return plays;
}

/* ---- traces ---- */

static bool has_values(const struct trace *trace, const struct path *path, const struct path_values *values)
{
    for (uint64_t rest = path->reads; rest; rest &= rest - 1)
        if (trace->events[set_first(rest)].event.value != values->value[set_first(rest)])
            return false;
    return true;
}

struct trace *path_find(const struct path *path, const struct path_values *values)
{
    size_t item;
    for (size_t step = 0; hash_index_next(&path->traces_by_values, key_of(values, path->reads), &step, &item);)
        if (has_values(path->traces[item], path, values))
            return path->traces[item];
    return NULL;
}

static void fill_trace(const struct runner *runner, struct trace *trace, struct trace_event *events, int64_t *registers)
{
    *trace =
        (struct trace){.count = runner->count, .events = events, .registers = registers, .spurious = runner->spurious};
    memcpy(events, runner->events, runner->count * sizeof *events);
    for (size_t i = 0; i < runner->thread->register_count; i++)
        registers[i] = runner->registers[i].value;
}

struct trace *path_trace(struct enumeration *enumeration, int body, struct path *path, const struct path_values *values,
                         struct spare_trace *spare)
{
    const struct runner *runner = enumeration->runners[body];
    struct arena *arena = &enumeration->traces[body].arena;
    const size_t registers = runner->thread->register_count;
    if (path->trace_count == ENUMERATE_KEPT_TRACES) {
        if (!spare->registers)
            spare->registers = arena_take(arena, registers, sizeof *spare->registers);
        fill_trace(runner, &spare->trace, spare->events, spare->registers);
        return &spare->trace;
    }
    struct trace *found = path_find(path, values);
    if (found)
        return found;
    found = arena_take(arena, 1, sizeof *found);
    fill_trace(runner, found, arena_take(arena, runner->count, sizeof(struct trace_event)),
               arena_take(arena, registers, sizeof(int64_t)));
    hash_index_add(&path->traces_by_values, key_of(values, path->reads), path->trace_count);
    ARENA_ADD(arena, path->traces, path->trace_count) = found;
    return found;
}
