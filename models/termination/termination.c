// SPDX-License-Identifier: Apache-2.0
/* Answers whether a program must end, and the schedule by which it does not. */
#include "models/termination/termination.h"

#include "models/termination/graph.h"

static const struct {
    const char *word, *promise;
} scheduler_rows[] = {
#define SCHEDULER_ROW(name, word, promise) {word, promise},
    SCHEDULER_LIST(SCHEDULER_ROW)
#undef SCHEDULER_ROW
};

const char *scheduler_word(size_t scheduler)
{
    return scheduler < SCHEDULER_COUNT ? scheduler_rows[scheduler].word : NULL;
}

const char *scheduler_promise(enum scheduler scheduler)
{
    return scheduler_rows[scheduler].promise;
}

const char *termination_word(const struct termination *answer)
{
    static const char *const words[] = {
        [TERMINATION_UNKNOWN] = "unknown", [TERMINATION_ENDS] = "ends", [TERMINATION_DOES_NOT] = "does not end"};
    return words[answer->answer];
}

/* ---- the schedule ---- */

static struct termination_step step_of(const struct state_graph *graph, const struct graph_edge *edge)
{
    const struct machine *machine = graph->machine;
    struct termination_step step = {.thread = machine->threads[edge->step.thread].number, .location = LITMUS_NONE};
    if (edge->step.instruction > 0)
        step.place = machine->program.instructions[edge->step.instruction].place;
    if (edge->step.cell < 0)
        return step;
    step.location = (int)machine->test->location_count - 1;
    while (machine->cells[step.location] > (size_t)edge->step.cell)
        step.location--;
    step.element = (uint32_t)((size_t)edge->step.cell - machine->cells[step.location]);
    step.before = graph_state(graph, edge->from)[edge->step.cell];
    step.after = graph_state(graph, edge->to)[edge->step.cell];
    return step;
}

/* ---- who does what, in words ---- */

/* Adds "P0, P2 and 3 more run for ever"; nothing without lanes. */
static void describe_lanes(const struct machine *machine, uint32_t lanes, const char *one, const char *several,
                           struct text *text)
{
    enum { SHOWN = 4 };
    const unsigned count = (unsigned)__builtin_popcount(lanes);
    if (count == 0)
        return;
    text_add(text, "%s", text->size > 0 ? "; " : "");
    for (unsigned shown = 0; shown < SHOWN && lanes; shown++, lanes &= lanes - 1)
        text_add(text, "%sP%u",
                 shown == 0           ? ""
                 : shown + 1 == count ? " and "
                                      : ", ",
                 machine->threads[__builtin_ctz(lanes)].number);
    if (count > SHOWN)
        text_add(text, " and %u more", count - SHOWN);
    text_add(text, " %s", count == 1 ? one : several);
}

/* What the threads do in a cycle from this state, or if none can take a step there. */
static char *describe(const struct state_graph *graph, const struct graph_path *path, size_t begin, size_t state)
{
    const struct machine *machine = graph->machine;
    const int64_t *words = graph_state(graph, state);
    uint32_t running = 0, masked = 0, waiting = 0, idle = 0;
    for (size_t i = begin; i < path->count; i++) {
        const struct machine_step *step = &graph->edges[path->edges[i]].step;
        running |= UINT32_C(1) << step->thread;
        masked |= machine_lanes_left(machine, words, step->unit);
    }
    for (unsigned unit = 0; unit < machine->unit_count; unit++) {
        const uint32_t lanes = machine_lanes_left(machine, words, unit);
        const bool waits = words[machine->units[unit].state + MACHINE_FLAGS] & MACHINE_WAITS;
        if (!(masked & lanes))
            *(waits ? &waiting : &idle) |= lanes;
    }
    LOCAL(text) text = {0};
    describe_lanes(machine, running, "runs for ever", "run for ever", &text);
    describe_lanes(machine, masked & ~running, "waits for its warp", "wait for their warp", &text);
    describe_lanes(machine, waiting, "waits at a barrier", "wait at a barrier", &text);
    describe_lanes(machine, idle, "gets no step", "get no step", &text);
    return memory_copy(text_string(&text));
}

/* ---- answers ---- */

static void find_answer(const struct state_graph *graph, enum scheduler scheduler, struct termination *answer)
{
    struct graph_path path = {0};
    bool waits = false;
    const size_t state = graph_find_endless(graph, scheduler, &waits);
    *answer = (struct termination){.answer = TERMINATION_ENDS, .states = graph->state_count};
    if (state == SIZE_MAX)
        return;
    answer->answer = TERMINATION_DOES_NOT;
    graph_find_way(graph, state, &path);
    answer->repeated = path.count;
    if (!waits)
        graph_find_cycle(graph, scheduler, state, &path);
    answer->reason = describe(graph, &path, answer->repeated, state);
    answer->step_count = path.count;
    answer->steps = memory_take(path.count, sizeof *answer->steps);
    for (size_t i = 0; i < path.count; i++)
        answer->steps[i] = step_of(graph, &graph->edges[path.edges[i]]);
    free(path.edges);
}

/* The answers of schedulers that run the same units. */
static void find_answers(const struct litmus_test *test, unsigned schedulers, bool lockstep,
                         struct termination answers[SCHEDULER_COUNT])
{
    LOCAL(machine) machine;
    LOCAL(state_graph) graph = {0};
    const bool made = machine_make(&machine, test, lockstep) && state_graph_make(&graph, &machine);
    for (unsigned i = 0; i < SCHEDULER_COUNT; i++)
        if (schedulers >> i & 1 && made)
            find_answer(&graph, (enum scheduler)i, &answers[i]);
        else if (schedulers >> i & 1)
            answers[i] = (struct termination){
                .answer = TERMINATION_UNKNOWN, .reason = memory_copy(machine.reason), .states = graph.state_count};
}

void termination_find(const struct litmus_test *test, unsigned schedulers, struct termination answers[SCHEDULER_COUNT])
{
    const unsigned lockstep = 1u << SCHEDULER_LOCKSTEP;
    memset(answers, 0, SCHEDULER_COUNT * sizeof *answers);
    if (schedulers & ~lockstep)
        find_answers(test, schedulers & ~lockstep, false, answers);
    if (schedulers & lockstep)
        find_answers(test, lockstep, true, answers);
}

void termination_release(struct termination *answer)
{
    free(answer->reason);
    free(answer->steps);
    *answer = (struct termination){0};
}
