// SPDX-License-Identifier: Apache-2.0
/* Columns, rows and arrows of an execution. */
#include "models/explain/explain.h"

/* ---- events ---- */

/* The entry and exit of a barrier are adjacent. */
static bool is_exit(const struct explanation *explanation, unsigned number)
{
    const struct explained_event *event = &explanation->events[number], *before = event - 1;
    return number > 0 && event->kind == EXPLAINED_BARRIER && before->kind == EXPLAINED_BARRIER &&
           event->thread == before->thread && event->place.line == before->place.line &&
           event->place.column == before->place.column;
}

static bool is_second_half(const struct explanation *explanation, unsigned number)
{
    const int other = explanation->events[number].other_half;
    return (other != LITMUS_NONE && (unsigned)other < number) || is_exit(explanation, number);
}

static unsigned first_half(const struct explanation *explanation, unsigned number)
{
    if (!is_second_half(explanation, number))
        return number;
    return is_exit(explanation, number) ? number - 1 : (unsigned)explanation->events[number].other_half;
}

int drawing_find(const struct execution_drawing *drawing, const struct explanation *explanation, unsigned event)
{
    const unsigned first = first_half(explanation, event);
    return VALUE_OF(int, drawn, drawing->events, drawing->event_count, drawn->event == &explanation->events[first],
                    (int)(drawn - drawing->events), LITMUS_NONE);
}

static void name_event(size_t number, char letter[4])
{
    const size_t again = number / 26;
    (void)snprintf(letter, 4, again > 0 ? "%c%u" : "%c", (char)('a' + number % 26), (unsigned)again % 100);
}

/* "fence acq_rel device" of "fence, memory_order_acq_rel memory_scope_device". */
static const char *fence_words(struct arena *arena, const struct explained_event *event)
{
    static const char *const left_out[] = {",", "memory_order_", "memory_scope_"};
    char *words = arena_copy(arena, event->what);
    for (size_t i = 0; i < COUNT(left_out); i++)
        for (char *at = strstr(words, left_out[i]); at; at = strstr(at, left_out[i]))
            memmove(at, at + strlen(left_out[i]), strlen(at + strlen(left_out[i])) + 1);
    return words;
}

static void describe_event(const struct explanation *explanation, struct arena *arena, struct drawn_event *drawn)
{
    const struct explained_event *event = drawn->event;
    if (event->other_half != LITMUS_NONE) {
        const char *after = explanation->events[event->other_half].shown;
        drawn->words = arena_print(arena, "update %s: read %s, write %s", event->location, event->shown, after);
        drawn->sign = arena_print(arena, "U %s %s->%s", event->location, event->shown, after);
    } else if (event->kind == EXPLAINED_READ || event->kind == EXPLAINED_WRITE) {
        const bool read = event->kind == EXPLAINED_READ;
        drawn->words = arena_print(arena, "%s %s = %s", read ? "read" : "write", event->location, event->shown);
        drawn->sign = arena_print(arena, "%s %s=%s", read ? "R" : "W", event->location, event->shown);
    } else {
        const bool fence = event->kind == EXPLAINED_FENCE;
        drawn->sign = fence ? "fence" : strstr(event->what, "lanes") ? "lanes" : "barrier";
        drawn->words = fence                               ? fence_words(arena, event)
                       : strcmp(drawn->sign, "lanes") == 0 ? "lanes meet"
                                                           : drawn->sign;
    }
}

static bool event_in_cycle(const struct explanation *explanation, unsigned number)
{
    FOR_EACH(const struct explained_edge, edge, explanation->cycle, explanation->cycle_count) {
        const int other = explanation->events[number].other_half;
        if (edge->from == number || edge->to == number || (int)edge->from == other || (int)edge->to == other)
            return true;
    }
    return false;
}

/* ---- arrows ---- */

static const char *short_label(const char *relation)
{
    static const struct {
        const char *name, *label;
    } labels[] = {{"synchronises", "sync"},
                  {"sync_fence", "sc"},
                  {"syncbar", "barrier"},
                  {"mo", "co"},
                  {"launch-order", "launch"},
                  {"data-race", "race"},
                  {"ordinary-race", "race"},
                  {"scope-race", "race"},
                  {"unspecified-mixed-sizes", "race"},
                  {"unspecified-host-race", "race"},
                  {"unsequenced-race", "race"}};
    return VALUE_OF(const char *, row, labels, COUNT(labels), strcmp(row->name, relation) == 0, row->label, relation);
}

/* A step of the cycle down its column is drawn as part of the column. */
static bool is_downwards(const struct execution_drawing *drawing, unsigned from, unsigned to)
{
    const struct drawn_event *a = &drawing->events[from], *b = &drawing->events[to];
    return a->column == b->column && a->row < b->row;
}

static void add_arrow(struct execution_drawing *drawing, const struct explanation *explanation,
                      const struct explained_edge *edge, bool in_cycle)
{
    const int from = drawing_find(drawing, explanation, edge->inverted ? edge->to : edge->from);
    const int to = drawing_find(drawing, explanation, edge->inverted ? edge->from : edge->to);
    if (!edge->relation || from == LITMUS_NONE || to == LITMUS_NONE || from == to)
        return;
    if (in_cycle && is_downwards(drawing, (unsigned)from, (unsigned)to) &&
        explanation_is_program_order(explanation, edge))
        for (int i = from; i < to; i++)
            drawing->events[i].po_in_cycle = true;
    /* An arrow between the same events as one of the cycle's adds nothing. */
    else if (!ANY_OF(arrow, drawing->arrows, drawing->arrow_count,
                     arrow->from == (unsigned)from && arrow->to == (unsigned)to))
        ARENA_ADD(&drawing->arena, drawing->arrows, drawing->arrow_count) =
            (struct drawn_arrow){(unsigned)from, (unsigned)to, short_label(edge->relation), in_cycle};
}

void drawing_make(const struct explanation *explanation, struct execution_drawing *drawing)
{
    *drawing = (struct execution_drawing){.threads = NULL};
    for (unsigned i = 0; i < explanation->event_count; i++)
        if (explanation->events[i].thread != LITMUS_NONE && !is_second_half(explanation, i)) {
            const struct explained_event *event = &explanation->events[i];
            if (drawing->column_count == 0 || drawing->threads[drawing->column_count - 1] != event->thread)
                ARENA_ADD(&drawing->arena, drawing->threads, drawing->column_count) = event->thread;
            const size_t count = drawing->event_count;
            const unsigned column = drawing->column_count - 1;
            const bool first = count == 0 || drawing->events[count - 1].column != column;
            const unsigned row = first ? 0 : drawing->events[count - 1].row + 1;
            struct drawn_event *drawn = &ARENA_ADD(&drawing->arena, drawing->events, drawing->event_count);
            *drawn = (struct drawn_event){
                .event = event, .column = column, .row = row, .in_cycle = event_in_cycle(explanation, i)};
            name_event(count, drawn->letter);
            describe_event(explanation, &drawing->arena, drawn);
            if (row >= drawing->row_count)
                drawing->row_count = row + 1;
        }
    for (size_t i = 0; i < explanation->cycle_count; i++)
        add_arrow(drawing, explanation, &explanation->cycle[i], true);
    FOR_EACH(const struct explained_edge, edge, explanation->edges, explanation->edge_count)
        if (explanation->events[edge->from].thread != explanation->events[edge->to].thread &&
            strcmp(edge->relation, "fr") != 0)
            add_arrow(drawing, explanation, edge, false);
}

void drawing_release(struct execution_drawing *drawing)
{
    arena_release(&drawing->arena);
    *drawing = (struct execution_drawing){.threads = NULL};
}
